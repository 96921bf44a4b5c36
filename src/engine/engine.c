/* SPDX-License-Identifier: MIT */
/*
 * The engine: owns the table and the search threads, starts and ends searches,
 * and chooses among the threads' results. What a thread does is in search.c.
 *
 * Threads of the system live as long as a search; what they have learned is kept
 * in their structs. The first one is the main thread of a search: it starts and
 * joins the others, waits for stop or ponderhit if it must, and reports.
 */
#define _POSIX_C_SOURCE 200809L

#include "engine.h"
#include "deepening.h"
#include "level.h"
#include "network.h"
#include "search.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STACK_SIZE = 512 * 1024,
    ALONE_US = 20000 /* with less time the main thread searches alone: to start and end others takes some of it */
};

struct luft_engine {
    tt table;
    search_shared shared;
    search_thread **threads;
    int thread_count;
    nnue_network *network;
    nnue_stack *evaluation; /* of one ply, for engine_eval and for limited strength */
    int multipv;
    int overhead_ms;
    node_account account; /* of nodes that stand for time */
    int elo;              /* to play at, 0 for full strength */
    int skill;            /* the same in other steps, ENGINE_SKILL_MAX for full strength; an Elo goes before it */
    uint64_t fixed_seed;  /* 0 for none */
    uint64_t seed;        /* of the chance in this game, for limited strength */
    bool limited;         /* the search that runs is of limited strength, and `view` is how it sees the moves */
    level_view view;
    luft_position position;
    luft_move last_move; /* that led to the position, or none */
    uint64_t
        *keys; /* of the positions since the last capture or pawn move, the oldest first, without the present one */
    size_t key_count;
    engine_callbacks callbacks;
    pthread_t main;
    bool started;          /* `main` is to be joined */
    atomic_bool searching; /* no best move was reported yet */
    pthread_mutex_t mutex; /* guards waiting for stop and ponderhit */
    pthread_mutex_t gate;  /* held while threads are started: those that are there must not delay the others */
    pthread_cond_t changed;
};

/* --- Life ------------------------------------------------------------------ */

static uint64_t new_seed(const luft_engine *engine) {
    return engine->fixed_seed ? engine->fixed_seed : (uint64_t)clock_now() * 0x9e3779b97f4a7c15ull;
}

luft_engine *engine_create(void) {
    luft_engine *engine = calloc(1, sizeof *engine);
    if (!engine) {
        return NULL;
    }
    pthread_mutex_init(&engine->mutex, NULL);
    pthread_mutex_init(&engine->gate, NULL);
    pthread_cond_init(&engine->changed, NULL);
    engine->multipv = 1;
    engine->overhead_ms = ENGINE_OVERHEAD_DEFAULT_MS;
    engine->account.left = LIMIT_NONE;
    engine->skill = ENGINE_SKILL_MAX;
    engine->position = luft_start_position();
    engine->seed = new_seed(engine);
    if (!engine_reset_network(engine) || engine_set_threads(engine, 1) != 1 ||
        !engine_set_hash(engine, ENGINE_HASH_DEFAULT_MB)) {
        engine_free(engine);
        return NULL;
    }
    return engine;
}

/* Ends a search that runs, and joins its thread. */
static void finish(luft_engine *engine) {
    engine_stop(engine);
    engine_wait(engine);
}

void engine_free(luft_engine *engine) {
    if (!engine) {
        return;
    }
    finish(engine);
    for (int i = 0; i < engine->thread_count; i++) {
        search_thread_free(engine->threads[i]);
    }
    nnue_stack_free(engine->evaluation);
    nnue_free(engine->network);
    free(engine->threads);
    free(engine->keys);
    tt_free(&engine->table);
    pthread_mutex_destroy(&engine->mutex);
    pthread_mutex_destroy(&engine->gate);
    pthread_cond_destroy(&engine->changed);
    free(engine);
}

/* --- Settings -------------------------------------------------------------- */

