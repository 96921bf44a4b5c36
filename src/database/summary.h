/* SPDX-License-Identifier: MIT */
/*
 * What is known of all positions of a game at once, in 20 bytes: it rules out most games when a position or a pattern is
 * searched. docs/database.md has the layout.
 */
#ifndef LUFT_DATABASE_SUMMARY_H
#define LUFT_DATABASE_SUMMARY_H

#include "luft/movegen.h"

#define SUMMARY_SIZE 20

enum { SUMMARY_PROMOTIONS = 1 }; /* a pawn was promoted, so counts of pieces may rise */

typedef struct summary {
    luft_bitboard pawns[2]; /* all squares on which a pawn of this colour ever stood */
    uint8_t min[2][5];      /* by colour, pawns to queens: the least count, at most 15 */
    uint16_t
        home_pawns; /* pawns on their first squares in all positions: White's files in bits 0 to 7, Black's above */
    uint8_t flags;
} summary;

/* The pawns on their first squares: a2 to h2 in bits 0 to 7, a7 to h7 in bits 8 to 15. */
static inline uint16_t summary_home_pawns(const luft_board *board) {
    const luft_bitboard white = board->pawns & board->color[LUFT_WHITE];
    const luft_bitboard black = board->pawns & board->color[LUFT_BLACK];
    return (uint16_t)((white >> 48 & 0xff) | (black & 0xff00));
}

/* The least counts so far, with those of this board. */
static inline void summary_count(summary *it, const luft_board *board) {
    for (int color = 0; color < 2; color++) {
        for (int type = LUFT_PAWN; type <= LUFT_QUEEN; type++) {
            const int count = luft_popcount(luft_pieces(board, (luft_color)color, (luft_piece_type)type));
            if (count < it->min[color][type - 1]) {
                it->min[color][type - 1] = (uint8_t)count;
            }
        }
    }
}

/* Begins with the start position. */
static inline void summary_start(summary *it, const luft_position *start) {
    *it = (summary){.home_pawns = summary_home_pawns(&start->board)};
    for (int i = 0; i < 10; i++) {
        it->min[i / 5][i % 5] = 15;
    }
    summary_count(it, &start->board);
    it->pawns[LUFT_WHITE] = start->board.pawns & start->board.color[LUFT_WHITE];
    it->pawns[LUFT_BLACK] = start->board.pawns & start->board.color[LUFT_BLACK];
}

/* Adds a move and the position after it. */
static inline void summary_add(summary *it, luft_move move, const luft_position *after) {
    it->pawns[LUFT_WHITE] |= after->board.pawns & after->board.color[LUFT_WHITE];
    it->pawns[LUFT_BLACK] |= after->board.pawns & after->board.color[LUFT_BLACK];
    it->home_pawns &= summary_home_pawns(&after->board);
    if (luft_move_is_capture(move) || luft_move_is_promotion(move)) {
        summary_count(it, &after->board);
        it->flags |= luft_move_is_promotion(move) ? SUMMARY_PROMOTIONS : 0;
    }
}

/* Twelve bytes of pawns, White's a7 to h2 first, bit 0 of the first byte is a7; home pawns; ten counts of four bits; flags. */
static inline void summary_pack(uint8_t out[SUMMARY_SIZE], const summary *it) {
    for (int i = 0; i < 6; i++) {
        out[i] = (uint8_t)(it->pawns[LUFT_WHITE] >> 8 * (i + 1));
        out[6 + i] = (uint8_t)(it->pawns[LUFT_BLACK] >> 8 * (i + 1));
    }
    out[12] = (uint8_t)it->home_pawns;
    out[13] = (uint8_t)(it->home_pawns >> 8);
    for (int i = 0; i < 5; i++) {
        out[14 + i] = (uint8_t)(it->min[0][i] | it->min[1][i] << 4);
    }
    out[19] = it->flags;
}

static inline summary summary_unpack(const uint8_t in[SUMMARY_SIZE]) {
    summary it = {.home_pawns = (uint16_t)(in[12] | in[13] << 8), .flags = in[19]};
    for (int i = 0; i < 6; i++) {
        it.pawns[LUFT_WHITE] |= (luft_bitboard)in[i] << 8 * (i + 1);
        it.pawns[LUFT_BLACK] |= (luft_bitboard)in[6 + i] << 8 * (i + 1);
    }
    for (int i = 0; i < 5; i++) {
        it.min[0][i] = in[14 + i] & 15;
        it.min[1][i] = in[14 + i] >> 4;
    }
    return it;
}

#endif
