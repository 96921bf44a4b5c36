/* SPDX-License-Identifier: MIT */
/*
 * The engine as an object: its memory, its settings and its position. engine_search.c runs the searches.
 */
#include "engine_internal.h"

#include <stdlib.h>

_Static_assert(LUFT_ENGINE_MIN_ELO == (int)LEVEL_ELO_MIN && LUFT_ENGINE_MAX_ELO == (int)LEVEL_ELO_MAX &&
                   LUFT_ENGINE_MAX_LEVEL == (int)LEVEL_SKILL_MAX,
               "luft/engine.h repeats the range of level.h");
_Static_assert(LUFT_ENGINE_MAX_DEPTH == (int)MAX_DEPTH && LUFT_ENGINE_MAX_PLY == (int)MAX_PLY &&
                   LUFT_ENGINE_NO_LIMIT == (int)LIMIT_NONE && LUFT_ENGINE_MAX_NETWORK_SIZE == (int)NNUE_FILE_MAX,
               "luft/engine.h repeats constants of score.h, limits.h and nnue.h");

/* --- Access ---------------------------------------------------------------- */

bool engine_is_in_callback(const luft_engine *engine) {
    return atomic_load(&engine->is_calling) && pthread_equal(atomic_load(&engine->caller), pthread_self());
}

luft_error engine_enter(luft_engine *engine) {
    if (!engine) {
        return LUFT_ERROR_ARGUMENT;
    }
    return engine_is_in_callback(engine) || atomic_exchange(&engine->is_entered, true) ? LUFT_ERROR_BUSY : LUFT_OK;
}

luft_error engine_leave(luft_engine *engine, luft_error error) {
    atomic_store(&engine->is_entered, false);
    return error;
}

/* Enters and ends a running search, for settings whose value is in range. */
static luft_error enter_to_set(luft_engine *engine, bool is_in_range) {
    const luft_error error = engine_enter(engine);
    if (error != LUFT_OK) {
        return error;
    }
    if (!is_in_range) {
        return engine_leave(engine, LUFT_ERROR_ARGUMENT);
    }
    engine_finish(engine);
    return LUFT_OK;
}

/* --- Creation -------------------------------------------------------------- */

static bool set_threads(luft_engine *engine, int threads);

/* Frees the threads from this index on. */
static void free_threads(luft_engine *engine, int from) {
    for (int i = from; i < MAX_THREADS_HERE; i++) {
        search_thread_free(engine->threads[i]);
        engine->threads[i] = NULL;
    }
}

static void free_engine(luft_engine *engine) {
    free_threads(engine, 0);
    nnue_stack_free(engine->evaluation);
    nnue_free(engine->network);
    free(engine->keys);
    free(engine->kept);
    free(engine->lines);
    tt_free(&engine->tt);
    pthread_mutex_destroy(&engine->mutex);
    pthread_mutex_destroy(&engine->starting);
    pthread_cond_destroy(&engine->changed);
    free(engine);
}

luft_error luft_engine_create(luft_engine **out) {
    if (!out) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_engine *engine = calloc(1, sizeof *engine);
    if (!engine) {
        return LUFT_ERROR_MEMORY;
    }
    pthread_mutex_init(&engine->mutex, NULL);
    pthread_mutex_init(&engine->starting, NULL);
    pthread_cond_init(&engine->changed, NULL);
    engine->multipv = 1;
    engine->overhead_ms = LUFT_ENGINE_DEFAULT_OVERHEAD_MS;
    engine->account.left = LIMIT_NONE;
    engine->position = luft_start_position();
    strength_init(&engine->strength);
    if (engine_reset_network(engine) != LUFT_OK || !engine_reserve_lines(engine, 1) || !set_threads(engine, 1) ||
        !tt_create(&engine->tt, LUFT_ENGINE_DEFAULT_HASH_MB)) {
        free_engine(engine);
        return LUFT_ERROR_MEMORY;
    }
    *out = engine;
    return LUFT_OK;
}

void luft_engine_free(luft_engine *engine) {
    if (engine && !engine_is_in_callback(engine)) {
        engine_finish(engine);
        free_engine(engine);
    }
}

/* --- Settings -------------------------------------------------------------- */

int luft_engine_max_threads(void) {
    return MAX_THREADS_HERE;
}

size_t luft_engine_max_hash_mb(void) {
    return MAX_HASH_MB_HERE;
}

