/* SPDX-License-Identifier: MIT */
/*
 * Perft: two suites with counts of another program, the six well-known positions with
 * their published counts and details, and on random positions the three methods (two-ply,
 * one-ply, plain) against each other and against the colour-flipped position, which has
 * the same count. test_perft_two_ply.c has the cases of two-ply counting,
 * test_perft_hash.c perft with a table.
 */
#include "support/check.h"
#include "support/random_positions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POSITION_3 "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
#define POSITION_4 "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
#define POSITION_5 "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
#define POSITION_6 "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"

/* --- Suites ------------------------------------------------------------- */

typedef struct suite_result {
    int positions, counts, wrong;
} suite_result;

static uint64_t most_nodes(void) {
    return test_is_quick() ? 20000 : test_is_long() ? UINT64_MAX : 1000000;
}

static void check_count(suite_result *result, const luft_position *position, int line, int depth, uint64_t expected) {
    luft_position flipped;
    assert_int_equal(luft_position_flip(&flipped, position), LUFT_OK);
    const uint64_t plain_limit = test_is_quick() ? 2000 : test_is_long() ? 1000000 : 50000;
    const uint64_t counted = luft_perft(position, depth, LUFT_PERFT_ONE_PLY);
    const uint64_t in_pairs = luft_perft(position, depth, LUFT_PERFT_TWO_PLY);
    const bool plain_right = expected > plain_limit || luft_perft(position, depth, LUFT_PERFT_PLAIN) == expected;
    const bool flipped_right = luft_perft(&flipped, depth, LUFT_PERFT_TWO_PLY) == expected &&
                               (expected > plain_limit || luft_perft(&flipped, depth, LUFT_PERFT_ONE_PLY) == expected);
    result->counts++;
    if (counted != expected || in_pairs != expected || !plain_right || !flipped_right) {
        result->wrong++;
        print_error("line %d, depth %d: %llu, expected %llu%s%s%s\n", line, depth, (unsigned long long)counted,
                    (unsigned long long)expected, in_pairs == expected ? "" : ", two-ply is wrong",
                    plain_right ? "" : ", plain is wrong", flipped_right ? "" : ", the flipped position is wrong");
    }
}

/* One line: a FEN, then ";D1 20 ;D2 400" and so on. */
static void check_line(suite_result *result, char *text, int line) {
    char *counts = strchr(text, ';');
    assert_non_null(counts);
    size_t length = (size_t)(counts - text);
    while (length > 0 && text[length - 1] == ' ') {
        length--;
    }
    luft_position position;
    assert_int_equal(luft_position_from_fen(&position, text, length, NULL), LUFT_OK);
    result->positions++;
    for (; counts != NULL; counts = strchr(counts + 1, ';')) {
        assert_int_equal(counts[1], 'D');
        char *end = NULL;
        const int depth = (int)strtol(counts + 2, &end, 10);
        const uint64_t expected = strtoull(end, NULL, 10);
        assert_in_range(depth, 1, 20);
        if (expected <= most_nodes()) {
            check_count(result, &position, line, depth, expected);
        }
    }
}

static void run_suite(const char *name, int positions) {
    char path[1024];
    assert_true(snprintf(path, sizeof path, "%s/perft/%s", test_data_directory(), name) < (int)sizeof path);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fail_msg("cannot open %s", path);
    }
    suite_result result = {0, 0, 0};
    char text[512];
    for (int line = 1; fgets(text, sizeof text, file) != NULL; line++) {
        check_line(&result, text, line);
    }
    fclose(file);
    print_message("%s: %d positions, %d counts, %d wrong\n", name, result.positions, result.counts, result.wrong);
    assert_int_equal(result.positions, positions);
    assert_true(result.counts >= 2 * positions);
    assert_int_equal(result.wrong, 0);
}

static void the_standard_suite_is_right(void **state) {
    (void)state;
    run_suite("own-standard.epd", 1500);
}

static void the_chess960_suite_is_right(void **state) {
    (void)state;
    run_suite("own-chess960.epd", 600);
}

/* --- Published counts --------------------------------------------------- */

