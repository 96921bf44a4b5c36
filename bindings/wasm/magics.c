/* SPDX-License-Identifier: MIT */
/*
 * The table of the sliding pieces, computed when the module starts: it is three
 * quarters of a megabyte, and filling it takes a few milliseconds. The magics and the
 * slow attacks are those of tools/make_tables.c, which writes the table as a constant for other builds.
 */
#include "magics.h"

#include "luft/attacks.h"

#include "../../tools/magics.h"
#include "../../tools/slow_attacks.h"

enum { MAGIC_ENTRIES = 98496 }; /* the sum over tools/magics.h */

luft_magic luft_rook_magics[64];
luft_magic luft_bishop_magics[64];
luft_bitboard luft_magic_table[MAGIC_ENTRIES];

static void fill_square(luft_magic *magic, slider piece, int square) {
    luft_bitboard subset = 0;
    do { /* all subsets of the mask, by counting in its bits */
        const uint64_t index = subset * magic->magic >> magic->shift;
        luft_magic_table[magic->offset + index] = slow_attacks(piece, square, subset);
        subset = (subset - magic->mask) & magic->mask;
    } while (subset);
}

static uint32_t fill_piece(luft_magic magics[64], const found_magic found[64], slider piece, uint32_t offset) {
    for (int square = 0; square < 64; square++) {
        magics[square] = (luft_magic){.mask = slider_mask(piece, square),
                                      .magic = found[square].magic,
                                      .offset = offset,
                                      .shift = (uint32_t)(64 - found[square].bits)};
        fill_square(&magics[square], piece, square);
        offset += 1u << found[square].bits;
    }
    return offset;
}

void web_fill_magics(void) {
    const uint32_t bishops = fill_piece(luft_rook_magics, found_rook_magics, ROOK, 0);
    fill_piece(luft_bishop_magics, found_bishop_magics, BISHOP, bishops);
}
