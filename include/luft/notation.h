/* SPDX-License-Identifier: MIT */
/*
 * Moves as text. So far the notation of the UCI protocol: e2e4, e7e8q, and
 * castling as e1g1 or, in Chess960, as king takes rook: e1h1.
 */
#ifndef LUFT_NOTATION_H
#define LUFT_NOTATION_H

#include "movegen.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LUFT_UCI_MOVE_SIZE 6 /* four squares' letters, a promotion letter and the NUL */

typedef enum luft_castling_style {
    LUFT_CASTLING_STANDARD = 0, /* e1g1 */
    LUFT_CASTLING_CHESS960 = 1  /* e1h1 */
} luft_castling_style;

/*
 * Writes a move as UCI text, LUFT_MOVE_NONE as "0000". Writes a terminated
 * string if `size` has room for it, and at most an empty one otherwise. Returns
 * the length of the text. In the standard style castling is written as king
 * takes rook all the same where the king does not start on the e-file.
 */
LUFT_API size_t luft_move_to_uci(char *buffer, size_t size, luft_move move, luft_castling_style style);

/*
 * Reads `length` bytes as a legal move of the position, in either case of letters.
 * Castling is understood as king takes rook, and where the king stands on the
 * e-file also by its goal: elsewhere that could mean a plain move of the king.
 */
LUFT_API luft_error luft_move_from_uci(luft_move *move, const luft_position *position, const char *text, size_t length);

#ifdef __cplusplus
}
#endif

#endif
