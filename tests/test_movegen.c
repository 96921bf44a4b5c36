/* SPDX-License-Identifier: MIT */
/*
 * Legal moves: the generator against the slow oracle in random games and fantastic
 * positions, its classes and shortcuts against its full list, and examples of en passant
 * and castling that generators often get wrong.
 */
#include "support/check.h"
#include "support/oracle.h"
#include "support/random_positions.h"

#include <string.h>

/* --- The list ----------------------------------------------------------- */

static void require_moves(const luft_position *position, const luft_move_list *sorted, const oracle_moves *expected) {
    for (int i = 0; i < sorted->count || i < expected->count; i++) {
        const bool extra = i >= expected->count || (i < sorted->count && sorted->moves[i] < expected->moves[i]);
        const bool missing = i >= sorted->count || (i < expected->count && sorted->moves[i] > expected->moves[i]);
        if (extra || missing) {
            const luft_move move = extra ? sorted->moves[i] : expected->moves[i];
            char text[LUFT_UCI_MOVE_SIZE];
            luft_move_to_uci(text, sizeof text, move, LUFT_CASTLING_CHESS960);
            print_error("%s: %s of kind %d\n", extra ? "not legal or twice" : "missing", text, move >> 12);
            require(false, position, "the legal moves");
        }
    }
}

static void check_list(const luft_position *position, void *payload) {
    (void)payload;
    const oracle_board board = oracle_from_position(position);
    oracle_moves expected;
    oracle_generate(&expected, &board);
    luft_move_list list;
    const int count = luft_generate(&list, position, LUFT_ALL_MOVES);
    require_equal((uint64_t)count, (uint64_t)list.count, position, "count returned and count in the list");
    sort_moves(&list);
    require_moves(position, &list, &expected); /* the oracle's moves are distinct, so a duplicate counts as extra */
}

static void legal_moves_are_those_of_the_oracle_in_games(void **state) {
    (void)state;
    visit_random_games(test_rounds(300), check_list, NULL);
}

static void legal_moves_are_those_of_the_oracle_in_fantastic_positions(void **state) {
    (void)state;
    visit_fantastic_positions(test_rounds(24000), check_list, NULL);
}

/* --- Classes and shortcuts ---------------------------------------------- */

static void check_classes(const luft_position *position, void *payload) {
    (void)payload;
    luft_move_list all;
    luft_move_list captures;
    luft_move_list quiets;
    luft_move_list evasions;
    luft_generate(&all, position, LUFT_ALL_MOVES);
    luft_generate(&captures, position, LUFT_CAPTURES);
    luft_generate(&quiets, position, LUFT_QUIETS);
    luft_generate(&evasions, position, LUFT_EVASIONS);

    for (int i = 0; i < captures.count; i++) {
        const luft_move move = captures.moves[i];
        const bool is_capture = luft_piece_at(&position->board, luft_move_to(move)) != LUFT_NO_PIECE ||
                                luft_move_kind_of(move) == LUFT_EN_PASSANT;
        require(is_capture || luft_move_is_promotion(move), position, "the captures class captures or promotes");
        require(luft_move_is_capture(move) == is_capture, position, "the capture bit matches the board");
    }
    luft_move_list joined = captures;
    for (int i = 0; i < quiets.count; i++) {
        const luft_move_kind kind = luft_move_kind_of(quiets.moves[i]);
        require(kind == LUFT_QUIET || kind == LUFT_DOUBLE_PUSH || kind == LUFT_CASTLING, position, "quiet moves");
        require(joined.count < LUFT_MAX_MOVES, position, "captures and quiets are no more than all moves");
        joined.moves[joined.count++] = quiets.moves[i];
    }
    require_equal((uint64_t)joined.count, (uint64_t)all.count, position, "captures and quiets together");
    sort_moves(&all);
    sort_moves(&joined);
    sort_moves(&evasions);
    const size_t size = (size_t)all.count * sizeof all.moves[0];
    require(memcmp(joined.moves, all.moves, size) == 0, position, "captures and quiets are all moves");

    const bool in_check = luft_in_check(position);
    require_equal((uint64_t)evasions.count, in_check ? (uint64_t)all.count : 0, position, "evasions");
    require(!in_check || memcmp(evasions.moves, all.moves, size) == 0, position, "evasions are all moves in check");
    require_equal((uint64_t)luft_count_moves(position), (uint64_t)all.count, position, "luft_count_moves");
    require(luft_has_legal_move(position) == (all.count > 0), position, "luft_has_legal_move");
}

