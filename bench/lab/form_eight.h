/* SPDX-License-Identifier: MIT */
/*
 * The board as eight words, the form that Luft uses: a queen is in both slider
 * boards, so that the diagonal sliders are one word and not an OR. Moving a slider
 * must then test whether it is a queen.
 */
#ifndef LAB_FORM_EIGHT_H
#define LAB_FORM_EIGHT_H

#include "lab.h"

#define FORM_QUEENS_APART LAB_QUEENS_APART
#define FORM_TURNS 0

typedef struct lab_board {
    luft_bitboard pawns, knights, diagonal, orthogonal, kings;
    luft_bitboard color[2];
    luft_bitboard castling; /* rooks that may still castle */
#if LAB_OCCUPANCY == LAB_OCCUPANCY_KEPT
    luft_bitboard occupied;
#endif
#if LAB_KEYS
    uint64_t key[LAB_KEYS];
#endif
#if LAB_BALLAST
    uint64_t ballast[LAB_BALLAST];
#endif
} lab_board;

ALWAYS_INLINE luft_bitboard pieces_of(const lab_board *board, const luft_color color) {
    return board->color[color];
}

ALWAYS_INLINE luft_bitboard all_pieces(const lab_board *board) {
#if LAB_OCCUPANCY == LAB_OCCUPANCY_KEPT
    return board->occupied;
#else
    return board->color[LUFT_WHITE] | board->color[LUFT_BLACK];
#endif
}

ALWAYS_INLINE luft_bitboard pawns_of(const lab_board *board, const luft_color color) {
    return board->pawns & board->color[color];
}

ALWAYS_INLINE luft_bitboard knights_of(const lab_board *board, const luft_color color) {
    return board->knights & board->color[color];
}

ALWAYS_INLINE luft_bitboard diagonal_sliders_of(const lab_board *board, const luft_color color) {
    return board->diagonal & board->color[color];
}

ALWAYS_INLINE luft_bitboard orthogonal_sliders_of(const lab_board *board, const luft_color color) {
    return board->orthogonal & board->color[color];
}

ALWAYS_INLINE luft_bitboard bishops_of(const lab_board *board, const luft_color color) {
    return board->diagonal & ~board->orthogonal & board->color[color];
}

ALWAYS_INLINE luft_bitboard rooks_of(const lab_board *board, const luft_color color) {
    return board->orthogonal & ~board->diagonal & board->color[color];
}

ALWAYS_INLINE luft_bitboard queens_of(const lab_board *board, const luft_color color) {
    return board->orthogonal & board->diagonal & board->color[color];
}

ALWAYS_INLINE luft_bitboard king_of(const lab_board *board, const luft_color color) {
    return board->kings & board->color[color];
}

/* The type of the piece on the square. */
ALWAYS_INLINE luft_piece_type type_on(const lab_board *board, luft_bitboard square) {
    if (board->pawns & square) {
        return LUFT_PAWN;
    }
    if (board->knights & square) {
        return LUFT_KNIGHT;
    }
    if (board->diagonal & square) {
        return board->orthogonal & square ? LUFT_QUEEN : LUFT_BISHOP;
    }
    return board->orthogonal & square ? LUFT_ROOK : LUFT_KING;
}

/* Changes which squares the pieces of a side are on, whatever they are. */
ALWAYS_INLINE void toggle_color(lab_board *board, const luft_color color, luft_bitboard squares) {
    board->color[color] ^= squares;
#if LAB_OCCUPANCY == LAB_OCCUPANCY_KEPT
    board->occupied ^= squares;
#endif
}

/* Places pieces of this type on those of the squares that are empty, and removes them from the others. */
ALWAYS_INLINE void toggle_pieces(lab_board *board, const luft_color color, luft_piece_type type,
                                 luft_bitboard squares) {
    toggle_color(board, color, squares);
    board->pawns ^= type == LUFT_PAWN ? squares : 0;
    board->knights ^= type == LUFT_KNIGHT ? squares : 0;
    board->diagonal ^= type == LUFT_BISHOP || type == LUFT_QUEEN ? squares : 0;
    board->orthogonal ^= type == LUFT_ROOK || type == LUFT_QUEEN ? squares : 0;
    board->kings ^= type == LUFT_KING ? squares : 0;
}

/* Moves a slider from `stands`, one of the two squares, to the other. */
ALWAYS_INLINE void slide_diagonal(lab_board *board, const luft_color us, luft_bitboard stands, luft_bitboard both) {
    toggle_color(board, us, both);
    board->orthogonal ^= board->orthogonal & stands ? both : 0;
    board->diagonal ^= both;
}

ALWAYS_INLINE void slide_orthogonal(lab_board *board, const luft_color us, luft_bitboard stands, luft_bitboard both) {
    toggle_color(board, us, both);
    board->diagonal ^= board->diagonal & stands ? both : 0;
    board->orthogonal ^= both;
}

/* Removes the piece of this side on the square, unless it is a king. */
ALWAYS_INLINE void remove_piece(lab_board *board, const luft_color color, luft_bitboard square) {
    board->pawns &= ~square;
    board->knights &= ~square;
    board->diagonal &= ~square;
    board->orthogonal &= ~square;
    board->color[color] &= ~square;
#if LAB_OCCUPANCY == LAB_OCCUPANCY_KEPT
    board->occupied &= ~square;
#endif
}

ALWAYS_INLINE void turn_round(lab_board *board) {
    (void)board;
}

#endif
