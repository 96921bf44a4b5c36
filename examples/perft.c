/* SPDX-License-Identifier: MIT */
/*
 * Perft in a dozen lines: `perft DEPTH [FEN]` prints how many sequences of DEPTH
 * legal moves begin with each move, and how many there are in all. The recursion
 * is written out to show the generator at work, and the sum is compared with
 * luft_perft, which does the same faster.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "luft/luft.h"

static uint64_t count(const luft_position *position, int depth) {
    if (depth == 0) {
        return 1;
    }
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    uint64_t nodes = 0;
    for (int i = 0; i < list.count; i++) {
        luft_position next; /* a new position each time: nothing has to be taken back */
        luft_make(&next, position, list.moves[i]);
        nodes += count(&next, depth - 1);
    }
    return nodes;
}

int main(int argc, char **argv) {
    luft_position position = luft_start_position();
    const int depth = argc > 1 ? atoi(argv[1]) : 4;
    if (depth < 1 || depth > 8) {
        printf("the depth must be from 1 to 8\n");
        return 2;
    }
    if (argc > 2 && luft_position_from_fen(&position, argv[2], strlen(argv[2]), NULL) != LUFT_OK) {
        printf("this is no FEN of a legal position\n");
        return 2;
    }

    luft_move_list list;
    luft_generate(&list, &position, LUFT_ALL_MOVES);
    uint64_t sum = 0;
    for (int i = 0; i < list.count; i++) {
        char text[LUFT_UCI_MOVE_SIZE];
        luft_position next;
        luft_make(&next, &position, list.moves[i]);
        const uint64_t nodes = count(&next, depth - 1);
        luft_move_to_uci(text, sizeof text, list.moves[i], LUFT_CASTLING_STANDARD);
        printf("%s: %" PRIu64 "\n", text, nodes);
        sum += nodes;
    }
    printf("Nodes searched: %" PRIu64 "\n", sum);
    return sum == luft_perft(&position, depth, LUFT_PERFT_ONE_PLY) ? 0 : 1;
}
