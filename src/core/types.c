/* SPDX-License-Identifier: MIT */
/* Squares and pieces as text, the names of errors, and the version of the library. */
#include "luft/types.h"
#include "core/text.h"

static const char piece_letters[] = ".PNBRQK..pnbrqk"; /* by luft_piece; '.' for numbers that are not pieces */

const char *luft_version(void) {
    return LUFT_VERSION;
}

const char *luft_error_string(luft_error error) {
    switch (error) {
    case LUFT_OK: return "success";
    case LUFT_ERROR_ARGUMENT: return "bad argument";
    case LUFT_ERROR_FEN_FIELDS: return "FEN fields";
    case LUFT_ERROR_FEN_BOARD: return "FEN board field";
    case LUFT_ERROR_FEN_SIDE: return "FEN side field";
    case LUFT_ERROR_FEN_CASTLING: return "FEN castling field";
    case LUFT_ERROR_FEN_EN_PASSANT: return "FEN en passant field";
    case LUFT_ERROR_FEN_HALFMOVE: return "FEN halfmove field";
    case LUFT_ERROR_FEN_FULLMOVE: return "FEN fullmove field";
    case LUFT_ERROR_POSITION: return "invalid position";
    case LUFT_ERROR_COMPACT: return "malformed compact position";
    case LUFT_ERROR_MOVE_SYNTAX: return "unreadable move";
    case LUFT_ERROR_MOVE_ILLEGAL: return "illegal move";
    case LUFT_ERROR_OVERFLOW: return "the result is too large";
    case LUFT_ERROR_MOVE_AMBIGUOUS: return "ambiguous move";
    case LUFT_ERROR_MEMORY: return "out of memory";
    case LUFT_ERROR_HISTORY: return "no move to undo or redo";
    case LUFT_ERROR_EPD: return "malformed EPD operation";
    case LUFT_ERROR_PGN: return "malformed PGN";
    case LUFT_ERROR_READ: return "reading failed";
    case LUFT_ERROR_WRITE: return "writing failed";
    case LUFT_ERROR_END: return "nothing left to read";
    case LUFT_ERROR_STOPPED: return "stopped";
    case LUFT_ERROR_BOOK: return "malformed book";
    case LUFT_ERROR_BUSY: return "busy";
    case LUFT_ERROR_THREAD: return "cannot start a thread";
    case LUFT_ERROR_NETWORK: return "unusable network";
    case LUFT_ERROR_MISSING: return "no table for this position";
    case LUFT_ERROR_DAMAGED: return "damaged file";
    case LUFT_ERROR_QUERY: return "not a query";
    case LUFT_ERROR_COUNT: break;
    }
    return "unknown error";
}

char luft_piece_letter(luft_piece piece) {
    return (unsigned)piece < sizeof piece_letters - 1 ? piece_letters[piece] : '.';
}

luft_piece luft_piece_from_letter(char letter) {
    for (int piece = LUFT_WHITE_PAWN; piece <= LUFT_BLACK_KING; piece++) {
        if (letter == piece_letters[piece] && letter != '.') {
            return (luft_piece)piece;
        }
    }
    return LUFT_NO_PIECE;
}

size_t luft_square_to_text(char *buffer, size_t size, luft_square square) {
    if ((unsigned)square >= 64) {
        return put_text(buffer, size, "", 0);
    }
    const char text[] = {luft_file_letter(square), luft_rank_digit(square)};
    return put_text(buffer, size, text, sizeof text);
}

luft_error luft_square_from_text(luft_square *square, const char *text, size_t length) {
    if (!square || !text || length != 2) {
        return LUFT_ERROR_ARGUMENT;
    }
    const int file = luft_file_from_letter(text[0]), rank = luft_rank_from_digit(text[1]);
    if (file < 0 || rank < 0) {
        return LUFT_ERROR_ARGUMENT;
    }
    *square = luft_square_at(file, rank);
    return LUFT_OK;
}
