/* SPDX-License-Identifier: MIT */
/*
 * The command `eval`: the static evaluation and where it comes from. A network has no terms: it is asked again
 * without each of the men, and what is missing then is what the man adds.
 */
#include "session.h"

static luft_position without(const luft_position *position, luft_square square) {
    const luft_bitboard rest = ~luft_bit(square);
    luft_position other = *position; /* its keys and castling rights are not true any more; no network sees them */
    luft_board *board = &other.board;
    luft_bitboard *const words[] = {
        &board->color[LUFT_WHITE], &board->color[LUFT_BLACK], &board->pawns, &board->knights,
        &board->diagonals,         &board->straights,         &board->kings};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        *words[i] &= rest;
    }
    return other;
}

/* A rank of the board: the men, and below them what they add. */
static void say_rank(uci_session *uci, const luft_position *position, int row, int whole) {
    char men[8 * 8 + 16], values[8 * 8 + 16]; /* a value that is too wide loses its end to the next one */
    for (int file = 0; file < 8; file++) {
        const luft_square square = luft_square_at(file, row);
        const luft_piece piece = luft_piece_at(&position->board, square);
        const bool is_king = luft_bit(square) & position->board.kings;
        const luft_position other = without(position, square);
        snprintf(men + 8 * file, 16, "|   %c   ", " PNBRQK  pnbrqk "[piece]);
        if (piece == LUFT_NO_PIECE || is_king) {
            snprintf(values + 8 * file, 16, "|       ");
        } else {
            snprintf(values + 8 * file, 16, "|%+6.2f ", (whole - engine_eval(uci->engine, &other)) / 100.0);
        }
    }
    uci_say(uci, "%d %s|\n  %s|", 8 - row, men, values);
}

static void say_board(uci_session *uci) {
    static const char rule[] = "  +-------+-------+-------+-------+-------+-------+-------+-------+";
    const luft_position *position = engine_position(uci->engine);
    const int whole = engine_eval(uci->engine, position);
    uci_say(uci, "%s", rule);
    for (int row = 0; row < 8; row++) {
        say_rank(uci, position, row, whole);
        uci_say(uci, "%s", rule);
    }
    uci_say(uci, "      a       b       c       d       e       f       g       h");
    uci_say(uci, "below each man: what it adds, in pawns for White");
    uci_say(uci, "evaluation: %+.2f (for White)", whole / 100.0);
}

void uci_eval(uci_session *uci, uci_text line) {
    (void)line;
    if (uci->has_position) {
        say_board(uci);
    } else {
        uci_refuse(uci, "no position: the last one was refused");
    }
}
