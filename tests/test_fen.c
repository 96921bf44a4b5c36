/* SPDX-License-Identifier: MIT */
/*
 * FEN in and out: round trips in every style, the rules on what is read, dropped
 * and refused (R7 and the cases F1 to F9 of the promise on bad input), and text
 * that is cut short, changed byte by byte or no FEN at all. Every text is handed
 * over in a block of its exact size without a NUL, so that a sanitizer sees the
 * first byte read too far.
 */
#include "support/check.h"
#include "support/oracle.h"
#include "support/random_positions.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Reading with care -------------------------------------------------- */

/* Reads exactly these bytes; what is refused leaves the position alone and says why. */
static luft_error read_bytes(luft_position *position, const char *text, size_t length, luft_fen_report *report) {
    char *exact = malloc(length > 0 ? length : 1);
    assert_non_null(exact);
    memcpy(exact, text, length);
    memset(position, 0xa5, sizeof *position);
    memset(report, 0xa5, sizeof *report);
    const luft_position untouched = *position;
    const luft_error error = luft_position_from_fen(position, exact, length, report);
    free(exact);
    assert_int_equal(report->error, error);
    assert_true(report->offset <= length);
    assert_non_null(report->reason);
    assert_true(report->reason[0] != '\0');
    if (error != LUFT_OK) {
        assert_memory_equal(position, &untouched, sizeof untouched);
        assert_true((error == LUFT_ERROR_POSITION) == (report->status != LUFT_STATUS_VALID));
    } else {
        assert_int_equal(luft_position_status(position), LUFT_STATUS_VALID);
    }
    return error;
}

/* Whatever the bytes are: refused, or a valid position that its own FEN describes. */
static bool survives(const char *text, size_t length) {
    luft_position position;
    luft_fen_report report;
    if (read_bytes(&position, text, length, &report) != LUFT_OK) {
        return false;
    }
    for (int style = LUFT_FEN_STANDARD; style <= LUFT_FEN_SHREDDER; style++) {
        char fen[LUFT_FEN_SIZE];
        luft_position again;
        assert_true(luft_position_to_fen(fen, sizeof fen, &position, (luft_fen_style)style) > 0);
        assert_int_equal(read_bytes(&again, fen, strlen(fen), &report), LUFT_OK);
        assert_memory_equal(&again, &position, sizeof position);
    }
    return true;
}

static void assert_refused(const char *fen, luft_error error, unsigned status) {
    luft_position position;
    luft_fen_report report;
    const luft_error actual = read_bytes(&position, fen, strlen(fen), &report);
    if (actual != error || (report.status & status) != status) {
        fail_msg("%s: %s, status %#x; expected %s, %#x", fen, luft_error_string(actual), report.status,
                 luft_error_string(error), status);
    }
}

/* --- Round trips -------------------------------------------------------- */

/* The third field of a FEN. */
static const char *castling_field(const char *fen) {
    return strchr(strchr(fen, ' ') + 1, ' ') + 1;
}

static void check_round_trip(const luft_position *position, void *payload) {
    (void)payload;
    const oracle_board board = oracle_from_position(position);
    char expected[LUFT_FEN_SIZE];
    oracle_to_fen(expected, &board);
    assert_fen(position, expected);

    char shredder[LUFT_FEN_SIZE];
    assert_true(luft_position_to_fen(shredder, sizeof shredder, position, LUFT_FEN_SHREDDER) > 0);
    for (const char *letter = castling_field(shredder); *letter != ' '; letter++) {
        require(*letter == '-' || strchr("abcdefgh", tolower((unsigned char)*letter)) != NULL, position, shredder);
    }
    const luft_position from_standard = position_from(expected);
    const luft_position from_shredder = position_from(shredder);
    require(memcmp(&from_standard, position, sizeof *position) == 0, position, "read back from its FEN");
    require(memcmp(&from_shredder, position, sizeof *position) == 0, position, "read back from its Shredder-FEN");
}

