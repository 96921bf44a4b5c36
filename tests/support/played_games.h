/* SPDX-License-Identifier: MIT */
/*
 * Games of a test: from a FEN and moves in UCI notation, or random, and the outcome that they must have.
 */
#ifndef LUFT_TESTS_PLAYED_GAMES_H
#define LUFT_TESTS_PLAYED_GAMES_H

#include "support/random_positions.h"

/* A game that starts from this position. The caller frees it. */
luft_game *game_from(const char *fen);

/* Plays UCI moves, separated by single blanks. */
void play_moves(luft_game *game, const char *uci_moves);

/* Both of them. */
luft_game *game_after(const char *fen, const char *uci_moves);

/* A game for random moves; the rounds take turns: castling rights to lose, few pieces, a running halfmove clock. */
luft_game *random_start(int round);

/* A random legal move, or none. */
luft_move random_move(random_source *source, const luft_position *position);

void assert_outcome(const luft_game *game, luft_termination termination, int winner);

#endif
