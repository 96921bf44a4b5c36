/* SPDX-License-Identifier: MIT */
/* The course of a game for people: a graph of its evaluations, and what each player did. */
#ifndef LUFT_PROGRAM_ANALYSE_GRAPH_H
#define LUFT_PROGRAM_ANALYSE_GRAPH_H

#include "game.h"

/*
 * White's winning chances after each move as bars, up for White and down for Black, with the numbers of moves below; at
 * most `columns` wide. Nothing if there are no moves.
 */
void graph_append(buffer *out, const pgn_game *game, const evaluation *evaluations, size_t columns);

/* A row for each player: moves, average loss, inaccuracies, mistakes, blunders. */
void summary_append(buffer *out, const pgn_game *game, const player_total totals[2]);

#endif