static search_thread *create_thread(luft_engine *engine, int index) {
    search_thread *thread = search_thread_create(&engine->shared, index);
    if (!thread) {
        return NULL;
    }
    thread->nnue = nnue_stack_create(engine->network, SEARCH_PLIES);
    if (!thread->nnue) {
        search_thread_free(thread);
        return NULL;
    }
    return thread;
}

/*
 * Allocates all memory before it ends a running search, which does not read the places beyond its own threads. False if
 * out of memory: the number stays.
 */
static bool set_threads(luft_engine *engine, int threads) {
    for (int i = engine->thread_count; i < threads; i++) {
        engine->threads[i] = create_thread(engine, i);
        if (!engine->threads[i]) {
            free_threads(engine, engine->thread_count);
            return false;
        }
    }
    engine_finish(engine);
    free_threads(engine, threads);
    engine->thread_count = threads;
    return true;
}

luft_error luft_engine_set_threads(luft_engine *engine, int threads) {
    const luft_error error = engine_enter(engine);
    if (error != LUFT_OK) {
        return error;
    }
    if (threads < 1 || threads > MAX_THREADS_HERE) {
        return engine_leave(engine, LUFT_ERROR_ARGUMENT);
    }
    return engine_leave(engine, set_threads(engine, threads) ? LUFT_OK : LUFT_ERROR_MEMORY);
}

int luft_engine_threads(const luft_engine *engine) {
    return engine ? engine->thread_count : 0;
}

/* Allocates the new table before it ends a running search, which keeps the old one if out of memory. */
luft_error luft_engine_set_hash(luft_engine *engine, size_t megabytes) {
    const luft_error error = engine_enter(engine);
    if (error != LUFT_OK) {
        return error;
    }
    if (megabytes < 1 || megabytes > MAX_HASH_MB_HERE) {
        return engine_leave(engine, LUFT_ERROR_ARGUMENT);
    }
    if (tt_megabytes(&engine->tt) == megabytes) {
        engine_finish(engine);
        tt_clear(&engine->tt, engine->thread_count);
        return engine_leave(engine, LUFT_OK);
    }
    tt table;
    if (!tt_create(&table, megabytes)) {
        return engine_leave(engine, LUFT_ERROR_MEMORY);
    }
    engine_finish(engine);
    tt_free(&engine->tt);
    engine->tt = table;
    return engine_leave(engine, LUFT_OK);
}

luft_error luft_engine_set_lines(luft_engine *engine, int lines) {
    const luft_error error = engine_enter(engine);
    if (error != LUFT_OK) {
        return error;
    }
    if (lines < 1 || lines > LUFT_ENGINE_MAX_LINES) {
        return engine_leave(engine, LUFT_ERROR_ARGUMENT);
    }
    if (lines == engine->multipv) {
        engine_finish(engine);
        return engine_leave(engine, LUFT_OK);
    }
    if (!engine_reserve_lines(engine, lines)) {
        return engine_leave(engine, LUFT_ERROR_MEMORY);
    }
    engine->multipv = lines;
    engine_reset_result(engine);
    return engine_leave(engine, LUFT_OK);
}

luft_error luft_engine_set_overhead(luft_engine *engine, int milliseconds) {
    const luft_error error = enter_to_set(engine, milliseconds >= 0 && milliseconds <= LUFT_ENGINE_MAX_OVERHEAD_MS);
    if (error != LUFT_OK) {
        return error;
    }
    engine->overhead_ms = milliseconds;
    return engine_leave(engine, LUFT_OK);
}

luft_error luft_engine_set_node_rate(luft_engine *engine, int nodes) {
    const luft_error error = enter_to_set(engine, nodes >= 0 && nodes <= LUFT_ENGINE_MAX_NODE_RATE);
    if (error != LUFT_OK) {
        return error;
    }
    engine->account.rate = nodes;
    engine->account.left = LIMIT_NONE;
    return engine_leave(engine, LUFT_OK);
}

luft_error luft_engine_set_tablebase(luft_engine *engine, const luft_tablebase *tablebase, int depth, int pieces,
                                     bool fifty_move_rule) {
    const luft_error error = enter_to_set(engine, depth >= 1 && depth <= LUFT_ENGINE_MAX_PROBE_DEPTH && pieces >= 0 &&
                                                      pieces <= LUFT_TABLEBASE_PIECES_MAX);
    if (error != LUFT_OK) {
        return error;
    }
    engine->tables = (tables_settings){tablebase, depth, pieces, fifty_move_rule};
    return engine_leave(engine, LUFT_OK);
}

