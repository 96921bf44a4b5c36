/* SPDX-License-Identifier: MIT */
/*
 * Finds every mate in one: `mate_in_one FEN` prints the mating moves. Shows how to try
 * moves: making one writes a new position and keeps the old one.
 */
#include <stdio.h>
#include <string.h>

#include "luft/luft.h"

/* Only a move that gives check can mate; luft_gives_check is a fast test. */
static bool is_mate(const luft_position *position, luft_move move) {
    if (!luft_gives_check(position, move)) {
        return false;
    }
    luft_position after;
    luft_make(&after, position, move);
    return !luft_has_legal_move(&after);
}

int main(int argc, char **argv) {
    luft_position position;
    if (argc != 2) {
        printf("usage: mate_in_one FEN\n");
        return 2;
    }
    if (luft_position_from_fen(&position, argv[1], strlen(argv[1]), NULL) != LUFT_OK) {
        printf("not the FEN of a legal position\n");
        return 2;
    }

    luft_move_list list;
    int mates = 0;
    luft_generate(&list, &position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        if (is_mate(&position, list.moves[i])) {
            char text[LUFT_SAN_SIZE];
            luft_move_to_san(text, sizeof text, &position, list.moves[i]);
            printf("%s\n", text);
            mates++;
        }
    }
    if (mates == 0) {
        printf("no mate in one\n");
    }
    return mates > 0 ? 0 : 1;
}
