/* SPDX-License-Identifier: MIT */
/*
 * Queries: random ones agree at every position with the slow matcher of tests/support, facts and summaries never rule
 * out a game that matches, and bad text is refused at the right place.
 */
#include "support/check.h"
#include "support/failing_malloc.h"
#include "support/slow_query.h"

#include <stdlib.h>
#include <string.h>

/* --- Games ------------------------------------------------------------------ */

typedef struct test_game {
    luft_position positions[SLOW_PLIES_MAX + 1];
    slow_game slow;
    luft_query_summary summary;
    luft_query_facts facts;
} test_game;

static void add_position(const luft_position *position, void *payload) {
    test_game *game = payload;
    const int i = game->slow.count++;
    game->positions[i] = *position;
    game->slow.boards[i] = oracle_from_position(position);
    game->slow.is_over[i] = luft_count_moves(position) == 0;
    luft_query_summary_add(&game->summary, position, i == 0);
}

static luft_query_text text_of(const char *text) {
    return (luft_query_text){text, strlen(text)};
}

/* A random game with random facts. */
static test_game *make_game(uint64_t seed) {
    static const char *const names[] = {"Anna", "Boris", "Carla", "Dmitri"};
    static const char *const codes[] = {"A00", "B90", "B99", "E60"};
    test_game *game = calloc(1, sizeof *game);
    random_source source = {seed};
    luft_position start = luft_start_position();
    assert_non_null(game);
    if (seed % 3 == 1) {
        assert_int_equal(luft_chess960_position(&start, random_below(&source, 960)), LUFT_OK);
    } else if (seed % 3 == 2) {
        start = fantastic_position(seed);
    }
    random_game(seed, &start, 10 + random_below(&source, SLOW_PLIES_MAX - 10), add_position, game);
    slow_game *slow = &game->slow;
    for (int side = 0; side < 2; side++) {
        slow->player[side] = names[random_below(&source, 4)];
        slow->elo[side] = 2000 + random_below(&source, 30);
    }
    slow->date = 19900101 + 10000 * random_below(&source, 3);
    slow->result = (luft_result)(LUFT_RESULT_WHITE + random_below(&source, 3));
    slow->eco = codes[random_below(&source, 4)];
    game->facts = (luft_query_facts){.player = {text_of(slow->player[0]), text_of(slow->player[1])},
                                     .elo = {slow->elo[0], slow->elo[1]},
                                     .date = slow->date,
                                     .result = slow->result,
                                     .plies = (uint32_t)(slow->count - 1),
                                     .summary = &game->summary};
    memcpy(game->facts.eco, slow->eco, 4);
    return game;
}

static luft_query *compile(const char *text) {
    luft_query *query = NULL;
    luft_query_report report;
    if (luft_query_compile(&query, text, strlen(text), &report) != LUFT_OK) {
        print_error("%s\n%zu: %s\n", text, report.offset, report.reason);
        fail();
    }
    return query;
}

/* --- Properties ------------------------------------------------------------- */

/* Every value at every position is that of the slow matcher. Returns the first ply that matches, -1 if none does. */
static int compare(const luft_query *query, const slow_query *slow, const test_game *game) {
    luft_query_matcher *matcher = NULL;
    int first = -1;
    assert_int_equal(luft_query_matcher_create(&matcher, query), LUFT_OK);
    luft_query_begin(matcher, &game->facts);
    for (int ply = 0; ply < game->slow.count; ply++) {
        const bool value = luft_query_feed(matcher, &game->positions[ply], ply == game->slow.count - 1);
        if (value != slow_query_value(slow, &game->slow, ply)) {
            print_error("query: %s\nply %d: got %d\n", slow->text, ply, value);
            require(false, &game->positions[ply], "the value of the slow matcher");
        }
        first = value && first < 0 ? ply : first;
    }
    luft_query_matcher_free(matcher);
    return first;
}