bool engine_set_hash(luft_engine *engine, size_t megabytes) {
    if (megabytes < 1 || megabytes > ENGINE_HASH_MAX_MB) {
        return false;
    }
    if (tt_megabytes(&engine->table) == megabytes) {
        finish(engine);
        tt_clear(&engine->table, engine->thread_count);
        return true;
    }
    tt table;
    if (!tt_create(&table, megabytes)) {
        return false; /* and a search goes on with what it has */
    }
    finish(engine);
    tt_free(&engine->table);
    engine->table = table;
    return true;
}

int engine_set_threads(luft_engine *engine, int threads) {
    finish(engine);
    threads = threads < 1 ? 1 : threads > ENGINE_THREADS_MAX ? ENGINE_THREADS_MAX : threads;
    while (engine->thread_count > threads) {
        search_thread_free(engine->threads[--engine->thread_count]);
    }
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the list is of pointers
    search_thread **room = realloc(engine->threads, (size_t)threads * sizeof *room);
    if (!room) {
        return engine->thread_count;
    }
    engine->threads = room;
    while (engine->thread_count < threads) {
        search_thread *thread = search_thread_create(&engine->shared, engine->thread_count);
        if (thread) {
            thread->nnue = nnue_stack_create(engine->network, SEARCH_PLIES);
        }
        if (!thread || !thread->nnue) {
            search_thread_free(thread);
            break;
        }
        engine->threads[engine->thread_count++] = thread;
    }
    return engine->thread_count;
}

int engine_threads(const luft_engine *engine) {
    return engine->thread_count;
}

void engine_set_multipv(luft_engine *engine, int lines) {
    finish(engine);
    engine->multipv = lines < 1 ? 1 : lines > ENGINE_MULTIPV_MAX ? ENGINE_MULTIPV_MAX : lines;
}

void engine_set_overhead(luft_engine *engine, int milliseconds) {
    finish(engine);
    engine->overhead_ms = milliseconds < 0                        ? 0
                          : milliseconds > ENGINE_OVERHEAD_MAX_MS ? ENGINE_OVERHEAD_MAX_MS
                                                                  : milliseconds;
}

void engine_set_node_rate(luft_engine *engine, int nodes) {
    finish(engine);
    engine->account.rate = nodes < 0 ? 0 : nodes > ENGINE_NODE_RATE_MAX ? ENGINE_NODE_RATE_MAX : nodes;
    engine->account.left = LIMIT_NONE;
}

void engine_set_elo(luft_engine *engine, int elo) {
    finish(engine);
    engine->elo = elo <= 0 ? 0 : elo < ENGINE_ELO_MIN ? ENGINE_ELO_MIN : elo > ENGINE_ELO_MAX ? ENGINE_ELO_MAX : elo;
}

void engine_set_skill(luft_engine *engine, int skill) {
    finish(engine);
    engine->skill = skill < 0 ? 0 : skill > ENGINE_SKILL_MAX ? ENGINE_SKILL_MAX : skill;
}

void engine_set_seed(luft_engine *engine, uint64_t seed) {
    finish(engine);
    engine->fixed_seed = seed;
    engine->seed = new_seed(engine);
}

/* Takes over this network. All memory is there before anything changes, or a search is ended. */
static bool use_network(luft_engine *engine, nnue_network *network) {
    nnue_stack *stacks[ENGINE_THREADS_MAX] = {NULL};
    nnue_stack *evaluation = nnue_stack_create(network, 1);
    bool good = evaluation != NULL;
    for (int i = 0; i < engine->thread_count; i++) {
        stacks[i] = nnue_stack_create(network, SEARCH_PLIES);
        good = good && stacks[i];
    }
    if (good) {
        finish(engine);
    }
    for (int i = 0; i < engine->thread_count; i++) {
        nnue_stack *unused = good ? engine->threads[i]->nnue : stacks[i];
        engine->threads[i]->nnue = good ? stacks[i] : engine->threads[i]->nnue;
        nnue_stack_free(unused);
    }
    const bool had_one = engine->network != NULL;
    nnue_stack_free(good ? engine->evaluation : evaluation);
    nnue_free(good ? engine->network : network);
    if (good) {
        engine->evaluation = evaluation;
        engine->network = network;
    }
    if (good && had_one) {
        engine_clear(engine); /* the table holds evaluations */
    }
    return good;
}

