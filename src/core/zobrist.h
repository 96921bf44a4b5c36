/* SPDX-License-Identifier: MIT */
/*
 * The random constants of the two Zobrist keys. Each entry is a pair: what it contributes
 * to the key seen by White and to the key seen by Black, so that one 128-bit XOR updates
 * both. Black's view has the ranks reversed and the colours exchanged: a black pawn on e7
 * contributes to Black's key what a white pawn on e2 contributes to White's.
 *
 * tools/make_tables.c writes the tables during the build, from a fixed seed.
 */
#ifndef LUFT_CORE_ZOBRIST_H
#define LUFT_CORE_ZOBRIST_H

#include "luft/types.h"

typedef struct zobrist_pair {
    uint64_t key[2]; /* seen by White, seen by Black */
} zobrist_pair;

extern const zobrist_pair luft_zobrist_piece[2][7][64]; /* by colour, luft_piece_type (0 is unused) and square */
extern const zobrist_pair
    luft_zobrist_castling[64]; /* by square of the castling rook; zero except on the first and last rank */
extern const uint64_t luft_zobrist_ep_file[8]; /* the same in both views */

#endif
