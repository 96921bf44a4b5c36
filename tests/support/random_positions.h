/* SPDX-License-Identifier: MIT */
/*
 * Positions by the thousand, the same in every run: random games from the
 * standard and the Chess960 starts, and fantastic set-ups that no game reaches
 * but that the rules of chess cover: boards full of queens, pins all round a
 * king, pawns about to promote, en passant along every line, castling anywhere.
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
 * Visits the start and every position of a random game that goes on for at most
 * `plies` moves. Castling, en passant and promotions are played more often than
 * chance would have them.
 */
void random_game(uint64_t seed, const luft_position *start, int plies, position_visitor visit, void *payload);

/* That many games, the standard start and Chess960 ones in turn. */
void visit_random_games(int games, position_visitor visit, void *payload);

/* A fantastic position; the seeds 0, 1, 2 … go through all the kinds. Always valid. */
luft_position fantastic_position(uint64_t seed);

/* That many fantastic positions. */
void visit_fantastic_positions(int count, position_visitor visit, void *payload);

/* A mixture of both kinds: `rounds` games and 40 fantastic positions for each. */
void visit_random_positions(int rounds, position_visitor visit, void *payload);

#endif
