/* SPDX-License-Identifier: MIT */
/*
 * A bitboard is a set of squares: bit n is square n, so A8 is the lowest bit
 * and H1 the highest. All functions but luft_bitboard_text are inline and cost what the
 * bare operation costs. North is towards the eighth rank.
 */
#ifndef LUFT_BITBOARD_H
#define LUFT_BITBOARD_H

#include "types.h"

/*
 * Define LUFT_NO_BUILTINS to compile without compiler built-ins and intrinsics:
 * bit scan, population count, byte swap, PEXT, prefetches and branch hints. The
 * functions stay the same and give the same answers, in plain C. Compilers that
 * do not offer the built-ins get the same code. `make BUILTINS=0` defines it.
 */
#if defined(__GNUC__) && !defined(LUFT_NO_BUILTINS)
#define LUFT_HAS_BUILTINS 1
#else
#define LUFT_HAS_BUILTINS 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A set of squares; 0 is the empty one. Union, intersection and so on are the operators of C. */
typedef uint64_t luft_bitboard;

/* The edges of the board. */
#define LUFT_FILE_A UINT64_C(0x0101010101010101)
#define LUFT_FILE_H UINT64_C(0x8080808080808080)
#define LUFT_RANK_8 UINT64_C(0x00000000000000ff)
#define LUFT_RANK_1 UINT64_C(0xff00000000000000)

/* The set of this one square. */
static inline luft_bitboard luft_bit(luft_square square) {
    return UINT64_C(1) << square;
}

/* The set with this square in it. */
static inline LUFT_NODISCARD luft_bitboard luft_bitboard_set(luft_bitboard set, luft_square square) {
    return set | luft_bit(square);
}

/* The set without this square. */
static inline LUFT_NODISCARD luft_bitboard luft_bitboard_clear(luft_bitboard set, luft_square square) {
    return set & ~luft_bit(square);
}

/* The set with this square if it was not there, without it if it was. */
static inline LUFT_NODISCARD luft_bitboard luft_bitboard_toggle(luft_bitboard set, luft_square square) {
    return set ^ luft_bit(square);
}

/* Is this square in the set? */
static inline bool luft_bitboard_test(luft_bitboard set, luft_square square) {
    return (set >> square & 1) != 0;
}

/*
 * The De Bruijn scan: isolate the lowest bit, multiply by a constant in which
 * every six-bit pattern occurs once, and read the pattern off the top. It is
 * what luft_lsb uses where the compiler offers no scan instruction, and with
 * LUFT_NO_BUILTINS. `set` must not be empty.
 */
static inline luft_square luft_lsb_de_bruijn(luft_bitboard set) {
    /* clang-format off */
    static const uint8_t index_of_pattern[64] = {
         0,  1, 48,  2, 57, 49, 28,  3, 61, 58, 50, 42, 38, 29, 17,  4,
        62, 55, 59, 36, 53, 51, 43, 22, 45, 39, 33, 30, 24, 18, 12,  5,
        63, 47, 56, 27, 60, 41, 37, 16, 54, 35, 52, 21, 44, 32, 23, 11,
        46, 26, 40, 15, 34, 20, 31, 10, 25, 14, 19,  9, 13,  8,  7,  6,
    };
    /* clang-format on */
    assert(set != 0);
    return (luft_square)index_of_pattern[((set & (0 - set)) * UINT64_C(0x03f79d71b4cb0a89)) >> 58];
}

/* The lowest square of the set, the first in printing order. `set` must not be empty. */
static inline luft_square luft_lsb(luft_bitboard set) {
    assert(set != 0);
#if LUFT_HAS_BUILTINS
    return (luft_square)__builtin_ctzll(set);
#else
    return luft_lsb_de_bruijn(set);
#endif
}

/* Takes the lowest square out of the set and returns it. `*set` must not be empty. */
static inline luft_square luft_pop(luft_bitboard *set) {
    const luft_square square = luft_lsb(*set);
    *set &= *set - 1;
    return square;
}

