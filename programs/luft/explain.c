/* SPDX-License-Identifier: MIT */
/*
 * Explains FENs. A FEN whose syntax the library accepted is parsed once more, without checks, to name the squares at
 * fault. A syntax error needs only the report of the library and the byte that it points at.
 */
#include "explain.h"

#include "util/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A word of the text; empty if it is missing. */
typedef struct field {
    const char *text;
    size_t length;
} field;

/* A FEN as it is written. */
typedef struct written_fen {
    luft_board board; /* without castling */
    luft_color side_to_move;
    field castling;
    field en_passant;
    field halfmove;
    field fullmove;
} written_fen;

static const char *const color_names[] = {"White", "Black"};
static const char *const color_words[] = {"white", "black"};
static const char *const type_words[] = {"", "pawn", "knight", "bishop", "rook", "queen", "king"};

/* --- Writing lines --------------------------------------------------------- */

/* Adds to the last line; what does not fit is cut off. */
__attribute__((format(printf, 2, 3))) static void add(explanation *out, const char *format, ...) {
    char *line = out->lines[out->count - 1];
    const size_t used = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + used, EXPLAIN_LINE_SIZE - used, format, arguments);
    va_end(arguments);
}

/* Begins a line; EXPLAIN_LINES_MAX are enough. */
static void begin(explanation *out) {
    out->lines[out->count++][0] = '\0';
}

static void add_square(explanation *out, luft_square square) {
    add(out, "%c%c", luft_file_letter(square), luft_rank_digit(square));
}

/* "e1", "e1 and g1", "e1, f1 and g1"; with names, "the rook on e1 and the queen on g1". */
static void add_squares(explanation *out, const luft_board *named, luft_bitboard set) {
    const char *separator = "";
    while (set) {
        const luft_square square = luft_pop(&set);
        add(out, "%s", separator);
        if (named) {
            add(out, "the %s on ", type_words[luft_piece_type_of(luft_piece_at(named, square))]);
        }
        add_square(out, square);
        separator = luft_more_than_one(set) ? ", " : " and ";
    }
}

/* --- Parsing a FEN ------------------------------------------------------ */

static void put_piece(luft_board *board, char letter, luft_bitboard bit) {
    const bool black = letter >= 'a';
    board->color[black ? LUFT_BLACK : LUFT_WHITE] |= bit;
    switch (black ? letter - 'a' + 'A' : letter) {
    case 'P': board->pawns |= bit; break;
    case 'N': board->knights |= bit; break;
    case 'B': board->diagonal |= bit; break;
    case 'R': board->orthogonal |= bit; break;
    case 'Q':
        board->diagonal |= bit;
        board->orthogonal |= bit;
        break;
    default: board->kings |= bit; break;
    }
}

static written_fen parse_fen(const char *fen, size_t length) {
    written_fen result = {0};
    field placement = {0}, side = {0};
    field *const fields[] = {&placement,       &side,           &result.castling, &result.en_passant,
                             &result.halfmove, &result.fullmove};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        text_next_word(&fields[i]->text, &fields[i]->length, &fen, &length);
    }
    unsigned square = LUFT_A8;
    for (size_t i = 0; i < placement.length && square < 64; i++) {
        const char c = placement.text[i];
        if (c >= '1' && c <= '8') {
            square += (unsigned)(c - '0');
        } else if (c != '/') {
            put_piece(&result.board, c, luft_bit((luft_square)square++));
        }
    }
    result.side_to_move = side.length > 0 && side.text[0] == 'b' ? LUFT_BLACK : LUFT_WHITE;
    return result;
}

luft_board explain_board(const char *fen, size_t length) {
    return parse_fen(fen, length).board;
}

/* --- Invalid positions ---------------------------------------------------- */

static void explain_pieces(explanation *out, const luft_board *board, luft_color color, unsigned status) {
    const luft_bitboard own = board->color[color], kings = board->kings & own;
    if (status & (unsigned)LUFT_STATUS_NO_WHITE_KING << color) {
        begin(out);
        add(out, "%s has no king", color_names[color]);
    }
    if (status & (unsigned)LUFT_STATUS_TOO_MANY_WHITE_KINGS << color) {
        begin(out);
        add(out, "%s has %d kings, on ", color_names[color], luft_popcount(kings));
        add_squares(out, NULL, kings);
        add(out, "; each side has exactly one");
    }
    if (status & (unsigned)LUFT_STATUS_TOO_MANY_WHITE_PAWNS << color) {
        begin(out);
        add(out, "%s has %d pawns; at most 8 are possible", color_names[color], luft_popcount(board->pawns & own));
    }
    if (status & (unsigned)LUFT_STATUS_TOO_MANY_WHITE_PIECES << color) {
        begin(out);
        add(out, "%s has %d pieces; at most 16 are possible", color_names[color], luft_popcount(own));
    }
}

