/* SPDX-License-Identifier: MIT */
/*
 * The board as eight words, the form that Luft uses: a queen is in both slider
 * boards, so that "all that moves along diagonals" is one word and not an OR.
 * Moving a slider must then ask whether it is a queen.
 */
#ifndef LAB_FORM_EIGHT_H
#define LAB_FORM_EIGHT_H

#include "lab.h"

#define FORM_QUEENS_APART LAB_QUEENS_APART
#define FORM_TURNS 0

typedef struct lab_board {
    luft_bitboard pawns, knights, diagonals, straights, kings;
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

ALWAYS_INLINE luft_bitboard men_of(const lab_board *board, const luft_color color) {
    return board->color[color];
}

ALWAYS_INLINE luft_bitboard all_men(const lab_board *board) {
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

ALWAYS_INLINE luft_bitboard diagonals_of(const lab_board *board, const luft_color color) {
    return board->diagonals & board->color[color];
}

ALWAYS_INLINE luft_bitboard straights_of(const lab_board *board, const luft_color color) {
    return board->straights & board->color[color];
}

ALWAYS_INLINE luft_bitboard bishops_of(const lab_board *board, const luft_color color) {
    return board->diagonals & ~board->straights & board->color[color];
}

ALWAYS_INLINE luft_bitboard rooks_of(const lab_board *board, const luft_color color) {
    return board->straights & ~board->diagonals & board->color[color];
}

ALWAYS_INLINE luft_bitboard queens_of(const lab_board *board, const luft_color color) {
    return board->straights & board->diagonals & board->color[color];
}

ALWAYS_INLINE luft_bitboard king_of(const lab_board *board, const luft_color color) {
    return board->kings & board->color[color];
}

/* The type of the man on the square. */
ALWAYS_INLINE luft_piece_type type_on(const lab_board *board, luft_bitboard square) {
    if (board->pawns & square) {
        return LUFT_PAWN;
    }
    if (board->knights & square) {
        return LUFT_KNIGHT;
    }
    if (board->diagonals & square) {
        return board->straights & square ? LUFT_QUEEN : LUFT_BISHOP;
    }
    return board->straights & square ? LUFT_ROOK : LUFT_KING;
}

/* Changes which squares the men of a side are on, whatever they are. */
ALWAYS_INLINE void toggle_color(lab_board *board, const luft_color color, luft_bitboard squares) {
    board->color[color] ^= squares;
#if LAB_OCCUPANCY == LAB_OCCUPANCY_KEPT
    board->occupied ^= squares;
#endif
}

/* Puts men of this type on those of the squares that are empty, and lifts them off the others. */
ALWAYS_INLINE void toggle_men(lab_board *board, const luft_color color, luft_piece_type type, luft_bitboard squares) {
    toggle_color(board, color, squares);
    board->pawns ^= type == LUFT_PAWN ? squares : 0;
    board->knights ^= type == LUFT_KNIGHT ? squares : 0;
    board->diagonals ^= type == LUFT_BISHOP || type == LUFT_QUEEN ? squares : 0;
    board->straights ^= type == LUFT_ROOK || type == LUFT_QUEEN ? squares : 0;
    board->kings ^= type == LUFT_KING ? squares : 0;
}

/* Moves a slider that stands on one of the two squares to the other. */
ALWAYS_INLINE void slide_diagonal(lab_board *board, const luft_color us, luft_bitboard stands, luft_bitboard both) {
    toggle_color(board, us, both);
    board->straights ^= board->straights & stands ? both : 0;
    board->diagonals ^= both;
}

ALWAYS_INLINE void slide_straight(lab_board *board, const luft_color us, luft_bitboard stands, luft_bitboard both) {
    toggle_color(board, us, both);
    board->diagonals ^= board->diagonals & stands ? both : 0;
    board->straights ^= both;
}

/* Takes whatever man but a king this side has there off the board. */
ALWAYS_INLINE void remove_man(lab_board *board, const luft_color color, luft_bitboard square) {
    board->pawns &= ~square;
    board->knights &= ~square;
    board->diagonals &= ~square;
    board->straights &= ~square;
    board->color[color] &= ~square;
#if LAB_OCCUPANCY == LAB_OCCUPANCY_KEPT
    board->occupied &= ~square;
#endif
}

ALWAYS_INLINE void turn_round(lab_board *board) {
    (void)board;
}

#endif