static void positions_survive_being_written_and_read(void **state) {
    (void)state;
    visit_random_positions(test_rounds(60), check_round_trip, NULL);
    for (int number = 0; number < 960; number++) {
        luft_position position;
        assert_int_equal(luft_chess960_position(&position, number), LUFT_OK);
        check_round_trip(&position, NULL);
    }
}

/* --- What is read ------------------------------------------------------- */

static void counters_may_be_missing(void **state) {
    (void)state;
    static const char fen[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    assert_reads_as(fen, START_FEN);
    assert_reads_as("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5",
                    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 1");
    assert_reads_as("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_reads_as("4k3/8/8/8/8/8/8/4K3 w - - 65535 65535", "4k3/8/8/8/8/8/8/4K3 w - - 65535 65535");
}

static void castling_is_read_in_three_spellings(void **state) {
    (void)state;
    static const struct {
        const char *board, *letters, *written;
        luft_bitboard rooks;
    } cases[] = {
        {"r3k2r/8/8/8/8/8/8/R3K2R", "KQkq", "KQkq", 0x8100000000000081},
        {"r3k2r/8/8/8/8/8/8/R3K2R", "HAha", "KQkq", 0x8100000000000081},
        {"r3k2r/8/8/8/8/8/8/R3K2R", "qkQK", "KQkq", 0x8100000000000081},
        {"r3k2r/8/8/8/8/8/8/R3K2R", "Hq", "Kq", 0x8000000000000001},
        {"r3k2r/8/8/8/8/8/8/R3K2R", "-", "-", 0},
        /* K is the outermost rook; the inner one needs its file. */
        {"4k3/8/8/8/8/8/8/4KR1R", "K", "K", 0x8000000000000000},
        {"4k3/8/8/8/8/8/8/4KR1R", "H", "K", 0x8000000000000000},
        {"4k3/8/8/8/8/8/8/4KR1R", "F", "F", 0x2000000000000000},
        {"4k3/8/8/8/8/8/8/R1R1K3", "Q", "Q", 0x0100000000000000},
        {"4k3/8/8/8/8/8/8/R1R1K3", "C", "C", 0x0400000000000000},
        {"rr4k1/8/8/8/8/8/8/4K3", "b", "b", 0x0000000000000002},
        {"rr4k1/8/8/8/8/8/8/4K3", "q", "q", 0x0000000000000001},
        /* A letter without its king or rook in place is dropped. */
        {"r3k2r/8/8/8/8/8/4K3/R6R", "KQkq", "kq", 0x0000000000000081},
        {"4k3/8/8/8/8/8/8/R3K3", "KQkq", "Q", 0x0100000000000000},
        {"4k3/8/8/8/8/8/8/R3K3", "HA", "Q", 0x0100000000000000},
        {"4k3/8/8/8/8/8/8/N3KB1r", "KQ", "-", 0},
        {"4k3/8/8/8/8/8/8/RR5K", "KQ", "-", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char fen[LUFT_FEN_SIZE];
        char expected[LUFT_FEN_SIZE];
        snprintf(fen, sizeof fen, "%s b %s - 3 9", cases[i].board, cases[i].letters);
        snprintf(expected, sizeof expected, "%s b %s - 3 9", cases[i].board, cases[i].written);
        const luft_position position = position_from(fen);
        assert_fen(&position, expected);
        assert_int_equal(position.board.castling, cases[i].rooks);
    }
    char shredder[LUFT_FEN_SIZE];
    const luft_position start = luft_start_position();
    luft_position_to_fen(shredder, sizeof shredder, &start, LUFT_FEN_SHREDDER);
    assert_string_equal(shredder, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
}

static void en_passant_without_a_legal_capture_is_dropped(void **state) {
    (void)state;
    assert_reads_as("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
                    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_reads_as("8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1", "8/8/8/K1pP3r/8/8/8/4k3 w - - 0 1");
    assert_reads_as("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    assert_reads_as("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1");
}

/* --- The en passant square after every double push ----------------------- */

/* The oracle's FEN, with the square that it keeps after every double push in field 4. */
static void write_every_ep_square(char fen[LUFT_FEN_SIZE], const oracle_board *board) {
    char text[LUFT_FEN_SIZE], square[3] = "-";
    oracle_to_fen(text, board);
    char *fourth = strchr(castling_field(text), ' ') + 1;
    if (board->ep_square != ORACLE_NONE) {
        square[0] = (char)('a' + board->ep_square % 8);
        square[1] = (char)('8' - board->ep_square / 8);
    }
    assert_true(snprintf(fen, LUFT_FEN_SIZE, "%.*s%s%s", (int)(fourth - text), text, square, strchr(fourth, ' ')) <
                LUFT_FEN_SIZE);
}

/* How many squares were written that the position itself does not hold, and how many that it does. */
typedef struct ep_counts {
    int only_written, both;
} ep_counts;

static void check_ep_after_moves(const luft_position *position, void *payload) {
    ep_counts *counts = payload;
    const oracle_board board = oracle_from_position(position);
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        const luft_move move = list.moves[i];
        const oracle_board after = oracle_make(&board, move);
        const luft_square ep = luft_move_ep_square(move);
        char expected[LUFT_FEN_SIZE], actual[LUFT_FEN_SIZE];
        luft_position next, back;
        luft_fen_report report;
        luft_make(&next, position, move);
        write_every_ep_square(expected, &after);
        const size_t length = luft_position_to_fen_with_ep(actual, sizeof actual, &next, LUFT_FEN_STANDARD, ep);
        assert_string_equal(actual, expected);
        assert_int_equal(length, strlen(expected));
        /* Reading gives the same position, and the square again. */
        assert_int_equal(luft_position_from_fen(&back, actual, length, &report), LUFT_OK);
        assert_memory_equal(&back, &next, sizeof next);
        require_equal((uint64_t)report.ep_square, (uint64_t)ep, &next, actual);
        counts->only_written += ep != LUFT_NO_SQUARE && next.ep_square == LUFT_NO_SQUARE;
        counts->both += ep != LUFT_NO_SQUARE && next.ep_square == ep;
    }
}

static void the_en_passant_square_is_written_after_every_double_push(void **state) {
    (void)state;
    ep_counts counts = {0};
    visit_random_positions(test_rounds(20), check_ep_after_moves, &counts);
    assert_true(counts.only_written > 0 && counts.both > 0);
}

static void an_impossible_en_passant_square_is_not_written(void **state) {
    (void)state;
    /* White can have played b2b4 or e2e4; d2d4 not, because d3 is not empty; g2g4 not, because the pawn stands on g3. */
    const luft_position position = position_from("4k3/8/8/8/1P1PP3/3N2P1/8/4K3 b - - 0 1");
    for (int square = -1; square < 70; square++) {
        char text[LUFT_FEN_SIZE] = "x";
        const size_t length =
            luft_position_to_fen_with_ep(text, sizeof text, &position, LUFT_FEN_STANDARD, (luft_square)square);
        const bool accepted = square == LUFT_B3 || square == LUFT_E3 || square == LUFT_NO_SQUARE;
        assert_int_equal(length > 0, accepted);
        assert_int_equal(text[0] != '\0', accepted);
    }
    /* Where the position holds a square, the last move cannot have been another double push. */
    const luft_position own = position_from("4k3/8/8/8/1Pp1P3/8/8/4K3 b - b3 0 1");
    assert_int_equal(luft_position_to_fen_with_ep(NULL, 0, &own, LUFT_FEN_STANDARD, LUFT_E3), 0);
    assert_int_equal(luft_position_to_fen_with_ep(NULL, 0, &own, LUFT_FEN_STANDARD, LUFT_B3),
                     luft_position_to_fen(NULL, 0, &own, LUFT_FEN_STANDARD));
    /* If the position holds no square, a square with a legal capture would make it another position. */
    const luft_position without = position_from("4k3/8/8/8/2pP4/8/8/4K3 b - - 1 11");
    assert_int_equal(luft_position_to_fen_with_ep(NULL, 0, &without, LUFT_FEN_STANDARD, LUFT_D3), 0);
}

static void reports_tell_the_en_passant_square_of_the_text(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        luft_square square;
    } cases[] = {
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", LUFT_E3}, /* nobody can capture */
        {"8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1", LUFT_C6},                           /* the capture is not legal */
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", LUFT_D6},                           /* it is */
        {"4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", LUFT_NO_SQUARE},
        {"4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1", LUFT_NO_SQUARE}, /* the pawn did not come from d7 */
        {"4k3/8/8/3pP3/8/8/8/8 w - d6 0 1", LUFT_NO_SQUARE},     /* refused: no white king */
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 x", LUFT_NO_SQUARE},     /* refused: a counter */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        luft_position position;
        luft_fen_report report;
        read_bytes(&position, cases[i].fen, strlen(cases[i].fen), &report);
        assert_int_equal(report.ep_square, cases[i].square);
    }
}

/* --- What is refused ---------------------------------------------------- */

static const struct {
    const char *fen;
    luft_error error;
} bad_fields[] = {
    {"", LUFT_ERROR_FEN_FIELDS},
    {"   ", LUFT_ERROR_FEN_FIELDS},
    {"4k3/8/8/8/8/8/8/4K3", LUFT_ERROR_FEN_FIELDS},
    {"4k3/8/8/8/8/8/8/4K3 w", LUFT_ERROR_FEN_FIELDS},
    {"4k3/8/8/8/8/8/8/4K3 w -", LUFT_ERROR_FEN_FIELDS},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", LUFT_ERROR_FEN_FIELDS},
    {"9/8/8/8/8/8/8/4K3 w - - 0 1", LUFT_ERROR_FEN_BOARD},
    {"0k7/8/8/8/8/8/8/4K3 w - - 0 1", LUFT_ERROR_FEN_BOARD},
    {"4k4/8/8/8/8/8/8/4K3 w - - 0 1", LUFT_ERROR_FEN_BOARD},
    {"4k2/8/8/8/8/8/8/4K3 w - - 0 1", LUFT_ERROR_FEN_BOARD},
    {"4k3/8/8/8/8/8/4K3 w - - 0 1", LUFT_ERROR_FEN_BOARD},
    {"4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", LUFT_ERROR_FEN_BOARD},
    {"4k3/8/8/8/8/8/8/4K3/ w - - 0 1", LUFT_ERROR_FEN_BOARD},
    {"/4k3/8/8/8/8/8/8/4K3 w - - 0 1", LUFT_ERROR_FEN_BOARD},
    {"4k3/8/8/8//8/8/4K3 w - - 0 1", LUFT_ERROR_FEN_BOARD},
    {"4k3/8/44/8/8/8/8/4K3 w - - 0 1", LUFT_ERROR_FEN_BOARD}, /* two digits for one run */
    {"4k3/8/8/7x/8/8/8/4K3 w - - 0 1", LUFT_ERROR_FEN_BOARD},
    {"4k3/8/8/7./8/8/8/4K3 w - - 0 1", LUFT_ERROR_FEN_BOARD},
    {"4k3/8/8/ppppppppp/8/8/8/4K3 w - - 0 1", LUFT_ERROR_FEN_BOARD},
    {"4k3/8/8/8/8/8/8/4K3 W - - 0 1", LUFT_ERROR_FEN_SIDE},
    {"4k3/8/8/8/8/8/8/4K3 white - - 0 1", LUFT_ERROR_FEN_SIDE},
    {"4k3/8/8/8/8/8/8/4K3 - - - 0 1", LUFT_ERROR_FEN_SIDE},
    {"r3k2r/8/8/8/8/8/8/R3K2R w KX - 0 1", LUFT_ERROR_FEN_CASTLING},
    {"r3k2r/8/8/8/8/8/8/R3K2R w I - 0 1", LUFT_ERROR_FEN_CASTLING},
    {"r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1", LUFT_ERROR_FEN_CASTLING},
    {"r3k2r/8/8/8/8/8/8/R3K2R w K- - 0 1", LUFT_ERROR_FEN_CASTLING},
    {"r3k2r/8/8/8/8/8/8/R3K2R w -K - 0 1", LUFT_ERROR_FEN_CASTLING},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d 0 1", LUFT_ERROR_FEN_EN_PASSANT},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d9 0 1", LUFT_ERROR_FEN_EN_PASSANT},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - i6 0 1", LUFT_ERROR_FEN_EN_PASSANT},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d66 0 1", LUFT_ERROR_FEN_EN_PASSANT},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - D6 0 1", LUFT_ERROR_FEN_EN_PASSANT},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - -6 0 1", LUFT_ERROR_FEN_EN_PASSANT},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1", LUFT_ERROR_FEN_EN_PASSANT}, /* the wrong rank */
    {"4k3/8/8/3pP3/8/8/8/4K3 b - d6 0 1", LUFT_ERROR_FEN_EN_PASSANT}, /* of the wrong side */
    {"4k3/8/8/3pP3/8/8/8/4K3 w - f6 0 1", LUFT_ERROR_FEN_EN_PASSANT}, /* no pawn behind it */
    {"4k3/8/8/3nP3/8/8/8/4K3 w - d6 0 1", LUFT_ERROR_FEN_EN_PASSANT}, /* no pawn either */
    {"4k3/8/8/3PP3/8/8/8/4K3 w - d6 0 1", LUFT_ERROR_FEN_EN_PASSANT}, /* a pawn of the side to move */
    {"4k3/8/8/8/8/8/8/4K3 w - - -1 1", LUFT_ERROR_FEN_HALFMOVE},
    {"4k3/8/8/8/8/8/8/4K3 w - - +1 1", LUFT_ERROR_FEN_HALFMOVE},
    {"4k3/8/8/8/8/8/8/4K3 w - - x 1", LUFT_ERROR_FEN_HALFMOVE},
    {"4k3/8/8/8/8/8/8/4K3 w - - 1.5 1", LUFT_ERROR_FEN_HALFMOVE},
    {"4k3/8/8/8/8/8/8/4K3 w - - 65536 1", LUFT_ERROR_FEN_HALFMOVE},
    {"4k3/8/8/8/8/8/8/4K3 w - - 18446744073709551616 1", LUFT_ERROR_FEN_HALFMOVE},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 -1", LUFT_ERROR_FEN_FULLMOVE},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 65536", LUFT_ERROR_FEN_FULLMOVE},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999", LUFT_ERROR_FEN_FULLMOVE},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 0x1", LUFT_ERROR_FEN_FULLMOVE},
};

