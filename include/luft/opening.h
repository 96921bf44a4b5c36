/* SPDX-License-Identifier: MIT */
/*
 * The names of openings: the ECO code and the name of a position, found by the
 * position itself, so that transpositions are known too.
 */
#ifndef LUFT_OPENING_H
#define LUFT_OPENING_H

#include "game.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct luft_opening {
    char eco[4];      /* such as "B90", terminated */
    const char *name; /* UTF-8, such as "Sicilian Defense: Najdorf Variation"; a constant */
} luft_opening;

/* The opening that has its name from this position. False, and `opening` untouched, if there is none. */
LUFT_API bool luft_opening_of_position(luft_opening *opening, const luft_position *position);

/* The opening of a game up to its present position: the last of its positions that has a name. */
LUFT_API bool luft_opening_of_game(luft_opening *opening, const luft_game *game);

/* How many positions have a name, and the most moves of both sides that lead to one of them. */
LUFT_API size_t luft_opening_count(void);
LUFT_API size_t luft_opening_longest(void);

#ifdef __cplusplus
}
#endif

#endif
