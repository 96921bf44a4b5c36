/* SPDX-License-Identifier: MIT */
/*
 * Which moves give check, for a node that asks it of all its moves: the squares are computed once.
 */
#ifndef LUFT_ENGINE_CHECKS_H
#define LUFT_ENGINE_CHECKS_H

#include "frame.h"

typedef struct check_squares {
    luft_bitboard by_type[7]; /* where a piece of this type gives check, if no piece on a line to the king moves */
    luft_bitboard on_lines;   /* pieces that are the first on a line from the king: their moves can open it */
} check_squares;

static inline check_squares compute_check_squares(const luft_position *position) {
    const luft_board *board = &position->board;
    const luft_color us = (luft_color)position->side_to_move, them = luft_opposite(us);
    const luft_square king = luft_king_square(board, them);
    const luft_bitboard occupied = luft_occupied(board);
    const luft_bitboard diagonal = luft_bishop_attacks(king, occupied), orthogonal = luft_rook_attacks(king, occupied);
    return (check_squares){
        .by_type = {0, luft_pawn_attacks(them, king), luft_knight_attacks(king), diagonal, orthogonal,
                    diagonal | orthogonal, 0},
        .on_lines = (diagonal | orthogonal) & occupied,
    };
}

/* luft_gives_check, for a legal move of the frame's position. */
static inline bool gives_check(const check_squares *squares, const search_frame *ss, luft_move move) {
    const luft_move_kind kind = luft_move_kind_of(move);
    const bool special = kind == LUFT_CASTLING || kind == LUFT_EN_PASSANT || luft_move_is_promotion(move);
    if (special || squares->on_lines >> luft_move_from(move) & 1) {
        return luft_gives_check(&ss->position, move);
    }
    return squares->by_type[luft_piece_type_of(moving_piece(ss, move))] >> luft_move_to(move) & 1;
}

#endif
