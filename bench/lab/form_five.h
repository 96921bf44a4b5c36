/* SPDX-License-Identifier: MIT */
/*
 * The board as five planes: three hold the number of the piece's type, bit by bit,
 * two the colours. It is always seen by the side to move, whose pawns move north;
 * after each move it is turned round: ranks reversed (one byte swap a word) and
 * colours exchanged. The generator is compiled for one colour only.
 *
 * The types are 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king.
 */
#ifndef LAB_FORM_FIVE_H
#define LAB_FORM_FIVE_H

#include "lab.h"

#define FORM_QUEENS_APART 0
#define FORM_TURNS 1

typedef struct lab_board {
    luft_bitboard plane[3];
    luft_bitboard color[2]; /* LUFT_WHITE is the side to move, LUFT_BLACK the opponent */
    luft_bitboard castling; /* rooks that may still castle */
} lab_board;

ALWAYS_INLINE luft_bitboard pieces_of(const lab_board *board, const luft_color color) {
    return board->color[color];
}

ALWAYS_INLINE luft_bitboard all_pieces(const lab_board *board) {
    return board->color[LUFT_WHITE] | board->color[LUFT_BLACK];
}

ALWAYS_INLINE luft_bitboard pawns_of(const lab_board *board, const luft_color color) {
    return board->plane[0] & ~board->plane[1] & ~board->plane[2] & board->color[color];
}

ALWAYS_INLINE luft_bitboard knights_of(const lab_board *board, const luft_color color) {
    return board->plane[1] & ~board->plane[0] & ~board->plane[2] & board->color[color];
}

/* 3 and 5: the lowest plane and one of the others. */
ALWAYS_INLINE luft_bitboard diagonal_sliders_of(const lab_board *board, const luft_color color) {
    return board->plane[0] & (board->plane[1] ^ board->plane[2]) & board->color[color];
}

/* 4 and 5: the highest plane without the middle one. */
ALWAYS_INLINE luft_bitboard orthogonal_sliders_of(const lab_board *board, const luft_color color) {
    return board->plane[2] & ~board->plane[1] & board->color[color];
}

ALWAYS_INLINE luft_bitboard queens_of(const lab_board *board, const luft_color color) {
    return board->plane[2] & board->plane[0] & board->color[color];
}

ALWAYS_INLINE luft_bitboard king_of(const lab_board *board, const luft_color color) {
    return board->plane[2] & board->plane[1] & board->color[color];
}

/* Places pieces of this type on those of the squares that are empty, and removes them from the others. */
ALWAYS_INLINE void toggle_pieces(lab_board *board, const luft_color color, luft_piece_type type,
                                 luft_bitboard squares) {
    board->plane[0] ^= type & 1 ? squares : 0;
    board->plane[1] ^= type & 2 ? squares : 0;
    board->plane[2] ^= type & 4 ? squares : 0;
    board->color[color] ^= squares;
}

/* Moves a slider from `stands`, one of the two squares, to the other. */
ALWAYS_INLINE void slide_diagonal(lab_board *board, const luft_color us, luft_bitboard stands, luft_bitboard both) {
    const bool queen = (board->plane[2] & stands) != 0;
    board->plane[0] ^= both;
    board->plane[1] ^= queen ? 0 : both;
    board->plane[2] ^= queen ? both : 0;
    board->color[us] ^= both;
}

ALWAYS_INLINE void slide_orthogonal(lab_board *board, const luft_color us, luft_bitboard stands, luft_bitboard both) {
    board->plane[0] ^= board->plane[0] & stands ? both : 0;
    board->plane[2] ^= both;
    board->color[us] ^= both;
}

/* Removes the piece of this side on the square. */
ALWAYS_INLINE void remove_piece(lab_board *board, const luft_color color, luft_bitboard square) {
    board->plane[0] &= ~square;
    board->plane[1] &= ~square;
    board->plane[2] &= ~square;
    board->color[color] &= ~square;
}

ALWAYS_INLINE void turn_round(lab_board *board) {
    for (int i = 0; i < 3; i++) {
        board->plane[i] = luft_bitboard_flip(board->plane[i]);
    }
    const luft_bitboard us = luft_bitboard_flip(board->color[LUFT_WHITE]);
    board->color[LUFT_WHITE] = luft_bitboard_flip(board->color[LUFT_BLACK]);
    board->color[LUFT_BLACK] = us;
    board->castling = luft_bitboard_flip(board->castling);
}

#endif
