/* SPDX-License-Identifier: MIT */
/* Function shared by the notations: finding a move by its squares. */
#ifndef LUFT_CORE_NOTATION_INTERNAL_H
#define LUFT_CORE_NOTATION_INTERNAL_H

#include "luft/notation.h"

/*
 * Returns the legal move from one square to another, or LUFT_MOVE_NONE. `to` of a castling move is the rook's
 * square or, for a king on the e-file, the king's target. `promotion` is LUFT_NO_PIECE_TYPE for other moves.
 */
luft_move luft_notation_find(const luft_position *position, luft_square from, luft_square to,
                             luft_piece_type promotion);

#endif