/* How many squares are in the set. */
static inline int luft_popcount(luft_bitboard set) {
#if LUFT_HAS_BUILTINS
    return __builtin_popcountll(set);
#else
    /* Sums of two, four and eight bits side by side; the multiplication adds up the eight bytes in the highest one. */
    set -= set >> 1 & UINT64_C(0x5555555555555555);
    set = (set & UINT64_C(0x3333333333333333)) + (set >> 2 & UINT64_C(0x3333333333333333));
    set = (set + (set >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int)(set * UINT64_C(0x0101010101010101) >> 56);
#endif
}

/* Are there two squares or more in the set? Cheaper than counting them. */
static inline bool luft_more_than_one(luft_bitboard set) {
    return (set & (set - 1)) != 0;
}

/* Every square one step towards the eighth rank. Squares that would leave the board vanish; none wraps round. */
static inline LUFT_NODISCARD luft_bitboard luft_north(luft_bitboard set) {
    return set >> 8;
}

/* One step towards the first rank. */
static inline LUFT_NODISCARD luft_bitboard luft_south(luft_bitboard set) {
    return set << 8;
}

/* One step towards the h-file. */
static inline LUFT_NODISCARD luft_bitboard luft_east(luft_bitboard set) {
    return (set & ~LUFT_FILE_H) << 1;
}

/* One step towards the a-file. */
static inline LUFT_NODISCARD luft_bitboard luft_west(luft_bitboard set) {
    return (set & ~LUFT_FILE_A) >> 1;
}

/* The set seen by the other player: the ranks in reverse order. */
static inline LUFT_NODISCARD luft_bitboard luft_bitboard_flip(luft_bitboard set) {
#if LUFT_HAS_BUILTINS
    return __builtin_bswap64(set);
#else
    /* Swaps neighbouring ranks, then pairs of ranks, then the halves of the board. */
    set = (set >> 8 & UINT64_C(0x00ff00ff00ff00ff)) | (set & UINT64_C(0x00ff00ff00ff00ff)) << 8;
    set = (set >> 16 & UINT64_C(0x0000ffff0000ffff)) | (set & UINT64_C(0x0000ffff0000ffff)) << 16;
    return set >> 32 | set << 32;
#endif
}

/*
 * Whole sets in the other two numberings of types.h: bit luft_square_to_a1(s), or
 * luft_square_to_h8(s), for each square s of the set. With A1 = 0 north is << 8
 * and east << 1; with H8 = 0 north is >> 8 and east >> 1. From one of them to the
 * other the way leads through luft_bitboard.
 */

/* The set in the numbering with A1 = 0. */
static inline uint64_t luft_bitboard_to_a1(luft_bitboard set) {
    return luft_bitboard_flip(set);
}

/* The set that has these bits with A1 = 0. */
static inline LUFT_NODISCARD luft_bitboard luft_bitboard_from_a1(uint64_t bits) {
    return luft_bitboard_flip(bits);
}

/* The set in the numbering with H8 = 0. Each byte is a rank, and its bits are reversed. */
static inline uint64_t luft_bitboard_to_h8(luft_bitboard set) {
    set = (set >> 1 & UINT64_C(0x5555555555555555)) | (set & UINT64_C(0x5555555555555555)) << 1;
    set = (set >> 2 & UINT64_C(0x3333333333333333)) | (set & UINT64_C(0x3333333333333333)) << 2;
    return (set >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (set & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
}

/* The set that has these bits with H8 = 0. */
static inline LUFT_NODISCARD luft_bitboard luft_bitboard_from_h8(uint64_t bits) {
    return luft_bitboard_to_h8(bits); /* a reversal is its own inverse */
}

/*
 * The set as a board diagram of eight lines, rank 8 on top, and a line with the
 * file letters: '1' for a square of the set and '.' for any other.
 *
 *     8 . . . . . . . .
 *     ...
 *     1 . . . . 1 . . .
 *       a b c d e f g h
 *
 * Writes a terminated string if `size` is at least LUFT_BITBOARD_TEXT_SIZE, and
 * at most an empty one otherwise. Returns the length of the full text.
 */
#define LUFT_BITBOARD_TEXT_SIZE 163
LUFT_API size_t luft_bitboard_text(char *buffer, size_t size, luft_bitboard set);

#ifdef __cplusplus
}
#endif

#endif