luft_error luft_engine_set_elo(luft_engine *engine, int elo) {
    const luft_error error =
        enter_to_set(engine, elo == 0 || (elo >= LUFT_ENGINE_MIN_ELO && elo <= LUFT_ENGINE_MAX_ELO));
    if (error != LUFT_OK) {
        return error;
    }
    engine->strength.elo = elo;
    return engine_leave(engine, LUFT_OK);
}

luft_error luft_engine_set_level(luft_engine *engine, int level) {
    const luft_error error = enter_to_set(engine, level >= 0 && level <= LUFT_ENGINE_MAX_LEVEL);
    if (error != LUFT_OK) {
        return error;
    }
    engine->strength.skill = level;
    return engine_leave(engine, LUFT_OK);
}

luft_error luft_engine_set_seed(luft_engine *engine, uint64_t seed) {
    const luft_error error = enter_to_set(engine, true);
    if (error != LUFT_OK) {
        return error;
    }
    engine->strength.fixed_seed = seed;
    strength_new_game(&engine->strength);
    return engine_leave(engine, LUFT_OK);
}

void engine_clear(luft_engine *engine) {
    engine->account.left = LIMIT_NONE;
    strength_new_game(&engine->strength);
    tt_clear(&engine->tt, engine->thread_count);
    for (int i = 0; i < engine->thread_count; i++) {
        search_thread_clear(engine->threads[i]);
    }
}

luft_error luft_engine_clear(luft_engine *engine) {
    const luft_error error = enter_to_set(engine, true);
    if (error != LUFT_OK) {
        return error;
    }
    engine_clear(engine);
    return engine_leave(engine, LUFT_OK);
}

/* --- The position ------------------------------------------------------------ */

/* Checks everything before it ends a running search. */
static luft_error set_position(luft_engine *engine, const luft_position *start, const luft_move *moves, size_t count,
                               size_t *bad) {
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
    engine_finish(engine);
    free(engine->keys);
    engine->keys = keys;
    engine->key_count = key_count;
    engine->position = position;
    engine->last_move = count > 0 ? moves[count - 1] : LUFT_MOVE_NONE;
    return LUFT_OK;
}

luft_error luft_engine_set_position(luft_engine *engine, const luft_position *start, const luft_move *moves,
                                    size_t count, size_t *bad) {
    const luft_position standard = luft_start_position();
    const luft_error error = engine_enter(engine);
    if (error != LUFT_OK) {
        return error;
    }
    if ((!moves && count > 0) || count >= SIZE_MAX / sizeof *engine->keys) {
        return engine_leave(engine, LUFT_ERROR_ARGUMENT);
    }
    return engine_leave(engine, set_position(engine, start ? start : &standard, moves, count, bad));
}

const luft_position *luft_engine_position(const luft_engine *engine) {
    return engine ? &engine->position : NULL;
}

/* Can the network evaluate it? The network reads the pieces and the side to move. */
static bool can_be_evaluated(const luft_position *position) {
    const unsigned harmless = LUFT_STATUS_PAWN_ON_BACK_RANK | LUFT_STATUS_OPPONENT_IN_CHECK | LUFT_STATUS_BAD_CASTLING |
                              LUFT_STATUS_BAD_EN_PASSANT | LUFT_STATUS_BAD_COUNTER | LUFT_STATUS_BAD_KEY;
    return (luft_position_status(position) & ~harmless) == 0;
}

luft_error luft_engine_evaluate(int *centipawns, luft_engine *engine, const luft_position *position) {
    const luft_error error = engine_enter(engine);
    if (error != LUFT_OK) {
        return error;
    }
    if (!centipawns) {
        return engine_leave(engine, LUFT_ERROR_ARGUMENT);
    }
    position = position ? position : &engine->position;
    if (!can_be_evaluated(position)) {
        return engine_leave(engine, LUFT_ERROR_POSITION);
    }
    nnue_set_root(engine->evaluation, position);
    *centipawns = nnue_evaluate(engine->evaluation, 0, position);
    return engine_leave(engine, LUFT_OK);
}
