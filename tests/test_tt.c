/* SPDX-License-Identifier: MIT */
/*
 * The transposition table: entries come back as they were stored, for the colour-flipped position too; mates count from
 * the ply that asks; memory that is not there is an error.
 */
#include "support/check.h"

#include "engine/score.h"
#include "engine/tt.h"

static void what_is_stored_is_found(void **state) {
    (void)state;
    tt table;
    assert_true(tt_create(&table, 1));
    const luft_position position = position_from(KIWIPETE_FEN);
    luft_position flipped;
    luft_position_flip(&flipped, &position);
    const luft_move move = move_from(&position, "e2a6");
    tt_store(&table, &position, 3,
             (tt_entry){.move = move, .score = mate_in(7), .eval = -55, .depth = 9, .bound = TT_LOWER, .was_pv = true});
    tt_entry found;
    assert_true(tt_probe(&table, &position, 5, &found));
    assert_int_equal(found.move, move);
    assert_int_equal(found.score, mate_in(9)); /* four plies from here, and here is ply 5 now */
    assert_int_equal(found.eval, -55);
    assert_int_equal(found.depth, 9);
    assert_int_equal(found.bound, TT_LOWER);
    assert_true(found.was_pv);
    /* The colour-flipped position has the same entry, with its own move. */
    assert_true(tt_probe(&table, &flipped, 3, &found));
    assert_true(luft_is_legal(&flipped, found.move));
    assert_int_equal(found.move, move_from(&flipped, "e7a3"));
    /* Every depth comes back as it was. */
    static const int depths[] = {-1, 0, 127, 128, MAX_DEPTH};
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        tt_clear(&table, 1);
        tt_store(&table, &position, 0, (tt_entry){.eval = 1, .depth = depths[i], .bound = TT_EXACT});
        assert_true(tt_probe(&table, &position, 0, &found));
        assert_int_equal(found.depth, depths[i]);
    }
    /* Another position has no entry. */
    const luft_position other = position_from(START_FEN);
    assert_false(tt_probe(&table, &other, 0, &found));
    tt_clear(&table, 3);
    assert_false(tt_probe(&table, &position, 0, &found));
    tt_free(&table);
}

/* The key does not include the halfmove clock: a mate that comes too late has no score. */
static void a_mate_must_come_within_fifty_moves(void **state) {
    (void)state;
    tt table;
    tt_entry found;
    luft_position position = position_from("7k/8/8/8/8/8/8/KR6 w - - 10 60");
    assert_true(tt_create(&table, 1));
    for (int sign = -1; sign <= 1; sign += 2) {
        tt_store(&table, &position, 4, (tt_entry){.score = sign * (SCORE_MATE - 44), .depth = 9, .bound = TT_EXACT});
        for (int clock = 10; clock < 100; clock++) {
            position.halfmove_clock = (uint16_t)clock;
            assert_true(tt_probe(&table, &position, 2, &found));
            assert_int_equal(found.score, clock + 40 <= 100 ? sign * (SCORE_MATE - 42) : SCORE_NONE);
        }
    }
    tt_free(&table);
}

static void impossible_sizes_are_refused(void **state) {
    (void)state;
    tt table;
    assert_false(tt_create(&table, (size_t)1 << 43));
    assert_false(tt_create(&table, 0));
    assert_null(table.clusters);
    assert_int_equal(tt_megabytes(&table), 0);
    assert_true(tt_create(&table, 2));
    assert_int_equal(tt_megabytes(&table), 2);
    tt_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_stored_is_found),
        cmocka_unit_test(a_mate_must_come_within_fifty_moves),
        cmocka_unit_test(impossible_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
