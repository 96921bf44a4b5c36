/* SPDX-License-Identifier: MIT */
/*
 * Sums over games: what the statistics of a position are made of, and the bytes in which the file keeps them. Sums can
 * be added to each other, so that it does not matter in which order games came or how they were divided. No SQLite here.
 * docs/database.md has the format, which is frozen.
 */
#ifndef LUFT_DATABASE_SUMS_H
#define LUFT_DATABASE_SUMS_H

#include "luft/database.h"
#include "util/buffer.h"

/* What statistics need of a game. */
typedef struct game_fact {
    uint64_t signature;
    uint32_t date; /* 20190504; 0 if unknown */
    uint16_t rating[2];
} game_fact;

/* A luft_result in the top bits of the date: 16 bytes a game, for as many games as there are. */
#define FACT_RESULT_SHIFT 28

static inline game_fact game_fact_make(uint64_t signature, uint32_t date, unsigned result, uint16_t white,
                                       uint16_t black) {
    return (game_fact){
        signature, (date & ((1u << FACT_RESULT_SHIFT) - 1)) | result << FACT_RESULT_SHIFT, {white, black}};
}

static inline uint32_t game_fact_date(const game_fact *fact) {
    return fact->date & ((1u << FACT_RESULT_SHIFT) - 1);
}

static inline luft_result game_fact_result(const game_fact *fact) {
    return (luft_result)(fact->date >> FACT_RESULT_SHIFT);
}

#define SUM_ENDED ((luft_move)0xffff) /* in place of a move: the game ended in the position */

/* One move of a position. */
typedef struct move_sum {
    luft_move move;
    uint64_t games, white, draws, black;
    uint64_t rated;          /* games with a result in which both players are rated */
    uint64_t points;         /* of the side to move in those: 2 for a win, 1 for a draw */
    uint64_t own, opponents; /* sums of the ratings in those */
    uint32_t first, last;    /* dates; 0 if there is none */
} move_sum;

typedef struct best_game {
    uint64_t id;
    game_fact fact;
} best_game;

/* A position: its moves by their numbers, and the best games. */
typedef struct position_sum {
    luft_color side_to_move;
    uint64_t ended; /* games that ended in it */
    uint32_t move_count;
    move_sum moves[LUFT_MAX_MOVES + 1];
    uint32_t best_count;
    best_game best[LUFT_DATABASE_BEST_GAMES];
} position_sum;

void sum_clear(position_sum *sum, luft_color side_to_move);

/* Adds a game in which the move was made, or that ended; each pair of game and move once. False if there are too many moves. */
bool sum_add(position_sum *sum, luft_move move, uint64_t id, const game_fact *fact);

/* Adds all of another sum. */
bool sum_merge(position_sum *sum, const position_sum *other);

/* Offers a game for the list of the best: highest ratings of both together first, then the latest. */
void sum_offer_best(position_sum *sum, uint64_t id, const game_fact *fact);

/* The bytes of the sum. */
void sum_pack(buffer *out, const position_sum *sum);

/*
 * Reads the bytes; the facts of the best games are zeros. False if they are not those of a sum. `side_to_move` is that of
 * the position, which the bytes do not have.
 */
bool sum_unpack(position_sum *sum, luft_color side_to_move, const uint8_t *bytes, size_t length);

/* For callers: averages and performance. Moves that are not legal in the position are left out. */
void sum_publish(luft_database_statistics *statistics, const position_sum *sum, const luft_position *position);

#endif
