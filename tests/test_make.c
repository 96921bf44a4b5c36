/* SPDX-License-Identifier: MIT */
/*
 * Making a move: the new position is that of the rules (the oracle's FEN), its keys are
 * those of a fresh computation, it is valid, and equal positions are equal in every byte.
 * luft_play refuses illegal moves.
 */
#include "support/check.h"
#include "support/oracle.h"
#include "support/random_positions.h"

#include <string.h>

static void require_fresh_keys(const luft_position *position) {
    luft_position fresh = *position;
    fresh.key[0] = fresh.key[1] = fresh.pawn_key = 0;
    require(luft_position_compute_keys(&fresh) == LUFT_OK, position, "luft_position_compute_keys");
    require_equal(position->key[LUFT_WHITE], fresh.key[LUFT_WHITE], position, "the key seen by White");
    require_equal(position->key[LUFT_BLACK], fresh.key[LUFT_BLACK], position, "the key seen by Black");
    require_equal(position->pawn_key, fresh.pawn_key, position, "the pawn key");
}

/* --- Every move of every position --------------------------------------- */

static void check_moves(const luft_position *position, void *payload) {
    (void)payload;
    const oracle_board board = oracle_from_position(position);
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        luft_position next;
        memset(&next, 0xa5, sizeof next);
        luft_make(&next, position, list.moves[i]);
        require_fresh_keys(&next);
        require_equal(luft_position_status(&next), LUFT_STATUS_VALID, &next, "status after a move");
        require(next.unused[0] == 0 && next.unused[1] == 0, &next, "the unused bytes are zero");

        const oracle_board after = oracle_make(&board, list.moves[i]);
        char expected[LUFT_FEN_SIZE];
        oracle_to_fen(expected, &after);
        assert_fen(&next, expected);

        /* A position read from text equals one made by a move, byte for byte. */
        const luft_position read = position_from(expected);
        require(memcmp(&read, &next, sizeof read) == 0, &next, "equal positions are equal in all bytes");

        luft_position played = *position;
        require(luft_play(&played, &played, list.moves[i]) == LUFT_OK, position, "luft_play in place");
        require(memcmp(&played, &next, sizeof next) == 0, &next, "luft_play in place makes the same position");
        luft_position made = *position;
        luft_make(&made, &made, list.moves[i]);
        require(memcmp(&made, &next, sizeof next) == 0, &next, "luft_make in place makes the same position");
    }
}

static void moves_in_games_make_the_positions_of_the_oracle(void **state) {
    (void)state;
    visit_random_games(test_rounds(60), check_moves, NULL);
}

static void moves_in_fantastic_positions_make_those_of_the_oracle(void **state) {
    (void)state;
    visit_fantastic_positions(test_rounds(3600), check_moves, NULL);
}

static void check_keys(const luft_position *position, void *payload) {
    (void)payload;
    require_fresh_keys(position);
    require_equal(luft_position_status(position), LUFT_STATUS_VALID, position, "status in a game");
}

static void keys_stay_right_through_games(void **state) {
    (void)state;
    visit_random_games(test_rounds(400), check_keys, NULL);
}

/* --- What is refused ---------------------------------------------------- */

static void check_refusals(const luft_position *position, void *payload) {
    (void)payload;
    const luft_position before = *position;
    luft_position untouched;
    memset(&untouched, 0xa5, sizeof untouched);
    for (unsigned value = 0; value < 65536; value++) {
        const luft_move move = (luft_move)value;
        luft_position next = untouched;
        const luft_error error = luft_play(&next, position, move);
        if (luft_is_legal(position, move)) {
            require_equal(error, LUFT_OK, position, "luft_play accepts a legal move");
        } else {
            require_equal(error, LUFT_ERROR_MOVE_ILLEGAL, position, "luft_play refuses illegal moves");
            require(memcmp(&next, &untouched, sizeof next) == 0, position, "a refused move writes nothing");
        }
    }
    require(memcmp(&before, position, sizeof before) == 0, position, "luft_play leaves the old position unchanged");
}

static void play_refuses_every_illegal_value(void **state) {
    (void)state;
    static const char *const fens[] = {
        START_FEN,
        KIWIPETE_FEN,
        "4k3/4r3/8/8/8/8/R7/4K3 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "4k3/2b5/8/3pP3/5K2/8/8/8 w - d6 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        const luft_position position = position_from(fens[i]);
        check_refusals(&position, NULL);
    }
    visit_fantastic_positions(test_rounds(60), check_refusals, NULL);
}

