/* SPDX-License-Identifier: MIT */
/*
 * From values to results. A table does not know en passant, and for a position with a good capture it may store any
 * value that compresses well, as long as it is not better than the capture. So a probe tries the captures first: the result is the best
 * of the table and the captures. DTZ tables store one side to move; for the other one, a probe tries all moves.
 */
#include "games/tablebase_internal.h"

#include <limits.h>
#include <string.h>

/* One probe: the tablebase, and the first error. */
typedef struct probe_state {
    const luft_tablebase *tablebase;
    luft_error error;
} probe_state;

static int best_of(int a, int b) {
    return a > b ? a : b;
}

static int sign_of(int number) {
    return (number > 0) - (number < 0);
}

static bool is_zeroing(const luft_position *position, luft_move move) {
    return luft_move_is_capture(move) || (position->board.pawns & luft_bit(luft_move_from(move))) != 0;
}

static bool is_mate(const luft_position *position) {
    return luft_in_check(position) && !luft_has_legal_move(position);
}

/* --- One table --------------------------------------------------------------------- */

/* Where a position is stored. */
typedef struct table_place {
    luft_table *table;
    const table_layout *layout;
    const table_pairs *pairs;
    bool is_swapped;
    bool is_black; /* the side to move, after colours were exchanged */
} table_place;

static luft_error find_place(table_place *place, const luft_tablebase *tablebase, const luft_position *position,
                             luft_tablebase_kind kind) {
    const ending_slot *slot = luft_tablebase_find(tablebase, luft_tablebase_material(&position->board));
    if (!slot || !slot->table[kind]) {
        return LUFT_ERROR_MISSING;
    }
    place->table = slot->table[kind];
    const luft_error error = luft_table_use(&place->layout, tablebase, place->table);
    if (error != LUFT_OK) {
        return error;
    }
    /* Equal sides are stored with White to move only. */
    const bool is_black = position->side_to_move == LUFT_BLACK;
    place->is_swapped = slot->is_swapped || (place->layout->is_symmetric && is_black);
    place->is_black = is_black != place->is_swapped;
    const int file = luft_table_lead_file(place->layout, &tablebase->numbers, &position->board, place->is_swapped);
    place->pairs = &place->layout->pairs[file][place->layout->side_count == 2 && place->is_black];
    return LUFT_OK;
}

static luft_error read_value(unsigned *value, const table_place *place, const luft_tablebase *tablebase,
                             const luft_position *position) {
    const uint64_t index =
        luft_table_index(place->layout, place->pairs, &tablebase->numbers, &position->board, place->is_swapped);
    const table_fault fault = luft_table_value(value, tablebase, place->table, place->layout, place->pairs, index);
    return fault == TABLE_SOUND ? LUFT_OK : luft_table_fail(place->table, fault);
}

/* What the WDL table says; 0 after an error. */
static int probe_wdl_table(probe_state *state, const luft_position *position) {
    table_place place;
    unsigned value = 2;
    if (state->error != LUFT_OK || luft_occupied(&position->board) == position->board.kings) {
        return LUFT_WDL_DRAW;
    }
    state->error = find_place(&place, state->tablebase, position, LUFT_TABLEBASE_WDL);
    if (state->error == LUFT_OK) {
        state->error = read_value(&value, &place, state->tablebase, position);
    }
    if (state->error == LUFT_OK && value > 4) {
        state->error = luft_table_fail(place.table, TABLE_BAD_DATA);
    }
    return state->error == LUFT_OK ? (int)value - 2 : LUFT_WDL_DRAW;
}

/* Converts a stored value to plies. False if the list of distances has no such entry. */
static bool read_distance(int *plies, const table_place *place, const luft_tablebase *tablebase, unsigned value,
                          int wdl) {
    static const uint8_t lists[5] = {1, 3, 0, 2, 0}; /* by wdl + 2 */
    const table_pairs *pairs = place->pairs;
    if (pairs->flags & TABLE_MAPPED) {
        const int list = lists[wdl + 2];
        const bool is_wide = (pairs->flags & TABLE_WIDE) != 0;
        uint8_t scratch[SCRATCH_SIZE];
        if (value >= pairs->map_count[list]) {
            return false;
        }
        const uint8_t *bytes =
            luft_table_view(tablebase, place->table, &place->layout->bytes,
                            pairs->map_at[list] + (uint64_t)value * (is_wide ? 2 : 1), is_wide ? 2 : 1, scratch);
        if (!bytes) {
            return false;
        }
        value = is_wide ? read_16(bytes) : bytes[0];
    }
    const bool is_exact = wdl == LUFT_WDL_WIN    ? (pairs->flags & TABLE_WIN_PLIES) != 0
                          : wdl == LUFT_WDL_LOSS ? (pairs->flags & TABLE_LOSS_PLIES) != 0
                                                 : false;
    *plies = is_exact ? (int)value : 2 * (int)value;
    return true;
}

