/* SPDX-License-Identifier: MIT */
/*
 * Directions as a colour sees them. The colour is a constant wherever these are
 * used, so that each compiles to a shift.
 */
#ifndef LAB_DIRECTIONS_H
#define LAB_DIRECTIONS_H

#include "lab.h"

/* The rank on which this side's king castles. */
ALWAYS_INLINE luft_bitboard home_rank(const luft_color us) {
    return us == LUFT_WHITE ? LUFT_RANK_1 : LUFT_RANK_8;
}

/* The rank on which this side's pawns promote. */
ALWAYS_INLINE luft_bitboard last_rank(const luft_color us) {
    return home_rank(luft_opposite(us));
}

/* The rank that a double push passes over. */
ALWAYS_INLINE luft_bitboard third_rank(const luft_color us) {
    return us == LUFT_WHITE ? LUFT_RANK_1 >> 16 : LUFT_RANK_8 << 16;
}

ALWAYS_INLINE luft_bitboard forward(const luft_color us, luft_bitboard set) {
    return us == LUFT_WHITE ? luft_north(set) : luft_south(set);
}

ALWAYS_INLINE luft_bitboard backward(const luft_color us, luft_bitboard set) {
    return us == LUFT_WHITE ? luft_south(set) : luft_north(set);
}

ALWAYS_INLINE luft_bitboard capture_west(const luft_color us, luft_bitboard pawns) {
    return luft_west(forward(us, pawns));
}

ALWAYS_INLINE luft_bitboard capture_east(const luft_color us, luft_bitboard pawns) {
    return luft_east(forward(us, pawns));
}

/* Where pawns that capture to these squares come from. */
ALWAYS_INLINE luft_bitboard from_capture_west(const luft_color us, luft_bitboard targets) {
    return luft_east(backward(us, targets));
}

ALWAYS_INLINE luft_bitboard from_capture_east(const luft_color us, luft_bitboard targets) {
    return luft_west(backward(us, targets));
}

/* Where king and rook stand after castling with the rook on `rook`. */
ALWAYS_INLINE luft_bitboard castled_king(luft_bitboard king, luft_bitboard rook) {
    return rook > king ? king << 2 : king >> 2;
}

ALWAYS_INLINE luft_bitboard castled_rook(luft_bitboard king, luft_bitboard rook) {
    return rook > king ? king << 1 : king >> 1;
}

#endif
