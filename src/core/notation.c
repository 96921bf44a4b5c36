/* SPDX-License-Identifier: MIT */
/*
 * Moves as text: the notation of the UCI protocol. Reading finds the one legal
 * move that is meant; it never returns a move that is not legal.
 */
#include "luft/notation.h"
#include "core/board.h"
#include "core/text.h"

static char *write_square(char *out, luft_square square) {
    *out++ = (char)('a' + luft_file_of(square));
    *out++ = (char)('8' - luft_row_of(square));
    return out;
}

size_t luft_move_to_uci(char *buffer, size_t size, luft_move move, luft_castling_style style) {
    char text[LUFT_UCI_MOVE_SIZE], *out = text;
    if (move == LUFT_MOVE_NONE) {
        return put_text(buffer, size, "0000", 4);
    }
    const luft_square from = luft_move_from(move);
    luft_square to = luft_move_to(move);
    if (luft_move_kind_of(move) == LUFT_CASTLING && style == LUFT_CASTLING_STANDARD &&
        luft_file_of(from) == luft_file_of(LUFT_E1)) {
        to = castled_king(from, to);
    }
    out = write_square(out, from);
    out = write_square(out, to);
    if (luft_move_is_promotion(move)) {
        *out++ = "nbrq"[luft_move_promotion(move) - LUFT_KNIGHT];
    }
    return put_text(buffer, size, text, (size_t)(out - text));
}

static char lower_case(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Reads a square, LUFT_NO_SQUARE if the two characters are none. */
static luft_square read_square(const char *text) {
    const int file = lower_case(text[0]) - 'a', row = '8' - text[1];
    return file >= 0 && file < 8 && row >= 0 && row < 8 ? luft_square_at(file, row) : LUFT_NO_SQUARE;
}

/* Reads a promotion letter, LUFT_NO_PIECE_TYPE if it is none. */
static luft_piece_type read_promotion(char letter) {
    switch (lower_case(letter)) {
    case 'n': return LUFT_KNIGHT;
    case 'b': return LUFT_BISHOP;
    case 'r': return LUFT_ROOK;
    case 'q': return LUFT_QUEEN;
    default: return LUFT_NO_PIECE_TYPE;
    }
}

/* Is `move` what "from to promotion" means? Castling may be written with the king's or the rook's square. */
static bool is_meant(luft_move move, luft_square from, luft_square to, luft_piece_type promotion) {
    if (luft_move_from(move) != from || luft_move_promotion(move) != promotion) {
        return false;
    }
    if (luft_move_to(move) == to) {
        return true;
    }
    /* Only a king on the e-file castles by two squares; elsewhere that could also be a plain king move. */
    return luft_move_kind_of(move) == LUFT_CASTLING && luft_file_of(from) == luft_file_of(LUFT_E1) &&
           castled_king(from, luft_move_to(move)) == to;
}

luft_error luft_move_from_uci(luft_move *move, const luft_position *position, const char *text, size_t length) {
    if (!move || !position || !text) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (length != 4 && length != 5) {
        return LUFT_ERROR_MOVE_SYNTAX;
    }
    const luft_square from = read_square(text), to = read_square(text + 2);
    const luft_piece_type promotion = length == 5 ? read_promotion(text[4]) : LUFT_NO_PIECE_TYPE;
    if (from == LUFT_NO_SQUARE || to == LUFT_NO_SQUARE || (length == 5 && promotion == LUFT_NO_PIECE_TYPE)) {
        return LUFT_ERROR_MOVE_SYNTAX;
    }
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        if (is_meant(list.moves[i], from, to, promotion)) {
            *move = list.moves[i];
            return LUFT_OK;
        }
    }
    return LUFT_ERROR_MOVE_ILLEGAL;
}
