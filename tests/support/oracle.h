/* SPDX-License-Identifier: MIT */
/*
 * The oracle: a second, slow and plain implementation of the rules to compare libluft
 * with. It has a board of 64 letters, finds moves by stepping from square to square, and
 * tests legality by making the move and asking whether the king is attacked. It shares
 * only the square numbers and the move format with the library, and uses no bitboards or
 * attack tables.
 */
#ifndef LUFT_TESTS_ORACLE_H
#define LUFT_TESTS_ORACLE_H

#include "luft/luft.h"

#define ORACLE_MAX_MOVES 512
#define ORACLE_NONE (-1)

enum { ORACLE_KING_SIDE = 0, ORACLE_QUEEN_SIDE = 1 };

typedef struct oracle_board {
    char pieces[64];         /* FEN letters, '.' for an empty square; a8 first */
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

/* Copies the library's position square by square. */
oracle_board oracle_from_position(const luft_position *position);

/* Reads a well-formed FEN, with castling in any of the three spellings. */
oracle_board oracle_from_fen(const char *fen);

/* True if the piece on `from` attacks `to`. */
bool oracle_attacks(const oracle_board *board, int from, int to);

/* The set of squares (bit n for square n) from which pieces of this colour attack `square`. */
uint64_t oracle_attackers(const oracle_board *board, int square, luft_color by);

/* The square of a king, or ORACLE_NONE. */
int oracle_king(const oracle_board *board, luft_color color);

/* True if this side's king is attacked. */
bool oracle_in_check(const oracle_board *board, luft_color color);

/* True if the letter is a piece of this colour. */
bool oracle_is_color(char letter, luft_color color);

/* All legal moves. */
void oracle_generate(oracle_moves *list, const oracle_board *board);

/* The board after a legal move; its en passant square is set after every double push. */
oracle_board oracle_make(const oracle_board *board, luft_move move);

/* The FEN, with castling as X-FEN and an en passant square only if a capture on it is legal. */
void oracle_to_fen(char buffer[LUFT_FEN_SIZE], const oracle_board *board);

#endif
