/* SPDX-License-Identifier: MIT */
/*
 * Input and output of the oracle's board: from the library's position, from a FEN and as a
 * FEN. The reader trusts its text; the tests of the library check that a bad FEN is
 * refused.
 */
#include "support/oracle.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

oracle_board oracle_from_position(const luft_position *position) {
    static const char letters[] = ".PNBRQK..pnbrqk";
    oracle_board board = oracle_empty();
    for (int square = 0; square < 64; square++) {
        board.pieces[square] = letters[luft_piece_at(&position->board, (luft_square)square)];
    }
    for (int square = 0; square < 64; square++) {
        if ((position->board.castling >> square & 1) != 0) {
            const luft_color color = oracle_is_color(board.pieces[square], LUFT_WHITE) ? LUFT_WHITE : LUFT_BLACK;
            const int wing = square > oracle_king(&board, color) ? ORACLE_KING_SIDE : ORACLE_QUEEN_SIDE;
            board.castling_rook[color][wing] = square;
        }
    }
    board.side = (luft_color)position->side_to_move;
    board.ep_square = position->ep_square == LUFT_NO_SQUARE ? ORACLE_NONE : position->ep_square;
    board.halfmove_clock = position->halfmove_clock;
    board.fullmove_number = position->fullmove_number;
    return board;
}

/* --- Castling letters --------------------------------------------------- */

/* The rook that KQkq refers to: the outermost on that side of the king. */
static int outermost_rook(const oracle_board *board, luft_color color, int wing) {
    const int king = oracle_king(board, color);
    const int corner = king / 8 * 8 + (wing == ORACLE_KING_SIDE ? 7 : 0);
    const int inward = wing == ORACLE_KING_SIDE ? -1 : 1;
    for (int square = corner; square != king; square += inward) {
        if (board->pieces[square] == (color == LUFT_WHITE ? 'R' : 'r')) {
            return square;
        }
    }
    return ORACLE_NONE;
}

static void read_castling_letter(oracle_board *board, char letter) {
    const luft_color color = isupper((unsigned char)letter) ? LUFT_WHITE : LUFT_BLACK;
    const int king = oracle_king(board, color);
    const char lower = (char)tolower((unsigned char)letter);
    int rook;
    if (lower == 'k' || lower == 'q') {
        rook = outermost_rook(board, color, lower == 'k' ? ORACLE_KING_SIDE : ORACLE_QUEEN_SIDE);
    } else {
        rook = king / 8 * 8 + (lower - 'a');
    }
    board->castling_rook[color][rook > king ? ORACLE_KING_SIDE : ORACLE_QUEEN_SIDE] = rook;
}

static size_t write_castling(char *text, const oracle_board *board) {
    size_t length = 0;
    for (int color = 0; color < 2; color++) {
        for (int wing = 0; wing < 2; wing++) {
            const int rook = board->castling_rook[color][wing];
            if (rook == ORACLE_NONE) {
                continue;
            }
            const bool is_outermost = rook == outermost_rook(board, (luft_color)color, wing);
            const char letter = is_outermost ? "KQ"[wing] : (char)('A' + rook % 8);
            text[length++] = color == LUFT_WHITE ? letter : (char)tolower((unsigned char)letter);
        }
    }
    if (length == 0) {
        text[length++] = '-';
    }
    return length;
}

/* --- FEN ---------------------------------------------------------------- */

oracle_board oracle_from_fen(const char *fen) {
    oracle_board board = oracle_empty();
    int square = 0;
    for (; *fen != ' '; fen++) {
        if (isdigit((unsigned char)*fen)) {
            square += *fen - '0';
        } else if (*fen != '/') {
            board.pieces[square++] = *fen;
        }
    }
    board.side = *++fen == 'w' ? LUFT_WHITE : LUFT_BLACK;
    for (fen += 2; *fen != ' '; fen++) {
        if (*fen != '-') {
            read_castling_letter(&board, *fen);
        }
    }
    if (*++fen != '-') {
        board.ep_square = (fen[0] - 'a') + 8 * ('8' - fen[1]);
        fen++;
    }
    char *rest = NULL;
    board.halfmove_clock = (int)strtol(fen + 1, &rest, 10);
    board.fullmove_number = (int)strtol(rest, NULL, 10);
    if (board.fullmove_number == 0) {
        board.fullmove_number = 1;
    }
    return board;
}

static bool has_legal_en_passant(const oracle_board *board) {
    oracle_moves list;
    oracle_generate(&list, board);
    for (int i = 0; i < list.count; i++) {
        if (luft_move_kind_of(list.moves[i]) == LUFT_EN_PASSANT) {
            return true;
        }
    }
    return false;
}

static size_t write_pieces(char *text, const oracle_board *board) {
    size_t length = 0;
    int empty = 0;
    for (int square = 0; square < 64; square++) {
        if (board->pieces[square] == '.') {
            empty++;
        }
        if (empty > 0 && (board->pieces[square] != '.' || square % 8 == 7)) {
            text[length++] = (char)('0' + empty);
            empty = 0;
        }
        if (board->pieces[square] != '.') {
            text[length++] = board->pieces[square];
        }
        if (square % 8 == 7 && square != 63) {
            text[length++] = '/';
        }
    }
    return length;
}

void oracle_to_fen(char buffer[LUFT_FEN_SIZE], const oracle_board *board) {
    char en_passant[3] = "-";
    if (board->ep_square != ORACLE_NONE && has_legal_en_passant(board)) {
        en_passant[0] = (char)('a' + board->ep_square % 8);
        en_passant[1] = (char)('8' - board->ep_square / 8);
        en_passant[2] = '\0';
    }
    size_t length = write_pieces(buffer, board);
    buffer[length++] = ' ';
    buffer[length++] = board->side == LUFT_WHITE ? 'w' : 'b';
    buffer[length++] = ' ';
    length += write_castling(buffer + length, board);
    snprintf(buffer + length, LUFT_FEN_SIZE - length, " %s %d %d", en_passant, board->halfmove_clock,
             board->fullmove_number);
}
