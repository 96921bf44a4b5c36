/* SPDX-License-Identifier: MIT */
/* Functions that the perft methods share: counts on bare boards. */
#ifndef LUFT_CORE_PERFT_INTERNAL_H
#define LUFT_CORE_PERFT_INTERNAL_H

#include "core/enumerate.h"

/* Number of legal moves of this side, without and with an en passant square. */
uint64_t luft_perft_count_white(const luft_board *board);
uint64_t luft_perft_count_black(const luft_board *board);
uint64_t luft_perft_count_white_ep(const luft_board *board, luft_bitboard ep);
uint64_t luft_perft_count_black_ep(const luft_board *board, luft_bitboard ep);

/*
 * Makes the moves of this side and counts below them. Depth is at least 2; `in_pairs` counts the last two plies
 * together.
 */
uint64_t luft_perft_walk_white(const luft_board *board, luft_bitboard ep, int depth, bool in_pairs);
uint64_t luft_perft_walk_black(const luft_board *board, luft_bitboard ep, int depth, bool in_pairs);

/* Number of pairs of a move of this side and a reply: perft 2. */
uint64_t luft_perft_pairs_white(const luft_board *board, luft_bitboard ep);
uint64_t luft_perft_pairs_black(const luft_board *board, luft_bitboard ep);

/* Number of replies on a board on which `us` has just moved. */
ALWAYS_INLINE uint64_t count_replies(const luft_board *board, const luft_color us) {
    return us == LUFT_WHITE ? luft_perft_count_black(board) : luft_perft_count_white(board);
}

ALWAYS_INLINE uint64_t count_replies_ep(const luft_board *board, const luft_color us, luft_bitboard ep) {
    return us == LUFT_WHITE ? luft_perft_count_black_ep(board, ep) : luft_perft_count_white_ep(board, ep);
}

#endif
