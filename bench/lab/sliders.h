/* SPDX-License-Identifier: MIT */
/*
 * Question 4: what rooks and bishops attack. Two variants are Luft's own lookups
 * with Luft's constant tables. The other two magic variants take Luft's
 * multipliers with a larger index: a multiplier that is good for n bits is good
 * for more, so that the variants differ in their tables only. Those tables are
 * filled before the clock starts, and are written at no other time.
 */
#ifndef LAB_SLIDERS_H
#define LAB_SLIDERS_H

#include "scan.h"

#if LAB_SLIDERS == LAB_SLIDERS_PEXT

ALWAYS_INLINE luft_bitboard rook_attacks(luft_square square, luft_bitboard occupied) {
    return luft_rook_attacks_pext(square, occupied);
}

ALWAYS_INLINE luft_bitboard bishop_attacks(luft_square square, luft_bitboard occupied) {
    return luft_bishop_attacks_pext(square, occupied);
}

static size_t prepare_sliders(void) {
    return sizeof luft_pext_sliders;
}

#elif LAB_SLIDERS == LAB_SLIDERS_MAGIC_SHARED

ALWAYS_INLINE luft_bitboard rook_attacks(luft_square square, luft_bitboard occupied) {
    return luft_rook_attacks_magic(square, occupied);
}

ALWAYS_INLINE luft_bitboard bishop_attacks(luft_square square, luft_bitboard occupied) {
    return luft_bishop_attacks_magic(square, occupied);
}

static size_t prepare_sliders(void) {
    size_t entries = 0;
    for (int square = 0; square < 64; square++) {
        entries += ((size_t)1 << (64 - luft_rook_magics[square].shift)) +
                   ((size_t)1 << (64 - luft_bishop_magics[square].shift));
    }
    return entries * sizeof luft_magic_table[0] + sizeof luft_rook_magics + sizeof luft_bishop_magics;
}

#elif LAB_SLIDERS == LAB_SLIDERS_MAGIC_PER_SQUARE

enum { ROOK_ENTRIES = 102400, BISHOP_ENTRIES = 5248 }; /* the sums of 2 to the number of blocker squares */

static luft_magic rook_magics[64], bishop_magics[64];
static luft_bitboard magic_table[ROOK_ENTRIES + BISHOP_ENTRIES];

ALWAYS_INLINE luft_bitboard rook_attacks(luft_square square, luft_bitboard occupied) {
    const luft_magic *m = &rook_magics[square];
    return magic_table[m->offset + ((occupied & m->mask) * m->magic >> m->shift)];
}

ALWAYS_INLINE luft_bitboard bishop_attacks(luft_square square, luft_bitboard occupied) {
    const luft_magic *m = &bishop_magics[square];
    return magic_table[m->offset + ((occupied & m->mask) * m->magic >> m->shift)];
}

static size_t prepare_sliders(void) {
    uint32_t offset = 0;
    for (int i = 0; i < 128; i++) {
        const luft_square square = (luft_square)(i & 63);
        luft_magic *m = i < 64 ? &rook_magics[square] : &bishop_magics[square];
        *m = i < 64 ? luft_rook_magics[square] : luft_bishop_magics[square];
        m->shift = 64 - (uint32_t)luft_popcount(m->mask);
        m->offset = offset;
        offset += UINT32_C(1) << (64 - m->shift);
        luft_bitboard blockers = 0;
        do {
            magic_table[m->offset + (blockers * m->magic >> m->shift)] =
                i < 64 ? luft_rook_attacks_magic(square, blockers) : luft_bishop_attacks_magic(square, blockers);
            blockers = (blockers - m->mask) & m->mask;
        } while (blockers);
    }
    assert(offset == ROOK_ENTRIES + BISHOP_ENTRIES);
    return sizeof magic_table + sizeof rook_magics + sizeof bishop_magics;
}

#elif LAB_SLIDERS == LAB_SLIDERS_MAGIC_FIXED

enum { ROOK_BITS = 12, BISHOP_BITS = 9 };

typedef struct fixed_magic {
    luft_bitboard mask;
    uint64_t magic;
} fixed_magic;

static fixed_magic rook_magics[64], bishop_magics[64];
static luft_bitboard rook_table[64][1 << ROOK_BITS], bishop_table[64][1 << BISHOP_BITS];

ALWAYS_INLINE luft_bitboard rook_attacks(luft_square square, luft_bitboard occupied) {
    const fixed_magic *m = &rook_magics[square];
    return rook_table[square][(occupied & m->mask) * m->magic >> (64 - ROOK_BITS)];
}

ALWAYS_INLINE luft_bitboard bishop_attacks(luft_square square, luft_bitboard occupied) {
    const fixed_magic *m = &bishop_magics[square];
    return bishop_table[square][(occupied & m->mask) * m->magic >> (64 - BISHOP_BITS)];
}

