/* SPDX-License-Identifier: MIT */
/*
 * What a piece attacks from a square, by table lookup. The tables are constants
 * that tools/make_tables.c writes during the build, so there is nothing to
 * initialise and nothing to race on.
 *
 * Sliding pieces have two methods with the same answers: magic multiplication,
 * which runs anywhere, and PEXT, which is used where the target CPU has it fast.
 * Which one luft_rook_attacks and luft_bishop_attacks use is settled when the
 * including file is compiled; the library carries the tables of both.
 */
#ifndef LUFT_ATTACKS_H
#define LUFT_ATTACKS_H

#include "bitboard.h"

#if defined(__BMI2__) && LUFT_HAS_BUILTINS
#include <immintrin.h>
#define LUFT_HAS_PEXT_INSTRUCTION 1
#else
#define LUFT_HAS_PEXT_INSTRUCTION 0
#endif

/* Zen 1 and 2 have PEXT in slow microcode; magics are faster there. */
#if LUFT_HAS_PEXT_INSTRUCTION && !defined(__znver1__) && !defined(__znver2__) && !defined(LUFT_NO_PEXT)
#define LUFT_HAS_PEXT 1
#else
#define LUFT_HAS_PEXT 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- The tables --------------------------------------------------------- */

/* Magic lookup: table[offset + ((occupied & mask) * magic >> shift)]. */
typedef struct luft_magic {
    luft_bitboard mask; /* the squares whose occupation matters */
    uint64_t magic;
    uint32_t offset; /* where the square's part of luft_magic_table starts */
    uint32_t shift;  /* 64 - n for an index of n bits */
} luft_magic;

/* PEXT lookup: table[offset + pext(occupied, mask)]. */
typedef struct luft_pext_entry {
    luft_bitboard mask;
    uint32_t offset;
} luft_pext_entry;

/* The sets that all squares need together, rooks and bishops. */
#define LUFT_PEXT_TABLE_SIZE 107648

/* The tables stand together so that code needs one base address for all of them. */
typedef struct luft_attack_tables {
    luft_bitboard king[64];
    luft_bitboard knight[64];
    luft_bitboard pawn[2][64];
    luft_bitboard rook_rays[64];   /* on an empty board */
    luft_bitboard bishop_rays[64]; /* on an empty board */
    luft_bitboard between[64][64];
    luft_bitboard beyond[64][64];
    luft_bitboard line[64][64];
} luft_attack_tables;

/* All that PEXT needs. */
typedef struct luft_pext_tables {
    luft_pext_entry rook[64];
    luft_pext_entry bishop[64];
    luft_bitboard attacks[LUFT_PEXT_TABLE_SIZE];
} luft_pext_tables;

/*
 * The largest table is a constant too, unless the whole program is compiled with LUFT_MAGICS_AT_START: then it fills
 * the table itself before anything else. The browser build does, because that is faster than to load it.
 */
#if defined(LUFT_MAGICS_AT_START)
#define LUFT_MAGICS_CONST
#else
#define LUFT_MAGICS_CONST const
#endif

/* The data behind the functions below: ask those. */
LUFT_API extern const luft_attack_tables luft_tables;
LUFT_API extern const luft_pext_tables luft_pext_sliders;
LUFT_API extern LUFT_MAGICS_CONST luft_magic luft_rook_magics[64];
LUFT_API extern LUFT_MAGICS_CONST luft_magic luft_bishop_magics[64];
LUFT_API extern LUFT_MAGICS_CONST luft_bitboard luft_magic_table[];

/* --- Attacks ------------------------------------------------------------ */

/* The squares around this one. */
static inline luft_bitboard luft_king_attacks(luft_square square) {
    return luft_tables.king[square];
}

/* The squares a knight's jump away. */
static inline luft_bitboard luft_knight_attacks(luft_square square) {
    return luft_tables.knight[square];
}

/* The squares that a pawn of this colour attacks; none from the rank it promotes on. */
static inline luft_bitboard luft_pawn_attacks(luft_color color, luft_square square) {
    return luft_tables.pawn[color][square];
}

/* Where a rook reaches on an empty board. */
static inline luft_bitboard luft_rook_rays(luft_square square) {
    return luft_tables.rook_rays[square];
}

/* Where a bishop reaches on an empty board. */
static inline luft_bitboard luft_bishop_rays(luft_square square) {
    return luft_tables.bishop_rays[square];
}

