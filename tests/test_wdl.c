/* SPDX-License-Identifier: MIT */
/*
 * The win-draw-loss model: what must hold for any such model. `luft-train wdl` measures how well it fits; docs/engine.md
 * has the table.
 */
#include "support/check.h"
#include "support/random_positions.h"

#include "engine/score.h"
#include "engine/wdl.h"

#include <string.h>

static const char *const fens[] = {
    START_FEN,
    KIWIPETE_FEN,
    "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
    "8/8/4k3/8/8/4K3/8/8 w - - 0 1",
    "8/5k2/R5p1/2P2p1n/P2P3P/5K2/7P/8 b - - 0 47",
    "QQQQQQQQ/QQQQQQQ1/8/k7/8/8/8/K7 w - - 0 1", /* no game reaches it, but it is a valid argument */
};

static void check_position(const luft_position *position, void *payload) {
    (void)payload;
    wdl last = {0, 0, 1000};
    for (int score = -SCORE_MATE; score <= SCORE_MATE; score += score > -1500 && score < 1500 ? 7 : 500) {
        const wdl now = wdl_of(score, position), other = wdl_of(-score, position);
        require(now.win >= 0 && now.draw >= 0 && now.loss >= 0, position, "no negative probability");
        require(now.win + now.draw + now.loss == 1000, position, "probabilities that add up");
        require(now.win >= last.win && now.loss <= last.loss, position, "more score, more wins and fewer losses");
        require(now.win == other.loss && now.draw == other.draw, position, "the opponent's probabilities are swapped");
        last = now;
    }
}

static void probabilities_are_sound(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        luft_position position;
        if (luft_position_from_fen(&position, fens[i], strlen(fens[i]), NULL) == LUFT_OK) {
            check_position(&position, NULL);
        }
    }
    visit_random_positions(1, check_position, NULL);
}

static void mates_are_certain(void **state) {
    (void)state;
    const luft_position position = position_from(START_FEN);
    assert_int_equal(wdl_of(mate_in(1), &position).win, 1000);
    assert_int_equal(wdl_of(mate_in(99), &position).win, 1000);
    assert_int_equal(wdl_of(mated_in(2), &position).loss, 1000);
}

/* Equal scores are balanced, a piece more mostly wins, and a pawn is worth more with all pieces on the board. */
static void scores_mean_what_they_should(void **state) {
    (void)state;
    const luft_position start = position_from(START_FEN);
    const luft_position pawns = position_from("8/2p2pk1/1p4p1/8/8/1P4P1/2P2PK1/8 w - - 0 1");
    assert_int_equal(wdl_of(0, &start).win, wdl_of(0, &start).loss);
    assert_true(wdl_of(0, &start).draw > 200);
    assert_true(wdl_of(0, &pawns).draw > wdl_of(0, &start).draw);
    assert_true(wdl_of(500, &start).win > 850);
    assert_true(wdl_of(100, &start).win > wdl_of(100, &pawns).win);
}

static void material_is_counted(void **state) {
    (void)state;
    const luft_position start = position_from(START_FEN);
    const luft_position few = position_from("8/5k2/R5p1/2P2p1n/P2P3P/5K2/7P/8 b - - 0 47");
    assert_int_equal(wdl_material(&start), 78);
    assert_int_equal(wdl_material(&few), 5 + 3 + 5 + 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities_are_sound),
        cmocka_unit_test(mates_are_certain),
        cmocka_unit_test(scores_mean_what_they_should),
        cmocka_unit_test(material_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
