/* SPDX-License-Identifier: MIT */
/*
 * Reading and updating the history tables. See history.h.
 */
#include "history.h"

#include "minmax.h"
#include "move.h"
#include "params.h"

#include <stdlib.h>

/* --- Moves ----------------------------------------------------------------- */

static void apply_bonus(int16_t *entry, int bonus) {
    *entry = (int16_t)(*entry + bonus - *entry * abs(bonus) / HISTORY_MAX);
}

int history_quiet_score(const history_tables *history, const search_frame *ss, luft_bitboard threats, luft_move move) {
    const luft_position *position = &ss->position;
    const luft_square from = luft_move_from(move), to = luft_move_to(move);
    const luft_piece piece = moving_piece(ss, move);
    return history->quiet[position->side_to_move][history_threat_index(threats, move)][from][to] +
           history->pawn[position->pawn_key % PAWN_HISTORY_SIZE][piece][to] + (*ss[-1].continuation)[piece][to] +
           (*ss[-2].continuation)[piece][to];
}

int history_capture_score(const history_tables *history, const search_frame *ss, luft_move move) {
    return history->capture[moving_piece(ss, move)][luft_move_to(move)][captured_type(ss, move)];
}

int history_depth_bonus(int depth) {
    return min(history_bonus * depth, history_bonus_max);
}

void history_update_continuation(search_frame *ss, luft_piece piece, luft_square to, int bonus) {
    static const int back[4] = {1, 2, 4, 6};
    for (int i = 0; i < 4; i++) {
        if (ss[-back[i]].move != LUFT_MOVE_NONE) {
            apply_bonus(&(*ss[-back[i]].continuation)[piece][to], bonus);
        }
    }
}

static void update_quiet(history_tables *history, search_frame *ss, luft_bitboard threats, luft_move move, int bonus) {
    const luft_position *position = &ss->position;
    const luft_square from = luft_move_from(move), to = luft_move_to(move);
    const luft_piece piece = moving_piece(ss, move);
    apply_bonus(&history->quiet[position->side_to_move][history_threat_index(threats, move)][from][to], bonus);
    apply_bonus(&history->pawn[position->pawn_key % PAWN_HISTORY_SIZE][piece][to], bonus);
    history_update_continuation(ss, piece, to, bonus);
}

static void update_capture(history_tables *history, const search_frame *ss, luft_move move, int bonus) {
    apply_bonus(&history->capture[moving_piece(ss, move)][luft_move_to(move)][captured_type(ss, move)], bonus);
}

void history_update(history_tables *history, search_frame *ss, luft_bitboard threats, luft_move best, int depth,
                    const searched_moves *searched) {
    const int bonus = history_depth_bonus(depth);
    if (is_quiet(best)) {
        ss->killer = best;
        /* A shallow cutoff by the first move says little about the move. */
        if (depth > 2 || searched->quiet_count > 0) {
            update_quiet(history, ss, threats, best, bonus);
        }
        for (int i = 0; i < searched->quiet_count; i++) {
            update_quiet(history, ss, threats, searched->quiets[i], -bonus);
        }
    } else {
        update_capture(history, ss, best, bonus);
    }
    for (int i = 0; i < searched->capture_count; i++) {
        update_capture(history, ss, searched->captures[i], -bonus);
    }
}

/* --- Correction history ---------------------------------------------------- */

/* Mixes the high half in: a multiplication shifts the high bits out, and pieces there would not change the hash. */
static uint64_t folded(luft_bitboard set) {
    return set ^ set >> 32;
}

/* A hash of the pieces of one colour other than pawns. */
static unsigned non_pawn_hash(const luft_board *board, luft_color color) {
    const luft_bitboard own = board->color[color];
    const uint64_t sum =
        folded(board->knights & own) * 0x9e3779b97f4a7c15ull + folded(board->diagonal & own) * 0xc2b2ae3d27d4eb4full +
        folded(board->orthogonal & own) * 0x165667b19e3779f9ull + folded(board->kings & own) * 0xd6e8feb86659fd93ull;
    return (unsigned)(sum >> 50) % CORRECTION_SIZE;
}

void history_find_corrections(history_tables *history, search_frame *ss) {
    const luft_position *position = &ss->position;
    const luft_board *board = &position->board;
    const int side = position->side_to_move;
    const luft_move last = ss[-1].move;
    ss->corrections =
        (correction_entries){3,
                             {
                                 &history->pawn_correction[side][position->pawn_key % CORRECTION_SIZE],
                                 &history->non_pawn_correction[side][LUFT_WHITE][non_pawn_hash(board, LUFT_WHITE)],
                                 &history->non_pawn_correction[side][LUFT_BLACK][non_pawn_hash(board, LUFT_BLACK)],
                             }};
    if (last != LUFT_MOVE_NONE) {
        const luft_piece piece = moving_piece(&ss[-1], last);
        ss->corrections.entries[ss->corrections.count++] =
            &(*ss[-2].continuation_correction)[piece][luft_move_to(last)];
    }
    for (int i = 0; i < ss->corrections.count; i++) {
        __builtin_prefetch(ss->corrections.entries[i]);
    }
}

int history_correct_eval(int eval, const correction_entries *corrections) {
    int sum = 0;
    for (int i = 0; i < corrections->count; i++) {
        sum += *corrections->entries[i];
    }
    return clamp(eval + sum / correction_divisor, 1 - SCORE_EVAL_BOUND, SCORE_EVAL_BOUND - 1);
}

void history_update_corrections(const correction_entries *corrections, int error, int depth) {
    const int bonus = clamp(error * depth / 2, -CORRECTION_MAX / 4, CORRECTION_MAX / 4);
    for (int i = 0; i < corrections->count; i++) {
        int16_t *entry = corrections->entries[i];
        *entry = (int16_t)(*entry + bonus - *entry * abs(bonus) / CORRECTION_MAX);
    }
}
