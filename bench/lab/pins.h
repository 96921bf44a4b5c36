/* SPDX-License-Identifier: MIT */
/*
 * Question 8: how the generator remembers which men are pinned, and where they
 * may still go. A way is the set of squares from the king to the pinning slider,
 * the king left out and the slider included.
 */
#ifndef LAB_PINS_H
#define LAB_PINS_H

#include "scan.h"

#if LAB_PINS == LAB_PINS_TWO_MASKS

typedef struct pin_set {
    luft_bitboard straight, diagonal; /* all ways along ranks and files, all ways along diagonals */
} pin_set;

ALWAYS_INLINE void clear_pins(pin_set *pins) {
    pins->straight = pins->diagonal = 0;
}

ALWAYS_INLINE void note_pin(pin_set *pins, const bool straight, luft_bitboard way, luft_bitboard own) {
    (void)own;
    *(straight ? &pins->straight : &pins->diagonal) |= way;
}

/* The men that no pin concerns, so that they need not be looked up. */
ALWAYS_INLINE luft_bitboard without_pins(const pin_set *pins, luft_bitboard men) {
    return men & ~(pins->straight | pins->diagonal);
}

/* Those of the men, able to move along such lines, that are pinned and can still move. */
ALWAYS_INLINE luft_bitboard pinned_movers(const pin_set *pins, const bool straight, luft_bitboard men) {
    return men & (straight ? pins->straight : pins->diagonal);
}

/* Where one of them may go. */
ALWAYS_INLINE luft_bitboard pin_limit(const pin_set *pins, const bool straight, luft_square king, luft_square from) {
    (void)king, (void)from;
    return straight ? pins->straight : pins->diagonal;
}

/* Where any man may go as far as pins are concerned; all squares for those that without_pins leaves. */
ALWAYS_INLINE luft_bitboard scan_pins(const pin_set *pins, luft_square from) {
    (void)pins, (void)from;
    return ~UINT64_C(0);
}

#elif LAB_PINS == LAB_PINS_ONE_MASK

typedef struct pin_set {
    luft_bitboard pinned; /* the pinned men */
} pin_set;

ALWAYS_INLINE void clear_pins(pin_set *pins) {
    pins->pinned = 0;
}

ALWAYS_INLINE void note_pin(pin_set *pins, const bool straight, luft_bitboard way, luft_bitboard own) {
    (void)straight;
    pins->pinned |= way & own;
}

ALWAYS_INLINE luft_bitboard without_pins(const pin_set *pins, luft_bitboard men) {
    return men & ~pins->pinned;
}

ALWAYS_INLINE luft_bitboard pinned_pawns(const pin_set *pins, luft_bitboard pawns) {
    return pawns & pins->pinned;
}

ALWAYS_INLINE luft_bitboard pinned_movers(const pin_set *pins, const bool straight, luft_bitboard men) {
    (void)straight;
    return men & pins->pinned;
}

ALWAYS_INLINE luft_bitboard pin_limit(const pin_set *pins, const bool straight, luft_square king, luft_square from) {
    (void)pins, (void)straight;
    return luft_line(king, from);
}

ALWAYS_INLINE luft_bitboard scan_pins(const pin_set *pins, luft_square from) {
    (void)pins, (void)from;
    return ~UINT64_C(0);
}

#else

typedef struct pin_set {
    struct {
        luft_square man;
        luft_bitboard way;
    } pin[8];
    int count;
} pin_set;

ALWAYS_INLINE void clear_pins(pin_set *pins) {
    pins->count = 0;
}

ALWAYS_INLINE void note_pin(pin_set *pins, const bool straight, luft_bitboard way, luft_bitboard own) {
    (void)straight;
    pins->pin[pins->count].man = lowest(way & own);
    pins->pin[pins->count++].way = way;
}

/* Every man is looked up when its turn comes. */
ALWAYS_INLINE luft_bitboard without_pins(const pin_set *pins, luft_bitboard men) {
    (void)pins;
    return men;
}

ALWAYS_INLINE luft_bitboard pinned_pawns(const pin_set *pins, luft_bitboard pawns) {
    luft_bitboard pinned = 0;
    for (int i = 0; i < pins->count; i++) {
        pinned |= luft_bit(pins->pin[i].man);
    }
    return pawns & pinned;
}

ALWAYS_INLINE luft_bitboard pinned_movers(const pin_set *pins, const bool straight, luft_bitboard men) {
    (void)pins, (void)straight, (void)men;
    return 0;
}

ALWAYS_INLINE luft_bitboard scan_pins(const pin_set *pins, luft_square from) {
    for (int i = 0; i < pins->count; i++) {
        if (pins->pin[i].man == from) {
            return pins->pin[i].way;
        }
    }
    return ~UINT64_C(0);
}

ALWAYS_INLINE luft_bitboard pin_limit(const pin_set *pins, const bool straight, luft_square king, luft_square from) {
    (void)straight, (void)king;
    return scan_pins(pins, from);
}

#endif

#endif
