/* SPDX-License-Identifier: MIT */
/*
 * Running a search: starts the threads, waits for them, chooses the best move and reports it.
 *
 * System threads live as long as a search. The first is the main thread: it starts and joins the helpers, searches,
 * waits for stop or ponderhit where it must, and calls back.
 */
#define _POSIX_C_SOURCE 200809L

#include "deepening.h"
#include "engine_internal.h"
#include "minmax.h"
#include "vote.h"

enum {
    STACK_SIZE = 512 * 1024, /* enough, for the search keeps its frames on the heap */
    SINGLE_THREAD_US = 20000 /* with less time the main thread searches alone: starting others takes too long */
};

/* --- Reports --------------------------------------------------------------- */

/* Between these two, functions that would wait for the search refuse the caller: see engine_is_in_callback. */
static void begin_callback(luft_engine *engine) {
    atomic_store(&engine->is_calling, true);
}

static void end_callback(luft_engine *engine) {
    atomic_store(&engine->is_calling, false);
}

/* The result of the tables is exact; only a mate says more. */
static search_report with_table_score(const search_report *report, const search_tables *tables) {
    search_report result = *report;
    const int score = tables_root_score(tables, report->pv->moves[0]);
    if (score != SCORE_NONE && !is_mate(report->score)) {
        result.score = score;
        result.bound = TT_EXACT;
    }
    return result;
}

static void report(void *payload, const search_report *report) {
    luft_engine *engine = payload;
    strength_note(&engine->strength, report);
    /* Limited strength searches more principal variations than the client asked for. */
    if (report->multipv > engine->multipv) {
        return;
    }
    const search_report exact = with_table_score(report, &engine->shared.tables);
    const luft_engine_line line = engine_make_line(engine, &exact);
    engine_keep_line(engine, &line);
    if (engine->callbacks.line) {
        begin_callback(engine);
        engine->callbacks.line(engine->callbacks.payload, &line);
        end_callback(engine);
    }
}

static void current_move(void *payload, int depth, luft_move move, int number) {
    luft_engine *engine = payload;
    if (engine->callbacks.current_move) {
        begin_callback(engine);
        engine->callbacks.current_move(engine->callbacks.payload, depth, move, number);
        end_callback(engine);
    }
}

static void report_fewer_threads(luft_engine *engine, int running, int wanted) {
    if (running < wanted && engine->callbacks.fewer_threads) {
        begin_callback(engine);
        engine->callbacks.fewer_threads(engine->callbacks.payload, running, wanted);
        end_callback(engine);
    }
}

static void report_end(luft_engine *engine) {
    pthread_mutex_lock(&engine->mutex);
    atomic_store(&engine->searching, false);
    pthread_mutex_unlock(&engine->mutex);
    if (engine->callbacks.done) {
        begin_callback(engine);
        engine->callbacks.done(engine->callbacks.payload, &engine->result);
        end_callback(engine);
    }
}

/* --- The best move --------------------------------------------------------- */

/* The expected reply: the second move of the principal variation, or the move of the transposition table. */
static luft_move ponder_move(const luft_engine *engine, const search_pv *pv) {
    if (pv->length >= 2) {
        return pv->moves[1];
    }
    luft_position next;
    tt_entry entry;
    luft_make(&next, &engine->position, pv->moves[0]);
    if (tt_probe(&engine->tt, &next, 0, &entry) && entry.move != LUFT_MOVE_NONE && luft_is_legal(&next, entry.move)) {
        return entry.move;
    }
    return LUFT_MOVE_NONE;
}

/*
 * The move of a weaker player. Reports its variation, in place of the last, if it is not among those that the client
 * asked for; but not without a score, and not a mate without the moves that lead to it.
 */