/* --- The null move ------------------------------------------------------ */

static void check_null_move(const luft_position *position, void *payload) {
    (void)payload;
    luft_position next;
    memset(&next, 0xa5, sizeof next);
    const luft_position untouched = next;
    const luft_error error = luft_make_null(&next, position);
    if (luft_in_check(position)) {
        require_equal(error, LUFT_ERROR_MOVE_ILLEGAL, position, "a null move in check is refused");
        require(memcmp(&next, &untouched, sizeof next) == 0, position, "a refused null move writes nothing");
        return;
    }
    require_equal(error, LUFT_OK, position, "a null move");
    require(next.side_to_move == (position->side_to_move ^ 1), position, "a null move changes the side to move");
    require(next.ep_square == LUFT_NO_SQUARE, position, "a null move clears en passant");
    require(memcmp(&next.board, &position->board, sizeof next.board) == 0, position, "nothing moves");
    require_equal(next.halfmove_clock, position->halfmove_clock + 1, position, "a null move is not a capture");
    require_equal(next.fullmove_number, position->fullmove_number + position->side_to_move, position,
                  "a null move of Black ends a move");
    require_fresh_keys(&next);
    require_equal(luft_position_status(&next), LUFT_STATUS_VALID, &next, "status after a null move");

    luft_position back;
    if (luft_make_null(&back, &next) == LUFT_OK) {
        require(back.side_to_move == position->side_to_move, position, "two null moves restore the side to move");
        require(position->ep_square != LUFT_NO_SQUARE || luft_key(&back) == luft_key(position), position,
                "two null moves restore the key");
    }
}

