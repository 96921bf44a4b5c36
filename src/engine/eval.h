/* SPDX-License-Identifier: MIT */
/*
 * The evaluation of a position without looking ahead.
 */
#ifndef LUFT_ENGINE_EVAL_H
#define LUFT_ENGINE_EVAL_H

#include "luft/position.h"

#include "eval_terms.h"

/* In centipawns, from the view of the player to move. The position must be valid. */
int eval_position(const luft_position *position);

/* How often each term occurs, for the tuner and for the table that `eval` prints. */
typedef struct eval_trace {
    int16_t white[TERM_COUNT];
    int16_t black[TERM_COUNT];
    int phase; /* 24 with all men on the board, 0 with kings and pawns only */
    int scale; /* of the endgame's part, in 64ths */
    int score; /* from White's view */
} eval_trace;

void eval_explain(eval_trace *trace, const luft_position *position);

/* The weights of a term for the middlegame and for the endgame. */
typedef struct eval_weight {
    int16_t middlegame;
    int16_t endgame;
} eval_weight;

eval_weight eval_weight_of(int term);

#endif
