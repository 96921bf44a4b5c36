/* SPDX-License-Identifier: MIT */
/*
 * One variant of the design lab as a program:
 *
 *     lab FEN DEPTH [MILLISECONDS]
 *
 * It repeats the perft until that much CPU time is spent (once without), and prints
 * the count, the CPU time of one perft in seconds and the bytes that the sliding
 * attacks keep in tables. The switches in lab.h choose the variant; bench/lab/run
 * compiles, runs and compares all of them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "perft.h"

typedef struct setup {
    lab_board board;
    luft_color to_move;
    ep_slot slot;
} setup;

/* Reads the board field; returns what follows it, or NULL if it is not one. */
static const char *read_pieces(lab_board *board, const char *text) {
    static const char letters[] = " pnbrqk";
    int square = 0;
    for (; *text && *text != ' '; text++) {
        if (*text == '/') {
            continue;
        }
        if (*text >= '1' && *text <= '8') {
            square += *text - '0';
            continue;
        }
        const bool white = *text < 'a';
        const char *letter = strchr(letters, white ? *text + 'a' - 'A' : *text);
        if (!letter || square > 63) {
            return NULL;
        }
        toggle_pieces(board, white ? LUFT_WHITE : LUFT_BLACK, (luft_piece_type)(letter - letters),
                      luft_bit((luft_square)square++));
    }
    return square == 64 ? text : NULL;
}

/* In a form that is turned round: turns the board so that the pawns of the side to move go north. */
static void orient_for_side_to_move(setup *s) {
    if (FORM_TURNS && s->to_move == LUFT_BLACK) {
        turn_round(&s->board);
        s->to_move = LUFT_WHITE;
#if FORM_TURNS
        s->slot = luft_bitboard_flip(s->slot);
#endif
    }
}

/* Reads the first four fields of a valid FEN of standard chess. */
static bool read_fen(setup *s, const char *text) {
    char side = 0, rights[8] = "", ep[4] = "";
    memset(s, 0, sizeof *s);
    text = read_pieces(&s->board, text);
    if (!text || sscanf(text, " %c %7s %3s", &side, rights, ep) < 3) {
        return false;
    }
    s->to_move = side == 'b' ? LUFT_BLACK : LUFT_WHITE;
    s->board.castling = (strchr(rights, 'K') ? luft_bit(LUFT_H1) : 0) | (strchr(rights, 'Q') ? luft_bit(LUFT_A1) : 0) |
                        (strchr(rights, 'k') ? luft_bit(LUFT_H8) : 0) | (strchr(rights, 'q') ? luft_bit(LUFT_A8) : 0);
    s->slot = EP_NONE;
    if (ep[0] >= 'a' && ep[0] <= 'h') {
        const luft_color pushed = luft_opposite(s->to_move);
        s->slot = ep_after_push(pushed, luft_bit(luft_square_at(ep[0] - 'a', pushed == LUFT_WHITE ? 3 : 4)));
    }
    orient_for_side_to_move(s);
    return true;
}

int main(int argc, char **argv) {
    setup s;
    prepare_scan();
    const int depth = argc > 2 ? atoi(argv[2]) : 0;
    const double enough = argc > 3 ? atof(argv[3]) / 1000 : 0;
    if (depth < 1 || !read_fen(&s, argv[1])) {
        fprintf(stderr, "usage: lab FEN DEPTH [MILLISECONDS]\n");
        return 2;
    }
    const size_t table_bytes = prepare_sliders();
#if LAB_KEYS
    prepare_keys();
    compute_keys(&s.board, ep_target(s.to_move, s.slot), s.to_move);
#endif
    uint64_t nodes;
    double seconds;
    int repeats = 0;
    const clock_t start = clock();
    do {
        nodes = perft(&s.board, s.to_move, s.slot, depth);
        repeats++;
        seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    } while (seconds < enough);
    printf("%" PRIu64 " %.9f %zu\n", nodes, seconds / repeats, table_bytes);
    return 0;
}