bool engine_load_network(luft_engine *engine, const void *bytes, size_t length, char *reason) {
    nnue_network *network = nnue_load(bytes, length, reason);
    if (network && !use_network(engine, network)) {
        snprintf(reason, NNUE_REASON_SIZE, "out of memory");
        return false;
    }
    return network != NULL;
}

bool engine_reset_network(luft_engine *engine) {
    char reason[NNUE_REASON_SIZE];
    return engine_load_network(engine, network_bytes, network_size, reason);
}

const char *engine_network_text(const luft_engine *engine) {
    return engine->network->text;
}

void engine_clear(luft_engine *engine) {
    finish(engine);
    engine->account.left = LIMIT_NONE;
    engine->seed = new_seed(engine);
    tt_clear(&engine->table, engine->thread_count);
    for (int i = 0; i < engine->thread_count; i++) {
        search_thread_clear(engine->threads[i]);
    }
}

luft_error engine_set_position(luft_engine *engine, const luft_position *start, const luft_move *moves, size_t count,
                               size_t *bad) {
    finish(engine);
    if (luft_position_status(start) != LUFT_STATUS_VALID) {
        return LUFT_ERROR_POSITION;
    }
    uint64_t *keys = malloc((count + 1) * sizeof *keys);
    if (!keys) {
        return LUFT_ERROR_MEMORY;
    }
    size_t key_count = 0;
    luft_position position = *start;
    for (size_t i = 0; i < count; i++) {
        keys[key_count++] = luft_key(&position);
        if (luft_play(&position, &position, moves[i]) != LUFT_OK) {
            if (bad) {
                *bad = i;
            }
            free(keys);
            return LUFT_ERROR_MOVE_ILLEGAL;
        }
        if (position.halfmove_clock == 0) {
            key_count = 0; /* nothing before can come back */
        }
    }
    free(engine->keys);
    engine->keys = keys;
    engine->key_count = key_count;
    engine->position = position;
    engine->last_move = count > 0 ? moves[count - 1] : LUFT_MOVE_NONE;
    return LUFT_OK;
}

const luft_position *engine_position(const luft_engine *engine) {
    return &engine->position;
}

int engine_eval(const luft_engine *engine, const luft_position *position) {
    nnue_set_root(engine->evaluation, position);
    const int score = nnue_evaluate(engine->evaluation, 0, position);
    return position->side_to_move == LUFT_WHITE ? score : -score;
}

/* --- Reporting ------------------------------------------------------------- */

static void report(void *payload, const search_report *report) {
    luft_engine *engine = payload;
    if (engine->limited) {
        level_note(&engine->view, report->depth, report->multipv, report->pv->moves[0], report->score);
    }
    /* Limited strength makes the search look at more lines than the client asked for. */
    if (!engine->callbacks.line || report->multipv > engine->multipv) {
        return;
    }
    const engine_line line = {.depth = report->depth,
                              .seldepth = report->seldepth + 1,
                              .multipv = report->multipv,
                              .score = report->score,
                              .is_lower_bound = report->bound == TT_LOWER,
                              .is_upper_bound = report->bound == TT_UPPER,
                              .nodes = search_nodes(&engine->shared),
                              .time_ms = (clock_now() - engine->shared.clock.began) / 1000,
                              .hashfull = tt_hashfull(&engine->table),
                              .length = report->pv->length,
                              .moves = report->pv->moves};
    engine->callbacks.line(engine->callbacks.payload, &line);
}

static void current_move(void *payload, int depth, luft_move move, int number) {
    const luft_engine *engine = payload;
    if (engine->callbacks.current_move) {
        engine->callbacks.current_move(engine->callbacks.payload, depth, move, number);
    }
}

/* --- The main thread of a search ------------------------------------------- */

