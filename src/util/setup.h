/* SPDX-License-Identifier: MIT */
/*
 * From arguments to a position, and from a position to the texts that people
 * read: what several subcommands need before their own work begins.
 */
#ifndef LUFT_UTIL_SETUP_H
#define LUFT_UTIL_SETUP_H

#include "luft/luft.h"

/* Why a FEN was refused: field, reason and place, or all that is wrong with the position. Returns `buffer`. */
#define SETUP_REASON_SIZE 256
const char *setup_fen_reason(char buffer[SETUP_REASON_SIZE], const luft_fen_report *report);

/* Reads a move in UCI form or else in SAN; errors as those of luft_move_from_san. */
luft_error setup_read_move(luft_move *move, const luft_position *position, const char *text, size_t length);

/*
 * The game from a FEN, or from the start if `fen` is NULL, with a list of moves in UCI form
 * or SAN, parted by blanks; `moves` may be NULL. NULL, with an error line printed, if either is
 * refused; `fen_name` is what that line calls the FEN. Ends with luft_game_free.
 */
luft_game *setup_game(const char *command, const char *fen_name, const char *fen, const char *moves);

/* The same where only the position at its end is of use; false for a refusal. */
bool setup_position(luft_position *position, const char *command, const char *fen_name, const char *fen,
                    const char *moves);

/* How castling is written in this position: the Chess960 way where a right is not one of standard chess. */
luft_castling_style setup_castling_style(const luft_position *position);

/* A move and its text. */
typedef struct named_move {
    luft_move move;
    char text[LUFT_UCI_MOVE_SIZE];
} named_move;

/* The legal moves in alphabetical order. Returns how many there are. */
int setup_sorted_moves(named_move moves[LUFT_MAX_MOVES], const luft_position *position);

#endif