static const root_move *choose_weaker_move(luft_engine *engine) {
    const search_thread *thread = engine->threads[0];
    const strength_choice choice = strength_choose(&engine->strength, thread);
    const search_pv first = {.length = 1, .moves = {choice.root->move}};
    const bool is_new = choice.root - thread->root_moves >= engine->multipv;
    if (is_new && choice.score != -SCORE_INFINITE && (choice.has_pv || !is_decisive(choice.score))) {
        report(engine, &(search_report){.depth = choice.depth,
                                        .seldepth = choice.root->seldepth,
                                        .multipv = min(engine->result.line_count + 1, engine->multipv),
                                        .score = choice.score,
                                        .bound = TT_EXACT,
                                        .pv = choice.has_pv ? &choice.root->pv : &first});
    }
    return choice.root;
}

/* The root move to play. The variation that is reported last is that of the best move. */
static const root_move *choose_move(luft_engine *engine) {
    if (engine->strength.limited) {
        return choose_weaker_move(engine);
    }
    const search_thread *thread = vote_best_thread(&engine->shared);
    const root_move *root = &thread->root_moves[0];
    if (thread != engine->threads[0]) {
        report(engine, &(search_report){.depth = thread->completed_depth,
                                        .seldepth = root->seldepth,
                                        .multipv = 1,
                                        .score = root->score,
                                        .bound = root->bound,
                                        .pv = &root->pv});
    }
    return root;
}

/* --- The mate search --------------------------------------------------------- */

enum { MATE_MB_MIN = 4, MATE_MB_MAX = 256 };

/* Sets up the mate search of `go mate`. Several variations and limited strength ask for other moves than the best. */
static luft_error prepare_mate(luft_engine *engine) {
    search_shared *shared = &engine->shared;
    const search_thread *thread = engine->threads[0];
    const search_limits *limits = &shared->limits;
    if (limits->mate == 0 || shared->multipv > 1 || engine->strength.limited || thread->root_move_count == 0) {
        return LUFT_OK;
    }
    const size_t megabytes = tt_megabytes(&engine->tt) / 4;
    size_t size = megabytes < MATE_MB_MIN ? MATE_MB_MIN : megabytes > MATE_MB_MAX ? MATE_MB_MAX : megabytes;
    for (; !shared->mate && size >= MATE_MB_MIN; size /= 2) { /* a smaller table is better than none */
        shared->mate = mate_create(size << 20);
    }
    if (!shared->mate) {
        return LUFT_ERROR_MEMORY;
    }
    luft_move first[LUFT_MAX_MOVES];
    const int first_count = limits->search_move_count > 0 ? thread->root_move_count : 0;
    for (int i = 0; i < first_count; i++) {
        first[i] = thread->root_moves[i].move;
    }
    mate_begin(shared->mate, &engine->position, engine->keys, engine->key_count, min(limits->mate, MATE_MOVES_MAX),
               first, first_count);
    return LUFT_OK;
}

/* Is the mate that the normal search found as good as the proved one? */
static bool is_as_good_mate(const root_move *root, int proved) {
    return root->bound == TT_EXACT && is_mate(root->score) &&
           (proved > 0 ? root->score >= proved : root->score == proved);
}

/* Reports the mate that was proved, and sets `pv`, unless the normal search found one as good. */
static bool choose_mate(luft_engine *engine, search_pv *pv) {
    const search_shared *shared = &engine->shared;
    const search_thread *thread = engine->threads[0];
    const root_move *root = &thread->root_moves[0];
    if (shared->mate_state != MATE_PROVED) {
        return false;
    }
    const int score = mate_variation(shared->mate, pv);
    if (is_as_good_mate(root, score)) {
        return false;
    }
    report(engine, &(search_report){.depth = thread->completed_depth,
                                    .seldepth = max(root->seldepth, pv->length - 1),
                                    .multipv = 1,
                                    .score = score,
                                    .bound = TT_EXACT,
                                    .pv = pv});
    return true;
}

static void end_mate(luft_engine *engine) {
    mate_free(engine->shared.mate);
    engine->shared.mate = NULL;
}

/* --- Threads --------------------------------------------------------------- */

