/* SPDX-License-Identifier: MIT */
/*
 * Cuts a perft tree into pieces of a few plies. A piece is small enough that the
 * progress line moves several times a second, and large enough that the cutting
 * costs nothing that can be measured. The moves of a node share its part of the
 * work evenly, which is as good a guess as any.
 */
#include "counting.h"

/* Pieces of four plies: thousands to millions of nodes. Details cost far more for a node, so three there. */
#define PIECE_DEPTH 4
#define DETAILS_PIECE_DEPTH 3

uint64_t counting_nodes(progress *line, const luft_position *position, int depth, luft_perft_method method,
                        double share) {
    if (depth <= PIECE_DEPTH) {
        const uint64_t nodes = luft_perft(position, depth, method);
        progress_add(line, share, nodes);
        return nodes;
    }
    luft_move_list list;
    const int count = luft_generate(&list, position, LUFT_ALL_MOVES);
    uint64_t nodes = 0;
    for (int i = 0; i < count; i++) {
        luft_position next;
        luft_make(&next, position, list.moves[i]);
        nodes += counting_nodes(line, &next, depth - 1, method, share / count);
    }
    if (count == 0) {
        progress_add(line, share, 0);
    }
    return nodes;
}

void counting_details(luft_perft_details *details, progress *line, const luft_position *position, int depth,
                      double share) {
    if (depth <= DETAILS_PIECE_DEPTH) {
        const uint64_t before = details->nodes;
        luft_perft_count_details(details, position, depth);
        progress_add(line, share, details->nodes - before);
        return;
    }
    luft_move_list list;
    const int count = luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < count; i++) {
        luft_position next;
        luft_make(&next, position, list.moves[i]);
        counting_details(details, line, &next, depth - 1, share / count);
    }
    if (count == 0) {
        progress_add(line, share, 0);
    }
}
