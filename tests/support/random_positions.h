/* SPDX-License-Identifier: MIT */
/*
 * Many positions, the same in every run: random games from the standard and the Chess960
 * starts, and fantastic positions. The latter are valid positions that no game reaches:
 * boards full of queens, pins around a king, pawns about to promote, en passant along
 * every line, castling from anywhere.
 */
#ifndef LUFT_TESTS_RANDOM_POSITIONS_H
#define LUFT_TESTS_RANDOM_POSITIONS_H

#include "luft/luft.h"

typedef struct random_source {
    uint64_t state;
} random_source;

uint64_t random_next(random_source *source);

/* A number from 0 to limit - 1. */
int random_below(random_source *source, int limit);

typedef void (*position_visitor)(const luft_position *position, void *payload);

/*
 * Visits the start and every position of a random game of at most `plies` moves. Prefers castling, en passant
 * and promotions.
 */
void random_game(uint64_t seed, const luft_position *start, int plies, position_visitor visit, void *payload);

/* Visits this many games, from the standard start and Chess960 starts in turn. */
void visit_random_games(int games, position_visitor visit, void *payload);

/* A valid fantastic position; the seeds 0, 1, 2 … cycle through all kinds. */
luft_position fantastic_position(uint64_t seed);

/* Visits this many fantastic positions. */
void visit_fantastic_positions(int count, position_visitor visit, void *payload);

/* Visits both kinds: `rounds` games, and 40 fantastic positions for each. */
void visit_random_positions(int rounds, position_visitor visit, void *payload);

#endif