static void *helper_main(void *argument) {
    search_thread *thread = argument;
    luft_engine *engine = thread->shared->payload;
    pthread_mutex_lock(&engine->starting);
    pthread_mutex_unlock(&engine->starting);
    if (!atomic_load(&thread->shared->stop)) { /* the search may be over before this thread runs */
        search_thread_set_root(thread, &engine->position, engine->keys, engine->key_count);
        search_run(thread);
    }
    return NULL;
}

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

/* Is the search limited by real time? */
static bool is_timed(const search_shared *shared) {
    return shared->clock.node_rate == 0 && !atomic_load(&shared->pondering);
}

/* Starts the helpers, or as many as the system can start in a quarter of the time. Returns their number. */
static int start_helpers(luft_engine *engine, pthread_t ids[MAX_THREADS_HERE]) {
    const search_shared *shared = &engine->shared;
    const int64_t time_limit = is_timed(shared) ? shared->clock.hard / 4 : INT64_MAX;
    int helpers = 0;
    pthread_mutex_lock(&engine->starting);
    while (helpers + 1 < shared->thread_count && (helpers < 8 || clock_elapsed(&shared->clock) < time_limit) &&
           start_thread(&ids[helpers], helper_main, engine->threads[helpers + 1])) {
        helpers++;
    }
    pthread_mutex_unlock(&engine->starting);
    return helpers;
}

static void *search_main(void *argument) {
    luft_engine *engine = argument;
    search_shared *shared = &engine->shared;
    pthread_t ids[MAX_THREADS_HERE];
    atomic_store(&engine->caller, pthread_self());
    const int helpers = start_helpers(engine, ids);
    report_fewer_threads(engine, helpers + 1, shared->thread_count);
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
    if (!atomic_load(&shared->pondering)) { /* pondering is free */
        node_account_spend(&engine->account, &shared->limits, side,
                           search_nodes(shared) - atomic_load(&shared->clock.start_nodes));
    }
    luft_move move = LUFT_MOVE_NONE, ponder = LUFT_MOVE_NONE;
    search_pv mate;
    if (choose_mate(engine, &mate)) {
        move = mate.moves[0];
        ponder = ponder_move(engine, &mate);
    } else if (engine->threads[0]->root_move_count > 0) {
        const root_move *root = choose_move(engine);
        move = root->move;
        ponder = ponder_move(engine, &root->pv);
    }
    engine_complete_result(engine, move, ponder);
    end_mate(engine);
    report_end(engine);
    return NULL;
}

/* --- Starting and stopping ------------------------------------------------- */

/* A stop meant for the search before must not find flags of both searches: it would cut this one at its first node. */
static void reset_flags(luft_engine *engine) {
    search_shared *shared = &engine->shared;
    pthread_mutex_lock(&engine->mutex);
    atomic_store(&shared->stop, false);
    atomic_store(&shared->stop_requested, false);
    atomic_store(&shared->min_search_done, false);
    atomic_store(&shared->pondering, shared->limits.ponder || shared->limits.infinite);
    atomic_store(&shared->stop_on_ponderhit, false);
    pthread_mutex_unlock(&engine->mutex);
}

