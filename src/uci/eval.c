/* SPDX-License-Identifier: MIT */
/*
 * The command `eval`: the static evaluation, and the part of each piece in it. A network has no terms, so the position
 * is evaluated again without each piece; the difference is the piece's part.
 */
#include "session.h"

#include <assert.h>
#include <stdio.h>

static luft_position without(const luft_position *position, luft_square square) {
    const luft_bitboard rest = ~luft_bit(square);
    luft_position other = *position; /* its keys and castling rights are wrong, but the network does not read them */
    luft_board *board = &other.board;
    luft_bitboard *const words[] = {
        &board->color[LUFT_WHITE], &board->color[LUFT_BLACK], &board->pawns, &board->knights,
        &board->diagonal,          &board->orthogonal,        &board->kings};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        *words[i] &= rest;
    }
    return other;
}

/* The static evaluation for White. Pieces taken off the board leave a position that can be evaluated. */
static int evaluate(uci_session *uci, const luft_position *position) {
    int score = 0;
    const luft_error error = luft_engine_evaluate(&score, uci->engine, position);
    assert(error == LUFT_OK);
    (void)error;
    return position->side_to_move == LUFT_WHITE ? score : -score;
}

/* A rank of the board: the pieces, and below them their parts. */
static void send_rank(uci_session *uci, const luft_position *position, int row, int whole) {
    char pieces[8 * 8 + 16], values[8 * 8 + 16]; /* the next value cuts off one that is too wide */
    for (int file = 0; file < 8; file++) {
        const luft_square square = luft_square_at(file, 7 - row);
        const luft_piece piece = luft_piece_at(&position->board, square);
        const bool is_king = luft_bit(square) & position->board.kings;
        const luft_position other = without(position, square);
        snprintf(pieces + 8 * file, 16, "|   %c   ", " PNBRQK  pnbrqk "[piece]);
        if (piece == LUFT_NO_PIECE || is_king) {
            snprintf(values + 8 * file, 16, "|       ");
        } else {
            snprintf(values + 8 * file, 16, "|%+6.2f ", (whole - evaluate(uci, &other)) / 100.0);
        }
    }
    uci_send(uci, "%d %s|\n  %s|", 8 - row, pieces, values);
}

static void send_board(uci_session *uci) {
    static const char rule[] = "  +-------+-------+-------+-------+-------+-------+-------+-------+";
    const luft_position *position = luft_engine_position(uci->engine);
    const int whole = evaluate(uci, position);
    uci_send(uci, "%s", rule);
    for (int row = 0; row < 8; row++) {
        send_rank(uci, position, row, whole);
        uci_send(uci, "%s", rule);
    }
    uci_send(uci, "      a       b       c       d       e       f       g       h");
    uci_send(uci, "below each piece: its part of the evaluation, in pawns for White");
    uci_send(uci, "evaluation: %+.2f (for White)", whole / 100.0);
}

void uci_eval(uci_session *uci, uci_text line) {
    (void)line;
    if (uci_require_position(uci)) {
        send_board(uci);
    }
}
