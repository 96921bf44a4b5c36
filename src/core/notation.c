/* SPDX-License-Identifier: MIT */
/* Moves in UCI notation. The reader returns only legal moves. */
#include "luft/notation.h"
#include "core/notation_internal.h"
#include "core/rules.h"
#include "core/text.h"

static char *write_square(char *out, luft_square square) {
    *out++ = luft_file_letter(square);
    *out++ = luft_rank_digit(square);
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

/* Returns LUFT_NO_SQUARE if the two characters are not a square. */
static luft_square read_square(const char *text) {
    const int file = lower_case(text[0]) - 'a', rank = text[1] - '1';
    return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? luft_square_at(file, rank) : LUFT_NO_SQUARE;
}

/* Returns LUFT_NO_PIECE_TYPE if the letter is not a promotion letter. */
static luft_piece_type read_promotion(char letter) {
    switch (lower_case(letter)) {
    case 'n': return LUFT_KNIGHT;
    case 'b': return LUFT_BISHOP;
    case 'r': return LUFT_ROOK;
    case 'q': return LUFT_QUEEN;
    default: return LUFT_NO_PIECE_TYPE;
    }
}

/* The kind of a pawn move, provided that it is legal. */
static luft_move_kind kind_of_pawn_move(const luft_position *position, luft_square from, luft_square to,
                                        luft_piece_type promotion, bool captures) {
    if (promotion != LUFT_NO_PIECE_TYPE) {
        const luft_move_kind first = captures ? LUFT_CAPTURE_PROMOTE_KNIGHT : LUFT_PROMOTE_KNIGHT;
        return (luft_move_kind)(first + (promotion - LUFT_KNIGHT));
    }
    if ((from ^ to) == 16) {
        return LUFT_DOUBLE_PUSH;
    }
    if (to == position->ep_square) { /* never a push: the pawn to be captured stands on its origin */
        return LUFT_EN_PASSANT;
    }
    return captures ? LUFT_CAPTURE : LUFT_QUIET;
}

/* Finds the rook of a castling move written from `from` to `to`; empty if the text does not mean castling. */
static luft_bitboard castling_rook_for(const luft_board *board, luft_color us, luft_square from, luft_square to) {
    const luft_bitboard rook = luft_bit(to) & board->castling & board->color[us];
    const bool two_squares = to == from + 2 || to == from - 2;
    /*
     * King moves of two squares mean castling only from the e-file. Elsewhere in Chess960 they could be plain king
     * moves.
     */
    if (!rook && two_squares && luft_file_of(from) == luft_file_of(LUFT_E1)) {
        return castling_rook_on(board, us, from, to > from);
    }
    return rook;
}

luft_move luft_notation_find(const luft_position *position, luft_square from, luft_square to,
                             luft_piece_type promotion) {
    const luft_board *board = &position->board;
    const luft_color us = (luft_color)position->side_to_move;
    const bool captures = (luft_bit(to) & board->color[luft_opposite(us)]) != 0;
    luft_move_kind kind = captures ? LUFT_CAPTURE : LUFT_QUIET;
    if (luft_bit(from) & board->pawns) {
        kind = kind_of_pawn_move(position, from, to, promotion, captures);
    } else if (promotion != LUFT_NO_PIECE_TYPE) {
        return LUFT_MOVE_NONE;
    } else if (luft_bit(from) & board->kings) {
        const luft_bitboard rook = castling_rook_for(board, us, from, to);
        kind = rook ? LUFT_CASTLING : kind;
        to = rook ? luft_lsb(rook) : to;
    }
    const luft_move move = luft_make_move(from, to, kind);
    return luft_is_legal(position, move) ? move : LUFT_MOVE_NONE;
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
    const luft_move found = luft_notation_find(position, from, to, promotion);
    if (found == LUFT_MOVE_NONE) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    *move = found;
    return LUFT_OK;
}
