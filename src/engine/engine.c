/* SPDX-License-Identifier: MIT */
/*
 * The engine as an object: its memory, its settings and its position. engine_search.c runs the searches.
 */
#include "engine_internal.h"
#include "minmax.h"
#include "network.h"

#include <stdio.h>
#include <stdlib.h>

_Static_assert((int)ENGINE_ELO_MIN == (int)LEVEL_ELO_MIN && (int)ENGINE_ELO_MAX == (int)LEVEL_ELO_MAX &&
                   (int)ENGINE_SKILL_MAX == (int)LEVEL_SKILL_MAX,
               "engine.h repeats the range of level.h");

/* --- Creation -------------------------------------------------------------- */

luft_engine *engine_create(void) {
    luft_engine *engine = calloc(1, sizeof *engine);
    if (!engine) {
        return NULL;
    }
    pthread_mutex_init(&engine->mutex, NULL);
    pthread_mutex_init(&engine->starting, NULL);
    pthread_cond_init(&engine->changed, NULL);
    engine->multipv = 1;
    engine->overhead_ms = ENGINE_OVERHEAD_DEFAULT_MS;
    engine->account.left = LIMIT_NONE;
    engine->position = luft_start_position();
    strength_init(&engine->strength);
    if (!engine_reset_network(engine) || engine_set_threads(engine, 1) != 1 ||
        !engine_set_hash(engine, ENGINE_HASH_DEFAULT_MB)) {
        engine_free(engine);
        return NULL;
    }
    return engine;
}

void engine_free(luft_engine *engine) {
    if (!engine) {
        return;
    }
    engine_finish(engine);
    for (int i = 0; i < engine->thread_count; i++) {
        search_thread_free(engine->threads[i]);
    }
    nnue_stack_free(engine->evaluation);
    nnue_free(engine->network);
    free(engine->threads);
    free(engine->keys);
    tt_free(&engine->tt);
    pthread_mutex_destroy(&engine->mutex);
    pthread_mutex_destroy(&engine->starting);
    pthread_cond_destroy(&engine->changed);
    free(engine);
}

/* --- Settings -------------------------------------------------------------- */

bool engine_set_hash(luft_engine *engine, size_t megabytes) {
    if (megabytes < 1 || megabytes > ENGINE_HASH_MAX_MB) {
        return false;
    }
    if (tt_megabytes(&engine->tt) == megabytes) {
        engine_finish(engine);
        tt_clear(&engine->tt, engine->thread_count);
        return true;
    }
    tt table;
    if (!tt_create(&table, megabytes)) {
        return false; /* a running search keeps the old table */
    }
    engine_finish(engine);
    tt_free(&engine->tt);
    engine->tt = table;
    return true;
}

int engine_set_threads(luft_engine *engine, int threads) {
    engine_finish(engine);
    threads = clamp(threads, 1, ENGINE_THREADS_MAX);
    while (engine->thread_count > threads) {
        search_thread_free(engine->threads[--engine->thread_count]);
    }
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the list is of pointers
    search_thread **list = realloc(engine->threads, (size_t)threads * sizeof *list);
    if (!list) {
        return engine->thread_count;
    }
    engine->threads = list;
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

void engine_set_multipv(luft_engine *engine, int count) {
    engine_finish(engine);
    engine->multipv = clamp(count, 1, ENGINE_MULTIPV_MAX);
}

void engine_set_overhead(luft_engine *engine, int milliseconds) {
    engine_finish(engine);
    engine->overhead_ms = clamp(milliseconds, 0, ENGINE_OVERHEAD_MAX_MS);
}

void engine_set_node_rate(luft_engine *engine, int nodes) {
    engine_finish(engine);
    engine->account.rate = clamp(nodes, 0, ENGINE_NODE_RATE_MAX);
    engine->account.left = LIMIT_NONE;
}

void engine_set_elo(luft_engine *engine, int elo) {
    engine_finish(engine);
    engine->strength.elo = elo <= 0 ? 0 : clamp(elo, ENGINE_ELO_MIN, ENGINE_ELO_MAX);
}

void engine_set_skill(luft_engine *engine, int skill) {
    engine_finish(engine);
    engine->strength.skill = clamp(skill, 0, ENGINE_SKILL_MAX);
}

void engine_set_seed(luft_engine *engine, uint64_t seed) {
    engine_finish(engine);
    engine->strength.fixed_seed = seed;
    strength_new_game(&engine->strength);
}

/* Owns the network from now on. Allocates all memory before it stops a search or changes anything. */
static bool use_network(luft_engine *engine, nnue_network *network) {
    nnue_stack *stacks[ENGINE_THREADS_MAX] = {NULL};
    nnue_stack *evaluation = nnue_stack_create(network, 1);
    bool good = evaluation != NULL;
    for (int i = 0; i < engine->thread_count; i++) {
        stacks[i] = nnue_stack_create(network, SEARCH_PLIES);
        good = good && stacks[i];
    }
    if (good) {
        engine_finish(engine);
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
        engine_clear(engine); /* the transposition table holds evaluations of the old network */
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
    engine_finish(engine);
    engine->account.left = LIMIT_NONE;
    strength_new_game(&engine->strength);
    tt_clear(&engine->tt, engine->thread_count);
    for (int i = 0; i < engine->thread_count; i++) {
        search_thread_clear(engine->threads[i]);
    }
}

luft_error engine_set_position(luft_engine *engine, const luft_position *start, const luft_move *moves, size_t count,
                               size_t *bad) {
    engine_finish(engine);
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
            key_count = 0; /* an irreversible move: no earlier position can be repeated */
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
