/* SPDX-License-Identifier: MIT */
/*
 * The board as twelve words, one for each man of each colour. All that is asked of
 * one man is one load; all men of a side are six words ORed together, or, with
 * LAB_OCCUPANCY_KEPT, words of their own that each move updates.
 */
#ifndef LAB_FORM_TWELVE_H
#define LAB_FORM_TWELVE_H

#include "lab.h"

#define FORM_QUEENS_APART 1
#define FORM_TURNS 0

typedef struct lab_board {
    luft_bitboard man[2][6]; /* by colour, and luft_piece_type less one */
    luft_bitboard castling;  /* rooks that may still castle */
#if LAB_OCCUPANCY == LAB_OCCUPANCY_KEPT
    luft_bitboard color[2];
    luft_bitboard occupied;
#endif
} lab_board;

ALWAYS_INLINE luft_bitboard men_of(const lab_board *board, const luft_color color) {
#if LAB_OCCUPANCY == LAB_OCCUPANCY_KEPT
    return board->color[color];
#else
    const luft_bitboard *man = board->man[color];
    return man[0] | man[1] | man[2] | man[3] | man[4] | man[5];
#endif
}

ALWAYS_INLINE luft_bitboard all_men(const lab_board *board) {
#if LAB_OCCUPANCY == LAB_OCCUPANCY_KEPT
    return board->occupied;
#else
    return men_of(board, LUFT_WHITE) | men_of(board, LUFT_BLACK);
#endif
}

ALWAYS_INLINE luft_bitboard pawns_of(const lab_board *board, const luft_color color) {
    return board->man[color][LUFT_PAWN - 1];
}

ALWAYS_INLINE luft_bitboard knights_of(const lab_board *board, const luft_color color) {
    return board->man[color][LUFT_KNIGHT - 1];
}

ALWAYS_INLINE luft_bitboard bishops_of(const lab_board *board, const luft_color color) {
    return board->man[color][LUFT_BISHOP - 1];
}

ALWAYS_INLINE luft_bitboard rooks_of(const lab_board *board, const luft_color color) {
    return board->man[color][LUFT_ROOK - 1];
}

ALWAYS_INLINE luft_bitboard queens_of(const lab_board *board, const luft_color color) {
    return board->man[color][LUFT_QUEEN - 1];
}

ALWAYS_INLINE luft_bitboard diagonals_of(const lab_board *board, const luft_color color) {
    return bishops_of(board, color) | queens_of(board, color);
}

ALWAYS_INLINE luft_bitboard straights_of(const lab_board *board, const luft_color color) {
    return rooks_of(board, color) | queens_of(board, color);
}

ALWAYS_INLINE luft_bitboard king_of(const lab_board *board, const luft_color color) {
    return board->man[color][LUFT_KING - 1];
}

/* Puts men of this type on those of the squares that are empty, and lifts them off the others. */
ALWAYS_INLINE void toggle_men(lab_board *board, const luft_color color, luft_piece_type type, luft_bitboard squares) {
    board->man[color][type - 1] ^= squares;
#if LAB_OCCUPANCY == LAB_OCCUPANCY_KEPT
    board->color[color] ^= squares;
    board->occupied ^= squares;
#endif
}

/* Takes whatever man but a king this side has there off the board. */
ALWAYS_INLINE void remove_man(lab_board *board, const luft_color color, luft_bitboard square) {
    for (int type = LUFT_PAWN; type <= LUFT_QUEEN; type++) {
        board->man[color][type - 1] &= ~square;
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
