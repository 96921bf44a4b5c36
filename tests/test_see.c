/* SPDX-License-Identifier: MIT */
/*
 * Static exchange evaluation: positions whose result was computed by hand, and their colour-flipped positions.
 */
#include "support/check.h"
#include "support/random_positions.h"

#include "engine/see.h"

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
    {"3rk3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 950 - 100 - 950}, /* a promotion with a recapture */
    {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 950 - 100},        /* and without */
    {"4k3/8/3p4/4p3/8/8/8/K3R3 w - - 0 1", "e1e5", 100 - 500},
    {"8/8/3k4/4p3/8/8/8/K3R3 w - - 0 1", "e1e5", 100 - 500}, /* the king recaptures */
    {"8/8/3k4/4p3/8/8/4R3/K3R3 w - - 0 1", "e2e5", 100},     /* but not a defended piece */
    {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 0},     /* castling */
    {"4k3/8/8/3p4/3q4/8/8/3QK3 w - - 0 1", "d1d4", 950},     /* the king is too far to recapture */
    {"3qk3/8/8/8/3q4/8/8/3QK3 w - - 0 1", "d1d4", 0},        /* queens are exchanged, and that is all */
};

static void exchanges_come_out_right(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof exchanges / sizeof exchanges[0]; i++) {
        const luft_position position = position_from(exchanges[i].fen);
        const luft_move move = move_from(&position, exchanges[i].move);
        require(see_at_least(&position, move, exchanges[i].gain), &position, "reaches its gain");
        require(!see_at_least(&position, move, exchanges[i].gain + 1), &position, "reaches no more");
        luft_position flipped;
        luft_position_flip(&flipped, &position);
        const luft_move flipped_move = (luft_move)(move ^ (56 | 56 << 6));
        require(see_at_least(&flipped, flipped_move, exchanges[i].gain), &flipped, "reaches its gain");
        require(!see_at_least(&flipped, flipped_move, exchanges[i].gain + 1), &flipped, "reaches no more");
    }
}

/* A move that does not reach a threshold does not reach a higher one. */
static void check_monotone(const luft_position *position, void *payload) {
    (void)payload;
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        bool before = true;
        for (int threshold = -2000; threshold <= 2000; threshold += 125) {
            const bool now = see_at_least(position, list.moves[i], threshold);
            require(before || !now, position, "a higher threshold is not reached either");
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
        cmocka_unit_test(exchanges_come_out_right),
        cmocka_unit_test(a_higher_threshold_is_harder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
