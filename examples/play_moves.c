/* SPDX-License-Identifier: MIT */
/*
 * Plays moves from the start position, `play_moves e2e4 e7e5 g1f3`, and prints the board
 * and the FEN after them. Shows how to read a move, how a move makes a new position from
 * an old one, and what happens to an illegal move.
 */
#include <stdio.h>
#include <string.h>

#include "luft/luft.h"

static void print_board(const luft_board *board) {
    static const char letters[] = ".PNBRQK..pnbrqk"; /* by luft_piece */
    for (int square = LUFT_A8; square <= LUFT_H1; square++) {
        const char letter = letters[luft_piece_at(board, (luft_square)square)];
        printf("%c%c", letter, luft_file_of((luft_square)square) == 7 ? '\n' : ' ');
    }
}

int main(int argc, char **argv) {
    luft_position position = luft_start_position();
    for (int i = 1; i < argc; i++) {
        luft_move move;
        const luft_error error = luft_move_from_uci(&move, &position, argv[i], strlen(argv[i]));
        if (error != LUFT_OK) {
            printf("%s: %s\n", argv[i], luft_error_string(error));
            return 1;
        }
        /* luft_move_from_uci returns only legal moves, so luft_play need not check again. */
        luft_make(&position, &position, move);
    }

    char fen[LUFT_FEN_SIZE];
    luft_position_to_fen(fen, sizeof fen, &position, LUFT_FEN_STANDARD);
    print_board(&position.board);
    printf("%s\n", fen);
    return 0;
}