static void classes_and_counts_agree_with_the_list(void **state) {
    (void)state;
    visit_random_positions(test_rounds(150), check_classes, NULL);
}

static void check_is_legal(const luft_position *position, void *payload) {
    (void)payload;
    static bool expected[65536];
    memset(expected, 0, sizeof expected);
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        expected[list.moves[i]] = true;
    }
    for (unsigned value = 0; value < 65536; value++) {
        if (luft_is_legal(position, (luft_move)value) != expected[value]) {
            print_error("move value %#x, %s the list\n", value, expected[value] ? "in" : "not in");
            require(false, position, "luft_is_legal");
        }
    }
}

static void is_legal_agrees_with_the_list_for_every_value(void **state) {
    (void)state;
    static const char *const fens[] = {
        START_FEN,
        KIWIPETE_FEN,
        "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",                    /* en passant captures the checking pawn */
        "4k3/2b5/8/3pP3/5K2/8/8/8 w - d6 0 1",                  /* en passant along a pin */
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",            /* pins on ranks */
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",                 /* both castlings */
        "4k3/8/8/8/8/8/8/1RK4R w BH - 0 1",                     /* castling where the king stays */
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",              /* promotions */
        "4k3/8/8/8/1b5b/8/3Q1B2/4K3 w - - 0 1",                 /* pinned on both diagonals */
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", /* 218 moves */
        "4k3/8/8/8/8/5n2/4r3/4K3 w - - 0 1",                    /* double check */
        "8/q2q2qk/8/2NNN3/q1NKN1q1/2NNN3/8/q2q2q1 w - - 0 1",   /* everything is pinned */
    };
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        const luft_position position = position_from(fens[i]);
        check_is_legal(&position, NULL);
    }
    visit_fantastic_positions(test_rounds(300), check_is_legal, NULL);
    random_source source = {7};
    for (int i = 0; i < test_rounds(3); i++) {
        luft_position start;
        assert_int_equal(luft_chess960_position(&start, random_below(&source, 960)), LUFT_OK);
        random_game(random_next(&source), &start, 80, check_is_legal, NULL);
    }
}

static void check_gives_check(const luft_position *position, void *payload) {
    (void)payload;
    const oracle_board board = oracle_from_position(position);
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        const luft_move move = list.moves[i];
        luft_position next;
        luft_make(&next, position, move);
        const oracle_board after = oracle_make(&board, move);
        const bool expected = oracle_in_check(&after, after.side);
        require(luft_in_check(&next) == expected, &next, "luft_in_check");
        if (luft_gives_check(position, move) != expected) {
            char text[LUFT_UCI_MOVE_SIZE];
            luft_move_to_uci(text, sizeof text, move, LUFT_CASTLING_CHESS960);
            print_error("%s %s check\n", text, expected ? "gives" : "does not give");
            require(false, position, "luft_gives_check");
        }
    }
}

static void gives_check_agrees_with_making_the_move(void **state) {
    (void)state;
    visit_random_positions(test_rounds(60), check_gives_check, NULL);
}

