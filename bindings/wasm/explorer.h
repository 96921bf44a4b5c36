/* SPDX-License-Identifier: MIT */
/* How a scan of PGN adds games to an explorer. */
#ifndef LUFT_WASM_EXPLORER_H
#define LUFT_WASM_EXPLORER_H

#include "rules.h"

enum { EXPLORER_PLIES = 60 }; /* later moves hardly ever come twice */

/* The first moves of a game's main line. */
typedef struct explorer_game {
    luft_result result;
    int count;
    uint64_t keys[EXPLORER_PLIES]; /* of the positions before the moves */
    luft_move moves[EXPLORER_PLIES];
} explorer_game;

/* Adds a move to a game that is being read. Null moves are left out. */
void explorer_game_move(explorer_game *game, const luft_position *before, luft_move move);

/* Adds a game. Does nothing if there is no explorer or no move. */
void explorer_add(explorer *all, const explorer_game *game);

#endif