static void bad_fields_are_refused_by_name(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad_fields / sizeof bad_fields[0]; i++) {
        assert_refused(bad_fields[i].fen, bad_fields[i].error, 0);
    }
}

static void impossible_positions_are_refused_with_their_status(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        unsigned status;
    } cases[] = {
        {"8/8/8/8/8/8/8/4K3 w - - 0 1", LUFT_STATUS_NO_BLACK_KING},
        {"8/8/8/8/8/8/8/8 w - - 0 1", LUFT_STATUS_NO_WHITE_KING | LUFT_STATUS_NO_BLACK_KING},
        {"4k3/8/8/8/8/8/8/K3K3 w - - 0 1", LUFT_STATUS_TOO_MANY_WHITE_KINGS},
        {"4k2k/8/8/8/8/8/8/4K3 w - - 0 1", LUFT_STATUS_TOO_MANY_BLACK_KINGS},
        {"4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", LUFT_STATUS_TOO_MANY_WHITE_PAWNS},
        {"4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", LUFT_STATUS_TOO_MANY_BLACK_PAWNS},
        {"4k3/8/8/8/8/8/NNNNNNNN/NNNNKNNN w - - 0 1", LUFT_STATUS_VALID}, /* 16 pieces are not too many */
        {"4k3/8/8/8/8/N7/NNNNNNNN/NNNNKNNN w - - 0 1", LUFT_STATUS_TOO_MANY_WHITE_PIECES},
        {"nnnnknnn/nnnnnnnn/n7/8/8/8/8/4K3 w - - 0 1", LUFT_STATUS_TOO_MANY_BLACK_PIECES},
        {"P3k3/8/8/8/8/8/8/4K3 w - - 0 1", LUFT_STATUS_PAWN_ON_BACK_RANK},
        {"4k3/8/8/8/8/8/8/p3K3 w - - 0 1", LUFT_STATUS_PAWN_ON_BACK_RANK},
        {"4k3/8/8/8/8/8/8/4RK2 w - - 0 1", LUFT_STATUS_OPPONENT_IN_CHECK},
        {"8/8/8/3kK3/8/8/8/8 w - - 0 1", LUFT_STATUS_OPPONENT_IN_CHECK},
        {"4k3/8/8/8/8/8/8/4KR1R w HF - 0 1", LUFT_STATUS_BAD_CASTLING}, /* one right a side at most */
        {"P3k2k/8/8/8/8/P7/PPPPPPPP/8 w - - 0 1", LUFT_STATUS_PAWN_ON_BACK_RANK | LUFT_STATUS_TOO_MANY_WHITE_PAWNS |
                                                      LUFT_STATUS_TOO_MANY_BLACK_KINGS | LUFT_STATUS_NO_WHITE_KING},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].status == LUFT_STATUS_VALID) {
            assert_true(survives(cases[i].fen, strlen(cases[i].fen)));
        } else {
            assert_refused(cases[i].fen, LUFT_ERROR_POSITION, cases[i].status);
        }
    }
}