static size_t prepare_sliders(void) {
    for (luft_square square = LUFT_A8; square < LUFT_NO_SQUARE; square++) {
        fixed_magic *rook = &rook_magics[square], *bishop = &bishop_magics[square];
        *rook = (fixed_magic){luft_rook_magics[square].mask, luft_rook_magics[square].magic};
        *bishop = (fixed_magic){luft_bishop_magics[square].mask, luft_bishop_magics[square].magic};
        luft_bitboard blockers = 0;
        do {
            rook_table[square][blockers * rook->magic >> (64 - ROOK_BITS)] = luft_rook_attacks_magic(square, blockers);
            blockers = (blockers - rook->mask) & rook->mask;
        } while (blockers);
        do {
            bishop_table[square][blockers * bishop->magic >> (64 - BISHOP_BITS)] =
                luft_bishop_attacks_magic(square, blockers);
            blockers = (blockers - bishop->mask) & bishop->mask;
        } while (blockers);
    }
    return sizeof rook_table + sizeof bishop_table + sizeof rook_magics + sizeof bishop_magics;
}

#elif LAB_SLIDERS == LAB_SLIDERS_SUBTRACTION

/* The two lines of each slider through each square, the square itself left out. */
static luft_bitboard rook_lines[64][2], bishop_lines[64][2];

/*
 * Let `below` and `above` be the nearest blockers on the line to either side of
 * the square. 2 * above - below is a row of ones from the one to the other, both
 * included, and what the line has of it is the answer. Without a blocker above,
 * the row runs to the end of the word; without one below, bit 0 does as well.
 */
ALWAYS_INLINE luft_bitboard line_attacks(luft_bitboard line, luft_square square, luft_bitboard occupied) {
    const luft_bitboard blockers = line & occupied, lower = luft_bit(square) - 1;
    const luft_bitboard above = blockers & ~lower;
    const luft_bitboard below = (blockers & lower) | 1;
    return line & (((above & (0 - above)) << 1) - (UINT64_C(1) << (63 - __builtin_clzll(below))));
}

ALWAYS_INLINE luft_bitboard rook_attacks(luft_square square, luft_bitboard occupied) {
    return line_attacks(rook_lines[square][0], square, occupied) |
           line_attacks(rook_lines[square][1], square, occupied);
}

ALWAYS_INLINE luft_bitboard bishop_attacks(luft_square square, luft_bitboard occupied) {
    return line_attacks(bishop_lines[square][0], square, occupied) |
           line_attacks(bishop_lines[square][1], square, occupied);
}

static size_t prepare_sliders(void) {
    for (luft_square square = LUFT_A8; square < LUFT_NO_SQUARE; square++) {
        const luft_bitboard rank = UINT64_C(0xff) << (square & 56), rook = luft_rook_rays(square);
        luft_bitboard rising = 0; /* the diagonal parallel to a1-h8 */
        for (luft_bitboard rays = luft_bishop_rays(square); rays;) {
            const luft_square other = pop_lowest(&rays);
            const bool same = luft_file_of(other) - luft_rank_of(other) == luft_file_of(square) - luft_rank_of(square);
            rising |= same ? luft_bit(other) : 0;
        }
        rook_lines[square][0] = rook & rank;
        rook_lines[square][1] = rook & ~rank;
        bishop_lines[square][0] = rising;
        bishop_lines[square][1] = luft_bishop_rays(square) & ~rising;
    }
    return sizeof rook_lines + sizeof bishop_lines;
}

#elif LAB_SLIDERS == LAB_SLIDERS_FILL

/*
 * Runs from the square in one direction until the first blocker, in steps of one,
 * two and four: `shift` squares towards larger numbers if positive, and never over
 * the edge that `inside` leaves out.
 */
ALWAYS_INLINE luft_bitboard shifted(luft_bitboard set, const int shift) {
    return shift > 0 ? set << shift : set >> -shift;
}

ALWAYS_INLINE luft_bitboard fill(luft_bitboard from, luft_bitboard empty, const int shift, const luft_bitboard inside) {
    luft_bitboard open = empty & inside;
    from |= open & shifted(from, shift);
    open &= shifted(open, shift);
    from |= open & shifted(from, 2 * shift);
    open &= shifted(open, 2 * shift);
    from |= open & shifted(from, 4 * shift);
    return shifted(from, shift) & inside;
}

ALWAYS_INLINE luft_bitboard rook_attacks(luft_square square, luft_bitboard occupied) {
    const luft_bitboard from = luft_bit(square), empty = ~occupied;
    return fill(from, empty, 8, ~UINT64_C(0)) | fill(from, empty, -8, ~UINT64_C(0)) |
           fill(from, empty, 1, ~LUFT_FILE_A) | fill(from, empty, -1, ~LUFT_FILE_H);
}

ALWAYS_INLINE luft_bitboard bishop_attacks(luft_square square, luft_bitboard occupied) {
    const luft_bitboard from = luft_bit(square), empty = ~occupied;
    return fill(from, empty, 9, ~LUFT_FILE_A) | fill(from, empty, -7, ~LUFT_FILE_A) |
           fill(from, empty, 7, ~LUFT_FILE_H) | fill(from, empty, -9, ~LUFT_FILE_H);
}

static size_t prepare_sliders(void) {
    return 0;
}

#endif

#endif
