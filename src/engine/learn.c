/* SPDX-License-Identifier: MIT */
/*
 * Learning from the result of a node. Every number moves a little towards what was
 * seen, the less the nearer it is to its bound.
 */
#include "learn.h"

#include "params.h"
#include "search_internal.h"

/* --- Moves ----------------------------------------------------------------- */

int bonus_of(int depth) {
    return least(history_bonus * depth, history_bonus_max);
}

void learn_continuation(search_ply *ply, luft_piece man, luft_square to, int bonus) {
    static const int back[4] = {1, 2, 4, 6};
    for (int i = 0; i < 4; i++) {
        if (ply[-back[i]].move != LUFT_MOVE_NONE) {
            history_update(&(*ply[-back[i]].continuation)[man][to], bonus);
        }
    }
}

static void learn_quiet(search_thread *thread, search_ply *ply, luft_bitboard threats, luft_move move, int bonus) {
    const luft_position *position = &ply->position;
    search_history *history = thread->history;
    const luft_square from = luft_move_from(move), to = luft_move_to(move);
    const luft_piece man = luft_piece_at(&position->board, from);
    history_update(&history->quiet[position->side_to_move][threat_index(threats, move)][from][to], bonus);
    history_update(&history->pawns[position->pawn_key % PAWN_HISTORY_SIZE][man][to], bonus);
    learn_continuation(ply, man, to, bonus);
}

static void learn_capture(search_thread *thread, const luft_position *position, luft_move move, int bonus) {
    const luft_piece man = luft_piece_at(&position->board, luft_move_from(move));
    history_update(&thread->history->capture[man][luft_move_to(move)][victim_of(position, move)], bonus);
}

void learn(search_thread *thread, search_ply *ply, luft_bitboard threats, luft_move best, int depth,
           const tried_moves *tried) {
    const int bonus = bonus_of(depth);
    if (is_quiet(best)) {
        ply->killer = best;
        /* An easy cut-off teaches little. */
        if (depth > 2 || tried->quiet_count > 0) {
            learn_quiet(thread, ply, threats, best, bonus);
        }
        for (int i = 0; i < tried->quiet_count; i++) {
            learn_quiet(thread, ply, threats, tried->quiets[i], -bonus);
        }
    } else {
        learn_capture(thread, &ply->position, best, bonus);
    }
    for (int i = 0; i < tried->capture_count; i++) {
        learn_capture(thread, &ply->position, tried->captures[i], -bonus);
    }
}

int quiet_history(const search_thread *thread, const search_ply *ply, luft_bitboard threats, luft_move move) {
    const luft_position *position = &ply->position;
    const luft_square from = luft_move_from(move), to = luft_move_to(move);
    const luft_piece man = luft_piece_at(&position->board, from);
    return thread->history->quiet[position->side_to_move][threat_index(threats, move)][from][to] +
           thread->history->pawns[position->pawn_key % PAWN_HISTORY_SIZE][man][to] + (*ply[-1].continuation)[man][to] +
           (*ply[-2].continuation)[man][to];
}

/* --- The evaluation's errors ------------------------------------------------ */

/* Brings the high ranks down too: what stands there would leave few bits of a product. */
static uint64_t folded(luft_bitboard set) {
    return set ^ set >> 32;
}

/* A place in a table for the pieces of a side. */
static unsigned men_hash(const luft_board *board, luft_color color) {
    const luft_bitboard own = board->color[color];
    const uint64_t sum =
        folded(board->knights & own) * 0x9e3779b97f4a7c15ull + folded(board->diagonals & own) * 0xc2b2ae3d27d4eb4full +
        folded(board->straights & own) * 0x165667b19e3779f9ull + folded(board->kings & own) * 0xd6e8feb86659fd93ull;
    return (unsigned)(sum >> 50) % CORRECTION_SIZE;
}

correction_set corrections_of(search_thread *thread, const search_ply *ply) {
    const luft_position *position = &ply->position;
    search_history *history = thread->history;
    const int side = position->side_to_move;
    const luft_move last = ply[-1].move;
    correction_set set = {3,
                          {
                              &history->pawn_correction[side][position->pawn_key % CORRECTION_SIZE],
                              &history->men_correction[side][LUFT_WHITE][men_hash(&position->board, LUFT_WHITE)],
                              &history->men_correction[side][LUFT_BLACK][men_hash(&position->board, LUFT_BLACK)],
                          }};
    if (last != LUFT_MOVE_NONE) {
        const luft_piece man = luft_piece_at(&ply[-1].position.board, luft_move_from(last));
        set.entries[set.count++] = &(*ply[-2].continuation_correction)[man][luft_move_to(last)];
    }
    return set;
}

int corrected(int eval, const correction_set *corrections) {
    int sum = 0;
    for (int i = 0; i < corrections->count; i++) {
        sum += *corrections->entries[i];
    }
    return clamp(eval + sum / correction_divisor, 1 - SCORE_EVAL_BOUND, SCORE_EVAL_BOUND - 1);
}

void learn_correction(const correction_set *corrections, int error, int depth) {
    const int bonus = clamp(error * depth / 2, -CORRECTION_MAX / 4, CORRECTION_MAX / 4);
    for (int i = 0; i < corrections->count; i++) {
        int16_t *entry = corrections->entries[i];
        *entry = (int16_t)(*entry + bonus - *entry * abs(bonus) / CORRECTION_MAX);
    }
}