/* The cases by their number in the promise on bad input. */
static void known_cases_f1_to_f9(void **state) {
    (void)state;
    luft_position position;
    luft_fen_report report;
    static const char *const f1[] = {"", "startpos", "blah",
                                     "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"};
    for (size_t i = 0; i < sizeof f1 / sizeof f1[0]; i++) {
        assert_true(read_bytes(&position, f1[i], strlen(f1[i]), &report) != LUFT_OK);
    }
    assert_refused("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", LUFT_ERROR_FEN_FIELDS, 0);     /* F2 */
    assert_refused("4k3/8/8/8/8/8/8/8 w - - 0 1", LUFT_ERROR_POSITION, LUFT_STATUS_NO_WHITE_KING); /* F3 */
    assert_refused("2P5/8/8/3p4/4bK2/8/4k1p1/2Q5 w - - 12 81", LUFT_ERROR_POSITION,
                   LUFT_STATUS_PAWN_ON_BACK_RANK); /* F4 */
    assert_refused("5k1r/2q3p1/p3p2p/1B3p1Q/n4P2/6P1/bbP2N1P/1K1RR3 b - - 0 1", LUFT_ERROR_POSITION,
                   LUFT_STATUS_OPPONENT_IN_CHECK); /* F5 */
    assert_refused("knNnNnNn/nNnNnNnN/NnNnNnNn/nNnNnNnN/NnNnNnNn/nNnNnNnN/NnNnNnNn/KNnNnNnN w - - 0 0",
                   LUFT_ERROR_POSITION, LUFT_STATUS_TOO_MANY_WHITE_PIECES | LUFT_STATUS_TOO_MANY_BLACK_PIECES); /* F9 */
    static const struct {
        const char *fen, *written;
        uint64_t perft[2];
    } accepted[] = {
        {"2k5/8/3K4/1p6/p7/P7/1B6/8 b KQkq - 0 1", "2k5/8/3K4/1p6/p7/P7/1B6/8 b - - 0 1", {4, 57}}, /* F6 */
        {"k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", "k7/8/8/3pP3/8/7n/5K2/8 w - - 0 1", {7, 56}},         /* F7 */
        {"q6k/8/8/3pP3/8/8/8/7K w - d6 0 1", "q6k/8/8/3pP3/8/8/8/7K w - - 0 1", {4, 76}},
        {"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", /* F8 */
         "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
         {218, 99}},
    };
    for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++) {
        position = position_from(accepted[i].fen);
        assert_fen(&position, accepted[i].written);
        for (int depth = 1; depth <= 2; depth++) {
            assert_int_equal(luft_perft(&position, depth, LUFT_PERFT_ONE_PLY), accepted[i].perft[depth - 1]);
        }
    }
}

