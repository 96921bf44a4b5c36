/* SPDX-License-Identifier: MIT */
/*
 * Directions as a colour sees them, those of the library, and the squares of castling in standard chess.
 */
#ifndef LAB_DIRECTIONS_H
#define LAB_DIRECTIONS_H

#include "lab.h"

#include "core/directions.h"

/* Where king and rook stand after castling with the rook on `rook`. */
ALWAYS_INLINE luft_bitboard castled_king(luft_bitboard king, luft_bitboard rook) {
    return rook > king ? king << 2 : king >> 2;
}

ALWAYS_INLINE luft_bitboard castled_rook(luft_bitboard king, luft_bitboard rook) {
    return rook > king ? king << 1 : king >> 1;
}

#endif
