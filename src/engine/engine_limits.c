/* SPDX-License-Identifier: MIT */
/*
 * What a client passes to a search, checked and copied. The structs of clients begin with their size: a program that was
 * compiled with an older header passes fewer fields, and the others keep their defaults.
 */
#include "engine_internal.h"
#include "minmax.h"

#include <string.h>

/* The sizes of the structs in version 0.1, the first one; they never change. */
enum {
    LIMITS_SIZE_FIRST = offsetof(luft_engine_limits, search_move_count) + sizeof(size_t),
    CALLBACKS_SIZE_FIRST = offsetof(luft_engine_callbacks, payload) + sizeof(void *)
};

static bool is_limit(int64_t value) {
    return value >= LUFT_ENGINE_NO_LIMIT;
}

static bool are_in_range(const luft_engine_limits *limits) {
    return is_limit(limits->time_ms[LUFT_WHITE]) && is_limit(limits->time_ms[LUFT_BLACK]) &&
           limits->increment_ms[LUFT_WHITE] >= 0 && limits->increment_ms[LUFT_BLACK] >= 0 &&
           is_limit(limits->movetime_ms) && is_limit(limits->nodes) && is_limit(limits->soft_nodes) &&
           limits->moves_to_go >= 0 && limits->depth >= 0 && limits->mate >= 0 &&
           (limits->search_moves || limits->search_move_count == 0);
}

/* Adds a move unless it is there already: so the list has room for all legal moves. */
static void add_search_move(search_limits *limits, luft_move move) {
    for (int i = 0; i < limits->search_move_count; i++) {
        if (limits->search_moves[i] == move) {
            return;
        }
    }
    limits->search_moves[limits->search_move_count++] = move;
}

luft_error engine_read_limits(search_limits *limits, const luft_engine *engine, const luft_engine_limits *given) {
    luft_engine_limits known = luft_engine_no_limits();
    if (!given || given->size < LIMITS_SIZE_FIRST || given->size > sizeof known) {
        return LUFT_ERROR_ARGUMENT;
    }
    memcpy(&known, given, given->size);
    if (!are_in_range(&known)) {
        return LUFT_ERROR_ARGUMENT;
    }
    *limits = (search_limits){.time_ms = {known.time_ms[LUFT_WHITE], known.time_ms[LUFT_BLACK]},
                              .increment_ms = {known.increment_ms[LUFT_WHITE], known.increment_ms[LUFT_BLACK]},
                              .movetime_ms = known.movetime_ms,
                              .nodes = known.nodes,
                              .soft_nodes = known.soft_nodes,
                              .moves_to_go = known.moves_to_go,
                              .depth = known.depth == 0 ? MAX_DEPTH : min(known.depth, MAX_DEPTH),
                              .mate = known.mate,
                              .infinite = known.infinite,
                              .ponder = known.ponder};
    for (size_t i = 0; i < known.search_move_count; i++) {
        if (!luft_is_legal(&engine->position, known.search_moves[i])) {
            return LUFT_ERROR_MOVE_ILLEGAL;
        }
        add_search_move(limits, known.search_moves[i]);
    }
    return LUFT_OK;
}

luft_error engine_read_callbacks(luft_engine_callbacks *callbacks, const luft_engine_callbacks *given) {
    *callbacks = (luft_engine_callbacks){.size = sizeof *callbacks};
    if (given) {
        if (given->size < CALLBACKS_SIZE_FIRST || given->size > sizeof *callbacks) {
            return LUFT_ERROR_ARGUMENT;
        }
        memcpy(callbacks, given, given->size);
    }
    return LUFT_OK;
}