static void *helper_main(void *argument) {
    search_thread *thread = argument;
    luft_engine *engine = thread->shared->payload;
    pthread_mutex_lock(&engine->gate);
    pthread_mutex_unlock(&engine->gate);
    if (!atomic_load(&thread->shared->stop)) { /* it may be over before it is the turn of this thread */
        search_thread_set_root(thread, &engine->position, engine->keys, engine->key_count);
        search_run(thread);
    }
    return NULL;
}

/* Threads of 512 KB stack, so that many are cheap; the search keeps its plies in the heap. */
static bool start_thread(pthread_t *id, void *(*function)(void *), void *argument) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    const bool started = pthread_create(id, &attributes, function, argument) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

/* The thread whose move to play: each votes for its move, by depth and by score. */
static const search_thread *choose_thread(const luft_engine *engine) {
    const search_thread *best = engine->threads[0];
    if (engine->shared.multipv > 1 || engine->shared.limits.depth < MAX_DEPTH || best->root_move_count == 0 ||
        engine->limited) {
        return best;
    }
    int worst = SCORE_INFINITE;
    for (int i = 0; i < engine->thread_count; i++) {
        const int score = engine->threads[i]->root_moves[0].score;
        worst = score < worst && score != -SCORE_INFINITE ? score : worst;
    }
    int64_t most_votes = -1;
    for (int i = 0; i < engine->thread_count; i++) {
        const search_thread *candidate = engine->threads[i];
        if (candidate->completed_depth == 0 || candidate->root_moves[0].score == -SCORE_INFINITE) {
            continue;
        }
        int64_t votes = 0;
        for (int j = 0; j < engine->thread_count; j++) {
            const search_thread *voter = engine->threads[j];
            if (voter->completed_depth > 0 && voter->root_moves[0].score != -SCORE_INFINITE &&
                voter->root_moves[0].move == candidate->root_moves[0].move) {
                votes += (int64_t)(voter->root_moves[0].score - worst + 14) * voter->completed_depth;
            }
        }
        if (votes > most_votes || (votes == most_votes && candidate->completed_depth > best->completed_depth)) {
            most_votes = votes;
            best = candidate;
        }
    }
    return best;
}

/* The move that the line expects as the answer; if the line is short, what the table knows. */
static luft_move ponder_move(const luft_engine *engine, const search_pv *pv) {
    if (pv->length >= 2) {
        return pv->moves[1];
    }
    luft_position next;
    tt_entry known;
    luft_make(&next, &engine->position, pv->moves[0]);
    if (tt_probe(&engine->table, &next, 0, &known) && known.move != LUFT_MOVE_NONE &&
        luft_is_legal(&next, known.move)) {
        return known.move;
    }
    return LUFT_MOVE_NONE;
}

static const root_move *find_root(const search_thread *thread, luft_move move) {
    for (int i = 0; i < thread->root_move_count; i++) {
        if (thread->root_moves[i].move == move) {
            return &thread->root_moves[i];
        }
    }
    return NULL;
}

/*
 * The move of the root to play. Where that is not the first line of the main thread, its line is shown, so that the
 * last line is that of the best move; unless several are wanted, then they stay as they are.
 */
static const root_move *choose_move(luft_engine *engine) {
    const search_thread *thread = choose_thread(engine);
    const root_move *root = &thread->root_moves[0];
    search_report text = {
        .depth = thread->completed_depth, .multipv = 1, .score = root->score, .bound = root->bound, .pv = &root->pv};
    search_pv first = {.length = 1};
    bool shown = thread == engine->threads[0];
    if (engine->limited) {
        const level_move *choice = level_choose(&engine->view);
        const root_move *chosen = find_root(thread, choice->move);
        root = chosen ? chosen : root;
        first.moves[0] = root->move;
        text.depth = choice->depth > 0 ? choice->depth : 1;
        text.score = choice->seen;
        text.bound = TT_EXACT;
        /* The line of the last depth does not go with what was seen at another one. */
        const bool is_same = choice->seen == root->score;
        text.pv = is_same ? &root->pv : &first;
        shown = engine->multipv > 1 || root == &thread->root_moves[0] || choice->seen == -SCORE_INFINITE ||
                (is_decisive(choice->seen) && !is_same);
    }
    if (!shown) {
        text.seldepth = root->seldepth;
        report(engine, &text);
    }
    return root;
}

