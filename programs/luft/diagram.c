/* SPDX-License-Identifier: MIT */
/* Prints boards. The documentation quotes them and the tests compare them, so their form is fixed. */
#include "diagram.h"

#include <stdio.h>

void diagram_print(const luft_board *board, bool figures, bool coordinates) {
    static const char *const letters[] = {".", "P", "N", "B", "R", "Q", "K", "", "", "p", "n", "b", "r", "q", "k"};
    static const char *const symbols[] = {".", "♙", "♘", "♗", "♖", "♕", "♔", "", "", "♟", "♞", "♝", "♜", "♛", "♚"};
    const char *const *pieces = figures ? symbols : letters; /* by luft_piece */
    for (int row = 0; row < 8; row++) {
        if (coordinates) {
            printf("%d ", 8 - row);
        }
        for (int file = 0; file < 8; file++) {
            printf("%s%s", file > 0 ? " " : "", pieces[luft_piece_at(board, luft_square_at(file, 7 - row))]);
        }
        printf("\n");
    }
    if (coordinates) {
        printf("  a b c d e f g h\n");
    }
}