static void explain_pawns(explanation *out, const luft_board *board) {
    for (luft_bitboard pawns = board->pawns & (LUFT_RANK_1 | LUFT_RANK_8); pawns;) {
        const luft_square square = luft_pop(&pawns);
        const luft_color color = luft_piece_color(luft_piece_at(board, square));
        const bool is_last = (luft_rank_of(square) == 7) == (color == LUFT_WHITE);
        begin(out);
        add(out, "the %s pawn on ", color_words[color]);
        add_square(out, square);
        add(out, " stands on %s",
            is_last ? "the last rank, where pawns are promoted" : "the first rank, where no pawn starts");
    }
}

static void explain_check(explanation *out, const written_fen *fen) {
    const luft_color them = luft_opposite(fen->side_to_move);
    const luft_square king = luft_king_square(&fen->board, them);
    const luft_bitboard attackers = luft_attackers_to(&fen->board, king, luft_occupied(&fen->board));
    begin(out);
    add(out, "%s, who is not to move, is in check from ", color_names[them]);
    add_squares(out, &fen->board, attackers & fen->board.color[fen->side_to_move]);
}

/* A castling letter of a FEN: whose it is, and the rooks that it could name. */
typedef struct castling_letter {
    char letter;
    luft_color color;
    luft_bitboard rooks; /* on the home rank: that of the file, or all on the side of K or Q */
} castling_letter;

static luft_bitboard home_rank(luft_color color) {
    return color == LUFT_WHITE ? LUFT_RANK_1 : LUFT_RANK_8;
}

static castling_letter read_castling_letter(const luft_board *board, char letter) {
    const bool black = letter >= 'a';
    const char upper = (char)(black ? letter - 'a' + 'A' : letter);
    castling_letter result = {.letter = letter, .color = black ? LUFT_BLACK : LUFT_WHITE};
    const luft_bitboard home = home_rank(result.color);
    const luft_bitboard king = board->kings & board->color[result.color] & home;
    result.rooks = luft_rooks(board) & board->color[result.color] & home;
    if (upper == 'K' || upper == 'Q') {
        const luft_bitboard west = king - 1; /* the squares before the king's: without a king, all of them */
        result.rooks &= upper == 'Q' ? west : ~west;
    } else {
        result.rooks &= LUFT_FILE_A << (upper - 'A');
    }
    return result;
}

/* The library checks each letter by itself, so the fault is that two of them are for the same side. */
static void explain_castling(explanation *out, const written_fen *fen) {
    begin(out);
    add(out, "the castling letters %.*s name two rooks on the same side of a king; it can castle with one of them",
        (int)(fen->castling.length < 20 ? fen->castling.length : 20), fen->castling.text);
}

static void explain_status(explanation *out, const written_fen *fen, unsigned status) {
    const unsigned explained = LUFT_STATUS_NO_WHITE_KING | LUFT_STATUS_NO_BLACK_KING |
                               LUFT_STATUS_TOO_MANY_WHITE_KINGS | LUFT_STATUS_TOO_MANY_BLACK_KINGS |
                               LUFT_STATUS_TOO_MANY_WHITE_PAWNS | LUFT_STATUS_TOO_MANY_BLACK_PAWNS |
                               LUFT_STATUS_TOO_MANY_WHITE_PIECES | LUFT_STATUS_TOO_MANY_BLACK_PIECES |
                               LUFT_STATUS_PAWN_ON_BACK_RANK | LUFT_STATUS_OPPONENT_IN_CHECK | LUFT_STATUS_BAD_CASTLING;
    explain_pieces(out, &fen->board, LUFT_WHITE, status);
    explain_pieces(out, &fen->board, LUFT_BLACK, status);
    if (status & LUFT_STATUS_PAWN_ON_BACK_RANK) {
        explain_pawns(out, &fen->board);
    }
    if (status & LUFT_STATUS_OPPONENT_IN_CHECK) {
        explain_check(out, fen);
    }
    if (status & LUFT_STATUS_BAD_CASTLING) {
        explain_castling(out, fen);
    }
    /* No FEN leads to the other faults, but none may be lost. */
    for (unsigned rest = status & ~explained; rest; rest &= rest - 1) {
        begin(out);
        add(out, "%s", luft_status_string(rest));
    }
}

void explain_refusal(explanation *out, const char *fen, size_t length, const luft_fen_report *report) {
    out->count = 0;
    if (report->status != 0) {
        const written_fen written = parse_fen(fen, length);
        explain_status(out, &written, report->status);
        return;
    }
    begin(out);
    add(out, "%s: %s", luft_error_string(report->error), report->reason);
    if (report->offset < length) {
        char quoted[TEXT_QUOTED_SIZE];
        add(out, ": %s", text_quote(quoted, fen + report->offset, 1));
    }
}

/* --- What reading corrected ------------------------------------------------------- */