static void published_counts_are_met(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        uint64_t counts[6]; /* from depth 1 on */
    } published[] = {
        {START_FEN, {20, 400, 8902, 197281, 4865609, 119060324}}, {KIWIPETE_FEN, {48, 2039, 97862, 4085603, 193690690}},
        {POSITION_3, {14, 191, 2812, 43238, 674624, 11030083}},   {POSITION_4, {6, 264, 9467, 422333, 15833292}},
        {POSITION_5, {44, 1486, 62379, 2103487, 89941194}},       {POSITION_6, {46, 2079, 89890, 3894594, 164075551}},
    };
    const uint64_t limit = test_is_quick() ? 500000 : test_is_long() ? UINT64_MAX : 5000000;
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        const luft_position position = position_from(published[i].fen);
        luft_position flipped;
        assert_int_equal(luft_position_flip(&flipped, &position), LUFT_OK);
        for (int depth = 1; depth <= 6; depth++) {
            const uint64_t expected = published[i].counts[depth - 1];
            if (expected == 0 || expected > limit) {
                break;
            }
            require_equal(luft_perft(&position, depth, LUFT_PERFT_TWO_PLY), expected, &position, "two-ply");
            require_equal(luft_perft(&flipped, depth, LUFT_PERFT_TWO_PLY), expected, &flipped, "flipped, two-ply");
            require_equal(luft_perft(&position, depth, LUFT_PERFT_ONE_PLY), expected, &position, "one-ply");
            require_equal(luft_perft(&flipped, depth, LUFT_PERFT_ONE_PLY), expected, &flipped, "flipped, one-ply");
            if (expected <= limit / 10) {
                require_equal(luft_perft(&position, depth, LUFT_PERFT_PLAIN), expected, &position, "plain");
            }
        }
    }
}

/* --- Details ------------------------------------------------------------ */

typedef struct detail_case {
    const char *fen;
    int depth;
    luft_perft_details details;
} detail_case;

static void check_details(const detail_case *expected) {
    const luft_position position = position_from(expected->fen);
    luft_perft_details actual = {0};
    assert_int_equal(luft_perft_count_details(&actual, &position, expected->depth), LUFT_OK);
    const luft_perft_details *want = &expected->details;
    require_equal(actual.nodes, want->nodes, &position, "nodes");
    require_equal(actual.captures, want->captures, &position, "captures");
    require_equal(actual.en_passant, want->en_passant, &position, "en passant");
    require_equal(actual.castles, want->castles, &position, "castles");
    require_equal(actual.promotions, want->promotions, &position, "promotions");
    require_equal(actual.checks, want->checks, &position, "checks");
    require_equal(actual.discovered_checks, want->discovered_checks, &position, "discovered checks");
    require_equal(actual.double_checks, want->double_checks, &position, "double checks");
    require_equal(actual.mates, want->mates, &position, "mates");
}

/*
 * The tables of the Chess Programming Wiki: nodes, captures, en passant, castles,
 * promotions, checks, discovered checks, double checks, mates.
 */
static void published_details_are_met(void **state) {
    (void)state;
    static const detail_case published[] = {
        {START_FEN, 3, {8902, 34, 0, 0, 0, 12, 0, 0, 0}},
        {START_FEN, 4, {197281, 1576, 0, 0, 0, 469, 0, 0, 8}},
        {KIWIPETE_FEN, 1, {48, 8, 0, 2, 0, 0, 0, 0, 0}},
        {KIWIPETE_FEN, 2, {2039, 351, 1, 91, 0, 3, 0, 0, 0}},
        {KIWIPETE_FEN, 3, {97862, 17102, 45, 3162, 0, 993, 0, 0, 1}},
        {POSITION_3, 1, {14, 1, 0, 0, 0, 2, 0, 0, 0}},
        {POSITION_3, 2, {191, 14, 0, 0, 0, 10, 0, 0, 0}},
        {POSITION_3, 3, {2812, 209, 2, 0, 0, 267, 3, 0, 0}},
        {POSITION_3, 4, {43238, 3348, 123, 0, 0, 1680, 106, 0, 17}},
    };
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        check_details(&published[i]);
    }
    static const detail_case greater[] = {
        {START_FEN, 5, {4865609, 82719, 258, 0, 0, 27351, 6, 0, 347}},
        {KIWIPETE_FEN, 4, {4085603, 757163, 1929, 128013, 15172, 25523, 42, 6, 43}},
        {POSITION_3, 5, {674624, 52051, 1165, 0, 0, 52950, 1292, 3, 0}},
    };
    for (size_t i = 0; i < sizeof greater / sizeof greater[0] && !test_is_quick(); i++) {
        check_details(&greater[i]);
    }
}

