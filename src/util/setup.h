/* SPDX-License-Identifier: MIT */
/* From arguments to positions and moves, with error lines: what several commands need before their own work begins. */
#ifndef LUFT_UTIL_SETUP_H
#define LUFT_UTIL_SETUP_H

#include "luft/luft.h"

/*
 * Why a FEN was refused: field, reason, character and column, counted from 1 in bytes; or all that is wrong with the
 * position. Returns `text`.
 */
#define SETUP_REASON_SIZE 256
const char *setup_fen_reason(char text[SETUP_REASON_SIZE], const luft_fen_report *report, const char *fen,
                             size_t length);

/* Reads a move in UCI notation or else in SAN; errors are those of luft_move_from_san. */
luft_error setup_read_move(luft_move *move, const luft_position *position, const char *text, size_t length);

/* What is wrong with a move that setup_read_move or luft_move_from_uci refused: "is not legal here". */
const char *setup_move_reason(luft_error error);

/*
 * The game from a FEN, or from the standard start position if `fen` is NULL or "startpos", with moves in UCI notation
 * or SAN, separated by blanks; `moves` may be NULL. NULL, after an error line, if either is refused; `fen_name` is the
 * option in that line, NULL for none. The caller frees it with luft_game_free.
 */
luft_game *setup_game(const char *command, const char *fen_name, const char *fen, const char *moves);

/* The same for callers that need only the last position; false after an error line. */
bool setup_position(luft_position *position, const char *command, const char *fen_name, const char *fen,
                    const char *moves);

/*
 * Compiles a query; false after an error line. `option_name` is the option in that line, NULL for none. The caller frees
 * it with luft_query_free.
 */
bool setup_query(luft_query **query, const char *command, const char *option_name, const char *text);

/* The square that the last double push passed over: of the last move of the game, else of the FEN, which may be NULL. */
luft_square setup_ep_square(const luft_game *game, const char *fen);

/* The castling notation for this position: Chess960 if a castling right does not exist in standard chess. */
luft_castling_style setup_castling_style(const luft_position *position);

/* Where the moving piece lands: `luft_move_to`, but the c- or g-file for a castling king, whose move names the rook. */
luft_square setup_landing_square(luft_move move);

/* A move and its text. */
typedef struct named_move {
    luft_move move;
    char text[LUFT_UCI_MOVE_SIZE];
} named_move;

/* Lists the legal moves in alphabetical order. Returns their number. */
int setup_sorted_moves(named_move moves[LUFT_MAX_MOVES], const luft_position *position);

#endif
