/* SPDX-License-Identifier: MIT */
/*
 * The evaluation: the same for a position and its colour-flipped twin, equal to
 * the sum of its terms, inside its bounds; and the exchange evaluation on
 * positions worked out by hand.
 */
#include "support/check.h"
#include "support/random_positions.h"

#include "engine/eval.h"
#include "engine/score.h"
#include "engine/see.h"

/* --- Symmetry and sum ------------------------------------------------------ */

static void check_twin(const luft_position *position, void *payload) {
    (void)payload;
    luft_position twin;
    assert_int_equal(luft_position_flip(&twin, position), LUFT_OK);
    const int score = eval_position(position);
    require_equal((uint64_t)(int64_t)eval_position(&twin), (uint64_t)(int64_t)score, position,
                  "evaluation of the twin");
    require(score > -SCORE_EVAL_BOUND && score < SCORE_EVAL_BOUND, position, "evaluation inside its bounds");
}

static void twins_have_the_same_evaluation(void **state) {
    (void)state;
    visit_random_positions(test_rounds(60), check_twin, NULL);
}

/* Adds the terms up once more, in two plain sums. */
static void check_sum(const luft_position *position, void *payload) {
    (void)payload;
    eval_trace trace;
    eval_explain(&trace, position);
    int middlegame = 0, endgame = 0;
    for (int term = 0; term < TERM_COUNT; term++) {
        const eval_weight weight = eval_weight_of(term);
        middlegame += weight.middlegame * (trace.white[term] - trace.black[term]);
        endgame += weight.endgame * (trace.white[term] - trace.black[term]);
    }
    const int score = (middlegame * trace.phase * 64 + endgame * trace.scale * (24 - trace.phase)) / (24 * 64);
    require_equal((uint64_t)(int64_t)trace.score, (uint64_t)(int64_t)score, position, "sum of the terms");
    const int seen = eval_position(position);
    const int white = position->side_to_move == LUFT_WHITE ? seen : -seen;
    const int bound = SCORE_EVAL_BOUND - 1;
    require_equal((uint64_t)(int64_t)white,
                  (uint64_t)(int64_t)(score > bound    ? bound
                                      : score < -bound ? -bound
                                                       : score),
                  position, "evaluation and explanation");
}

static void the_evaluation_is_the_sum_of_its_terms(void **state) {
    (void)state;
    visit_random_games(test_rounds(60), check_sum, NULL);
}

static void more_men_are_better(void **state) {
    (void)state;
    const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R b KQkq - 0 1",
        "4k3/8/8/8/8/8/4p3/K7 b - - 0 1",
        "4k3/8/8/8/8/8/K7/7r b - - 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        const luft_position position = position_from(fens[i]);
        require(eval_position(&position) > 100, &position, "an advantage for Black, who is to move");
    }
}

static void drawish_endings_are_near_zero(void **state) {
    (void)state;
    const char *const fens[] = {
        "4k3/8/8/8/8/8/8/KN6 w - - 0 1", /* a knight alone */
        "4k3/8/8/8/8/8/8/KB6 w - - 0 1", /* a bishop alone */
    };
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        const luft_position position = position_from(fens[i]);
        const int score = eval_position(&position);
        require(score < 100 && score > -100, &position, "near zero");
    }
}

/* --- Exchanges ------------------------------------------------------------- */

typedef struct exchange {
    const char *fen;
    const char *move;
    int gain; /* exactly, in the values of see.c */
} exchange;

static const exchange exchanges[] = {
    {"4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100},             /* a free pawn */
    {"4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500},     /* a defended one */
    {"4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0},            /* pawns are exchanged */
    {"3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100},          /* the second rook defends the first */
    {"3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 - 500},  /* two against two: the first capture loses */
    {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1h8", 0},                 /* a quiet move to a safe square */
    {"4k3/8/8/8/8/6p1/8/4K2R w K - 0 1", "h1h2", -500},            /* a quiet move into a pawn's attack */
    {"4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 100},            /* en passant */
    {"3rk3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 950 - 100 - 950}, /* a promotion that is taken */
    {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 950 - 100},        /* and one that is not */
    {"4k3/8/3p4/4p3/8/8/8/K3R3 w - - 0 1", "e1e5", 100 - 500},
    {"8/8/3k4/4p3/8/8/8/K3R3 w - - 0 1", "e1e5", 100 - 500}, /* the king takes back */
    {"8/8/3k4/4p3/8/8/4R3/K3R3 w - - 0 1", "e2e5", 100},     /* but not a man that is defended */
    {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 0},     /* castling */
};

static void exchanges_come_out_right(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof exchanges / sizeof exchanges[0]; i++) {
        const luft_position position = position_from(exchanges[i].fen);
        const luft_move move = move_from(&position, exchanges[i].move);
        require(see_reaches(&position, move, exchanges[i].gain), &position, "reaches its gain");
        require(!see_reaches(&position, move, exchanges[i].gain + 1), &position, "reaches no more");
        luft_position twin;
        luft_position_flip(&twin, &position);
        const luft_move turned = (luft_move)(move ^ (56 | 56 << 6));
        require(see_reaches(&twin, turned, exchanges[i].gain), &twin, "reaches its gain");
        require(!see_reaches(&twin, turned, exchanges[i].gain + 1), &twin, "reaches no more");
    }
}

/* The least gain that a move reaches falls as the threshold rises. */
static void check_monotone(const luft_position *position, void *payload) {
    (void)payload;
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        bool before = true;
        for (int threshold = -2000; threshold <= 2000; threshold += 125) {
            const bool now = see_reaches(position, list.moves[i], threshold);
            require(before || !now, position, "what is not reached is not exceeded");
            before = now;
        }
        require(!before, position, "no move gains 2000");
    }
}

static void a_higher_threshold_is_harder(void **state) {
    (void)state;
    visit_random_games(test_rounds(6), check_monotone, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twins_have_the_same_evaluation),
        cmocka_unit_test(the_evaluation_is_the_sum_of_its_terms),
        cmocka_unit_test(more_men_are_better),
        cmocka_unit_test(drawish_endings_are_near_zero),
        cmocka_unit_test(exchanges_come_out_right),
        cmocka_unit_test(a_higher_threshold_is_harder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