/*
 * Three subtrees of Kiwipete at depth 7, counted by the grandchesstree project. It counts direct, discovered and
 * double checks and mates separately; their sum is the number of checks.
 */
static void subtrees_of_kiwipete_are_right(void **state) {
    (void)state;
    static const detail_case subtrees[] = {
        {"r3k2r/p1ppqpb1/1n2pnp1/3PN3/1p2P3/2N2Q1p/PPPBbPPP/R4K1R w kq - 0 1",
         5,
         {16902302, 3174295, 7415, 0, 0, 215890 + 410 + 1861, 410, 0, 1861}},
        {"r3k2r/p1ppqpb1/1n2pnp1/3PN3/1p2P3/2N2Q1p/PPPBbPPP/R2K3R w kq - 0 1",
         5,
         {17117167, 3195583, 7451, 0, 0, 218232 + 410 + 1864, 410, 0, 1864}},
        {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q2/PPPBBPpP/R4K1R w kq - 0 1",
         5,
         {17742046, 2876516, 6902, 0, 0, 222121 + 244 + 2 + 1729, 244, 2, 1729}},
    };
    for (size_t i = 0; i < sizeof subtrees / sizeof subtrees[0] && !test_is_quick(); i++) {
        const luft_position position = position_from(subtrees[i].fen);
        const int depth = subtrees[i].depth;
        const uint64_t nodes = subtrees[i].details.nodes;
        require_equal(luft_perft(&position, depth, LUFT_PERFT_TWO_PLY), nodes, &position, "two-ply");
        require_equal(luft_perft(&position, depth, LUFT_PERFT_ONE_PLY), nodes, &position, "one-ply");
        if (test_is_long()) {
            check_details(&subtrees[i]);
        }
    }
}