/* --- WDL -------------------------------------------------------------------------------- */

/* The best of table and captures of a position without en passant, by alpha-beta. */
static int search_captures(probe_state *state, const luft_position *position, int alpha, int beta) {
    luft_move_list moves;
    luft_generate(&moves, position, LUFT_CAPTURES);
    for (int i = 0; i < moves.count && state->error == LUFT_OK; i++) {
        luft_position next;
        if (!luft_move_is_capture(moves.moves[i])) {
            continue; /* a promotion */
        }
        luft_make(&next, position, moves.moves[i]);
        const int value = -search_captures(state, &next, -beta, -alpha);
        if (value >= beta) {
            return value;
        }
        alpha = best_of(alpha, value);
    }
    return best_of(alpha, probe_wdl_table(state, position));
}

static bool all_are_en_passant(const luft_position *position) {
    luft_move_list moves;
    luft_generate(&moves, position, LUFT_ALL_MOVES);
    for (int i = 0; i < moves.count; i++) {
        if (luft_move_kind_of(moves.moves[i]) != LUFT_EN_PASSANT) {
            return false;
        }
    }
    return moves.count > 0;
}

/* The result. `is_capture_best` is set if a capture achieves it and distances need no table. */
static int probe_wdl(probe_state *state, const luft_position *position, bool *is_capture_best) {
    int best_capture = LUFT_WDL_LOSS, best_en_passant = LUFT_WDL_LOSS;
    luft_move_list moves;
    *is_capture_best = false;
    luft_generate(&moves, position, LUFT_CAPTURES);
    for (int i = 0; i < moves.count && state->error == LUFT_OK; i++) {
        luft_position next;
        if (!luft_move_is_capture(moves.moves[i])) {
            continue;
        }
        luft_make(&next, position, moves.moves[i]);
        const int value = -search_captures(state, &next, LUFT_WDL_LOSS, -best_capture);
        if (value == LUFT_WDL_WIN) {
            *is_capture_best = true;
            return value;
        }
        int *best = luft_move_kind_of(moves.moves[i]) == LUFT_EN_PASSANT ? &best_en_passant : &best_capture;
        *best = best_of(*best, value);
    }
    const int stored = probe_wdl_table(state, position);
    const int best = best_of(best_capture, best_en_passant);
    if (best_en_passant > best_of(stored, best_capture)) {
        *is_capture_best = true;
        return best_en_passant;
    }
    if (best >= stored) {
        *is_capture_best = best > LUFT_WDL_DRAW;
        return best;
    }
    /* Without en passant it is stalemate: the capture is forced, even if it loses. */
    if (stored == LUFT_WDL_DRAW && position->ep_square != LUFT_NO_SQUARE && all_are_en_passant(position)) {
        *is_capture_best = true;
        return best_en_passant;
    }
    return stored;
}

/* --- DTZ ---------------------------------------------------------------------------------- */

/* The distance if the next move is a capture or a pawn move: 1, or 101 where the fifty-move rule counts. */
static int distance_of_zeroing(int wdl) {
    static const int distances[5] = {-1, -101, 0, 101, 1};
    return distances[wdl + 2];
}

/* Is there a pawn move other than a capture that keeps the win? */
static bool has_winning_pawn_move(probe_state *state, const luft_position *position, int wdl) {
    luft_move_list moves;
    luft_generate(&moves, position, LUFT_ALL_MOVES);
    for (int i = 0; i < moves.count && state->error == LUFT_OK; i++) {
        luft_position next;
        bool unused;
        if (luft_move_is_capture(moves.moves[i]) || !is_zeroing(position, moves.moves[i])) {
            continue;
        }
        luft_make(&next, position, moves.moves[i]);
        if (-probe_wdl(state, &next, &unused) == wdl && state->error == LUFT_OK) {
            return true;
        }
    }
    return false;
}

static int probe_dtz(probe_state *state, const luft_position *position);

/* The distance from those after each move, for the side to move that the table does not store. */
static int search_distance(probe_state *state, const luft_position *position, int wdl, luft_table *table) {
    const int none = INT_MAX;
    int best = wdl > 0 ? none : distance_of_zeroing(wdl);
    luft_move_list moves;
    luft_generate(&moves, position, LUFT_ALL_MOVES);
    for (int i = 0; i < moves.count && state->error == LUFT_OK; i++) {
        luft_position next;
        if (is_zeroing(position, moves.moves[i])) {
            continue; /* if it wins, it was found before; if all lose, the distance is that of zeroing */
        }
        luft_make(&next, position, moves.moves[i]);
        const int distance = -probe_dtz(state, &next);
        if (distance == 1 && is_mate(&next)) {
            return 1;
        }
        if (sign_of(distance) == sign_of(wdl) && distance + sign_of(wdl) < best) {
            best = distance + sign_of(wdl);
        }
    }
    if (best == none && state->error == LUFT_OK) {
        state->error = luft_table_fail(table, TABLE_BAD_DATA); /* it contradicts the WDL table */
    }
    return state->error == LUFT_OK ? best : 0;
}

