/* SPDX-License-Identifier: MIT */
/*
 * Moves in UCI notation: every legal move of random positions and back in both castling
 * styles, texts in either case, and texts that are not moves or not legal, which are
 * different errors.
 */
#include "support/check.h"
#include "support/random_positions.h"

#include <stdlib.h>
#include <string.h>

/* Reads from a block of exactly the text's size, without a NUL. */
static luft_error read_text(luft_move *move, const luft_position *position, const char *text, size_t length) {
    char *exact = malloc(length > 0 ? length : 1);
    assert_non_null(exact);
    memcpy(exact, text, length);
    const luft_error error = luft_move_from_uci(move, position, exact, length);
    free(exact);
    return error;
}

static void assert_text(const luft_position *position, luft_move move, luft_castling_style style,
                        const char *expected) {
    char text[LUFT_UCI_MOVE_SIZE];
    luft_move back = LUFT_MOVE_NONE;
    assert_int_equal(luft_move_to_uci(text, sizeof text, move, style), strlen(expected));
    assert_string_equal(text, expected);
    assert_int_equal(read_text(&back, position, text, strlen(text)), LUFT_OK);
    assert_int_equal(back, move);
}

/* --- There and back ----------------------------------------------------- */

/* A second writer for all moves except castling. */
static void spell(char text[LUFT_UCI_MOVE_SIZE], luft_move move) {
    const int from = move & 63;
    const int to = move >> 6 & 63;
    const int kind = move >> 12;
    text[0] = "abcdefgh"[from % 8];
    text[1] = "87654321"[from / 8];
    text[2] = "abcdefgh"[to % 8];
    text[3] = "87654321"[to / 8];
    text[4] = kind >= 8 ? "nbrq"[kind % 4] : '\0';
    text[5] = '\0';
}

static void check_moves(const luft_position *position, void *payload) {
    (void)payload;
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        const luft_move move = list.moves[i];
        char expected[LUFT_UCI_MOVE_SIZE];
        spell(expected, move);
        assert_text(position, move, LUFT_CASTLING_CHESS960, expected); /* castling is written as king to rook */
        if (luft_move_kind_of(move) == LUFT_CASTLING && luft_file_of(luft_move_from(move)) == 4) {
            expected[2] = luft_move_to(move) > luft_move_from(move) ? 'g' : 'c';
        }
        assert_text(position, move, LUFT_CASTLING_STANDARD, expected);
    }
}

static void every_legal_move_can_be_written_and_read(void **state) {
    (void)state;
    visit_random_positions(test_rounds(12), check_moves, NULL);
}

