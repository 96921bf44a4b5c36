/* SPDX-License-Identifier: MIT */
/*
 * What a search thread has learned about moves: how often a move, in some
 * surroundings, was the best. And how far the evaluation was off, by the features of the position.
 *
 * All numbers move towards a bound by "gravity": the nearer, the less a bonus adds.
 */
#ifndef LUFT_ENGINE_HISTORY_H
#define LUFT_ENGINE_HISTORY_H

#include "luft/movegen.h"

#include <stdlib.h>

enum {
    HISTORY_MAX = 16384,
    PAWN_HISTORY_SIZE = 1024,
    CORRECTION_SIZE = 16384,
    CORRECTION_MAX = 8192 /* 128 centipawns in 64ths */
};

/* By man and the square it goes to. */
typedef int16_t piece_to_history[16][64];

typedef struct search_history {
    int16_t quiet[2][4][64][64];                      /* side; leaves or enters attacked squares; from; to */
    int16_t capture[16][64][8];                       /* man, to, type of the victim */
    piece_to_history continuation[16][64];            /* after a move of this man to this square */
    piece_to_history pawns[PAWN_HISTORY_SIZE];        /* with this pawn structure */
    int16_t pawn_correction[2][CORRECTION_SIZE];      /* side to move; pawn key */
    int16_t men_correction[2][2][CORRECTION_SIZE];    /* side to move; whose men without pawns, by their hash */
    piece_to_history continuation_correction[16][64]; /* the last two moves */
} search_history;

static inline void history_update(int16_t *entry, int bonus) {
    *entry = (int16_t)(*entry + bonus - *entry * abs(bonus) / HISTORY_MAX);
}

/* Which of the four tables of quiet moves: `threats` are the squares that the opponent attacks. */
static inline int threat_index(luft_bitboard threats, luft_move move) {
    return (int)(threats >> luft_move_from(move) & 1) << 1 | (int)(threats >> luft_move_to(move) & 1);
}

#endif
