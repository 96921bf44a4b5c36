/* SPDX-License-Identifier: MIT */
/*
 * Directions as a colour sees them, and the attributes of inlined functions. The colour is a
 * constant wherever these are called, so that each compiles to a shift.
 */
#ifndef LUFT_CORE_DIRECTIONS_H
#define LUFT_CORE_DIRECTIONS_H

#include "luft/bitboard.h"

#if defined(__GNUC__) && !defined(__OPTIMIZE__)
#define ALWAYS_INLINE static inline __attribute__((unused)) /* for debuggers: gcc cannot do it without optimising */
#elif defined(__GNUC__)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE static inline
#endif

#if defined(__GNUC__)
#define NEVER_INLINE __attribute__((noinline))
#define RARELY_CALLED static __attribute__((noinline, unused)) /* out of line, to keep the common path short */
#else
#define NEVER_INLINE
#define RARELY_CALLED static
#endif

#if LUFT_HAS_BUILTINS
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#else
#define UNLIKELY(condition) (condition)
#define LIKELY(condition) (condition)
#endif

/* The rank on which this side's pieces start and its king castles. */
ALWAYS_INLINE luft_bitboard home_rank(const luft_color us) {
    return us == LUFT_WHITE ? LUFT_RANK_1 : LUFT_RANK_8;
}

/* The rank on which this side's pawns promote. */
ALWAYS_INLINE luft_bitboard last_rank(const luft_color us) {
    return us == LUFT_WHITE ? LUFT_RANK_8 : LUFT_RANK_1;
}

/* The rank that a double push passes over: the third as this side counts. */
ALWAYS_INLINE luft_bitboard third_rank(const luft_color us) {
    return us == LUFT_WHITE ? LUFT_RANK_1 >> 16 : LUFT_RANK_8 << 16;
}

ALWAYS_INLINE luft_bitboard forward(const luft_color us, luft_bitboard set) {
    return us == LUFT_WHITE ? luft_north(set) : luft_south(set);
}

ALWAYS_INLINE luft_bitboard backward(const luft_color us, luft_bitboard set) {
    return us == LUFT_WHITE ? luft_south(set) : luft_north(set);
}

/* Where pawns capture to, by side of the board (the a-file is west for both colours). */
ALWAYS_INLINE luft_bitboard capture_west(const luft_color us, luft_bitboard pawns) {
    return luft_west(forward(us, pawns));
}

ALWAYS_INLINE luft_bitboard capture_east(const luft_color us, luft_bitboard pawns) {
    return luft_east(forward(us, pawns));
}

/* Where the pawns that capture to these squares come from. */
ALWAYS_INLINE luft_bitboard from_capture_west(const luft_color us, luft_bitboard targets) {
    return luft_east(backward(us, targets));
}

ALWAYS_INLINE luft_bitboard from_capture_east(const luft_color us, luft_bitboard targets) {
    return luft_west(backward(us, targets));
}

#endif