static void checks_that_are_hard_to_see(void **state) {
    (void)state;
    static const struct {
        const char *fen, *move;
        bool check;
    } cases[] = {
        {"6k1/8/8/3pP3/8/8/B7/4K3 w - d6 0 1", "e5d6", true}, /* the captured pawn blocked the line */
        {"4k3/b7/8/8/3Pp3/8/8/6K1 b - d3 0 1", "e4d3", true}, /* the same for Black */
        {"8/8/8/R2pP2k/8/8/8/4K3 w - d6 0 1", "e5d6", true},  /* both pawns blocked it */
        {"8/8/8/R2pP2k/8/8/8/4K3 w - d6 0 1", "e5e6", false}, /* one of them still does */
        {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", true},     /* the castled rook checks on its file */
        {"8/8/8/8/8/8/8/R3K2k w Q - 0 1", "e1c1", true},      /* on the rank, through the king's origin */
        {"6k1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", false},    /* the king is not on the rook's file */
        {"8/4P3/8/4k3/8/8/8/K7 w - - 0 1", "e7e8r", true},    /* through the square it left */
        {"8/4P3/8/4k3/8/8/8/K7 w - - 0 1", "e7e8b", false},   /* a bishop does not */
        {"8/4P3/3k4/8/8/8/8/K7 w - - 0 1", "e7e8n", true},    /* a knight checks where a queen would not */
        {"8/4P3/3k4/8/8/8/8/K7 w - - 0 1", "e7e8q", false},
        {"4k3/8/8/8/8/8/4K3/4R3 w - - 0 1", "e2d2", true},  /* the king discovers the rook */
        {"4k3/8/8/8/8/8/4K3/4R3 w - - 0 1", "e2e3", false}, /* but not along the file */
        {"4k3/8/8/8/8/4P3/8/4RK2 w - - 0 1", "e3e4", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const luft_position position = position_from(cases[i].fen);
        const luft_move move = move_from(&position, cases[i].move);
        require(luft_gives_check(&position, move) == cases[i].check, &position, cases[i].move);
        check_gives_check(&position, NULL);
    }
}

/* --- Worked examples ---------------------------------------------------- */

static void assert_moves(const char *fen, int captures, int quiets) {
    const luft_position position = position_from(fen);
    luft_move_list list;
    assert_int_equal(luft_generate(&list, &position, LUFT_CAPTURES), captures);
    assert_int_equal(luft_generate(&list, &position, LUFT_QUIETS), quiets);
    assert_int_equal(luft_generate(&list, &position, LUFT_ALL_MOVES), captures + quiets);
    check_list(&position, NULL);
}

static int moves_from(const char *fen, luft_square from, luft_move_class which) {
    const luft_position position = position_from(fen);
    luft_move_list list;
    int count = 0;
    luft_generate(&list, &position, which);
    for (int i = 0; i < list.count; i++) {
        count += luft_move_from(list.moves[i]) == from;
    }
    return count;
}

static void a_pinned_rook_moves_along_its_pin(void **state) {
    (void)state;
    static const char fen[] = "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1";
    assert_int_equal(moves_from(fen, LUFT_E2, LUFT_QUIETS), 4);
    assert_int_equal(moves_from(fen, LUFT_E2, LUFT_CAPTURES), 1);
    assert_moves(fen, 1, 8);
}

static void a_rook_blocks_a_check_on_one_square(void **state) {
    (void)state;
    static const char fen[] = "4k3/4r3/8/8/8/8/R7/4K3 w - - 0 1";
    const luft_position position = position_from(fen);
    assert_int_equal(moves_from(fen, LUFT_A2, LUFT_ALL_MOVES), 1);
    assert_true(luft_is_legal(&position, luft_make_move(LUFT_A2, LUFT_E2, LUFT_QUIET)));
    assert_moves(fen, 0, 5);
}

static void known_counts(void **state) {
    (void)state;
    assert_moves("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", 2, 7);
    assert_moves("8/q2q2qk/8/2NNN3/q1NKN1q1/2NNN3/8/q2q2q1 w - - 0 1", 0, 0);
    assert_moves("8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1", 0, 5);
}

static void positions_with_218_moves(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        uint64_t replies;
    } cases[] = {
        {"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 99},
        {"3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1", 20},
    };
    for (size_t i = 0; i < 2; i++) {
        const luft_position position = position_from(cases[i].fen);
        luft_move_list list;
        assert_int_equal(luft_generate(&list, &position, LUFT_ALL_MOVES), 218);
        assert_int_equal(luft_count_moves(&position), 218);
        assert_int_equal(luft_perft(&position, 1, LUFT_PERFT_ONE_PLY), 218);
        assert_int_equal(luft_perft(&position, 2, LUFT_PERFT_ONE_PLY), cases[i].replies);
        check_list(&position, NULL);
    }
}

/* Compares a position and its colour-flipped position with the oracle. */
static void check_both_colours(const luft_position *position) {
    luft_position flipped;
    assert_int_equal(luft_position_flip(&flipped, position), LUFT_OK);
    check_list(position, NULL);
    check_list(&flipped, NULL);
    check_is_legal(position, NULL);
    check_is_legal(&flipped, NULL);
}

static void en_passant_is_judged_exactly(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        luft_square from, to;
        bool legal;
    } cases[] = {
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", LUFT_E5, LUFT_D6, true},    /* nothing prevents it */
        {"8/8/8/3pP3/4K3/8/8/4k3 w - d6 0 1", LUFT_E5, LUFT_D6, true},    /* captures the checking pawn */
        {"k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", LUFT_E5, LUFT_D6, false},   /* in check by a knight */
        {"8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1", LUFT_D5, LUFT_C6, false},   /* opens the rank */
        {"8/8/8/KPpP3r/8/8/8/4k3 w - c6 0 1", LUFT_D5, LUFT_C6, true},    /* a second pawn still blocks it */
        {"8/8/8/KPpP3r/8/8/8/4k3 w - c6 0 1", LUFT_B5, LUFT_C6, true},    /* so does the other pawn */
        {"q6k/8/8/3pP3/8/8/8/7K w - d6 0 1", LUFT_E5, LUFT_D6, false},    /* opens a diagonal */
        {"4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", LUFT_E5, LUFT_D6, false},  /* pinned on its file */
        {"4k3/6b1/8/3pP3/3K4/8/8/8 w - d6 0 1", LUFT_E5, LUFT_D6, false}, /* pinned on a diagonal */
        {"4k3/2b5/8/3pP3/5K2/8/8/8 w - d6 0 1", LUFT_E5, LUFT_D6, true},  /* moves along its pin */
        {"4b2k/8/8/3pP3/K7/8/8/8 w - d6 0 1", LUFT_E5, LUFT_D6, false},   /* does not answer the check */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const luft_position position = position_from(cases[i].fen);
        const luft_move move = luft_make_move(cases[i].from, cases[i].to, LUFT_EN_PASSANT);
        require(luft_is_legal(&position, move) == cases[i].legal, &position, "the en passant capture");
        require((position.ep_square != LUFT_NO_SQUARE) == cases[i].legal, &position, "the en passant square");
        check_both_colours(&position);
    }
}

static void castling_follows_the_rules(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        luft_square king, rook;
        bool legal;
    } cases[] = {
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", LUFT_E1, LUFT_H1, true}, /* the rook may be attacked */
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", LUFT_E1, LUFT_A1, true},
        {"1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", LUFT_E1, LUFT_A1,
         true}, /* b1 is attacked, but the king does not cross it */
        {"3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", LUFT_E1, LUFT_A1, false},  /* through an attacked square */
        {"3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", LUFT_E1, LUFT_H1, true},   /* the other side is not attacked */
        {"4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", LUFT_E1, LUFT_H1, false}, /* onto an attacked square */
        {"4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1", LUFT_E1, LUFT_H1, false}, /* out of check */
        {"4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1", LUFT_E1, LUFT_A1, false},
        {"4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", LUFT_E1, LUFT_A1, false}, /* the rook's path is blocked */
        {"4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", LUFT_E1, LUFT_H1, false},   /* the right is gone */
        {"4k3/8/8/8/8/8/8/1RK5 w B - 0 1", LUFT_C1, LUFT_B1, true},     /* the king stays where it is */
        {"4k3/8/8/8/8/8/8/rRK5 w B - 0 1", LUFT_C1, LUFT_B1, false},    /* the rook is pinned on the rank */
        {"4k3/8/8/8/8/8/8/rR1K4 w B - 0 1", LUFT_D1, LUFT_B1, false},
        {"4k3/8/8/8/8/8/8/6KR w H - 0 1", LUFT_G1, LUFT_H1, true}, /* only the rook moves */
        {"4k3/8/8/8/8/8/8/5BKR w H - 0 1", LUFT_G1, LUFT_H1, false},
        {"4k3/8/8/8/8/8/8/RK1N4 w A - 0 1", LUFT_B1, LUFT_A1, false}, /* the rook's target is occupied */
        {"4k3/8/8/8/8/8/8/RK2N3 w A - 0 1", LUFT_B1, LUFT_A1, true},
        {"4k3/8/8/8/8/8/8/5KR1 w G - 0 1", LUFT_F1, LUFT_G1, true}, /* king and rook change places */
        {"4k3/8/8/8/8/8/8/5KRr w G - 0 1", LUFT_F1, LUFT_G1, false},
        {"4k3/8/8/8/8/8/8/1K5R w H - 0 1", LUFT_B1, LUFT_H1, true},    /* the king crosses many squares */
        {"3rk3/8/8/8/8/8/8/1K5R w H - 0 1", LUFT_B1, LUFT_H1, false},  /* the king crosses an attacked square */
        {"4k3/8/8/8/8/8/8/1R2K2R w KQ - 0 1", LUFT_E1, LUFT_B1, true}, /* X-FEN: Q is the outermost rook */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const luft_position position = position_from(cases[i].fen);
        const luft_move move = luft_make_move(cases[i].king, cases[i].rook, LUFT_CASTLING);
        require(luft_is_legal(&position, move) == cases[i].legal, &position, "castling");
        check_both_colours(&position);
    }
}

