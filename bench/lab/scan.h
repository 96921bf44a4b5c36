/* SPDX-License-Identifier: MIT */
/*
 * Question 3: the number of the lowest bit of a set. The De Bruijn method comes
 * three times. Two isolate the lowest bit, `set & -set`: once as Luft writes it, once
 * with a table that is filled at run time. gcc recognises the first and replaces it
 * by the instruction; it executes the second as written. The third multiplies
 * `set ^ (set - 1)`, the lowest bit and all below it, and has a table of its own; gcc
 * does not recognise it. The slow loop asks bit by bit.
 */
#ifndef LAB_SCAN_H
#define LAB_SCAN_H

#include "lab.h"

/* A constant that has every pattern of six bits once, and does so in both forms of the method. */
#define DE_BRUIJN UINT64_C(0x03f79d71b4cb0a89)

#if LAB_SCAN == LAB_SCAN_DE_BRUIJN_AT_RUN_TIME

static uint8_t index_of_pattern[64]; /* filled before the clock starts */

ALWAYS_INLINE unsigned pattern_of(luft_bitboard bit) {
    return (unsigned)(bit * DE_BRUIJN >> 58);
}

static void prepare_scan(void) {
    for (int square = 0; square < 64; square++) {
        index_of_pattern[pattern_of(luft_bit((luft_square)square))] = (uint8_t)square;
    }
}

/* The lowest square of a set that is not empty. */
ALWAYS_INLINE luft_square lowest(luft_bitboard set) {
    return (luft_square)index_of_pattern[pattern_of(set & (0 - set))];
}

#elif LAB_SCAN == LAB_SCAN_DE_BRUIJN_XOR

ALWAYS_INLINE luft_square lowest(luft_bitboard set) {
    /* clang-format off */
    static const uint8_t index_of_pattern[64] = {
         0, 47,  1, 56, 48, 27,  2, 60, 57, 49, 41, 37, 28, 16,  3, 61,
        54, 58, 35, 52, 50, 42, 21, 44, 38, 32, 29, 23, 17, 11,  4, 62,
        46, 55, 26, 59, 40, 36, 15, 53, 34, 51, 20, 43, 31, 22, 10, 45,
        25, 39, 14, 33, 19, 30,  9, 24, 13, 18,  8, 12,  7,  6,  5, 63,
    };
    /* clang-format on */
    return (luft_square)index_of_pattern[(set ^ (set - 1)) * DE_BRUIJN >> 58];
}

#elif LAB_SCAN == LAB_SCAN_LOOP

/* The number of the lowest bit; -1 for the empty set. */
ALWAYS_INLINE int scan_by_loop(luft_bitboard set) {
    if (set == 0) {
        return -1;
    }
    int number = 0;
    while (!(set >> number & 1)) {
        number++;
    }
    return number;
}

static void prepare_scan(void) {
    assert(scan_by_loop(0) == -1);
}

ALWAYS_INLINE luft_square lowest(luft_bitboard set) {
    return (luft_square)scan_by_loop(set);
}

#elif LAB_SCAN == LAB_SCAN_DE_BRUIJN

ALWAYS_INLINE luft_square lowest(luft_bitboard set) {
    return luft_lsb_de_bruijn(set);
}

#else

ALWAYS_INLINE luft_square lowest(luft_bitboard set) {
    return luft_lsb(set);
}

#endif

#if LAB_SCAN != LAB_SCAN_DE_BRUIJN_AT_RUN_TIME && LAB_SCAN != LAB_SCAN_LOOP
static void prepare_scan(void) {
}
#endif

/* Removes the lowest square from the set and returns it. */
ALWAYS_INLINE luft_square pop_lowest(luft_bitboard *set) {
    const luft_square square = lowest(*set);
    *set &= *set - 1;
    return square;
}

#endif