/* The offset points into the field that the error names. */
static void reports_point_at_the_fault(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        size_t offset;
    } cases[] = {
        {"4k3/8/8/7x/8/8/8/4K3 w - - 0 1", 9}, {"4k3/8/8/8/8/8/8/4K3 x - - 0 1", 20},
        {"4k3/8/8/8/8/8/8/4K3 w x - 0 1", 22}, {"4k3/8/8/8/8/8/8/4K3 w - x 0 1", 24},
        {"4k3/8/8/8/8/8/8/4K3 w - - x 1", 26}, {"4k3/8/8/8/8/8/8/4K3 w - - 0 x", 28},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        luft_position position;
        luft_fen_report report;
        assert_int_not_equal(read_bytes(&position, cases[i].fen, strlen(cases[i].fen), &report), LUFT_OK);
        assert_int_equal(report.offset, cases[i].offset);
    }
    luft_position position;
    assert_int_equal(luft_position_from_fen(&position, "x", 1, NULL), LUFT_ERROR_FEN_BOARD); /* no report wanted */
    assert_int_equal(luft_position_from_fen(&position, START_FEN, strlen(START_FEN), NULL), LUFT_OK);
}

/* --- Hostile text ------------------------------------------------------- */

static const char *const hostile_seeds[] = {
    START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1",
    "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "4k1rr/8/8/8/8/8/8/RR2K3 b Bg - 65535 65535",
};
enum { HOSTILE_SEEDS = sizeof hostile_seeds / sizeof hostile_seeds[0] };

