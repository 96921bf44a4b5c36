/* SPDX-License-Identifier: MIT */
/*
 * The board as twelve words, one for each piece of each colour. All that is asked of
 * one piece is one load; all pieces of a side are six words ORed together, or, with
 * LAB_OCCUPANCY_KEPT, words of their own that each move updates.
 */
#ifndef LAB_FORM_TWELVE_H
#define LAB_FORM_TWELVE_H

#include "lab.h"

#define FORM_QUEENS_APART 1
#define FORM_TURNS 0

typedef struct lab_board {
    luft_bitboard piece[2][6]; /* by colour, and luft_piece_type less one */
    luft_bitboard castling;    /* rooks that may still castle */
#if LAB_OCCUPANCY == LAB_OCCUPANCY_KEPT
    luft_bitboard color[2];
    luft_bitboard occupied;
#endif
} lab_board;

ALWAYS_INLINE luft_bitboard pieces_of(const lab_board *board, const luft_color color) {
#if LAB_OCCUPANCY == LAB_OCCUPANCY_KEPT
    return board->color[color];
#else
    const luft_bitboard *piece = board->piece[color];
    return piece[0] | piece[1] | piece[2] | piece[3] | piece[4] | piece[5];
#endif
}

ALWAYS_INLINE luft_bitboard all_pieces(const lab_board *board) {
#if LAB_OCCUPANCY == LAB_OCCUPANCY_KEPT
    return board->occupied;
#else
    return pieces_of(board, LUFT_WHITE) | pieces_of(board, LUFT_BLACK);
#endif
}

ALWAYS_INLINE luft_bitboard pawns_of(const lab_board *board, const luft_color color) {
    return board->piece[color][LUFT_PAWN - 1];
}

ALWAYS_INLINE luft_bitboard knights_of(const lab_board *board, const luft_color color) {
    return board->piece[color][LUFT_KNIGHT - 1];
}

ALWAYS_INLINE luft_bitboard bishops_of(const lab_board *board, const luft_color color) {
    return board->piece[color][LUFT_BISHOP - 1];
}

ALWAYS_INLINE luft_bitboard rooks_of(const lab_board *board, const luft_color color) {
    return board->piece[color][LUFT_ROOK - 1];
}

ALWAYS_INLINE luft_bitboard queens_of(const lab_board *board, const luft_color color) {
    return board->piece[color][LUFT_QUEEN - 1];
}

ALWAYS_INLINE luft_bitboard diagonal_sliders_of(const lab_board *board, const luft_color color) {
    return bishops_of(board, color) | queens_of(board, color);
}

ALWAYS_INLINE luft_bitboard orthogonal_sliders_of(const lab_board *board, const luft_color color) {
    return rooks_of(board, color) | queens_of(board, color);
}

ALWAYS_INLINE luft_bitboard king_of(const lab_board *board, const luft_color color) {
    return board->piece[color][LUFT_KING - 1];
}

/* Places pieces of this type on those of the squares that are empty, and removes them from the others. */
ALWAYS_INLINE void toggle_pieces(lab_board *board, const luft_color color, luft_piece_type type,
                                 luft_bitboard squares) {
    board->piece[color][type - 1] ^= squares;
#if LAB_OCCUPANCY == LAB_OCCUPANCY_KEPT
    board->color[color] ^= squares;
    board->occupied ^= squares;
#endif
}

/* Removes the piece of this side on the square, unless it is a king. */
ALWAYS_INLINE void remove_piece(lab_board *board, const luft_color color, luft_bitboard square) {
    for (int type = LUFT_PAWN; type <= LUFT_QUEEN; type++) {
        board->piece[color][type - 1] &= ~square;
    }
#if LAB_OCCUPANCY == LAB_OCCUPANCY_KEPT
    board->color[color] &= ~square;
    board->occupied &= ~square;
#endif
}

ALWAYS_INLINE void turn_round(lab_board *board) {
    (void)board;
}

#endif