static void explain_dropped_right(explanation *out, const luft_board *board, const castling_letter *right) {
    const luft_bitboard king = board->kings & board->color[right->color];
    const char *owner = color_names[right->color];
    begin(out);
    add(out, "the castling letter %c was dropped: ", right->letter);
    if (!(king & home_rank(right->color))) {
        add(out, "%s's king has left its first rank", owner);
    } else if (king & (LUFT_FILE_A | LUFT_FILE_H)) {
        add(out, "%s's king stands in a corner", owner);
    } else if (right->letter == 'K' || right->letter == 'k' || right->letter == 'Q' || right->letter == 'q') {
        const bool east = right->letter == 'K' || right->letter == 'k';
        const int rank = right->color == LUFT_WHITE ? 0 : 7;
        const bool standard = luft_file_of(luft_lsb(king)) == 4;
        add(out, "no %s rook stands on ", color_words[right->color]);
        add_square(out, luft_square_at(east ? 7 : 0, rank));
        add(out, "%s", standard ? "" : " or anywhere else on that side of the king");
    } else {
        add(out, "no %s rook stands on %c%c", color_words[right->color], right->letter | 0x20,
            right->color == LUFT_WHITE ? '1' : '8');
    }
}

static void explain_dropped_rights(explanation *out, const written_fen *fen, const luft_position *position) {
    for (size_t i = 0; i < fen->castling.length && fen->castling.text[i] != '-'; i++) {
        const castling_letter right = read_castling_letter(&fen->board, fen->castling.text[i]);
        if (!(right.rooks & position->board.castling)) {
            explain_dropped_right(out, &fen->board, &right);
        }
    }
}

static void explain_dropped_en_passant(explanation *out, const written_fen *fen) {
    const luft_color us = fen->side_to_move, them = luft_opposite(us);
    const luft_square square = luft_square_at(fen->en_passant.text[0] - 'a', fen->en_passant.text[1] - '1');
    const int onward = them == LUFT_WHITE ? -8 : 8; /* the direction of their pawn */
    const luft_square pawn = (luft_square)((int)square + onward), origin = (luft_square)((int)square - onward);
    const luft_bitboard blockers = luft_occupied(&fen->board) & (luft_bit(square) | luft_bit(origin));
    begin(out);
    add(out, "the en passant square ");
    add_square(out, square);
    add(out, " was dropped: ");
    if (blockers) {
        add(out, "the pawn on ");
        add_square(out, pawn);
        add(out, " cannot have just moved from ");
        add_square(out, origin);
        add(out, ", because ");
        add_squares(out, NULL, blockers);
        add(out, " %s not empty", luft_more_than_one(blockers) ? "are" : "is");
    } else if (!(luft_pawn_attacks(them, square) & fen->board.pawns & fen->board.color[us])) {
        add(out, "no %s pawn stands beside the pawn on ", color_words[us]);
        add_square(out, pawn);
    } else {
        add(out, "capturing there would leave the %s king in check", color_words[us]);
    }
}

void explain_corrections(explanation *out, const char *text, size_t length, const luft_position *position,
                         luft_square kept_ep) {
    const written_fen fen = parse_fen(text, length);
    out->count = 0;
    explain_dropped_rights(out, &fen, position);
    if (position->ep_square == LUFT_NO_SQUARE && kept_ep == LUFT_NO_SQUARE && fen.en_passant.length == 2) {
        explain_dropped_en_passant(out, &fen);
    }
    if (fen.halfmove.length == 0) {
        begin(out);
        add(out, "the counters are missing and were read as 0 and 1");
    } else if (fen.fullmove.length == 0) {
        begin(out);
        add(out, "the fullmove number is missing and was read as 1");
    } else if (strspn(fen.fullmove.text, "0") >= fen.fullmove.length) {
        begin(out);
        add(out, "the fullmove number 0 was read as 1");
    }
}

/* --- The place ---------------------------------------------------------------------- */

const char *explain_place(char buffer[EXPLAIN_PLACE_SIZE], const char *fen, size_t length, size_t offset) {
    enum { WIDTH = 100, BEFORE = 60 }; /* of a FEN longer than WIDTH, only the part around the byte is shown */
    const size_t start = length > WIDTH && offset > BEFORE ? offset - BEFORE : 0;
    const size_t shown = length - start > WIDTH ? WIDTH : length - start;
    char line[WIDTH + 1];
    for (size_t i = 0; i < shown; i++) {
        const char c = fen[start + i];
        line[i] = (char)(c >= ' ' && c <= '~' ? c : c == '\t' ? ' ' : '?');
    }
    line[shown] = '\0';
    const int column = (int)(offset - start) + (start > 0 ? 3 : 0);
    snprintf(buffer, EXPLAIN_PLACE_SIZE, "%s%s%s\n%*s^\n", start > 0 ? "..." : "", line,
             start + shown < length ? "..." : "", column, "");
    return buffer;
}
