/* SPDX-License-Identifier: MIT */
/*
 * Question 8: how the generator remembers which pieces are pinned, and where they
 * may still go. A ray is the set of squares from the king, excluded, to the pinning
 * slider, included.
 */
#ifndef LAB_PINS_H
#define LAB_PINS_H

#include "scan.h"

#if LAB_PINS == LAB_PINS_TWO_MASKS

typedef struct pin_set {
    luft_bitboard orthogonal, diagonal; /* the rays along ranks and files, and those along diagonals */
} pin_set;

ALWAYS_INLINE void clear_pins(pin_set *pins) {
    pins->orthogonal = pins->diagonal = 0;
}

ALWAYS_INLINE void note_pin(pin_set *pins, const bool orthogonal, luft_bitboard ray, luft_bitboard own) {
    (void)own;
    *(orthogonal ? &pins->orthogonal : &pins->diagonal) |= ray;
}

/* The pieces that no pin concerns, so that they need not be looked up. */
ALWAYS_INLINE luft_bitboard without_pins(const pin_set *pins, luft_bitboard pieces) {
    return pieces & ~(pins->orthogonal | pins->diagonal);
}

/* Those of the pieces, able to move along such lines, that are pinned and can still move. */
ALWAYS_INLINE luft_bitboard movable_pinned(const pin_set *pins, const bool orthogonal, luft_bitboard pieces) {
    return pieces & (orthogonal ? pins->orthogonal : pins->diagonal);
}

/* Where one of them may go. */
ALWAYS_INLINE luft_bitboard pin_limit(const pin_set *pins, const bool orthogonal, luft_square king, luft_square from) {
    (void)king, (void)from;
    return orthogonal ? pins->orthogonal : pins->diagonal;
}

/* Where any piece may go as far as pins are concerned; all squares for those that without_pins leaves. */
ALWAYS_INLINE luft_bitboard scan_pins(const pin_set *pins, luft_square from) {
    (void)pins, (void)from;
    return ~UINT64_C(0);
}

#elif LAB_PINS == LAB_PINS_ONE_MASK

typedef struct pin_set {
    luft_bitboard pinned; /* the pinned pieces */
} pin_set;

ALWAYS_INLINE void clear_pins(pin_set *pins) {
    pins->pinned = 0;
}

ALWAYS_INLINE void note_pin(pin_set *pins, const bool orthogonal, luft_bitboard ray, luft_bitboard own) {
    (void)orthogonal;
    pins->pinned |= ray & own;
}

ALWAYS_INLINE luft_bitboard without_pins(const pin_set *pins, luft_bitboard pieces) {
    return pieces & ~pins->pinned;
}

ALWAYS_INLINE luft_bitboard pinned_pawns(const pin_set *pins, luft_bitboard pawns) {
    return pawns & pins->pinned;
}

ALWAYS_INLINE luft_bitboard movable_pinned(const pin_set *pins, const bool orthogonal, luft_bitboard pieces) {
    (void)orthogonal;
    return pieces & pins->pinned;
}

ALWAYS_INLINE luft_bitboard pin_limit(const pin_set *pins, const bool orthogonal, luft_square king, luft_square from) {
    (void)pins, (void)orthogonal;
    return luft_line(king, from);
}

ALWAYS_INLINE luft_bitboard scan_pins(const pin_set *pins, luft_square from) {
    (void)pins, (void)from;
    return ~UINT64_C(0);
}

#else

typedef struct pin_set {
    struct {
        luft_square piece;
        luft_bitboard ray;
    } pin[8];
    int count;
} pin_set;

ALWAYS_INLINE void clear_pins(pin_set *pins) {
    pins->count = 0;
}

ALWAYS_INLINE void note_pin(pin_set *pins, const bool orthogonal, luft_bitboard ray, luft_bitboard own) {
    (void)orthogonal;
    pins->pin[pins->count].piece = lowest(ray & own);
    pins->pin[pins->count++].ray = ray;
}

/* Every piece is looked up when its turn comes. */
ALWAYS_INLINE luft_bitboard without_pins(const pin_set *pins, luft_bitboard pieces) {
    (void)pins;
    return pieces;
}

ALWAYS_INLINE luft_bitboard pinned_pawns(const pin_set *pins, luft_bitboard pawns) {
    luft_bitboard pinned = 0;
    for (int i = 0; i < pins->count; i++) {
        pinned |= luft_bit(pins->pin[i].piece);
    }
    return pawns & pinned;
}

ALWAYS_INLINE luft_bitboard movable_pinned(const pin_set *pins, const bool orthogonal, luft_bitboard pieces) {
    (void)pins, (void)orthogonal, (void)pieces;
    return 0;
}

ALWAYS_INLINE luft_bitboard scan_pins(const pin_set *pins, luft_square from) {
    for (int i = 0; i < pins->count; i++) {
        if (pins->pin[i].piece == from) {
            return pins->pin[i].ray;
        }
    }
    return ~UINT64_C(0);
}

ALWAYS_INLINE luft_bitboard pin_limit(const pin_set *pins, const bool orthogonal, luft_square king, luft_square from) {
    (void)orthogonal, (void)king;
    return scan_pins(pins, from);
}

#endif

#endif
