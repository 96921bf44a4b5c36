/* SPDX-License-Identifier: MIT */
/*
 * Converts moves from SAN to UCI: `san_to_uci e4 e5 Nf3` prints e2e4 e7e5 g1f3, one per
 * line. The moves are played from the start position, because the meaning of Nf3 depends
 * on where the knights stand.
 */
#include <stdio.h>
#include <string.h>

#include "luft/luft.h"

int main(int argc, char **argv) {
    luft_position position = luft_start_position();
    for (int i = 1; i < argc; i++) {
        luft_move move;
        switch (luft_move_from_san(&move, &position, argv[i], strlen(argv[i]))) {
        case LUFT_OK: break;
        case LUFT_ERROR_MOVE_ILLEGAL: printf("%s: not a legal move here\n", argv[i]); return 1;
        case LUFT_ERROR_MOVE_AMBIGUOUS: printf("%s: ambiguous move\n", argv[i]); return 1;
        default: printf("%s: not a move\n", argv[i]); return 1;
        }

        char text[LUFT_UCI_MOVE_SIZE];
        luft_move_to_uci(text, sizeof text, move, LUFT_CASTLING_STANDARD);
        printf("%s\n", text);
        luft_make(&position, &position, move); /* luft_move_from_san returns only legal moves */
    }
    return 0;
}
