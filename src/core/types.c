/* SPDX-License-Identifier: MIT */
/* The names of errors, and the version of the library. */
#include "luft/types.h"

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
    case LUFT_ERROR_POSITION: return "illegal position";
    case LUFT_ERROR_COMPACT: return "malformed compact position";
    case LUFT_ERROR_MOVE_SYNTAX: return "unreadable move";
    case LUFT_ERROR_MOVE_ILLEGAL: return "illegal move";
    case LUFT_ERROR_OVERFLOW: return "the result is too large";
    case LUFT_ERROR_MOVE_AMBIGUOUS: return "ambiguous move";
    case LUFT_ERROR_MEMORY: return "out of memory";
    case LUFT_ERROR_HISTORY: return "no move to take back or to play again";
    case LUFT_ERROR_EPD: return "malformed EPD operation";
    case LUFT_ERROR_PGN: return "malformed PGN";
    case LUFT_ERROR_READ: return "reading failed";
    case LUFT_ERROR_WRITE: return "writing failed";
    case LUFT_ERROR_END: return "nothing left to read";
    case LUFT_ERROR_STOPPED: return "stopped";
    case LUFT_ERROR_COUNT: break;
    }
    return "unknown error";
}
