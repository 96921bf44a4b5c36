/* SPDX-License-Identifier: MIT */
/*
 * Static exchange evaluation (SEE): the material result of the captures on one square.
 */
#ifndef LUFT_ENGINE_SEE_H
#define LUFT_ENGINE_SEE_H

#include "luft/movegen.h"

/* The value of a piece by type, in centipawns. A king counts 0: it is never captured. */
extern const int see_value[7];

/* Does the move, with the best captures of both sides on its square after it, gain at least `threshold` centipawns? */
bool see_at_least(const luft_position *position, luft_move move, int threshold);

#endif