/* Does the clock run? */
static bool is_by_time(const search_shared *shared) {
    return shared->clock.node_rate == 0 && !atomic_load(&shared->pondering);
}

/* Starts as many threads as there are to be, or as the system gives in a part of the time: the clock is kept. */
static int start_helpers(luft_engine *engine, pthread_t ids[ENGINE_THREADS_MAX]) {
    const search_shared *shared = &engine->shared;
    const int64_t enough = is_by_time(shared) ? shared->clock.hard / 4 : INT64_MAX;
    int helpers = 0;
    pthread_mutex_lock(&engine->gate);
    while (helpers + 1 < shared->thread_count && (helpers < 8 || clock_elapsed(&shared->clock) < enough) &&
           start_thread(&ids[helpers], helper_main, engine->threads[helpers + 1])) {
        helpers++;
    }
    pthread_mutex_unlock(&engine->gate);
    return helpers;
}

static void *search_main(void *argument) {
    luft_engine *engine = argument;
    search_shared *shared = &engine->shared;
    pthread_t ids[ENGINE_THREADS_MAX];
    const int helpers = start_helpers(engine, ids);
    if (helpers + 1 < shared->thread_count && engine->callbacks.fewer_threads) {
        engine->callbacks.fewer_threads(engine->callbacks.payload, helpers + 1, shared->thread_count);
    }
    search_run(engine->threads[0]);

    pthread_mutex_lock(&engine->mutex);
    while (atomic_load(&shared->pondering) && !atomic_load(&shared->stop_requested)) {
        pthread_cond_wait(&engine->changed, &engine->mutex);
    }
    pthread_mutex_unlock(&engine->mutex);
    atomic_store(&shared->stop, true);
    for (int i = 0; i < helpers; i++) {
        pthread_join(ids[i], NULL);
    }

    const luft_color side = (luft_color)engine->position.side_to_move;
    if (!atomic_load(&shared->pondering)) { /* what was only expected costs nothing */
        node_account_spend(&engine->account, &shared->limits, side,
                           search_nodes(shared) - atomic_load(&shared->clock.start_nodes));
    }
    luft_move move = LUFT_MOVE_NONE, ponder = LUFT_MOVE_NONE;
    if (engine->threads[0]->root_move_count > 0) {
        const root_move *root = choose_move(engine);
        move = root->move;
        ponder = ponder_move(engine, &root->pv);
    }
    const engine_callbacks callbacks = engine->callbacks;
    atomic_store(&engine->searching, false);
    if (callbacks.best_move) {
        callbacks.best_move(callbacks.payload, move, ponder);
    }
    return NULL;
}

/* Makes the search that is to start one of limited strength: one thread, a tighter limit, more lines. */
static void limit_strength(luft_engine *engine) {
    search_shared *shared = &engine->shared;
    const search_thread *thread = engine->threads[0];
    level_rules rules = level_of_elo(engine->elo ? engine->elo : level_elo_of_skill(engine->skill));
    rules.lines = rules.lines > engine->multipv ? rules.lines : engine->multipv;
    luft_move moves[LUFT_MAX_MOVES];
    for (int i = 0; i < thread->root_move_count; i++) {
        moves[i] = thread->root_moves[i].move;
    }
    level_look(&engine->view, &rules, engine->evaluation, &engine->position, engine->last_move, moves,
               thread->root_move_count, engine->seed);
    shared->thread_count = 1;
    shared->multipv = rules.lines;
    if (shared->limits.nodes == LIMIT_NONE || shared->limits.nodes > rules.nodes) {
        shared->limits.nodes = rules.nodes;
    }
    const int depth = level_depth(&rules);
    shared->limits.depth = shared->limits.depth < depth ? shared->limits.depth : depth;
}

