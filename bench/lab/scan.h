/* SPDX-License-Identifier: MIT */
/*
 * Question 3: the number of the lowest bit of a set. The De Bruijn method comes
 * twice: as Luft writes it, for a compiler without the instruction, and with its
 * table filled at run time. gcc knows the first by sight and puts the instruction
 * in its place; only the second is sure to be executed as it stands.
 */
#ifndef LAB_SCAN_H
#define LAB_SCAN_H

#include "lab.h"

#if LAB_SCAN == LAB_SCAN_DE_BRUIJN_AT_RUN_TIME

static uint8_t index_of_pattern[64]; /* filled before the clock starts */

ALWAYS_INLINE unsigned pattern_of(luft_bitboard bit) {
    return (unsigned)(bit * UINT64_C(0x03f79d71b4cb0a89) >> 58);
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

#else

static void prepare_scan(void) {
}

ALWAYS_INLINE luft_square lowest(luft_bitboard set) {
#if LAB_SCAN == LAB_SCAN_DE_BRUIJN
    return luft_lsb_de_bruijn(set);
#else
    return luft_lsb(set);
#endif
}

#endif

/* Takes the lowest square out of the set and returns it. */
ALWAYS_INLINE luft_square pop_lowest(luft_bitboard *set) {
    const luft_square square = lowest(*set);
    *set &= *set - 1;
    return square;
}

#endif
