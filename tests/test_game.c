/* SPDX-License-Identifier: MIT */
/*
 * The history of a game: undo, redo, games of any length, and misuse. Contract A1, A4 and A5. Repetitions and outcomes are in
 * test_outcome.c.
 */
#include "support/check.h"
#include "support/failing_malloc.h"
#include "support/played_games.h"

#include <stdlib.h>
#include <string.h>

/* --- The history ------------------------------------------------------------ */

static void a_new_game_is_its_start(void **state) {
    (void)state;
    luft_game *game = NULL;
    assert_int_equal(luft_game_create(&game, NULL), LUFT_OK);
    assert_fen(luft_game_position(game), START_FEN);
    assert_int_equal(luft_game_ply(game), 0);
    assert_int_equal(luft_game_length(game), 0);
    assert_int_equal(luft_game_repetitions(game), 1);
    assert_int_equal(luft_game_move_at(game, 0), LUFT_MOVE_NONE);
    assert_int_equal(luft_game_claims(game), LUFT_CLAIM_NONE);
    assert_outcome(game, LUFT_NOT_OVER, LUFT_NO_WINNER);
    luft_game_free(game);
}

static void a_start_must_be_a_position(void **state) {
    (void)state;
    luft_position start = luft_start_position();
    luft_game *const untouched = (luft_game *)&start;
    luft_game *game = untouched;
    start.board.kings = 0;
    assert_int_equal(luft_game_create(&game, &start), LUFT_ERROR_POSITION);
    memset(&start, 0xa5, sizeof start);
    assert_int_equal(luft_game_create(&game, &start), LUFT_ERROR_POSITION);
    start = luft_start_position();
    start.key[0] ^= 1; /* a wrong key would break repetition */
    assert_int_equal(luft_game_create(&game, &start), LUFT_ERROR_POSITION);
    assert_ptr_equal(game, untouched);
}

/* A reference game: a list of all positions so far. */
typedef struct record {
    luft_position positions[400];
    luft_move moves[400];
    size_t length;
} record;

static void assert_is_recorded(const luft_game *game, const record *expected, size_t ply) {
    assert_int_equal(luft_game_ply(game), ply);
    assert_int_equal(luft_game_length(game), expected->length);
    assert_memory_equal(luft_game_position(game), &expected->positions[ply], sizeof(luft_position));
    for (size_t i = 0; i <= expected->length; i++) {
        assert_memory_equal(luft_game_position_at(game, i), &expected->positions[i], sizeof(luft_position));
        assert_int_equal(luft_game_move_at(game, i), i < expected->length ? expected->moves[i] : LUFT_MOVE_NONE);
    }
    assert_null(luft_game_position_at(game, expected->length + 1));
    assert_null(luft_game_position_at(game, SIZE_MAX));
    assert_int_equal(luft_game_move_at(game, SIZE_MAX), LUFT_MOVE_NONE);
}

static void wander(luft_game *game, random_source *source, record *expected) {
    expected->positions[0] = *luft_game_position(game);
    expected->length = 0;
    size_t ply = 0;
    for (int step = 0; step < 300; step++) {
        const int what = random_below(source, 10);
        if (what == 0) {
            assert_int_equal(luft_game_undo(game), ply > 0 ? LUFT_OK : LUFT_ERROR_HISTORY);
            ply -= ply > 0;
        } else if (what == 1) {
            assert_int_equal(luft_game_redo(game), ply < expected->length ? LUFT_OK : LUFT_ERROR_HISTORY);
            ply += ply < expected->length;
        } else if (what == 2) {
            const size_t to = (size_t)random_below(source, (int)expected->length + 3);
            assert_int_equal(luft_game_go_to(game, to), to <= expected->length ? LUFT_OK : LUFT_ERROR_HISTORY);
            ply = to <= expected->length ? to : ply;
        } else {
            const bool again = what == 3 && ply < expected->length;
            const luft_move move = again ? expected->moves[ply] : random_move(source, &expected->positions[ply]);
            if (move == LUFT_MOVE_NONE) {
                continue;
            }
            assert_int_equal(luft_game_play(game, move), LUFT_OK);
            if (!(ply < expected->length && move == expected->moves[ply])) {
                expected->length = ply + 1;
            }
            expected->moves[ply] = move;
            luft_make(&expected->positions[ply + 1], &expected->positions[ply], move);
            ply++;
        }
    }
    assert_is_recorded(game, expected, ply);
}

static void undo_and_redo_lead_to_the_same_positions(void **state) {
    (void)state;
    record *expected = malloc(sizeof *expected);
    for (int round = 0; round < test_rounds(300); round++) {
        random_source source = {(uint64_t)round};
        luft_game *game = random_start(round);
        wander(game, &source, expected);
        luft_game_free(game);
    }
    free(expected);
}

