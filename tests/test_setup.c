/* SPDX-License-Identifier: MIT */
/* Positions and moves from arguments: what is accepted, and the one error line for what is not. */
#include "support/captured.h"
#include "support/check.h"
#include "support/failing_malloc.h"

#include "util/setup.h"

#include <stdio.h>
#include <string.h>

static const char castling[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
static const char chess960[] = "4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1";

static luft_position read_fen(const char *fen) {
    luft_position position;
    assert_int_equal(luft_position_from_fen(&position, fen, strlen(fen), NULL), LUFT_OK);
    return position;
}

static void plays_moves_in_both_notations(void **state) {
    (void)state;
    luft_position position;
    char fen[LUFT_FEN_SIZE];
    assert_true(setup_position(&position, "luft", "--fen", NULL, " e4\te7e5  Nf3 "));
    luft_position_to_fen(fen, sizeof fen, &position, LUFT_FEN_STANDARD);
    assert_string_equal(fen, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    assert_true(setup_position(&position, "luft", "--fen", castling, "O-O"));
    assert_int_equal(luft_king_square(&position.board, LUFT_WHITE), LUFT_G1);
    luft_game *game = setup_game("luft", "--fen", NULL, "e4 e5");
    assert_int_equal(luft_game_ply(game), 2);
    luft_game_free(game);
}

static void refuses_with_one_line(void **state) {
    (void)state;
    static const struct {
        const char *fen, *moves, *expected;
    } cases[] = {
        {NULL, "e4 e4", "--moves: \"e4\", move 2 of the list, is not legal here"},
        {NULL, "e9", "--moves: \"e9\", move 1 of the list, is not a move like e2e4, e7e8q, Nf3 or e8=Q"},
        {"4k3/8/8/1R6/8/8/8/1R2K3 w - - 0 1", "Rb3", "--moves: \"Rb3\", move 1 of the list, can be more than one move"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char expected[160];
        luft_position position;
        memset(&position, 0xa5, sizeof position);
        const luft_position before = position;
        snprintf(expected, sizeof expected, "luft test: %s\n", cases[i].expected);
        capture_begin(2);
        const bool good = setup_position(&position, "luft test", "--fen", cases[i].fen, cases[i].moves);
        assert_string_equal(capture_end(), expected);
        assert_false(good);
        assert_memory_equal(&position, &before, sizeof position);
    }
}

static void names_all_that_is_wrong_with_a_position(void **state) {
    (void)state;
    luft_position position;
    luft_fen_report report;
    char text[SETUP_REASON_SIZE];
    static const char *const two_faults = "8/8/8/8/8/8/8/P7 w - - 0 1"; /* no king, and a pawn on the first rank */
    assert_int_not_equal(luft_position_from_fen(&position, two_faults, strlen(two_faults), &report), LUFT_OK);
    setup_fen_reason(text, &report, two_faults, strlen(two_faults));
    for (unsigned rest = report.status; rest; rest &= rest - 1) {
        assert_non_null(strstr(text, luft_status_string(rest)));
    }
    static const char *const syntax = "8/8/8/8/8/8/8/x7 w - - 0 1";
    assert_int_not_equal(luft_position_from_fen(&position, syntax, strlen(syntax), &report), LUFT_OK);
    assert_non_null(strstr(setup_fen_reason(text, &report, syntax, strlen(syntax)), ": \"x\" (column 15)"));
    assert_int_not_equal(luft_position_from_fen(&position, "8", 1, &report),
                         LUFT_OK); /* ends too early: no character */
    assert_non_null(strstr(setup_fen_reason(text, &report, "8", 1), " (column 2)"));
    assert_null(strchr(text, '"'));
}

static void knows_where_castling_lands(void **state) {
    (void)state;
    const luft_position positions[] = {read_fen(castling), read_fen(chess960)};
    for (int i = 0; i < 2; i++) {
        luft_move_list list;
        luft_generate(&list, &positions[i], LUFT_ALL_MOVES);
        int castlings = 0;
        for (int k = 0; k < list.count; k++) {
            const luft_move move = list.moves[k];
            luft_position after;
            luft_make(&after, &positions[i], move);
            /* The moving piece is where it is said to land, by what making the move did. */
            const luft_piece piece = luft_piece_at(&after.board, setup_landing_square(move));
            assert_int_equal(luft_piece_color(piece), LUFT_WHITE);
            assert_int_equal(luft_piece_type_of(piece),
                             luft_piece_type_of(luft_piece_at(&positions[i].board, luft_move_from(move))));
            castlings += luft_move_kind_of(move) == LUFT_CASTLING;
        }
        assert_int_equal(castlings, 2);
    }
}

static void chooses_the_castling_notation(void **state) {
    (void)state;
    const luft_position standard = read_fen(castling), other = read_fen(chess960);
    const luft_position none = read_fen("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w - - 0 1");
    assert_int_equal(setup_castling_style(&standard), LUFT_CASTLING_STANDARD);
    assert_int_equal(setup_castling_style(&other), LUFT_CASTLING_CHESS960);
    assert_int_equal(setup_castling_style(&none), LUFT_CASTLING_STANDARD);
}

static void sorts_moves_by_their_text(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    named_move moves[LUFT_MAX_MOVES];
    assert_int_equal(setup_sorted_moves(moves, &start), 20);
    for (int i = 1; i < 20; i++) {
        assert_true(strcmp(moves[i - 1].text, moves[i].text) < 0);
    }
    assert_string_equal(moves[0].text, "a2a3");
}

static luft_error set_up_a_game(void *payload) {
    (void)payload;
    capture_begin(2);
    luft_game *game = setup_game("luft", "--fen", NULL, "e4 e5");
    capture_end();
    luft_game_free(game);
    return game ? LUFT_OK : LUFT_ERROR_MEMORY;
}

static void survives_without_memory(void **state) {
    (void)state;
    assert_survives_failing_malloc(set_up_a_game, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_moves_in_both_notations),
        cmocka_unit_test(refuses_with_one_line),
        cmocka_unit_test(names_all_that_is_wrong_with_a_position),
        cmocka_unit_test(knows_where_castling_lands),
        cmocka_unit_test(chooses_the_castling_notation),
        cmocka_unit_test(sorts_moves_by_their_text),
        cmocka_unit_test(survives_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
