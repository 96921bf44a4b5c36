/* SPDX-License-Identifier: MIT */
/*
 * What a score means: how often the engine, playing itself, wins, draws and loses
 * from a position with this score. It is only shown; play does not depend on it.
 */
#ifndef LUFT_ENGINE_WDL_H
#define LUFT_ENGINE_WDL_H

#include "luft/position.h"

/* For the player to move, in thousandths that add up to 1000. */
typedef struct wdl {
    int win, draw, loss;
} wdl;

/* A score that announces a mate is certain. */
wdl wdl_of(int score, const luft_position *position);

/* What the model goes by: the men on the board by their usual values, pawn 1 to queen 9. It is 78 at the start. */
int wdl_material(const luft_position *position);

/* The variable of the polynomials: from 0 for bare kings to 1 for the start. There are few games with less than 10. */
static inline double wdl_scale(int material) {
    return (material < 10 ? 10 : material > 78 ? 78 : material) / 78.0;
}

#endif
