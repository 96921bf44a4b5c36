/* SPDX-License-Identifier: MIT */
/*
 * The oracle: the rules of chess once more, slow and plain, to hold libluft's
 * answers against. A board of 64 letters, moves found by stepping from square to
 * square, and legality by making the move and looking whether the king can be
 * taken. It shares nothing with the library but the numbering of squares and the
 * form of a move; no bitboard is computed with and no attack table is read.
 */
#ifndef LUFT_TESTS_ORACLE_H
#define LUFT_TESTS_ORACLE_H

#include "luft/luft.h"

#define ORACLE_MAX_MOVES 512
#define ORACLE_NONE (-1)

enum { ORACLE_KING_SIDE = 0, ORACLE_QUEEN_SIDE = 1 };

typedef struct oracle_board {
    char men[64];            /* FEN letters, '.' for an empty square; a8 first */
    luft_color side;         /* the side to move */
    int castling_rook[2][2]; /* by colour and wing: the square of the rook, or ORACLE_NONE */
    int ep_square;           /* the square a double push passed over, or ORACLE_NONE */
    int halfmove_clock;
    int fullmove_number;
} oracle_board;

typedef struct oracle_moves {
    int count;
    luft_move moves[ORACLE_MAX_MOVES]; /* in ascending order */
} oracle_moves;

/* An empty board, White to move, no rights. */
oracle_board oracle_empty(void);

/* Reads the library's position square by square. */
oracle_board oracle_from_position(const luft_position *position);

/* Reads a FEN that is known to be well formed; castling in any of the three spellings. */
oracle_board oracle_from_fen(const char *fen);

/* Does the man on `from` attack `to`? */
bool oracle_attacks(const oracle_board *board, int from, int to);

/* The set of squares, bit n for square n, whose men of this colour attack `square`. */
uint64_t oracle_attackers(const oracle_board *board, int square, luft_color by);

/* The square of a king, or ORACLE_NONE. */
int oracle_king(const oracle_board *board, luft_color color);

/* Could this side's king be taken? */
bool oracle_in_check(const oracle_board *board, luft_color color);

/* Is the letter a man of this colour? */
bool oracle_is_color(char man, luft_color color);

/* All legal moves. */
void oracle_generate(oracle_moves *list, const oracle_board *board);

/* The board after a legal move; its en passant square is set after every double push. */
oracle_board oracle_make(const oracle_board *board, luft_move move);

/* The FEN, en passant square only where a capture onto it is legal, castling as X-FEN. */
void oracle_to_fen(char buffer[LUFT_FEN_SIZE], const oracle_board *board);

#endif