/* Sets up a search. */
static luft_error prepare(luft_engine *engine, const luft_engine_limits *given,
                          const luft_engine_callbacks *callbacks) {
    const int64_t now = clock_now();
    search_shared *shared = &engine->shared;
    search_limits limits;
    luft_engine_callbacks known;
    luft_error error = engine_read_limits(&limits, engine, given);
    error = error == LUFT_OK ? engine_read_callbacks(&known, callbacks) : error;
    if (error != LUFT_OK) {
        return error;
    }
    engine_finish(engine);
    engine_reset_result(engine);
    engine->callbacks = known;
    shared->tt = &engine->tt;
    shared->threads = engine->threads;
    shared->thread_count = engine->thread_count;
    shared->limits = limits;
    shared->multipv = engine->multipv;
    shared->report = report;
    shared->current_move = current_move;
    shared->payload = engine;
    const luft_color side = (luft_color)engine->position.side_to_move;
    const search_limits counted = node_account_limits(&engine->account, &limits, side);
    clock_start(&shared->clock, &counted, side, engine->overhead_ms, now);
    shared->clock.node_rate = engine->account.rate;
    shared->mate_state = MATE_OPEN;
    reset_flags(engine);
    tt_new_search(&engine->tt);
    tables_prepare(&shared->tables, &engine->tables, &engine->position, engine->keys, engine->key_count);
    for (int i = 0; i < engine->thread_count; i++) {
        if (!search_thread_reserve(engine->threads[i], engine->key_count)) {
            return LUFT_ERROR_MEMORY;
        }
    }
    /* The helpers set their roots themselves: for many threads it takes long. */
    search_thread_set_root(engine->threads[0], &engine->position, engine->keys, engine->key_count);
    strength_begin(&engine->strength, shared, engine->threads[0], engine->evaluation, engine->last_move);
    error = prepare_mate(engine);
    if (error != LUFT_OK) {
        return error;
    }
    if (is_timed(shared) && shared->clock.hard < SINGLE_THREAD_US) {
        shared->thread_count = 1;
    }
    atomic_store(&engine->searching, true);
    return LUFT_OK;
}

luft_error luft_engine_start(luft_engine *engine, const luft_engine_limits *limits,
                             const luft_engine_callbacks *callbacks) {
    luft_error error = engine_enter(engine);
    if (error != LUFT_OK) {
        return error;
    }
    error = prepare(engine, limits, callbacks);
    if (error == LUFT_OK) {
        engine->started = start_thread(&engine->main, search_main, engine);
        if (!engine->started) {
            atomic_store(&engine->searching, false);
            end_mate(engine);
            error = LUFT_ERROR_THREAD;
        }
    }
    return engine_leave(engine, error);
}

luft_error luft_engine_search(const luft_engine_result **result, luft_engine *engine, const luft_engine_limits *limits,
                              const luft_engine_callbacks *callbacks) {
    luft_error error = engine_enter(engine);
    if (error != LUFT_OK) {
        return error;
    }
    error = result ? prepare(engine, limits, callbacks) : LUFT_ERROR_ARGUMENT;
    if (error == LUFT_OK) {
        search_main(engine);
        *result = &engine->result;
    }
    return engine_leave(engine, error);
}

static void request_stop(luft_engine *engine) {
    pthread_mutex_lock(&engine->mutex);
    atomic_store(&engine->shared.stop_requested, true);
    if (atomic_load(&engine->shared.min_search_done)) {
        atomic_store(&engine->shared.stop, true);
    }
    pthread_cond_broadcast(&engine->changed);
    pthread_mutex_unlock(&engine->mutex);
}

void luft_engine_stop(luft_engine *engine) {
    if (engine) {
        request_stop(engine);
    }
}

void luft_engine_ponderhit(luft_engine *engine) {
    if (!engine) {
        return;
    }
    pthread_mutex_lock(&engine->mutex);
    /* A late ponderhit has no search to act on: its threads may be gone. */
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

static void join(luft_engine *engine) {
    if (engine->started) {
        pthread_join(engine->main, NULL);
        engine->started = false;
    }
}

luft_error luft_engine_wait(luft_engine *engine) {
    const luft_error error = engine_enter(engine);
    if (error != LUFT_OK) {
        return error;
    }
    join(engine);
    return engine_leave(engine, LUFT_OK);
}

bool luft_engine_is_searching(const luft_engine *engine) {
    return engine && atomic_load(&engine->searching);
}

const luft_engine_result *luft_engine_last_result(const luft_engine *engine) {
    return engine && !luft_engine_is_searching(engine) && engine->has_result ? &engine->result : NULL;
}

void engine_finish(luft_engine *engine) {
    request_stop(engine);
    join(engine);
}