/* Sets up all that a search needs; false if there is no memory. */
static bool prepare(luft_engine *engine, const search_limits *limits, const engine_callbacks *callbacks) {
    const int64_t now = clock_now();
    finish(engine);
    search_shared *shared = &engine->shared;
    engine->callbacks = *callbacks;
    shared->tt = &engine->table;
    shared->threads = engine->threads;
    shared->thread_count = engine->thread_count;
    shared->limits = *limits;
    if (limits->depth < 1 || limits->depth > MAX_DEPTH) {
        shared->limits.depth = limits->depth < 1 ? 1 : MAX_DEPTH;
    }
    shared->multipv = engine->multipv;
    shared->report = report;
    shared->current_move = current_move;
    shared->payload = engine;
    const luft_color side = (luft_color)engine->position.side_to_move;
    const search_limits counted = node_account_limits(&engine->account, limits, side);
    clock_start(&shared->clock, &counted, side, engine->overhead_ms, now);
    shared->clock.node_rate = engine->account.rate;
    atomic_store(&shared->stop, false);
    atomic_store(&shared->stop_requested, false);
    atomic_store(&shared->min_search_done, false);
    atomic_store(&shared->pondering, limits->ponder || limits->infinite);
    atomic_store(&shared->stop_on_ponderhit, false);
    tt_new_search(&engine->table);
    for (int i = 0; i < engine->thread_count; i++) {
        if (!search_thread_reserve(engine->threads[i], engine->key_count)) {
            return false;
        }
    }
    /* The others do so for themselves: for many threads it takes long. */
    search_thread_set_root(engine->threads[0], &engine->position, engine->keys, engine->key_count);
    engine->limited = engine->elo > 0 || engine->skill < ENGINE_SKILL_MAX;
    if (engine->limited) {
        limit_strength(engine);
    }
    if (is_by_time(shared) && shared->clock.hard < ALONE_US) {
        shared->thread_count = 1;
    }
    atomic_store(&engine->searching, true);
    return true;
}

bool engine_go(luft_engine *engine, const search_limits *limits, const engine_callbacks *callbacks) {
    if (!prepare(engine, limits, callbacks)) {
        return false;
    }
    engine->started = start_thread(&engine->main, search_main, engine);
    if (!engine->started) {
        atomic_store(&engine->searching, false);
    }
    return engine->started;
}

bool engine_search(luft_engine *engine, const search_limits *limits, const engine_callbacks *callbacks) {
    if (!prepare(engine, limits, callbacks)) {
        return false;
    }
    search_main(engine);
    return true;
}

void engine_stop(luft_engine *engine) {
    pthread_mutex_lock(&engine->mutex);
    atomic_store(&engine->shared.stop_requested, true);
    if (atomic_load(&engine->shared.min_search_done)) {
        atomic_store(&engine->shared.stop, true);
    }
    pthread_cond_broadcast(&engine->changed);
    pthread_mutex_unlock(&engine->mutex);
}

void engine_ponderhit(luft_engine *engine) {
    pthread_mutex_lock(&engine->mutex);
    /* One that comes too late is about no search: its threads may be gone. */
    if (atomic_load(&engine->searching) && engine->shared.limits.ponder && !engine->shared.limits.infinite) {
        atomic_store(&engine->shared.clock.start, clock_now());
        atomic_store(&engine->shared.clock.start_nodes, search_nodes(&engine->shared));
        atomic_store(&engine->shared.pondering, false);
        if (atomic_load(&engine->shared.stop_on_ponderhit)) {
            atomic_store(&engine->shared.stop, true);
        }
        pthread_cond_broadcast(&engine->changed);
    }
    pthread_mutex_unlock(&engine->mutex);
}

void engine_wait(luft_engine *engine) {
    if (engine->started) {
        pthread_join(engine->main, NULL);
        engine->started = false;
    }
}

bool engine_is_searching(const luft_engine *engine) {
    return atomic_load(&engine->searching);
}
