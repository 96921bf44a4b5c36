/* SPDX-License-Identifier: MIT */
/*
 * Prints the legal moves of a position: `legal_moves [FEN]`; without a FEN, those of the
 * start position. Marks moves that give check with a +. Shows how to read a FEN, what the
 * report of a refused FEN says, and how to list and write moves.
 */
#include <stdio.h>
#include <string.h>

#include "luft/luft.h"

/* Prints everything that is wrong with the FEN. */
static void explain(const luft_fen_report *report) {
    printf("%s, column %zu: %s\n", luft_error_string(report->error), report->offset + 1, report->reason);
    for (unsigned rest = report->status; rest; rest &= rest - 1) {
        printf("  %s\n", luft_status_string(rest));
    }
}

int main(int argc, char **argv) {
    luft_position position = luft_start_position();
    if (argc > 1) {
        luft_fen_report report;
        if (luft_position_from_fen(&position, argv[1], strlen(argv[1]), &report) != LUFT_OK) {
            explain(&report);
            return 1;
        }
    }

    luft_move_list list;
    luft_generate(&list, &position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        char text[LUFT_UCI_MOVE_SIZE];
        luft_move_to_uci(text, sizeof text, list.moves[i], LUFT_CASTLING_STANDARD);
        printf("%s%s\n", text, luft_gives_check(&position, list.moves[i]) ? "+" : "");
    }

    if (list.count == 0) {
        printf("%s\n", luft_in_check(&position) ? "checkmate" : "stalemate");
    } else {
        printf("%d legal moves\n", list.count);
    }
    return 0;
}