static void truncated_text_is_refused_or_valid(void **state) {
    (void)state;
    for (size_t i = 0; i < HOSTILE_SEEDS; i++) {
        const size_t full = strlen(hostile_seeds[i]);
        int accepted = 0;
        for (size_t length = 0; length <= full; length++) {
            accepted += survives(hostile_seeds[i], length);
        }
        assert_true(accepted >= 1);
        assert_true(survives(hostile_seeds[i], full));
        const size_t board_end = strcspn(hostile_seeds[i], " ");
        assert_false(survives(hostile_seeds[i], board_end));
    }
}

static void changed_bytes_are_refused_or_valid(void **state) {
    (void)state;
    for (size_t i = 0; i < HOSTILE_SEEDS; i++) {
        const size_t length = strlen(hostile_seeds[i]);
        for (size_t at = 0; at < length; at++) {
            char text[LUFT_FEN_SIZE + 1];
            for (int byte = 0; byte < 256; byte++) {
                memcpy(text, hostile_seeds[i], length);
                text[at] = (char)byte;
                survives(text, length);
                /* The byte put in between, and at last the byte left out. */
                memmove(text + at + 1, hostile_seeds[i] + at, length - at);
                survives(text, length + 1);
            }
            memcpy(text, hostile_seeds[i], at);
            memmove(text + at, hostile_seeds[i] + at + 1, length - at - 1);
            survives(text, length - 1);
        }
    }
}

