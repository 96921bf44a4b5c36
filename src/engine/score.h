/* SPDX-License-Identifier: MIT */
/*
 * Scores of the search, in centipawns from the point of view of the side to move, and the bounds of the search tree.
 * Mate in n plies is SCORE_MATE - n. A position that the tablebases call won, n plies from the root, is SCORE_TABLEBASE - n.
 */
#ifndef LUFT_ENGINE_SCORE_H
#define LUFT_ENGINE_SCORE_H

#include <stdbool.h>

enum {
    MAX_PLY = 250,  /* of the search tree, extensions and quiescence search included */
    MAX_DEPTH = 245 /* of iterative deepening */
};

enum {
    SCORE_DRAW = 0,
    SCORE_MATE = 32000,
    SCORE_INFINITE = 32001,
    SCORE_NONE = 32002,                       /* no score */
    SCORE_MATE_BOUND = SCORE_MATE - 1000,     /* a score of at least this is a mate */
    SCORE_TABLEBASE = 30000,                  /* a win by the tablebases */
    SCORE_WIN_BOUND = SCORE_TABLEBASE - 1000, /* a score of at least this is such a win, or a mate */
    SCORE_EVAL_BOUND = 20000                  /* the absolute value of an evaluation is below this */
};

static inline int mated_in(int ply) {
    return -SCORE_MATE + ply;
}

static inline int mate_in(int ply) {
    return SCORE_MATE - ply;
}

/* A proven win: a mate, or a position that the tablebases call won. */
static inline bool is_win(int score) {
    return score >= SCORE_WIN_BOUND;
}

static inline bool is_loss(int score) {
    return score <= -SCORE_WIN_BOUND;
}

static inline bool is_decisive(int score) {
    return is_win(score) || is_loss(score);
}

/* A mate of either side. */
static inline bool is_mate(int score) {
    return score >= SCORE_MATE_BOUND || score <= -SCORE_MATE_BOUND;
}

#endif