/* Neither facts nor summary rule out a game that matches, also if facts are not known yet. */
static bool check_possible(const luft_query *query, const slow_query *slow, const test_game *game, int first) {
    luft_query_facts facts = game->facts;
    const bool is_possible = luft_query_possible(query, &facts);
    if (first >= 0 && !is_possible) {
        print_error("ruled out, but ply %d matches: %s\n", first, slow->text);
        fail();
    }
    facts.pending = LUFT_QUERY_PLIES | LUFT_QUERY_RESULT | LUFT_QUERY_ECO;
    assert_true(!is_possible || luft_query_possible(query, &facts));
    if (!(luft_query_needs(query) & LUFT_QUERY_POSITIONS)) {
        assert_int_equal(is_possible, first >= 0); /* the facts decide */
    }
    return is_possible;
}

static void test_random_queries(void **state) {
    (void)state;
    slow_query *slow = calloc(1, sizeof *slow);
    int matched = 0, ruled_out = 0;
    const int games = test_rounds(30), queries = 40;
    for (int i = 0; i < games; i++) {
        test_game *game = make_game((uint64_t)i);
        test_game *other = make_game((uint64_t)i + 1000000);
        random_source source = {(uint64_t)i + 7};
        for (int j = 0; j < queries; j++) {
            slow_query_make(slow, &source, &game->slow, j % 4);
            luft_query *query = compile(slow->text);
            const int first = compare(query, slow, game);
            matched += first >= 0;
            check_possible(query, slow, game, first);
            ruled_out += !check_possible(query, slow, other, compare(query, slow, other));
            luft_query_free(query);
        }
        free(game);
        free(other);
    }
    /* Both must be frequent, or the test says little. */
    assert_in_range(matched, games * queries / 4, games * queries);
    assert_in_range(ruled_out, games * queries / 10, games * queries);
    free(slow);
}

/* --- The language ------------------------------------------------------------ */

/* The text with ? for %: in C, two question marks and a slash are a trigraph. */
static const char *with_question_marks(char buffer[LUFT_QUERY_TEXT_MAX], const char *text) {
    size_t length = 0;
    for (; text[length] != '\0'; length++) {
        assert_true(length < LUFT_QUERY_TEXT_MAX - 1);
        buffer[length] = text[length];
        if (buffer[length] == '%') {
            buffer[length] = '?';
        }
    }
    buffer[length] = '\0';
    return buffer;
}

/* The first ply of a game, given by UCI moves, at which the query matches; -1 if none does. */
static int first_match(const char *with_percent, const char *fen, const char *moves) {
    char buffer[LUFT_QUERY_TEXT_MAX];
    luft_query *query = compile(with_question_marks(buffer, with_percent));
    luft_query_matcher *matcher = NULL;
    const luft_query_facts facts = {.player = {text_of("Carlsen, Magnus"), text_of("Caruana, Fabiano")},
                                    .event = text_of("World Championship"),
                                    .site = text_of("London ENG"),
                                    .elo = {2835, 0},
                                    .date = 20181100,
                                    .result = LUFT_RESULT_DRAW,
                                    .eco = "B31",
                                    .plies = (uint32_t)(strlen(moves) + 1) / 5};
    luft_position position = position_from(fen);
    int first = -1;
    assert_int_equal(luft_query_matcher_create(&matcher, query), LUFT_OK);
    luft_query_begin(matcher, &facts);
    for (int ply = 0; first < 0; ply++) {
        const bool is_last = *moves == '\0';
        first = luft_query_feed(matcher, &position, is_last) ? ply : -1;
        if (is_last) {
            break;
        }
        char move[6] = "";
        memcpy(move, moves, strcspn(moves, " "));
        luft_make(&position, &position, move_from(&position, move));
        moves += strcspn(moves, " ");
        moves += *moves == ' ';
    }
    assert_true(first < 0 || luft_query_possible(query, &facts));
    luft_query_matcher_free(matcher);
    luft_query_free(query);
    return first;
}

static void expect(const char *text, int ply) {
    const int first = first_match(text, START_FEN, "e2e4 c7c5 g1f3 b8c6 f1b5 g7g6 b5c6 d7c6");
    if (first != ply) {
        print_error("%s: ply %d, expected %d\n", text, first, ply);
        fail();
    }
}

