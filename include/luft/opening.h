/* SPDX-License-Identifier: MIT */
/*
 * Names of openings: the ECO code and name of a position, found by the position, so that
 * transpositions are found too. The names are those of the
 * public-domain list lichess-org/chess-openings.
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

/*
 * The opening named after this position: its pieces, side to move, castling rights and en passant square;
 * the counters do not matter. False, and `opening` untouched, if there is none or a pointer is NULL.
 */
LUFT_API bool luft_opening_of_position(luft_opening *opening, const luft_position *position);

/* The opening of a game up to its present position: the last of its positions that has a name. False as above. */
LUFT_API bool luft_opening_of_game(luft_opening *opening, const luft_game *game);

/* How many positions have a name, and the most moves of both sides that lead to one of them. */
LUFT_API size_t luft_opening_count(void);
LUFT_API size_t luft_opening_longest(void);

#ifdef __cplusplus
}
#endif

#endif
