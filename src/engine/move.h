/* SPDX-License-Identifier: MIT */
/*
 * Questions about a move that move ordering, pruning and the histories share.
 */
#ifndef LUFT_ENGINE_MOVE_H
#define LUFT_ENGINE_MOVE_H

#include "luft/position.h"

/* Neither a capture nor a promotion. */
static inline bool is_quiet(luft_move move) {
    return !luft_move_is_capture(move) && !luft_move_is_promotion(move);
}

/* The type of the captured piece, or LUFT_NO_PIECE_TYPE. Not for castling: its target square holds the own rook. */
static inline luft_piece_type captured_type(const luft_position *position, luft_move move) {
    return luft_move_kind_of(move) == LUFT_EN_PASSANT
               ? LUFT_PAWN
               : luft_piece_type_of(luft_piece_at(&position->board, luft_move_to(move)));
}

/* The piece that moves. */
static inline luft_piece moving_piece(const luft_position *position, luft_move move) {
    return luft_piece_at(&position->board, luft_move_from(move));
}

#endif