static void test_conditions_on_the_position(void **state) {
    (void)state;
    /* 1. e4 c5 2. Nf3 Nc6 3. Bb5 g6 4. Bxc6 dxc6 */
    expect("position \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"", 2);
    expect("position \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\"", 2);
    expect("position \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\"", -1);
    expect("position \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w Qkq -\"", -1);
    expect("board rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 0);
    expect("board ///%B%%%%%%////", 5);
    expect("board ///%a%%%%%%////", -1);
    expect("board ///%*%%%%%%////", 5);
    expect("board ///%.p%%%%%////", 2);
    expect("board ///%Ap%%%%%////", 5);
    expect("board ///1B1%%%%%////", -1);
    expect("board //%%.%%%%%/////", 0);
    expect("board //%%a%%%%%/////", 4);
    expect("board //%%A%%%%%/////", 7);
    expect("pawns //%%p%%%%%/////", 8);
    expect("pawns /ppppp.pp////4P3/PPPP.PPP/", -1);
    expect("pawns 8/pp1ppp1p/6p1/2p5/4P3/8/PPPP1PPP/8", 6);
    expect("pawns 8/pp1ppp1p/6p1/2p5/4P3/8/PPPP1PP1/8", -1);
    expect("material KQR2B2N2P8kqr2b2n1p8", 7);
    expect("material KQRRBBNNP8kqrrbbnp8", 7);
    expect("material KQR2B1N2P8kqr2b2n1p8", 8);
    expect("material KQR2B1..2N2P8kqr2b2n0..1p8", 7);
    expect("material KQ*R*B*N*P*kq*r*b*n1p*", 7);
    expect("material Kk", -1);
    expect("imbalance N", 7);
    expect("imbalance Nb", 8);
    expect("imbalance Nb*", 7);
    expect("imbalance nB", -1);
    expect("imbalance N2..", -1);
    expect("balance 3", 7);
    expect("balance 1..", 7);
    expect("balance ..-1", -1);
    expect("balance 0", 0);
    expect("doubled p1", 8);
    expect("doubled P1..", -1);
    expect("isolated p1..", -1);
    expect("passed P1..", -1);
    expect("turn black", 1);
    expect("check", -1);
    expect("ply 3", 3);
    expect("ply 4..", 4);
    expect("end", 8);
    expect("opposite-bishops", -1);
}

static void test_conditions_on_the_game(void **state) {
    (void)state;
    expect("player carlsen", 0);
    expect("player \"carlsen, m\"", 0);
    expect("white carlsen", 0);
    expect("black carlsen", -1);
    expect("flip black carlsen", 0);
    expect("black CARUANA", 0);
    expect("event championship", 0);
    expect("site eng", 0);
    expect("site usa", -1);
    expect("white-elo 2800..", 0);
    expect("black-elo 0..", -1);
    expect("elo 2000..", -1);
    expect("date 2018", 0);
    expect("date 2018.11", 0);
    expect("date 2018.11.05", -1);
    expect("date 2018.10..2018.12", 0);
    expect("date ..2017", -1);
    expect("date 2018.12..", -1);
    expect("result 1/2-1/2", 0);
    expect("result 1-0", -1);
    expect("eco B31", 0);
    expect("eco B3", 0);
    expect("eco B", 0);
    expect("eco B20..B99", 0);
    expect("eco C..", -1);
    expect("plies 8", 0);
    expect("plies 9..", -1);
}

static void test_operators(void **state) {
    (void)state;
    expect("turn black ply 2..", 3);
    expect("turn black and ply 2..", 3);
    expect("ply 3 or ply 2", 2);
    expect("not ply 0..4", 5);
    expect("ply 3 or ply 2 turn black", 3); /* `and` binds closer than `or` */
    expect("ply 2 then ply 2", -1);
    expect("ply 2 then turn black", 3);
    expect("ply 1 then within 2 ply 4", -1);
    expect("ply 1 then within 3 ply 4", 4);
    expect("turn black then within 1 turn white ply 8", 8); /* the last of several counts */
    expect("ply 1 then ply 2 or ply 5 then ply 6", 6);
    expect("imbalance N for 1", 7);
    expect("imbalance N for 2", -1);
    expect("balance 0 for 3", 2);
    expect("not balance 0 for 3", 0);
    expect("(not balance 0) for 2", -1);
    expect("end once imbalance N", 8);
    expect("end not once imbalance N", -1);
    expect("imbalance n", -1);
    expect("flip imbalance n", 7);
    expect("mirror board ///%%%%%%B%////", 5);
    expect("flip mirror board ////%%%%%b%%///", -1);
    expect("flip mirror board ////%%%%%%b%///", 5);
    expect("flip (pawns ///2P5//// then balance 0)", -1);
    expect("flip (pawns ////2P5/// then balance 0)", 3);
}

static void test_ends(void **state) {
    (void)state;
    assert_int_equal(first_match("checkmate", START_FEN, "f2f3 e7e5 g2g4 d8h4"), 4);
    assert_int_equal(first_match("stalemate", START_FEN, "f2f3 e7e5 g2g4 d8h4"), -1);
    assert_int_equal(first_match("check turn white", START_FEN, "f2f3 e7e5 g2g4 d8h4"), 4);
    assert_int_equal(first_match("end stalemate", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7"), 1);
    assert_int_equal(first_match("opposite-bishops", "4k3/8/8/2b5/2B5/8/8/4K3 w - - 0 1", ""), 0);
    assert_int_equal(first_match("opposite-bishops", "4k3/8/8/2b5/3B4/8/8/4K3 w - - 0 1", ""), -1);
    assert_int_equal(first_match("passed P2p0", "4k3/p7/8/3PP3/8/8/P7/4K3 w - - 0 1", ""), 0);
    assert_int_equal(first_match("isolated P1p1", "4k3/p7/8/3PP3/8/8/P7/4K3 w - - 0 1", ""), 0);
    assert_int_equal(first_match("doubled P2", "4k3/8/3P4/3P4/8/8/3P4/4K3 w - - 0 1", ""), 0);
}

/* --- Bad text --------------------------------------------------------------- */

/* The text is refused at this byte, with a reason that contains this. */
static void refused(const char *with_percent, size_t offset, const char *reason) {
    char buffer[LUFT_QUERY_TEXT_MAX];
    const char *text = with_question_marks(buffer, with_percent);
    luft_query *query = NULL;
    luft_query_report report;
    const luft_error error = luft_query_compile(&query, text, strlen(text), &report);
    if (error != LUFT_ERROR_QUERY || report.error != error || report.offset != offset || query ||
        !strstr(report.reason, reason)) {
        print_error("%s\nerror %d at %zu: %s\n", text, (int)error, report.offset, report.reason);
        fail();
    }
}

static void test_refused(void **state) {
    (void)state;
    refused("", 0, "expected a condition");
    refused("  ", 2, "expected a condition");
    refused("knight", 0, "unknown condition");
    refused("check knight", 6, "unknown condition");
    refused("check and", 9, "expected a condition");
    refused("check or or check", 9, "unknown condition");
    refused("check then", 10, "expected a condition");
    refused("(check", 6, "closing parenthesis");
    refused("check)", 5, "no parenthesis is open");
    refused("()", 1, "unknown condition");
    refused("player \"Kasparov", 7, "does not end");
    refused("player", 6, "part of a name");
    refused("player (check)", 7, "part of a name");
    refused("board 8/8", 6, "eight ranks");
    refused("board ///////%", 6, "eight ranks");
    refused("board 9///////", 6, "eight ranks");
    refused("board 81///////", 6, "eight ranks");
    refused("board ////////", 6, "eight ranks");
    refused("board X%%%%%%%///////", 6, "eight ranks");
    refused("pawns N%%%%%%%///////", 6, "eight ranks");
    refused("position \"8/8/8/8/8/8/8/8 w - -\"", 9, "king");
    refused("position x", 9, "");
    refused("material KRX", 9, "pieces of both sides");
    refused("material KKR", 9, "pieces of both sides");
    refused("material R3..2", 9, "pieces of both sides");
    refused("material R16", 9, "pieces of both sides");
    refused("imbalance K", 10, "each side has more");
    refused("passed N", 7, "count of pawns");
    refused("elo x", 4, "range");
    refused("elo 30..20", 4, "range");
    refused("elo ..", 4, "range");
    refused("elo 1234567", 4, "range");
    refused("date 19", 5, "date");
    refused("date 2019.13", 5, "date");
    refused("date 2020..2019", 5, "empty");
    refused("eco F00", 4, "code");
    refused("eco B9..B1", 4, "code");
    refused("result 2-0", 7, "1-0");
    refused("turn red", 5, "white or black");
    refused("check for 0", 10, "integer from 1");
    refused("check for", 9, "integer from 1");
    refused("check then within x check", 18, "integer from 1");
    refused("flip flip flip flip flip flip flip flip flip flip flip check", 60, "too large");
}

static void test_limits(void **state) {
    (void)state;
    luft_query *query = NULL;
    luft_query_report report;
    char text[LUFT_QUERY_TEXT_MAX + 2];
    memset(text, ' ', sizeof text);
    memcpy(text, "check", 5);
    assert_int_equal(luft_query_compile(&query, text, LUFT_QUERY_TEXT_MAX, NULL), LUFT_OK);
    luft_query_free(query);
    query = NULL;
    assert_int_equal(luft_query_compile(&query, text, LUFT_QUERY_TEXT_MAX + 1, &report), LUFT_ERROR_QUERY);
    memset(text, '(', 4000);
    assert_int_equal(luft_query_compile(&query, text, 4000, &report), LUFT_ERROR_QUERY);
    assert_string_equal(report.reason, "the query is nested too deeply");
    /* A query of the largest size is evaluated without harm. */
    for (size_t i = 0; i < 512; i++) {
        memcpy(text + 6 * i, "check ", 6);
    }
    assert_int_equal(luft_query_compile(&query, text, 6 * 512, &report), LUFT_OK);
    luft_query_free(query);
    query = NULL;
    assert_int_equal(luft_query_compile(&query, text, 6 * 512 + 5, &report), LUFT_ERROR_QUERY);
    assert_null(query);
}

static void test_arguments(void **state) {
    (void)state;
    luft_query *query = compile("check");
    luft_query_matcher *matcher = NULL;
    luft_query_facts facts = {0};
    const luft_position start = luft_start_position();
    assert_int_equal(luft_query_compile(NULL, "check", 5, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_query_compile(&query, NULL, 5, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_query_matcher_create(NULL, query), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_query_matcher_create(&matcher, NULL), LUFT_ERROR_ARGUMENT);
    assert_false(luft_query_possible(NULL, &facts));
    assert_false(luft_query_possible(query, NULL));
    assert_false(luft_query_feed(NULL, &start, false));
    assert_int_equal(luft_query_matcher_create(&matcher, query), LUFT_OK);
    assert_false(luft_query_feed(matcher, NULL, false));
    luft_query_begin(matcher, NULL);
    luft_query_begin(NULL, &facts);
    luft_query_summary_add(NULL, &start, true);
    assert_int_equal(luft_query_needs(NULL), 0);
    assert_int_equal(luft_query_needs(query), LUFT_QUERY_POSITIONS);
    luft_query_matcher_free(matcher);
    luft_query_matcher_free(NULL);
    luft_query_free(query);
    luft_query_free(NULL);
}

static luft_error scenario(void *payload) {
    (void)payload;
    static const char text[] = "flip (material KRPkr for 8 then check then end) player x elo 2000.. or stalemate";
    luft_query *query = NULL;
    luft_query_matcher *matcher = NULL;
    luft_error error = luft_query_compile(&query, text, strlen(text), NULL);
    if (error == LUFT_OK) {
        error = luft_query_matcher_create(&matcher, query);
    }
    luft_query_matcher_free(matcher);
    luft_query_free(query);
    return error;
}

static void test_memory(void **state) {
    (void)state;
    assert_in_range(assert_survives_failing_malloc(scenario, NULL), 4, 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_queries),
        cmocka_unit_test(test_conditions_on_the_position),
        cmocka_unit_test(test_conditions_on_the_game),
        cmocka_unit_test(test_operators),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