static void a_null_move_passes_the_turn(void **state) {
    (void)state;
    visit_random_positions(test_rounds(60), check_null_move, NULL);
    const luft_position position = position_from("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    luft_position next = position;
    assert_int_equal(luft_make_null(&next, &next), LUFT_OK);
    assert_int_equal(next.ep_square, LUFT_NO_SQUARE);
    assert_int_equal(next.side_to_move, LUFT_BLACK);
}

/* --- Counters and transpositions ---------------------------------------- */

static void counters_stop_at_their_maximum(void **state) {
    (void)state;
    static const char *const shuffle[4] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    luft_position position = luft_start_position();
    for (int ply = 0; ply < 100000; ply++) {
        const luft_move move = move_from(&position, shuffle[ply % 4]);
        assert_int_equal(luft_play(&position, &position, move), LUFT_OK);
        assert_int_equal(position.halfmove_clock, ply + 1 < LUFT_COUNTER_MAX ? ply + 1 : LUFT_COUNTER_MAX);
    }
    assert_int_equal(position.fullmove_number, 50001);
    assert_int_equal(luft_position_status(&position), LUFT_STATUS_VALID);
    assert_fen(&position, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 65535 50001");

    position = position_from("4k3/8/8/8/8/8/8/4K3 b - - 65535 65535");
    assert_int_equal(luft_play(&position, &position, move_from(&position, "e8e7")), LUFT_OK);
    assert_fen(&position, "8/4k3/8/8/8/8/8/4K3 w - - 65535 65535");
}

static void a_capture_and_a_pawn_move_reset_the_clock(void **state) {
    (void)state;
    luft_position position = position_after("4k3/8/8/3n4/8/8/P7/3RK3 w - - 99 80", "d1d5");
    assert_int_equal(position.halfmove_clock, 0);
    position = position_after("4k3/8/8/3n4/8/8/P7/3RK3 w - - 99 80", "a2a3 e8e7");
    assert_int_equal(position.halfmove_clock, 1);
    assert_int_equal(position.fullmove_number, 81);
}

static void transpositions_are_equal_in_every_byte(void **state) {
    (void)state;
    static const struct {
        const char *fen, *one, *other;
    } cases[] = {
        {START_FEN, "g1f3 g8f6 b1c3 b8c6", "b1c3 b8c6 g1f3 g8f6"},
        {START_FEN, "e2e3 d7d6 d2d3 e7e6", "d2d3 e7e6 e2e3 d7d6"},
        /* The rook returns but the castling right does not; a king move loses both. */
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "h1h2 a8a7 h2h1 a7a8 e1e2 e8e7", "e1e2 e8e7 h1h2 a8a7 h2h1 a7a8"},
        /* A double push that cannot be captured leaves no trace. */
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e3 e8d8 e3e4 d8e8", "e2e3 e8e7 e3e4 e7e8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const luft_position one = position_after(cases[i].fen, cases[i].one);
        const luft_position other = position_after(cases[i].fen, cases[i].other);
        assert_memory_equal(&one, &other, sizeof one);
        assert_true(luft_position_equal(&one, &other));
    }
}

static void rights_are_lost_for_good(void **state) {
    (void)state;
    static const char fen[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    static const struct {
        const char *moves, *after;
    } cases[] = {
        {"e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"},
        {"e1c1", "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1"},
        {"e1e2 e8e7 e2e1 e7e8", "r3k2r/8/8/8/8/8/8/R3K2R w - - 4 3"},
        {"a1b1 h8h7 b1a1 h7h8", "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 4 3"},
        {"h1h8", "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1"},
        {"a1a8", "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const luft_position position = position_after(fen, cases[i].moves);
        assert_fen(&position, cases[i].after);
    }
}

static void en_passant_is_kept_only_where_it_is_possible(void **state) {
    (void)state;
    static const struct {
        const char *fen, *moves, *after;
    } cases[] = {
        {START_FEN, "e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
        {START_FEN, "e2e4 a7a6 e4e5 d7d5", "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"},
        {START_FEN, "e2e4 a7a6 e4e5 d7d5 a2a3", "rnbqkbnr/1pp1pppp/p7/3pP3/8/P7/1PPP1PPP/RNBQKBNR b KQkq - 0 3"},
        {START_FEN, "e2e4 a7a6 e4e5 d7d5 e5d6", "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3"},
        {"4k3/2p5/8/K2P3r/8/8/8/8 b - - 0 1", "c7c5", "4k3/8/8/K1pP3r/8/8/8/8 w - - 0 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const luft_position position = position_after(cases[i].fen, cases[i].moves);
        assert_fen(&position, cases[i].after);
    }
}

static void check_ep_pawn(const luft_position *position, void *payload) {
    int *captures = payload;
    const oracle_board board = oracle_from_position(position);
    const luft_square pawn = luft_ep_pawn_square(position);
    bool found = false;
    oracle_moves list;
    oracle_generate(&list, &board);
    for (int i = 0; i < list.count; i++) {
        if (luft_move_kind_of(list.moves[i]) == LUFT_EN_PASSANT) {
            const oracle_board after = oracle_make(&board, list.moves[i]);
            const char letter = board.side == LUFT_WHITE ? 'p' : 'P';
            require(pawn != LUFT_NO_SQUARE && board.men[pawn] == letter, position, "the pawn stands there");
            require(after.men[pawn] == '.', position, "the capture removes it");
            found = true;
            ++*captures;
        }
    }
    require(found == (pawn != LUFT_NO_SQUARE), position, "a square only where a capture is legal");
}

static void the_pawn_of_an_en_passant_capture_is_named(void **state) {
    (void)state;
    int captures = 0;
    visit_random_positions(test_rounds(40), check_ep_pawn, &captures);
    assert_true(captures > 0);
    const luft_position white = position_from("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    const luft_position black = position_from("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1");
    assert_int_equal(luft_ep_pawn_square(&white), LUFT_D5);
    assert_int_equal(luft_ep_pawn_square(&black), LUFT_D4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_in_games_make_the_positions_of_the_oracle),
        cmocka_unit_test(moves_in_fantastic_positions_make_those_of_the_oracle),
        cmocka_unit_test(keys_stay_right_through_games),
        cmocka_unit_test(play_refuses_every_illegal_value),
        cmocka_unit_test(a_null_move_passes_the_turn),
        cmocka_unit_test(counters_stop_at_their_maximum),
        cmocka_unit_test(a_capture_and_a_pawn_move_reset_the_clock),
        cmocka_unit_test(transpositions_are_equal_in_every_byte),
        cmocka_unit_test(rights_are_lost_for_good),
        cmocka_unit_test(en_passant_is_kept_only_where_it_is_possible),
        cmocka_unit_test(the_pawn_of_an_en_passant_capture_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