static void random_changes_are_refused_or_valid(void **state) {
    (void)state;
    static const char alphabet[] = "pnbrqkPNBRQK12345678/ wb-KQkqabcdefghAH36\t0";
    random_source source = {42};
    for (int i = 0; i < test_rounds(20000); i++) {
        char text[LUFT_FEN_SIZE];
        const char *seed = hostile_seeds[random_below(&source, HOSTILE_SEEDS)];
        const size_t length = strlen(seed);
        memcpy(text, seed, length);
        for (int changes = 1 + random_below(&source, 5); changes > 0; changes--) {
            text[random_below(&source, (int)length)] = alphabet[random_below(&source, (int)sizeof alphabet - 1)];
        }
        survives(text, length);
    }
}

static void a_megabyte_of_garbage_is_refused(void **state) {
    (void)state;
    const size_t size = 1 << 20;
    char *text = malloc(size);
    assert_non_null(text);
    static const char fills[] = {'x', ' ', '\t', '8', '/', 'K', '-', '0', '1', '\0', '\n', (char)0xff};
    const size_t start_length = strlen(START_FEN);
    for (size_t i = 0; i < sizeof fills; i++) {
        memset(text, fills[i], size);
        assert_false(survives(text, size));
        memcpy(text, START_FEN, start_length); /* a good start does not help */
        if (fills[i] != ' ' && fills[i] != '\t') {
            assert_false(survives(text, size));
        }
    }
    random_source source = {3};
    for (size_t i = 0; i < size; i++) {
        text[i] = (char)random_next(&source);
    }
    assert_false(survives(text, size));
    free(text);
}

