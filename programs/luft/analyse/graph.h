/* SPDX-License-Identifier: MIT */
/* The course of a game: a graph of its evaluations, and a summary of each player. */
#ifndef LUFT_PROGRAM_ANALYSE_GRAPH_H
#define LUFT_PROGRAM_ANALYSE_GRAPH_H

#include "game.h"

/*
 * Draws White's winning chances after each move as bars, up for White and down for Black, with move numbers below; at
 * most `columns` wide. Writes nothing if there are no moves.
 */
void graph_append(buffer *out, const reviewed_game *game, const evaluation *evaluations, size_t columns);

/* A row for each player: moves, average loss, inaccuracies, mistakes, blunders. */
void summary_append(buffer *out, const reviewed_game *game, const player_total totals[2]);

#endif
