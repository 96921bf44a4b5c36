/* SPDX-License-Identifier: MIT */
/*
 * The win-draw-loss model: how often the engine, playing itself, wins, draws and loses from a position with this score.
 * It is for display; the search does not use it.
 */
#ifndef LUFT_ENGINE_WDL_H
#define LUFT_ENGINE_WDL_H

#include "luft/position.h"

/* For the side to move, in thousandths that add up to 1000. */
typedef struct wdl {
    int win, draw, loss;
} wdl;

/* The model's expectation; a mate score is certain. */
wdl wdl_of(int score, const luft_position *position);

/* The material of both sides, pawn 1 to queen 9: 78 in the start position. */
int wdl_material(const luft_position *position);

/* The variable of the polynomials, 1 for the start position. Below 10 there were too few games to fit. */
static inline double wdl_scale(int material) {
    return (material < 10 ? 10 : material > 78 ? 78 : material) / 78.0;
}

#endif
