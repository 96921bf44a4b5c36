/* SPDX-License-Identifier: MIT */
/* What the notations share: squares as text, and the move between two squares. */
#ifndef LUFT_CORE_NOTATION_INTERNAL_H
#define LUFT_CORE_NOTATION_INTERNAL_H

#include "luft/notation.h"

static inline char file_letter(luft_square square) {
    return (char)('a' + luft_file_of(square));
}

static inline char rank_digit(luft_square square) {
    return (char)('8' - luft_row_of(square));
}

/*
 * The legal move from one square to another, LUFT_MOVE_NONE if there is none. Castling goes to the
 * rook's square or, for a king on the e-file, to its goal. `promotion` is LUFT_NO_PIECE_TYPE for any other move.
 */
luft_move luft_notation_find(const luft_position *position, luft_square from, luft_square to,
                             luft_piece_type promotion);

#endif