static void castling_is_spelled_by_style(void **state) {
    (void)state;
    luft_position position = position_from("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    const luft_move king_side = luft_make_move(LUFT_E1, LUFT_H1, LUFT_CASTLING);
    const luft_move queen_side = luft_make_move(LUFT_E1, LUFT_A1, LUFT_CASTLING);
    assert_text(&position, king_side, LUFT_CASTLING_STANDARD, "e1g1");
    assert_text(&position, king_side, LUFT_CASTLING_CHESS960, "e1h1");
    assert_text(&position, queen_side, LUFT_CASTLING_STANDARD, "e1c1");
    assert_text(&position, queen_side, LUFT_CASTLING_CHESS960, "e1a1");
    position = position_after("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1e2");
    assert_text(&position, luft_make_move(LUFT_E8, LUFT_A8, LUFT_CASTLING), LUFT_CASTLING_STANDARD, "e8c8");

    /* A king off the e-file castles by moving to its rook's square: f1g1 is castling here, b1c1 a king move. */
    position = position_from("4k3/8/8/8/8/8/8/5KR1 w G - 0 1");
    assert_text(&position, luft_make_move(LUFT_F1, LUFT_G1, LUFT_CASTLING), LUFT_CASTLING_STANDARD, "f1g1");
    position = position_from("4k3/8/8/8/8/8/8/RK6 w A - 0 1");
    assert_text(&position, luft_make_move(LUFT_B1, LUFT_A1, LUFT_CASTLING), LUFT_CASTLING_STANDARD, "b1a1");
    assert_text(&position, luft_make_move(LUFT_B1, LUFT_C1, LUFT_QUIET), LUFT_CASTLING_STANDARD, "b1c1");

    /* A rook move from e1 to a1 or g1 is not castling. */
    position = position_from("3k4/8/8/8/8/8/5K2/4R3 w - - 0 1");
    assert_text(&position, luft_make_move(LUFT_E1, LUFT_G1, LUFT_QUIET), LUFT_CASTLING_STANDARD, "e1g1");
    assert_text(&position, luft_make_move(LUFT_E1, LUFT_A1, LUFT_QUIET), LUFT_CASTLING_CHESS960, "e1a1");
}

/* Case M2 of the contract on bad input: upper case is read as lower case. */
static void either_case_is_read(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    const luft_position promoting = position_from("8/4P3/8/8/8/k7/8/4K3 w - - 0 1");
    assert_int_equal(move_from(&start, "E2E4"), luft_make_move(LUFT_E2, LUFT_E4, LUFT_DOUBLE_PUSH));
    assert_int_equal(move_from(&start, "A2A4"), luft_make_move(LUFT_A2, LUFT_A4, LUFT_DOUBLE_PUSH));
    assert_int_equal(move_from(&start, "e2E4"), luft_make_move(LUFT_E2, LUFT_E4, LUFT_DOUBLE_PUSH));
    assert_int_equal(move_from(&promoting, "e7e8Q"), luft_make_move(LUFT_E7, LUFT_E8, LUFT_PROMOTE_QUEEN));
    assert_int_equal(move_from(&promoting, "E7E8n"), luft_make_move(LUFT_E7, LUFT_E8, LUFT_PROMOTE_KNIGHT));
    assert_int_equal(move_from(&promoting, "e7e8B"), luft_make_move(LUFT_E7, LUFT_E8, LUFT_PROMOTE_BISHOP));
    assert_int_equal(move_from(&promoting, "e7e8r"), luft_make_move(LUFT_E7, LUFT_E8, LUFT_PROMOTE_ROOK));
}

/* --- What is refused ---------------------------------------------------- */

static void assert_refused(const char *fen, const char *text, luft_error expected) {
    const luft_position position = position_from(fen);
    luft_move move = 0x1234;
    const luft_error error = read_text(&move, &position, text, strlen(text));
    if (error != expected) {
        fail_msg("\"%s\": %s, expected %s", text, luft_error_string(error), luft_error_string(expected));
    }
    assert_int_equal(move, 0x1234);
}

static void text_that_is_not_a_move_is_a_syntax_error(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",   "e",   "e2",    "e2e",   "e2e4e5", "i2e4",  "e9e4",  "e2i4", "e2e0", "e0e4", "Nf3",    "e2-e4",
        "e4", "O-O", "e7e8k", "e7e8p", "e7e8x",  "e2e4 ", " e2e4", "0000", "@2e4", "e2`4", "e7e8=Q", "(none)",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_refused(START_FEN, texts[i], LUFT_ERROR_MOVE_SYNTAX);
    }
}

static void an_illegal_move_is_a_different_error(void **state) {
    (void)state;
    static const char *const texts[] = {"e2e5", "e1e2", "e7e5", "e4e5", "e2e4q", "e1g1", "e1h1", "a1a1", "h8h8"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_refused(START_FEN, texts[i], LUFT_ERROR_MOVE_ILLEGAL);
    }
    assert_refused("8/4P3/8/8/8/k7/8/4K3 w - - 0 1", "e7e8", LUFT_ERROR_MOVE_ILLEGAL); /* a promotion needs its piece */
    assert_refused("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", LUFT_ERROR_MOVE_ILLEGAL);
    assert_refused("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1g1", LUFT_ERROR_MOVE_ILLEGAL);
    assert_refused("4k3/8/8/8/8/8/8/1K5R w H - 0 1", "b1g1",
                   LUFT_ERROR_MOVE_ILLEGAL); /* off the e-file castling is written b1h1 */
    assert_refused("8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1", "d5c6", LUFT_ERROR_MOVE_ILLEGAL);
}