/* Details of small positions, counted by hand. */
static void details_of_small_positions_are_right(void **state) {
    (void)state;
    /* Castling gives check with the rook, and so do Rf1 and Rh8: three checks, none discovered. */
    static const detail_case castling = {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", 1, {15, 0, 0, 1, 0, 3, 0, 0, 0}};
    check_details(&castling);
    const luft_position discovering = position_from("4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1");
    luft_perft_details details = {0};
    assert_int_equal(luft_perft_count_details(&details, &discovering, 1), LUFT_OK);
    /* Each of the eight knight moves discovers a check by the rook; from d6 and f6 the knight checks too. */
    assert_int_equal(details.checks, 8);
    assert_int_equal(details.double_checks, 2);
    assert_int_equal(details.discovered_checks, 6);
    assert_int_equal(luft_perft_count_details(&details, &discovering, 1), LUFT_OK);
    assert_int_equal(details.checks, 16); /* counts are added */
    details = (luft_perft_details){0};
    assert_int_equal(luft_perft_count_details(&details, &discovering, 0), LUFT_OK);
    assert_int_equal(details.nodes, 1);
    assert_int_equal(details.checks, 0);

    /* En passant discovers rook and bishop at once; the other check is Bxd5. */
    const luft_position twice = position_from("4R3/1B6/8/3pP3/4k3/8/8/K7 w - d6 0 1");
    details = (luft_perft_details){0};
    assert_int_equal(luft_perft_count_details(&details, &twice, 1), LUFT_OK);
    assert_int_equal(details.checks, 2);
    assert_int_equal(details.double_checks, 1);
    assert_int_equal(details.discovered_checks, 0);
}

/* --- Properties --------------------------------------------------------- */

static void check_methods_agree(const luft_position *position, void *payload) {
    const int depth = *(const int *)payload;
    luft_position flipped;
    assert_int_equal(luft_position_flip(&flipped, position), LUFT_OK);
    const uint64_t plain = luft_perft(position, depth, LUFT_PERFT_PLAIN);
    require_equal(luft_perft(position, depth, LUFT_PERFT_ONE_PLY), plain, position, "one-ply against plain");
    require_equal(luft_perft(position, depth, LUFT_PERFT_TWO_PLY), plain, position, "two-ply against plain");
    require_equal(luft_perft(&flipped, depth, LUFT_PERFT_ONE_PLY), plain, &flipped, "flipped, one-ply");
    require_equal(luft_perft(&flipped, depth, LUFT_PERFT_TWO_PLY), plain, &flipped, "flipped, two-ply");
}

static void the_methods_agree_on_fantastic_positions(void **state) {
    (void)state;
    int depth = 2;
    visit_fantastic_positions(test_rounds(6000), check_methods_agree, &depth);
    depth = 3;
    visit_fantastic_positions(test_rounds(30), check_methods_agree, &depth);
}

/* Every second game is Chess960. */
static void the_methods_agree_on_all_positions_of_random_games(void **state) {
    (void)state;
    int depth = 2;
    visit_random_games(test_rounds(60), check_methods_agree, &depth);
    depth = 3;
    visit_random_games(test_rounds(2), check_methods_agree, &depth);
}

static void check_detailed_nodes(const luft_position *position, void *payload) {
    const int depth = *(const int *)payload;
    luft_perft_details details = {0};
    assert_int_equal(luft_perft_count_details(&details, position, depth), LUFT_OK);
    require_equal(details.nodes, luft_perft(position, depth, LUFT_PERFT_TWO_PLY), position, "the details' nodes");
}

static void the_details_count_the_same_nodes(void **state) {
    (void)state;
    int depth = 2;
    visit_fantastic_positions(test_rounds(600), check_detailed_nodes, &depth);
}

static void depth_0_is_one_node_and_depth_1_the_legal_moves(void **state) {
    (void)state;
    const luft_position position = position_from(KIWIPETE_FEN);
    for (int method = LUFT_PERFT_TWO_PLY; method <= LUFT_PERFT_PLAIN; method++) {
        assert_int_equal(luft_perft(&position, 0, (luft_perft_method)method), 1);
        assert_int_equal(luft_perft(&position, 1, (luft_perft_method)method), luft_count_moves(&position));
    }
    const luft_position mate = position_from("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
    const luft_position stalemate = position_from("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1");
    for (int method = LUFT_PERFT_TWO_PLY; method <= LUFT_PERFT_PLAIN; method++) {
        for (int depth = 1; depth <= LUFT_PERFT_MAX_DEPTH; depth++) {
            assert_int_equal(luft_perft(&mate, depth, (luft_perft_method)method), 0);
            assert_int_equal(luft_perft(&stalemate, depth, (luft_perft_method)method), 0);
        }
    }
}

static void bad_arguments_count_nothing(void **state) {
    (void)state;
    const luft_position position = luft_start_position();
    luft_perft_details details = {.nodes = 7};
    static const int depths[] = {-1, -1000000, LUFT_PERFT_MAX_DEPTH + 1, 1000000};
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        for (int method = LUFT_PERFT_TWO_PLY; method <= LUFT_PERFT_PLAIN; method++) {
            assert_int_equal(luft_perft(&position, depths[i], (luft_perft_method)method), 0);
        }
        assert_int_equal(luft_perft_count_details(&details, &position, depths[i]), LUFT_ERROR_ARGUMENT);
    }
    assert_int_equal(luft_perft(&position, 2, (luft_perft_method)(LUFT_PERFT_PLAIN + 1)), 0);
    assert_int_equal(luft_perft(&position, 2, (luft_perft_method)99), 0);
    assert_int_equal(luft_perft(NULL, 2, LUFT_PERFT_TWO_PLY), 0);
    assert_int_equal(luft_perft(NULL, 2, LUFT_PERFT_ONE_PLY), 0);
    assert_int_equal(luft_perft(NULL, 2, LUFT_PERFT_PLAIN), 0);
    assert_int_equal(luft_perft_count_details(&details, NULL, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_perft_count_details(NULL, &position, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(details.nodes, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_standard_suite_is_right),
        cmocka_unit_test(the_chess960_suite_is_right),
        cmocka_unit_test(published_counts_are_met),
        cmocka_unit_test(published_details_are_met),
        cmocka_unit_test(subtrees_of_kiwipete_are_right),
        cmocka_unit_test(details_of_small_positions_are_right),
        cmocka_unit_test(the_methods_agree_on_fantastic_positions),
        cmocka_unit_test(the_methods_agree_on_all_positions_of_random_games),
        cmocka_unit_test(the_details_count_the_same_nodes),
        cmocka_unit_test(depth_0_is_one_node_and_depth_1_the_legal_moves),
        cmocka_unit_test(bad_arguments_count_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
