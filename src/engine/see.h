/* SPDX-License-Identifier: MIT */
/*
 * Static exchange evaluation: what a series of captures on one square brings.
 */
#ifndef LUFT_ENGINE_SEE_H
#define LUFT_ENGINE_SEE_H

#include "luft/movegen.h"

/* The worth of a man by type, for exchanges and for ordering captures; a king is worth nothing, as it is never taken. */
extern const int see_value[7];

/* Does the move, with the best captures on its square by both sides after it, gain at least this much? */
bool see_reaches(const luft_position *position, luft_move move, int threshold);

#endif
