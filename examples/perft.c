/* SPDX-License-Identifier: MIT */
/*
 * Perft in 20 lines: `perft DEPTH` counts the sequences of DEPTH moves from the start
 * position. If a move generator misses a rule or adds one, the count differs from the
 * published one. luft_perft of the library is faster.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "luft/luft.h"

static uint64_t count(const luft_position *position, int depth) {
    if (depth <= 0) {
        return 1;
    }
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    uint64_t nodes = 0;
    for (int i = 0; i < list.count; i++) {
        luft_position next; /* a new position each time, so there is no undo */
        luft_make(&next, position, list.moves[i]);
        nodes += count(&next, depth - 1);
    }
    return nodes;
}

int main(int argc, char **argv) {
    const luft_position start = luft_start_position();
    printf("%" PRIu64 "\n", count(&start, argc > 1 ? atoi(argv[1]) : 4));
    return 0;
}