/* --- The oracle itself --------------------------------------------------- */

static uint64_t oracle_perft(const oracle_board *board, int depth) {
    oracle_moves list;
    oracle_generate(&list, board);
    if (depth == 1) {
        return (uint64_t)list.count;
    }
    uint64_t nodes = 0;
    for (int i = 0; i < list.count; i++) {
        const oracle_board next = oracle_make(board, list.moves[i]);
        nodes += oracle_perft(&next, depth - 1);
    }
    return nodes;
}

static void the_oracle_meets_published_counts(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        int depth;
        uint64_t nodes;
    } published[] = {
        {START_FEN, 3, 8902},
        {KIWIPETE_FEN, 3, 97862},
        {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43238},
        {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9467},
        {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62379},
    };
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        const oracle_board board = oracle_from_fen(published[i].fen);
        assert_int_equal(oracle_perft(&board, published[i].depth), published[i].nodes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oracle_meets_published_counts),
        cmocka_unit_test(legal_moves_are_those_of_the_oracle_in_games),
        cmocka_unit_test(legal_moves_are_those_of_the_oracle_in_fantastic_positions),
        cmocka_unit_test(classes_and_counts_agree_with_the_list),
        cmocka_unit_test(is_legal_agrees_with_the_list_for_every_value),
        cmocka_unit_test(gives_check_agrees_with_making_the_move),
        cmocka_unit_test(checks_that_are_hard_to_see),
        cmocka_unit_test(a_pinned_rook_moves_along_its_pin),
        cmocka_unit_test(a_rook_blocks_a_check_on_one_square),
        cmocka_unit_test(known_counts),
        cmocka_unit_test(positions_with_218_moves),
        cmocka_unit_test(en_passant_is_judged_exactly),
        cmocka_unit_test(castling_follows_the_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
