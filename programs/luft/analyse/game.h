/* SPDX-License-Identifier: MIT */
/* A game of a PGN file under review: read, evaluated along its main line, and written with the engine's annotations. */
#ifndef LUFT_PROGRAM_ANALYSE_GAME_H
#define LUFT_PROGRAM_ANALYSE_GAME_H

#include "judge.h"

#include "util/buffer.h"

/* All zeros before the first game. */
typedef struct reviewed_game {
    luft_pgn_game *tree; /* without earlier annotations of an engine; NULL for a game that is too long */
    size_t plies;        /* of the main line */
} reviewed_game;

/*
 * Reads the next game and frees the one before. LUFT_ERROR_END after the last, LUFT_ERROR_MEMORY, or an error of the
 * input. A game with an error is kept up to there.
 */
luft_error game_read(reviewed_game *game, luft_pgn_reader *reader);
void game_free(reviewed_game *game);

/* The value of the first tag with this name; "?" if there is none. */
const char *game_tag_value(const reviewed_game *game, const char *name, size_t *length);

/* The first move of the main line; luft_pgn_node_next gives the others. LUFT_PGN_NO_NODE if there is none. */
luft_pgn_node game_first_move(const reviewed_game *game);

/* The position before a move of the main line. */
const luft_position *game_position_before(const reviewed_game *game, luft_pgn_node node);

/*
 * Was the move made in time trouble? By its [%clk], less than a tenth of the time of the tag TimeControl was left, and less
 * than a minute; less than 30 seconds without the tag.
 */
bool game_is_hurried(const reviewed_game *game, luft_pgn_node node);

/* Annotates the main line with the evaluations of its plies + 1 positions. LUFT_ERROR_OVERFLOW or _MEMORY. */
luft_error game_annotate(reviewed_game *game, const evaluation *evaluations);

void game_write(buffer *out, const reviewed_game *game);

#endif
