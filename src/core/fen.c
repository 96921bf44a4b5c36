/* SPDX-License-Identifier: MIT */
/*
 * FEN in and out: standard, X-FEN and Shredder-FEN. Reading has two steps. First
 * the syntax, field by field: what is not a FEN is refused with the field, the
 * byte and a reason. Then the meaning: rights without king or rook and en passant
 * squares without a legal capture are dropped, as the files of the world are full
 * of them, and what then is still wrong is a matter of luft_position_status.
 */
#include "core/rules.h"
#include "core/text.h"
#include "luft/position.h"

/* --- Reading: the text -------------------------------------------------- */

typedef struct fen_reader {
    const char *text;
    size_t length;
    size_t at;             /* the next byte to read */
    luft_position result;  /* as far as it has been read */
    luft_square ep_square; /* that of the text, if it is a possible one, when all is read */
    luft_error error;      /* LUFT_OK until something is wrong */
    unsigned status;       /* of the position, where that is what is wrong */
    const char *reason;    /* why, a constant */
} fen_reader;

/* Notes the first thing that is wrong. Returns false so that a reader can `return refuse(…)`. */
static bool refuse(fen_reader *reader, luft_error error, const char *reason) {
    reader->error = error;
    reader->reason = reason;
    return false;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/* The next byte of the field, or NUL at its end (a NUL in the text ends no field). */
static char peek(const fen_reader *reader) {
    const bool in_field = reader->at < reader->length && !is_blank(reader->text[reader->at]);
    return in_field ? reader->text[reader->at] : '\0';
}

static bool at_end_of_field(const fen_reader *reader) {
    return reader->at >= reader->length || is_blank(reader->text[reader->at]);
}

static void skip_blanks(fen_reader *reader) {
    while (reader->at < reader->length && is_blank(reader->text[reader->at])) {
        reader->at++;
    }
}

static void put_piece(luft_board *board, luft_piece piece, luft_bitboard bit) {
    const luft_piece_type type = luft_piece_type_of(piece);
    board->color[luft_piece_color(piece)] |= bit;
    put_type(board, type, bit);
}

/* One rank: eight squares, digits for runs of empty ones. */
static bool read_rank(fen_reader *reader, int row) {
    int file = 0;
    bool after_digit = false;
    for (; !at_end_of_field(reader) && peek(reader) != '/'; reader->at++) {
        const char c = peek(reader);
        const luft_piece piece = luft_piece_from_letter(c);
        const bool digit = c >= '1' && c <= '8';
        if (!digit && piece == LUFT_NO_PIECE) {
            return refuse(reader, LUFT_ERROR_FEN_BOARD, "neither a piece letter nor a digit from 1 to 8");
        }
        if (digit && after_digit) {
            return refuse(reader, LUFT_ERROR_FEN_BOARD, "two digits in a row");
        }
        if (file + (digit ? c - '0' : 1) > 8) {
            return refuse(reader, LUFT_ERROR_FEN_BOARD, "a rank has more than 8 squares");
        }
        if (!digit) {
            put_piece(&reader->result.board, piece, luft_bit(luft_square_at(file, 7 - row)));
        }
        file += digit ? c - '0' : 1;
        after_digit = digit;
    }
    if (file < 8) {
        return refuse(reader, LUFT_ERROR_FEN_BOARD, "a rank has fewer than 8 squares");
    }
    return true;
}

static bool read_board(fen_reader *reader) {
    for (int row = 0; row < 8; row++) {
        if (row > 0) {
            if (peek(reader) != '/') {
                return refuse(reader, LUFT_ERROR_FEN_BOARD, "fewer than 8 ranks");
            }
            reader->at++;
        }
        if (!read_rank(reader, row)) {
            return false;
        }
    }
    return at_end_of_field(reader) || refuse(reader, LUFT_ERROR_FEN_BOARD, "more than 8 ranks");
}

static bool read_side(fen_reader *reader) {
    const char c = peek(reader);
    if (c != 'w' && c != 'b') {
        return refuse(reader, LUFT_ERROR_FEN_SIDE, "the side to move is neither w nor b");
    }
    reader->result.side_to_move = c == 'w' ? LUFT_WHITE : LUFT_BLACK;
    reader->at++;
    return at_end_of_field(reader) || refuse(reader, LUFT_ERROR_FEN_SIDE, "more than one letter");
}

/*
 * The rook that a castling letter names, as a set, empty where king or rook is not
 * in place. K and Q name the outermost rook on that side of the king, a file
 * letter the rook there.
 */
static luft_bitboard castling_rook(const luft_board *board, luft_color color, char upper) {
    const luft_bitboard home = home_rank(color), rooks = luft_rooks(board) & board->color[color] & home;
    const luft_bitboard king = board->kings & board->color[color] & home & ~(LUFT_FILE_A | LUFT_FILE_H);
    if (!king || luft_more_than_one(king)) {
        return 0;
    }
    const luft_bitboard west = rooks & (king - 1), east = rooks & ~(king - 1);
    if (upper == 'Q') {
        return west & (0 - west);
    }
    if (upper == 'K') {
        luft_bitboard outermost = east;
        while (luft_more_than_one(outermost)) {
            outermost &= outermost - 1;
        }
        return outermost;
    }
    return rooks & LUFT_FILE_A << (upper - 'A');
}

static bool read_castling(fen_reader *reader) {
    luft_board *board = &reader->result.board;
    const size_t start = reader->at;
    if (peek(reader) == '-') {
        reader->at++;
        return at_end_of_field(reader) || refuse(reader, LUFT_ERROR_FEN_CASTLING, "something follows the -");
    }
    for (; !at_end_of_field(reader); reader->at++) {
        const char c = peek(reader);
        const bool lower = c >= 'a' && c <= 'z';
        const char upper = (char)(lower ? c - 'a' + 'A' : c);
        if (!((upper >= 'A' && upper <= 'H') || upper == 'K' || upper == 'Q')) {
            return refuse(reader, LUFT_ERROR_FEN_CASTLING, "not a castling letter");
        }
        if (memchr(reader->text + start, c, reader->at - start)) {
            return refuse(reader, LUFT_ERROR_FEN_CASTLING, "a castling letter occurs twice");
        }
        board->castling |= castling_rook(board, lower ? LUFT_BLACK : LUFT_WHITE, upper);
    }
    return true;
}

static bool read_en_passant(fen_reader *reader) {
    const luft_error error = LUFT_ERROR_FEN_EN_PASSANT;
    const luft_color them = (luft_color)(reader->result.side_to_move ^ 1);
    if (peek(reader) == '-') {
        reader->at++;
        return at_end_of_field(reader) || refuse(reader, error, "something follows the -");
    }
    const char file = peek(reader);
    if (file < 'a' || file > 'h') {
        return refuse(reader, error, "neither - nor a square");
    }
    reader->at++;
    if (peek(reader) != (them == LUFT_WHITE ? '3' : '6')) {
        return refuse(reader, error, "not on the rank that a pawn just passed over");
    }
    const luft_square square = luft_square_at(file - 'a', them == LUFT_WHITE ? 2 : 5);
    const luft_board *board = &reader->result.board;
    if (!(forward(them, luft_bit(square)) & board->pawns & board->color[them])) {
        return refuse(reader, error, "no pawn that has just passed over the square");
    }
    reader->at++;
    reader->result.ep_square = (uint8_t)square;
    return at_end_of_field(reader) || refuse(reader, error, "something follows the square");
}

/* A counter: decimal digits, at most LUFT_COUNTER_MAX. */
static bool read_counter(fen_reader *reader, luft_error error, uint16_t *counter) {
    uint32_t value = 0;
    for (; !at_end_of_field(reader); reader->at++) {
        const char c = peek(reader);
        if (c < '0' || c > '9') {
            return refuse(reader, error, "not an integer");
        }
        value = value * 10 + (uint32_t)(c - '0');
        if (value > LUFT_COUNTER_MAX) {
            return refuse(reader, error, "the number is too large");
        }
    }
    *counter = (uint16_t)value;
    return true;
}

/* --- Reading: the meaning ----------------------------------------------- */

static bool read_fields(fen_reader *reader) {
    luft_position *position = &reader->result;
    for (int field = 1;; field++) {
        skip_blanks(reader);
        if (reader->at >= reader->length) {
            return field > 4 ||
                   refuse(reader, LUFT_ERROR_FEN_FIELDS, "fewer than the four fields that a position needs");
        }
        bool read = false;
        switch (field) {
        case 1: read = read_board(reader); break;
        case 2: read = read_side(reader); break;
        case 3: read = read_castling(reader); break;
        case 4: read = read_en_passant(reader); break;
        case 5: read = read_counter(reader, LUFT_ERROR_FEN_HALFMOVE, &position->halfmove_clock); break;
        case 6: read = read_counter(reader, LUFT_ERROR_FEN_FULLMOVE, &position->fullmove_number); break;
        default: return refuse(reader, LUFT_ERROR_FEN_FIELDS, "more than six fields");
        }
        if (!read) {
            return false;
        }
    }
}

/* Can the last move have been a double push over this square? */
static bool ep_is_possible(const luft_position *position, luft_square square) {
    return (unsigned)square < 64 &&
           double_push_is_possible(&position->board, (luft_color)(position->side_to_move ^ 1), luft_bit(square));
}

/* Is an en passant capture onto this square legal? A position without it is then another one. */
static bool ep_is_capturable(const luft_position *position, luft_square square) {
    const luft_color us = (luft_color)position->side_to_move;
    return en_passant_pawns(&position->board, us, luft_king_square(&position->board, us), luft_bit(square)) != 0;
}

/* Drops what files get wrong so often that it must not count, then judges the position. */
static bool settle(fen_reader *reader) {
    luft_position *position = &reader->result;
    if (position->fullmove_number == 0) {
        position->fullmove_number = 1;
    }
    luft_position_compute_keys(position);
    const luft_square written_ep = (luft_square)position->ep_square;
    if (luft_position_status(position) & LUFT_STATUS_BAD_EN_PASSANT) {
        position->ep_square = LUFT_NO_SQUARE;
        luft_position_compute_keys(position);
    }
    reader->status = luft_position_status(position);
    if (reader->status != LUFT_STATUS_VALID) {
        return refuse(reader, LUFT_ERROR_POSITION, luft_status_string(reader->status));
    }
    reader->ep_square = ep_is_possible(position, written_ep) ? written_ep : LUFT_NO_SQUARE;
    return true;
}

luft_error luft_position_from_fen(luft_position *position, const char *text, size_t length, luft_fen_report *report) {
    fen_reader reader = {.text = text, .length = length, .ep_square = LUFT_NO_SQUARE};
    reader.result = (luft_position){.ep_square = LUFT_NO_SQUARE, .fullmove_number = 1};
    if (!position || !text) {
        refuse(&reader, LUFT_ERROR_ARGUMENT, "a pointer is NULL");
    } else if (read_fields(&reader) && settle(&reader)) {
        *position = reader.result;
    }
    if (report) {
        *report = (luft_fen_report){
            .error = reader.error,
            .status = reader.status,
            .offset = reader.at,
            .reason = reader.reason ? reader.reason : "accepted",
            .ep_square = reader.ep_square,
        };
    }
    return reader.error;
}

/* --- Writing ------------------------------------------------------------ */

static char *write_board(char *out, const luft_board *board) {
    for (int row = 0; row < 8; row++) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            const luft_piece piece = luft_piece_at(board, luft_square_at(file, 7 - row));
            if (piece == LUFT_NO_PIECE) {
                empty++;
                continue;
            }
            if (empty) {
                *out++ = (char)('0' + empty);
            }
            empty = 0;
            *out++ = luft_piece_letter(piece);
        }
        if (empty) {
            *out++ = (char)('0' + empty);
        }
        *out++ = row < 7 ? '/' : ' ';
    }
    return out;
}