static int probe_dtz(probe_state *state, const luft_position *position) {
    bool is_capture_best;
    const int wdl = probe_wdl(state, position, &is_capture_best);
    if (state->error != LUFT_OK || wdl == LUFT_WDL_DRAW) {
        return 0;
    }
    if (is_capture_best || (wdl > 0 && has_winning_pawn_move(state, position, wdl))) {
        return distance_of_zeroing(wdl);
    }
    table_place place;
    if (state->error == LUFT_OK) {
        state->error = find_place(&place, state->tablebase, position, LUFT_TABLEBASE_DTZ);
    }
    if (state->error != LUFT_OK) {
        return 0;
    }
    const bool stores_black = (place.pairs->flags & TABLE_BLACK) != 0;
    const bool stores_both = place.layout->is_symmetric && !place.layout->has_pawns;
    if (stores_black != place.is_black && !stores_both) {
        return search_distance(state, position, wdl, place.table);
    }
    unsigned value = 0;
    int plies = 0;
    state->error = read_value(&value, &place, state->tablebase, position);
    if (state->error == LUFT_OK && !read_distance(&plies, &place, state->tablebase, value, wdl)) {
        state->error = luft_table_fail(place.table, TABLE_BAD_DATA);
    }
    return distance_of_zeroing(wdl) + sign_of(wdl) * plies;
}

/* --- The public probes ----------------------------------------------------------------------- */

/* Can a table have the position? Kings are counted, because all else relies on them. */
static bool can_probe(const luft_tablebase *tablebase, const luft_position *position) {
    const luft_board *board = &position->board;
    return board->castling == 0 && luft_popcount(luft_occupied(board)) <= best_of(tablebase->largest, 2) &&
           luft_popcount(board->kings & board->color[LUFT_WHITE]) == 1 &&
           luft_popcount(board->kings & board->color[LUFT_BLACK]) == 1;
}

luft_error luft_tablebase_probe_wdl(luft_wdl *wdl, const luft_tablebase *tablebase, const luft_position *position) {
    if (!wdl || !tablebase || !position) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (!can_probe(tablebase, position)) {
        return LUFT_ERROR_MISSING;
    }
    probe_state state = {tablebase, LUFT_OK};
    bool is_capture_best;
    const int result = probe_wdl(&state, position, &is_capture_best);
    if (state.error == LUFT_OK) {
        *wdl = (luft_wdl)result;
    }
    return state.error;
}

luft_error luft_tablebase_probe_dtz(int *dtz, const luft_tablebase *tablebase, const luft_position *position) {
    if (!dtz || !tablebase || !position) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (!can_probe(tablebase, position)) {
        return LUFT_ERROR_MISSING;
    }
    probe_state state = {tablebase, LUFT_OK};
    const int result = probe_dtz(&state, position);
    if (state.error == LUFT_OK) {
        *dtz = result;
    }
    return state.error;
}

/* --- Root moves --------------------------------------------------------------------------------- */

/* The earlier positions of the game since the last capture or pawn move. */
typedef struct game_history {
    const uint64_t *keys; /* the latest last */
    size_t count;
    bool has_repetition; /* a position has occurred twice, the present one counted */
} game_history;

/* How often a key occurred `distance`, `distance` + 2 … plies before the present position: the same side moved. */
static int count_occurrences(const game_history *history, uint64_t key, size_t distance) {
    int count = 0;
    for (; distance <= history->count; distance += 2) {
        count += history->keys[history->count - distance] == key;
    }
    return count;
}

static game_history make_history(const luft_position *position, const uint64_t *keys, size_t key_count) {
    game_history history = {.keys = keys, .count = keys ? key_count : 0};
    if (history.count > position->halfmove_clock) {
        history.keys += history.count - position->halfmove_clock;
        history.count = position->halfmove_clock;
    }
    history.has_repetition = count_occurrences(&history, luft_key(position), 2) > 0;
    for (size_t distance = 1; distance <= history.count && !history.has_repetition; distance++) {
        const uint64_t key = history.keys[history.count - distance];
        history.has_repetition = count_occurrences(&history, key, distance + 2) > 0;
    }
    return history;
}

