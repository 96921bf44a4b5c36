/* SPDX-License-Identifier: MIT */
/*
 * The board as six words for the types and two for the colours. Bishops, rooks
 * and queens are apart, so the generator runs through them one after the other and
 * knows what it moves; to look for attackers it needs an OR for each kind of line.
 */
#ifndef LAB_FORM_SIX_TWO_H
#define LAB_FORM_SIX_TWO_H

#include "lab.h"

#define FORM_QUEENS_APART 1
#define FORM_TURNS 0

typedef struct lab_board {
    luft_bitboard type[6]; /* by luft_piece_type, less one */
    luft_bitboard color[2];
    luft_bitboard castling; /* rooks that may still castle */
} lab_board;

ALWAYS_INLINE luft_bitboard pieces_of(const lab_board *board, const luft_color color) {
    return board->color[color];
}

ALWAYS_INLINE luft_bitboard all_pieces(const lab_board *board) {
    return board->color[LUFT_WHITE] | board->color[LUFT_BLACK];
}

ALWAYS_INLINE luft_bitboard of_type(const lab_board *board, const luft_color color, const luft_piece_type type) {
    return board->type[type - 1] & board->color[color];
}

ALWAYS_INLINE luft_bitboard pawns_of(const lab_board *board, const luft_color color) {
    return of_type(board, color, LUFT_PAWN);
}

ALWAYS_INLINE luft_bitboard knights_of(const lab_board *board, const luft_color color) {
    return of_type(board, color, LUFT_KNIGHT);
}

ALWAYS_INLINE luft_bitboard bishops_of(const lab_board *board, const luft_color color) {
    return of_type(board, color, LUFT_BISHOP);
}

ALWAYS_INLINE luft_bitboard rooks_of(const lab_board *board, const luft_color color) {
    return of_type(board, color, LUFT_ROOK);
}

ALWAYS_INLINE luft_bitboard queens_of(const lab_board *board, const luft_color color) {
    return of_type(board, color, LUFT_QUEEN);
}

ALWAYS_INLINE luft_bitboard diagonal_sliders_of(const lab_board *board, const luft_color color) {
    return (board->type[LUFT_BISHOP - 1] | board->type[LUFT_QUEEN - 1]) & board->color[color];
}

ALWAYS_INLINE luft_bitboard orthogonal_sliders_of(const lab_board *board, const luft_color color) {
    return (board->type[LUFT_ROOK - 1] | board->type[LUFT_QUEEN - 1]) & board->color[color];
}

ALWAYS_INLINE luft_bitboard king_of(const lab_board *board, const luft_color color) {
    return of_type(board, color, LUFT_KING);
}

/* Places pieces of this type on those of the squares that are empty, and removes them from the others. */
ALWAYS_INLINE void toggle_pieces(lab_board *board, const luft_color color, luft_piece_type type,
                                 luft_bitboard squares) {
    board->type[type - 1] ^= squares;
    board->color[color] ^= squares;
}

/* Removes the piece of this side on the square, unless it is a king. */
ALWAYS_INLINE void remove_piece(lab_board *board, const luft_color color, luft_bitboard square) {
    for (int type = LUFT_PAWN; type <= LUFT_QUEEN; type++) {
        board->type[type - 1] &= ~square;
    }
    board->color[color] &= ~square;
}

ALWAYS_INLINE void turn_round(lab_board *board) {
    (void)board;
}

#endif