static void another_move_drops_the_moves_to_redo(void **state) {
    (void)state;
    luft_game *game = game_after(START_FEN, "e2e4 e7e5 g1f3");
    assert_int_equal(luft_game_go_to(game, 1), LUFT_OK);
    play_moves(game, "e7e5"); /* the same move again */
    assert_int_equal(luft_game_length(game), 3);
    assert_int_equal(luft_game_redo(game), LUFT_OK);
    assert_int_equal(luft_game_go_to(game, 1), LUFT_OK);
    play_moves(game, "c7c5");
    assert_int_equal(luft_game_length(game), 2);
    assert_int_equal(luft_game_redo(game), LUFT_ERROR_HISTORY);
    assert_fen(luft_game_position(game), "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    luft_game_free(game);
}

static void a_copy_is_independent(void **state) {
    (void)state;
    luft_game *game = game_after(START_FEN, "e2e4 e7e5 g1f3"), *copy = NULL;
    assert_int_equal(luft_game_undo(game), LUFT_OK);
    assert_int_equal(luft_game_copy(&copy, game), LUFT_OK);
    assert_int_equal(luft_game_ply(copy), 2);
    assert_int_equal(luft_game_length(copy), 3);
    play_moves(copy, "f2f4");
    assert_int_equal(luft_game_redo(game), LUFT_OK);
    assert_int_equal(luft_game_move_at(game, 2), luft_make_move(LUFT_G1, LUFT_F3, LUFT_QUIET));
    luft_game_free(game);
    assert_fen(luft_game_position(copy), "rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq - 0 2");
    assert_fen(luft_game_position_at(copy, 0), START_FEN);
    luft_game_free(copy);
}

static void chess960_castles(void **state) {
    (void)state;
    luft_game *game = game_from("1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w GBgb - 0 1");
    play_moves(game, "e1g1");
    assert_fen(luft_game_position(game), "1r2k1r1/6p1/8/8/8/8/6P1/1R3RK1 b kq - 1 1");
    play_moves(game, "e8b8");
    assert_fen(luft_game_position(game), "2kr2r1/6p1/8/8/8/8/6P1/1R3RK1 w - - 2 2");
    luft_game_free(game);
}

/* --- Contract A1, A4, A5 ------------------------------------------------------ */

static void a1_null(void **state) {
    (void)state;
    luft_game *game = game_from(START_FEN), *copy = NULL;
    assert_int_equal(luft_game_create(NULL, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_game_copy(NULL, game), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_game_copy(&copy, NULL), LUFT_ERROR_ARGUMENT);
    assert_null(copy);
    assert_int_equal(luft_game_play(NULL, LUFT_MOVE_NONE), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_game_undo(NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_game_redo(NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_game_go_to(NULL, 0), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_game_ply(NULL), 0);
    assert_int_equal(luft_game_length(NULL), 0);
    assert_null(luft_game_position(NULL));
    assert_null(luft_game_position_at(NULL, 0));
    assert_int_equal(luft_game_move_at(NULL, 0), LUFT_MOVE_NONE);
    assert_int_equal(luft_game_repetitions(NULL), 0);
    assert_outcome(NULL, LUFT_NOT_OVER, LUFT_NO_WINNER);
    assert_int_equal(luft_game_claims(NULL), LUFT_CLAIM_NONE);
    assert_int_equal(luft_game_claims_by(NULL, LUFT_MOVE_NONE), LUFT_CLAIM_NONE);
    assert_false(luft_has_insufficient_material(NULL));
    assert_false(luft_side_has_insufficient_material(NULL, LUFT_WHITE));
    const luft_position kings = position_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_true(luft_side_has_insufficient_material(&kings, LUFT_BLACK));
    assert_false(luft_side_has_insufficient_material(&kings, (luft_color)2));
    assert_false(luft_side_has_insufficient_material(&kings, (luft_color)-1));
    assert_int_equal(luft_position_outcome(NULL).termination, LUFT_NOT_OVER);
    assert_int_equal(luft_position_outcome(NULL).winner, LUFT_NO_WINNER);
    luft_game_free(NULL);
    luft_game_free(game);
}

static void a1_every_termination_has_a_text(void **state) {
    (void)state;
    for (int i = -1; i <= LUFT_FIVEFOLD_REPETITION + 1; i++) {
        const char *text = luft_termination_string((luft_termination)i);
        assert_non_null(text);
        for (int other = LUFT_NOT_OVER; other < i; other++) {
            assert_string_not_equal(text, luft_termination_string((luft_termination)other));
        }
    }
}

/* All 65,536 values: legal ones are played, the others change nothing. */
static void a4_garbage_moves(void **state) {
    (void)state;
    luft_game *game = game_after(KIWIPETE_FEN, "e1g1 e8c8 a2a4");
    assert_int_equal(luft_game_undo(game), LUFT_OK);
    const luft_position before = *luft_game_position(game);
    int played = 0;
    for (unsigned value = 0; value <= UINT16_MAX; value++) {
        const bool legal = luft_is_legal(&before, (luft_move)value);
        assert_int_equal(luft_game_play(game, (luft_move)value), legal ? LUFT_OK : LUFT_ERROR_MOVE_ILLEGAL);
        played += legal;
        if (legal) {
            assert_int_equal(luft_game_undo(game), LUFT_OK);
        } else {
            assert_int_equal(luft_game_claims_by(game, (luft_move)value), LUFT_CLAIM_NONE);
        }
        assert_memory_equal(luft_game_position(game), &before, sizeof before);
        assert_int_equal(luft_game_ply(game), 2);
    }
    assert_int_equal(played, luft_count_moves(&before));
    luft_game_free(game);
}

static void a4_undo_without_history(void **state) {
    (void)state;
    luft_game *game = game_from(KIWIPETE_FEN);
    assert_int_equal(luft_game_undo(game), LUFT_ERROR_HISTORY);
    assert_int_equal(luft_game_redo(game), LUFT_ERROR_HISTORY);
    assert_int_equal(luft_game_go_to(game, 1), LUFT_ERROR_HISTORY);
    assert_int_equal(luft_game_go_to(game, SIZE_MAX), LUFT_ERROR_HISTORY);
    assert_int_equal(luft_game_play(game, LUFT_MOVE_NONE), LUFT_ERROR_MOVE_ILLEGAL); /* a game has no null moves */
    assert_fen(luft_game_position(game), KIWIPETE_FEN);
    luft_game_free(game);
}

/* The clock stops at 65,535, so it no longer limits the search for repetitions. */
static void a4_a_hundred_thousand_moves(void **state) {
    (void)state;
    luft_game *game = game_from(START_FEN);
    for (int i = 0; i < 25000; i++) {
        play_moves(game, "g1f3 g8f6 f3g1 f6g8");
    }
    assert_int_equal(luft_game_ply(game), 100000);
    assert_int_equal(luft_game_position(game)->halfmove_clock, LUFT_COUNTER_MAX);
    assert_int_equal(luft_game_repetitions(game), 25001);
    assert_int_equal(luft_game_go_to(game, 60000), LUFT_OK);
    assert_int_equal(luft_game_repetitions(game), 15001);
    for (int i = 0; i < 60000; i++) {
        assert_int_equal(luft_game_undo(game), LUFT_OK);
    }
    assert_fen(luft_game_position(game), START_FEN);
    assert_int_equal(luft_game_length(game), 100000);
    luft_game_free(game);
}

/* Creates, grows at least twice, copies. After a failure the game is unchanged and can continue. */
static luft_error allocate_all(void *payload) {
    (void)payload;
    luft_game *game = NULL, *copy = NULL;
    luft_error error = luft_game_create(&game, NULL);
    assert_true((game != NULL) == (error == LUFT_OK));
    for (int ply = 0; ply < 1000 && error == LUFT_OK; ply++) {
        static const luft_square path[4][2] = {
            {LUFT_G1, LUFT_F3}, {LUFT_G8, LUFT_F6}, {LUFT_F3, LUFT_G1}, {LUFT_F6, LUFT_G8}};
        const luft_position before = *luft_game_position(game);
        const luft_move move = luft_make_move(path[ply % 4][0], path[ply % 4][1], LUFT_QUIET);
        error = luft_game_play(game, move);
        if (error != LUFT_OK) {
            assert_int_equal(luft_game_ply(game), ply);
            assert_int_equal(luft_game_length(game), ply);
            assert_memory_equal(luft_game_position(game), &before, sizeof before);
            assert_int_equal(luft_game_play(game, move), LUFT_OK); /* memory is available again */
        }
    }
    if (error == LUFT_OK) {
        error = luft_game_copy(&copy, game);
        assert_true((copy != NULL) == (error == LUFT_OK));
    }
    luft_game_free(copy);
    luft_game_free(game);
    return error;
}

static void a5_no_memory(void **state) {
    (void)state;
    assert_true(assert_survives_failing_malloc(allocate_all, NULL) >= 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_game_is_its_start),
        cmocka_unit_test(a_start_must_be_a_position),
        cmocka_unit_test(undo_and_redo_lead_to_the_same_positions),
        cmocka_unit_test(another_move_drops_the_moves_to_redo),
        cmocka_unit_test(a_copy_is_independent),
        cmocka_unit_test(chess960_castles),
        cmocka_unit_test(a1_null),
        cmocka_unit_test(a1_every_termination_has_a_text),
        cmocka_unit_test(a4_garbage_moves),
        cmocka_unit_test(a4_undo_without_history),
        cmocka_unit_test(a4_a_hundred_thousand_moves),
        cmocka_unit_test(a5_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