/* The distance of a move, seen from before it. */
static int distance_of_move(probe_state *state, const luft_position *next, bool zeroes) {
    if (is_mate(next)) {
        return 1;
    }
    if (zeroes) {
        bool unused;
        return distance_of_zeroing(-probe_wdl(state, next, &unused));
    }
    const int distance = -probe_dtz(state, next);
    return distance + sign_of(distance);
}

static void rank_by_distance(luft_tablebase_move *move, int clock, bool has_repetition, bool fifty_move_rule) {
    const int distance = move->dtz < 0 ? -move->dtz : move->dtz;
    const bool is_late = fifty_move_rule && distance + clock > 100;
    move->wdl = (luft_wdl)(sign_of(move->dtz) * (is_late ? 1 : 2));
    if (move->dtz > 0) {
        const bool is_certain = distance + clock <= 99 && !has_repetition;
        move->rank = LUFT_TABLEBASE_RANK_MAX - (is_certain ? 0 : distance + clock);
    } else if (move->dtz < 0) {
        move->rank = -LUFT_TABLEBASE_RANK_MAX + (2 * distance + clock < 100 ? 0 : distance + clock);
    } else {
        move->rank = 0;
    }
}

static void rank_by_result(luft_tablebase_move *move, int wdl, bool fifty_move_rule) {
    static const int ranks[5] = {-LUFT_TABLEBASE_RANK_MAX, -LUFT_TABLEBASE_RANK_MAX + 101, 0,
                                 LUFT_TABLEBASE_RANK_MAX - 101, LUFT_TABLEBASE_RANK_MAX}; /* by wdl + 2 */
    move->dtz = 0;
    move->wdl = (luft_wdl)(fifty_move_rule ? wdl : 2 * sign_of(wdl));
    move->rank = ranks[move->wdl + 2];
}

/* Above 0 if `a` is better. Of wins the shortest is, of losses the longest: in both cases the smaller number. */
static int compare_moves(const luft_tablebase_move *a, const luft_tablebase_move *b) {
    return a->rank != b->rank ? a->rank - b->rank : b->dtz - a->dtz;
}

static void sort_moves(luft_tablebase_moves *moves) {
    for (int i = 1; i < moves->count; i++) {
        const luft_tablebase_move move = moves->moves[i];
        int j = i;
        for (; j > 0 && compare_moves(&moves->moves[j - 1], &move) < 0; j--) {
            moves->moves[j] = moves->moves[j - 1];
        }
        moves->moves[j] = move;
    }
}

/* Fills in all moves, by distance or by result only. */
static luft_error rank_moves(luft_tablebase_moves *moves, const luft_tablebase *tablebase,
                             const luft_position *position, const game_history *history, bool fifty_move_rule,
                             bool by_distance) {
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    moves->count = list.count;
    moves->has_dtz = by_distance;
    for (int i = 0; i < list.count; i++) {
        luft_tablebase_move *move = &moves->moves[i];
        const bool zeroes = is_zeroing(position, list.moves[i]);
        probe_state state = {tablebase, LUFT_OK};
        luft_position next;
        bool unused;
        luft_make(&next, position, list.moves[i]);
        const bool is_repetition = !zeroes && count_occurrences(history, luft_key(&next), 1) >= 2;
        *move = (luft_tablebase_move){.move = list.moves[i]};
        if (by_distance) {
            move->dtz = is_repetition ? 0 : distance_of_move(&state, &next, zeroes);
            rank_by_distance(move, position->halfmove_clock, history->has_repetition, fifty_move_rule);
        } else {
            const int wdl = is_repetition ? LUFT_WDL_DRAW : -probe_wdl(&state, &next, &unused);
            rank_by_result(move, wdl, fifty_move_rule);
        }
        if (state.error != LUFT_OK) {
            return state.error;
        }
    }
    return LUFT_OK;
}

luft_error luft_tablebase_probe_root(luft_tablebase_moves *moves, const luft_tablebase *tablebase,
                                     const luft_position *position, const uint64_t *keys, size_t key_count,
                                     bool fifty_move_rule) {
    if (!moves || !tablebase || !position || (!keys && key_count > 0)) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (!can_probe(tablebase, position)) {
        return LUFT_ERROR_MISSING;
    }
    const game_history history = make_history(position, keys, key_count);
    luft_tablebase_moves found;
    luft_error error = rank_moves(&found, tablebase, position, &history, fifty_move_rule, true);
    if (error != LUFT_OK && error != LUFT_ERROR_MEMORY) {
        error = rank_moves(&found, tablebase, position, &history, fifty_move_rule, false);
    }
    if (error == LUFT_OK) {
        sort_moves(&found);
        memcpy(moves, &found, sizeof found);
    }
    return error;
}