/* --- Buffers ------------------------------------------------------------ */

static size_t write_standard(char *buffer, size_t size, const void *subject) {
    return luft_position_to_fen(buffer, size, subject, LUFT_FEN_STANDARD);
}

static size_t write_shredder(char *buffer, size_t size, const void *subject) {
    return luft_position_to_fen(buffer, size, subject, LUFT_FEN_SHREDDER);
}

static void text_stays_within_its_buffer(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    assert_writes_within(write_standard, &start, START_FEN);
    assert_writes_within(write_shredder, &start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    /* About the longest: 32 pieces with gaps between them, all rights, en passant and great numbers. */
    static const char longest[] =
        "r1b1k1r1/p1p1p1p1/n1q1n1b1/1p1pPp1p/P1P1P1P1/1P1P1P1N/B1N1B1Q1/1R2K1R1 w KQkq d6 65535 65535";
    assert_true(strlen(longest) < LUFT_FEN_SIZE);
    const luft_position position = position_from(longest);
    assert_writes_within(write_standard, &position, longest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_survive_being_written_and_read),
        cmocka_unit_test(counters_may_be_missing),
        cmocka_unit_test(castling_is_read_in_three_spellings),
        cmocka_unit_test(en_passant_without_a_legal_capture_is_dropped),
        cmocka_unit_test(the_en_passant_square_is_written_after_every_double_push),
        cmocka_unit_test(an_impossible_en_passant_square_is_not_written),
        cmocka_unit_test(reports_tell_the_en_passant_square_of_the_text),
        cmocka_unit_test(bad_fields_are_refused_by_name),
        cmocka_unit_test(impossible_positions_are_refused_with_their_status),
        cmocka_unit_test(known_cases_f1_to_f9),
        cmocka_unit_test(reports_point_at_the_fault),
        cmocka_unit_test(truncated_text_is_refused_or_valid),
        cmocka_unit_test(changed_bytes_are_refused_or_valid),
        cmocka_unit_test(random_changes_are_refused_or_valid),
        cmocka_unit_test(a_megabyte_of_garbage_is_refused),
        cmocka_unit_test(text_stays_within_its_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
