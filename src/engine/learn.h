/* SPDX-License-Identifier: MIT */
/*
 * What a node teaches: which moves are good in which surroundings, and how far the
 * evaluation is off in positions of a kind. The tables are in history.h.
 */
#ifndef LUFT_ENGINE_LEARN_H
#define LUFT_ENGINE_LEARN_H

#include "search.h"

/* --- Moves ----------------------------------------------------------------- */

/* The moves that were tried before the best one, so that they can be marked down. */
typedef struct tried_moves {
    luft_move quiets[64];
    luft_move captures[32];
    int quiet_count;
    int capture_count;
} tried_moves;

/* What a search of this depth adds to a history. */
int bonus_of(int depth);

/* A move of this man to this square was good, or not, after the moves before it. */
void learn_continuation(search_ply *ply, luft_piece man, luft_square to, int bonus);

/* The node failed high, or has a best move: mark that up and those tried before it down. */
void learn(search_thread *thread, search_ply *ply, luft_bitboard threats, luft_move best, int depth,
           const tried_moves *tried);

/* What the histories say of a quiet move. */
int quiet_history(const search_thread *thread, const search_ply *ply, luft_bitboard threats, luft_move move);

/* --- The evaluation's errors ------------------------------------------------ */

/* The places in the tables that a position belongs to. */
typedef struct correction_set {
    int count; /* one less where there is no last move */
    int16_t *entries[4];
} correction_set;

correction_set corrections_of(search_thread *thread, const search_ply *ply);

/* The evaluation with its usual error in such positions taken out. */
int corrected(int eval, const correction_set *corrections);

/* A search of this depth found the evaluation off by `error`. */
void learn_correction(const correction_set *corrections, int error, int depth);

#endif