/* Random bytes of every length, and legal moves with one byte changed, never give an illegal move. */
static void garbage_never_becomes_an_illegal_move(void **state) {
    (void)state;
    random_source source = {5};
    const luft_position position = position_from(KIWIPETE_FEN);
    for (int i = 0; i < test_rounds(20000); i++) {
        char text[16];
        const size_t length = (size_t)random_below(&source, 17);
        for (size_t at = 0; at < length; at++) {
            text[at] = random_below(&source, 4) == 0 ? (char)random_next(&source)
                                                     : "abcdefgh12345678qrbn"[random_below(&source, 20)];
        }
        luft_move move = LUFT_MOVE_NONE;
        const luft_error error = read_text(&move, &position, text, length);
        assert_true(error == LUFT_OK || error == LUFT_ERROR_MOVE_SYNTAX || error == LUFT_ERROR_MOVE_ILLEGAL);
        assert_true(error == LUFT_OK ? luft_is_legal(&position, move) : move == LUFT_MOVE_NONE);
        assert_true(error != LUFT_OK || length == 4 || length == 5);
    }
    char *long_text = malloc(1 << 20);
    assert_non_null(long_text);
    memset(long_text, 'e', 1 << 20);
    luft_move move = LUFT_MOVE_NONE;
    assert_int_equal(luft_move_from_uci(&move, &position, long_text, 1 << 20), LUFT_ERROR_MOVE_SYNTAX);
    free(long_text);
}

/* --- Writing ------------------------------------------------------------ */

static size_t write_move(char *buffer, size_t size, const void *subject) {
    return luft_move_to_uci(buffer, size, *(const luft_move *)subject, LUFT_CASTLING_STANDARD);
}

static void text_stays_within_its_buffer(void **state) {
    (void)state;
    const luft_move quiet = luft_make_move(LUFT_E2, LUFT_E4, LUFT_DOUBLE_PUSH);
    const luft_move promotion = luft_make_move(LUFT_A7, LUFT_B8, LUFT_CAPTURE_PROMOTE_KNIGHT);
    const luft_move castling = luft_make_move(LUFT_E1, LUFT_H1, LUFT_CASTLING);
    const luft_move none = LUFT_MOVE_NONE;
    assert_writes_within(write_move, &quiet, "e2e4");
    assert_writes_within(write_move, &promotion, "a7b8n");
    assert_writes_within(write_move, &castling, "e1g1");
    assert_writes_within(write_move, &none, "0000");
}

static void every_move_value_can_be_written(void **state) {
    (void)state;
    for (unsigned value = 0; value < 65536; value++) {
        for (int style = LUFT_CASTLING_STANDARD; style <= LUFT_CASTLING_CHESS960; style++) {
            char text[LUFT_UCI_MOVE_SIZE];
            const size_t length = luft_move_to_uci(text, sizeof text, (luft_move)value, (luft_castling_style)style);
            assert_in_range(length, 4, 5);
            assert_int_equal(strlen(text), length);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_legal_move_can_be_written_and_read),
        cmocka_unit_test(castling_is_spelled_by_style),
        cmocka_unit_test(either_case_is_read),
        cmocka_unit_test(text_that_is_not_a_move_is_a_syntax_error),
        cmocka_unit_test(an_illegal_move_is_a_different_error),
        cmocka_unit_test(garbage_never_becomes_an_illegal_move),
        cmocka_unit_test(text_stays_within_its_buffer),
        cmocka_unit_test(every_move_value_can_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