/* luft_rook_attacks by magic multiplication, whatever the CPU. */
static inline luft_bitboard luft_rook_attacks_magic(luft_square square, luft_bitboard occupied) {
    const luft_magic *m = &luft_rook_magics[square];
    return luft_magic_table[m->offset + ((occupied & m->mask) * m->magic >> m->shift)];
}

/* luft_bishop_attacks by magic multiplication, whatever the CPU. */
static inline luft_bitboard luft_bishop_attacks_magic(luft_square square, luft_bitboard occupied) {
    const luft_magic *m = &luft_bishop_magics[square];
    return luft_magic_table[m->offset + ((occupied & m->mask) * m->magic >> m->shift)];
}

/* Gathers the bits of `value` that `mask` selects at the low end: one instruction with BMI2, a loop without. */
static inline uint64_t luft_pext(uint64_t value, uint64_t mask) {
#if LUFT_HAS_PEXT_INSTRUCTION
    return _pext_u64(value, mask);
#else
    uint64_t result = 0;
    for (uint64_t bit = 1; mask; mask &= mask - 1, bit <<= 1) {
        result |= value & mask & (0 - mask) ? bit : 0;
    }
    return result;
#endif
}

/* luft_rook_attacks by PEXT, whatever the CPU: slow where luft_pext is a loop. */
static inline luft_bitboard luft_rook_attacks_pext(luft_square square, luft_bitboard occupied) {
    const luft_pext_entry *e = &luft_pext_sliders.rook[square];
    return luft_pext_sliders.attacks[e->offset + luft_pext(occupied, e->mask)];
}

/* luft_bishop_attacks by PEXT, likewise. */
static inline luft_bitboard luft_bishop_attacks_pext(luft_square square, luft_bitboard occupied) {
    const luft_pext_entry *e = &luft_pext_sliders.bishop[square];
    return luft_pext_sliders.attacks[e->offset + luft_pext(occupied, e->mask)];
}

/* Where a rook reaches on a board with these squares occupied, the first blocker of each ray included. */
static inline luft_bitboard luft_rook_attacks(luft_square square, luft_bitboard occupied) {
#if LUFT_HAS_PEXT
    return luft_rook_attacks_pext(square, occupied);
#else
    return luft_rook_attacks_magic(square, occupied);
#endif
}

/* The same for a bishop. */
static inline luft_bitboard luft_bishop_attacks(luft_square square, luft_bitboard occupied) {
#if LUFT_HAS_PEXT
    return luft_bishop_attacks_pext(square, occupied);
#else
    return luft_bishop_attacks_magic(square, occupied);
#endif
}

/* The same for a queen. */
static inline luft_bitboard luft_queen_attacks(luft_square square, luft_bitboard occupied) {
    return luft_rook_attacks(square, occupied) | luft_bishop_attacks(square, occupied);
}

/* What a piece of this colour and type attacks; nothing for LUFT_NO_PIECE_TYPE. */
static inline luft_bitboard luft_attacks(luft_color color, luft_piece_type type, luft_square square,
                                         luft_bitboard occupied) {
    switch (type) {
    case LUFT_PAWN: return luft_pawn_attacks(color, square);
    case LUFT_KNIGHT: return luft_knight_attacks(square);
    case LUFT_BISHOP: return luft_bishop_attacks(square, occupied);
    case LUFT_ROOK: return luft_rook_attacks(square, occupied);
    case LUFT_QUEEN: return luft_queen_attacks(square, occupied);
    case LUFT_KING: return luft_king_attacks(square);
    case LUFT_NO_PIECE_TYPE: break;
    }
    return 0;
}

/*
 * The squares from a to b, a excluded and b included: e1 to e8 gives e2 … e8.
 * If no line joins the two, it is b alone: so luft_between(king, attacker) is the set of
 * squares that answer a check, for knights too.
 * Empty where a and b are the same.
 */
static inline luft_bitboard luft_between(luft_square a, luft_square b) {
    return luft_tables.between[a][b];
}

/* The squares behind b as a sees them, to the edge; empty where no line joins the two. */
static inline luft_bitboard luft_beyond(luft_square a, luft_square b) {
    return luft_tables.beyond[a][b];
}

/* The whole line through both, from edge to edge; empty where no line joins them. */
static inline luft_bitboard luft_line(luft_square a, luft_square b) {
    return luft_tables.line[a][b];
}

#ifdef __cplusplus
}
#endif

#endif
