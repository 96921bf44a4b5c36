/* SPDX-License-Identifier: MIT */
/*
 * What the parts of perft share: counts on bare boards. `us` has just moved into
 * the board, so the replies that are counted are those of the other side.
 */
#ifndef LUFT_CORE_PERFT_INTERNAL_H
#define LUFT_CORE_PERFT_INTERNAL_H

#include "core/enumerate.h"

/* The number of legal moves of the side named, without and with an en passant square. */
uint64_t luft_perft_count_white(const luft_board *board);
uint64_t luft_perft_count_black(const luft_board *board);
uint64_t luft_perft_count_white_ep(const luft_board *board, luft_bitboard ep);
uint64_t luft_perft_count_black_ep(const luft_board *board, luft_bitboard ep);

/* Makes the moves of the side named and counts below them; depth 2 or more, the last two plies in pairs or not. */
uint64_t luft_perft_walk_white(const luft_board *board, luft_bitboard ep, int depth, bool in_pairs);
uint64_t luft_perft_walk_black(const luft_board *board, luft_bitboard ep, int depth, bool in_pairs);

/* The number of pairs of a move of the side named and a reply: perft 2. */
uint64_t luft_perft_pairs_white(const luft_board *board, luft_bitboard ep);
uint64_t luft_perft_pairs_black(const luft_board *board, luft_bitboard ep);

/* The replies to a move of `us`. */
ALWAYS_INLINE uint64_t count_replies(const luft_board *board, const luft_color us) {
    return us == LUFT_WHITE ? luft_perft_count_black(board) : luft_perft_count_white(board);
}

ALWAYS_INLINE uint64_t count_replies_ep(const luft_board *board, const luft_color us, luft_bitboard ep) {
    return us == LUFT_WHITE ? luft_perft_count_black_ep(board, ep) : luft_perft_count_white_ep(board, ep);
}

#endif