/* A side's rights, the king's side first. */
static char *write_castling_of(char *out, const luft_board *board, luft_color color, luft_fen_style style) {
    luft_bitboard rooks = board->castling & home_rank(color);
    while (rooks) {
        /* East of the king is the higher square, so take the highest first. */
        const luft_bitboard rook = luft_more_than_one(rooks) ? rooks & (rooks - 1) : rooks;
        const bool king_side = luft_lsb(rook) > luft_king_square(board, color);
        const char plain = king_side ? 'K' : 'Q';
        const bool clear = style == LUFT_FEN_STANDARD && castling_rook(board, color, plain) == rook;
        const char letter = clear ? plain : (char)('A' + luft_file_of(luft_lsb(rook)));
        *out++ = (char)(color == LUFT_WHITE ? letter : letter - 'A' + 'a');
        rooks ^= rook;
    }
    return out;
}

static char *write_number(char *out, unsigned value) {
    char digits[10];
    int count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (count) {
        *out++ = digits[--count];
    }
    return out;
}

size_t luft_position_to_fen_with_ep(char *buffer, size_t size, const luft_position *position, luft_fen_style style,
                                    luft_square ep_square) {
    char text[LUFT_FEN_SIZE], *out = text;
    if (luft_position_status(position) != LUFT_STATUS_VALID) {
        return put_text(buffer, size, "", 0);
    }
    const luft_square own_ep = (luft_square)position->ep_square;
    if (ep_square == LUFT_NO_SQUARE) {
        ep_square = own_ep;
    } else if (own_ep != ep_square && (own_ep != LUFT_NO_SQUARE || !ep_is_possible(position, ep_square) ||
                                       ep_is_capturable(position, ep_square))) {
        return put_text(buffer, size, "", 0); /* the text would be that of another position */
    }
    out = write_board(out, &position->board);
    *out++ = position->side_to_move == LUFT_WHITE ? 'w' : 'b';
    *out++ = ' ';
    if (!position->board.castling) {
        *out++ = '-';
    }
    out = write_castling_of(out, &position->board, LUFT_WHITE, style);
    out = write_castling_of(out, &position->board, LUFT_BLACK, style);
    *out++ = ' ';
    if (ep_square == LUFT_NO_SQUARE) {
        *out++ = '-';
    } else {
        *out++ = luft_file_letter(ep_square);
        *out++ = luft_rank_digit(ep_square);
    }
    *out++ = ' ';
    out = write_number(out, position->halfmove_clock);
    *out++ = ' ';
    out = write_number(out, position->fullmove_number);
    return put_text(buffer, size, text, (size_t)(out - text));
}

size_t luft_position_to_fen(char *buffer, size_t size, const luft_position *position, luft_fen_style style) {
    return luft_position_to_fen_with_ep(buffer, size, position, style, LUFT_NO_SQUARE);
}
