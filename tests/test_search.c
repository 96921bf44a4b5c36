/* SPDX-License-Identifier: MIT */
/*
 * The search by the functions of engine.h: mates and draws that it must find, variations that must be legal, limits
 * that must hold.
 */
#define _DEFAULT_SOURCE

#include "support/asking.h"
#include "support/check.h"
#include "support/random_positions.h"

#include "luft/engine.h"
#include "util/clock.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Asking the engine ------------------------------------------------------ */

static luft_engine *engine;

static int create(void **state) {
    (void)state;
    engine = engine_new();
    return 0;
}

static int destroy(void **state) {
    (void)state;
    luft_engine_free(engine);
    return 0;
}

/* Searches with an empty transposition table and empty histories. */
static engine_answer ask(const luft_position *position, luft_engine_limits limits) {
    luft_engine_clear(engine);
    return engine_ask(engine, position, NULL, 0, limits);
}

static luft_engine_limits to_depth(int depth) {
    luft_engine_limits limits = luft_engine_no_limits();
    limits.depth = depth;
    return limits;
}

static luft_engine_limits to_nodes(int64_t nodes) {
    luft_engine_limits limits = luft_engine_no_limits();
    limits.nodes = nodes;
    return limits;
}

static void assert_mate_in(luft_engine_score score, int moves) {
    assert_int_equal(score.kind, LUFT_ENGINE_MATE);
    assert_int_equal(score.value, moves);
}

/* --- Mates and draws --------------------------------------------------------- */

static void mates_are_found(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        int moves;
    } mates[] = {
        {"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1},
        {"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2},
        {"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 2},
        {"8/8/8/8/8/2k5/3r4/K7 b - - 0 1", 2},
        {"7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 2}, /* 1. Kf7 Kh7 2. Rh1 */
    };
    for (size_t i = 0; i < sizeof mates / sizeof mates[0]; i++) {
        const luft_position position = position_from(mates[i].fen);
        luft_engine_limits limits = to_depth(24);
        limits.mate = mates[i].moves;
        const engine_answer answer = ask(&position, limits);
        require(answer.score.kind == LUFT_ENGINE_MATE, &position, "a mate");
        require_equal((uint64_t)answer.score.value, (uint64_t)mates[i].moves, &position, "moves to mate");
    }
}

/* Capturing the pawn allows a back-rank mate by a quiet move, one ply beyond the depth of the search. */
static void a_quiet_mate_at_the_horizon_is_seen(void **state) {
    (void)state;
    const luft_position position = position_from("4r1k1/pR3ppp/8/8/8/8/5PPP/6K1 w - - 0 1");
    luft_move greedy;
    assert_int_equal(luft_move_from_uci(&greedy, &position, "b7a7", 4), LUFT_OK);
    assert_int_not_equal(ask(&position, to_depth(1)).best, greedy);
}

static void without_a_move_there_is_no_best_move(void **state) {
    (void)state;
    const luft_position mated = position_from("6kQ/5pp1/6N1/8/8/8/8/6K1 b - - 0 1");
    const luft_position stalemated = position_from("7k/5Q2/8/8/8/8/8/6K1 b - - 0 1");
    assert_false(luft_has_legal_move(&mated));
    assert_int_equal(ask(&mated, to_depth(5)).best, LUFT_MOVE_NONE);
    assert_false(luft_has_legal_move(&stalemated));
    assert_int_equal(ask(&stalemated, to_depth(5)).best, LUFT_MOVE_NONE);
}

/* A rook down, but White can check on e8 and h5 forever. */
static void a_perpetual_check_is_a_draw(void **state) {
    (void)state;
    const luft_position position = position_from("6k1/6p1/8/7Q/8/1r6/1q6/7K w - - 0 1");
    const engine_answer answer = ask(&position, to_depth(12));
    require(answer.score.kind == LUFT_ENGINE_CENTIPAWNS && abs(answer.score.value) < 60, &position,
            "a draw by perpetual check");
}

/* How many lines came, and how many of them did not score 0. */
typedef struct zero_lines {
    int count, wrong;
} zero_lines;

static void count_line(void *payload, const luft_engine_line *line) {
    zero_lines *lines = payload;
    lines->count++;
    lines->wrong += line->score.kind != LUFT_ENGINE_CENTIPAWNS || line->score.value != 0;
}

/* Whatever is played is a draw: the search scores that 1 or -1, by turns, and clients must see 0. */
static void a_draw_scores_zero(void **state) {
    (void)state;
    static const char *const fens[] = {"8/8/4k3/8/8/4K3/8/8 w - - 0 1", "8/8/4k3/8/2b5/4K3/8/8 w - - 3 40",
                                       "k7/8/8/3q4/8/8/8/K1R5 w - - 99 80"};
    engine_use_lines(engine, 4);
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        const luft_position position = position_from(fens[i]);
        zero_lines lines = {0, 0};
        luft_engine_callbacks callbacks = {.size = sizeof callbacks, .line = count_line, .payload = &lines};
        const luft_engine_limits limits = to_depth(7);
        assert_int_equal(luft_engine_set_position(engine, &position, NULL, 0, NULL), LUFT_OK);
        engine_go(engine, &limits, &callbacks);
        assert_int_equal(luft_engine_wait(engine), LUFT_OK);
        assert_true(lines.count >= 7);
        assert_int_equal(lines.wrong, 0);
    }
}

static void the_fifty_moves_are_counted(void **state) {
    (void)state;
    /* A rook up, but any move without a capture draws at once. */
    const luft_position position = position_from("8/8/4k3/8/8/4K3/8/R7 w - - 99 80");
    assert_in_range(ask(&position, to_depth(8)).score.value + 2, 0, 4);
    /* Mate on the hundredth ply ends the game before the fifty-move rule does. */
    const luft_position mate = position_from("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
    assert_mate_in(ask(&mate, to_depth(6)).score, 1);
}

static void a_position_seen_twice_in_the_game_is_a_draw(void **state) {
    (void)state;
    /* White is lost, but can repeat the position for the third time. */
    const luft_position start = position_from("6k1/8/8/8/8/1r6/1q6/6KQ w - - 0 1");
    luft_move moves[8];
    luft_position position = start;
    static const char *const texts[] = {"h1d5", "g8g7", "d5d4", "g7g8", "d4d5", "g8g7", "d5d4", "g7g8"};
    for (int i = 0; i < 8; i++) {
        moves[i] = move_from(&position, texts[i]);
        luft_make(&position, &position, moves[i]);
    }
    engine_answer answer = {.root = position};
    const luft_engine_callbacks callbacks = answer_callbacks(&answer);
    const luft_engine_limits limits = to_depth(8);
    luft_engine_clear(engine);
    assert_int_equal(luft_engine_set_position(engine, &start, moves, 8, NULL), LUFT_OK);
    engine_go(engine, &limits, &callbacks);
    luft_engine_wait(engine);
    require(answer.score.value >= -2, &position, "a draw is in hand");
    assert_int_equal(answer.best, move_from(&position, "d4d5"));
}

/* --- Limits ------------------------------------------------------------------ */

static void check_random(const luft_position *position, void *payload) {
    int *count = payload;
    if (++*count % 7 == 0) {
        ask(position, to_nodes(1500));
    }
}

static void variations_are_legal(void **state) {
    (void)state;
    int count = 0;
    visit_random_positions(test_rounds(10), check_random, &count);
}

static void nodes_are_kept(void **state) {
    (void)state;
    const luft_position position = position_from(KIWIPETE_FEN);
    static const int64_t limits[] = {1, 2, 100, 1000, 5000, 20001};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const engine_answer answer = ask(&position, to_nodes(limits[i]));
        assert_true(answer.nodes <= limits[i] + 2);
    }
}

static void a_soft_limit_finishes_the_iteration(void **state) {
    (void)state;
    const luft_position position = position_from(KIWIPETE_FEN);
    luft_engine_limits limits = luft_engine_no_limits();
    limits.soft_nodes = 5000;
    const engine_answer answer = ask(&position, limits);
    assert_true(answer.nodes >= 5000);
    /* The search ends with the first depth that needs so many nodes: one ply less needs fewer. */
    assert_int_equal(ask(&position, to_depth(answer.depth)).nodes, answer.nodes);
    assert_true(ask(&position, to_depth(answer.depth - 1)).nodes < 5000);
    limits.nodes = 5001; /* the hard limit still holds */
    limits.soft_nodes = 1000000;
    assert_true(ask(&position, limits).nodes <= 5003);
}

static void a_search_on_the_callers_thread_is_the_same(void **state) {
    (void)state;
    const luft_position position = position_from(KIWIPETE_FEN);
    const luft_engine_limits limits = to_depth(9);
    const engine_answer first = ask(&position, limits);
    engine_answer second = {.root = position};
    const luft_engine_callbacks callbacks = answer_callbacks(&second);
    luft_engine_clear(engine);
    const luft_engine_result *result;
    assert_int_equal(luft_engine_search(&result, engine, &limits, &callbacks), LUFT_OK);
    assert_int_equal(second.best_calls, 1);
    assert_int_equal(result->best, second.best);
    assert_false(luft_engine_is_searching(engine));
    assert_int_equal(first.nodes, second.nodes);
    assert_int_equal(first.best, second.best);
    assert_int_equal(first.score.value, second.score.value);
}

static void the_same_search_gives_the_same_nodes(void **state) {
    (void)state;
    const luft_position position = position_from(KIWIPETE_FEN);
    const engine_answer first = ask(&position, to_depth(9)), second = ask(&position, to_depth(9));
    assert_int_equal(first.nodes, second.nodes);
    assert_int_equal(first.best, second.best);
}

static void colour_flipped_positions_are_searched_alike(void **state) {
    (void)state;
    const luft_position position = position_from(KIWIPETE_FEN);
    luft_position flipped;
    luft_position_flip(&flipped, &position);
    const engine_answer first = ask(&position, to_depth(1)), second = ask(&flipped, to_depth(1));
    assert_int_equal(first.score.value, second.score.value);
}

static void only_the_moves_asked_for_are_searched(void **state) {
    (void)state;
    const luft_position position = position_from(START_FEN);
    luft_engine_limits limits = to_depth(6);
    const luft_move moves[] = {move_from(&position, "a2a3"), move_from(&position, "h2h4")};
    limits.search_moves = moves;
    limits.search_move_count = 2;
    const engine_answer answer = ask(&position, limits);
    assert_true(answer.best == moves[0] || answer.best == moves[1]);
}

static void variations_begin_with_different_moves(void **state) {
    (void)state;
    const luft_position position = position_from("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    const int legal = luft_count_moves(&position);
    engine_use_lines(engine, 256);
    const engine_answer answer = ask(&position, to_depth(6));
    engine_use_lines(engine, 1);
    assert_int_equal(answer.last_multipv, legal);
    for (int i = 1; i <= legal; i++) {
        for (int j = 1; j < i; j++) {
            assert_int_not_equal(answer.first_moves[i], answer.first_moves[j]);
        }
    }
}

static void an_infinite_search_waits_for_stop(void **state) {
    (void)state;
    const luft_position position = position_from("7k/5Q2/8/8/8/8/8/6K1 b - - 0 1"); /* stalemate: nothing to search */
    engine_answer answer = {.root = position};
    const luft_engine_callbacks callbacks = answer_callbacks(&answer);
    luft_engine_limits limits = luft_engine_no_limits();
    limits.infinite = true;
    assert_int_equal(luft_engine_set_position(engine, &position, NULL, 0, NULL), LUFT_OK);
    engine_go(engine, &limits, &callbacks);
    const int64_t begin = clock_microseconds();
    while (clock_microseconds() - begin < 50000) {
        assert_true(luft_engine_is_searching(engine));
    }
    luft_engine_stop(engine);
    luft_engine_wait(engine);
    assert_int_equal(answer.best_calls, 1);
}

/* Starts to ponder in the start position; the answer must outlive the search. */
static void ponder(engine_answer *answer, int64_t time_ms) {
    const luft_position position = luft_start_position();
    luft_engine_limits limits = luft_engine_no_limits();
    *answer = (engine_answer){.root = position};
    const luft_engine_callbacks callbacks = answer_callbacks(answer);
    limits.ponder = true;
    limits.time_ms[LUFT_WHITE] = limits.time_ms[LUFT_BLACK] = time_ms;
    assert_int_equal(luft_engine_set_position(engine, &position, NULL, 0, NULL), LUFT_OK);
    engine_go(engine, &limits, &callbacks);
}

/* Time spent pondering counts: if it exceeds the time for the move, the move is made at once. */
static void a_ponderhit_after_long_thought_is_answered_at_once(void **state) {
    (void)state;
    engine_answer answer;
    int64_t wait = 1000000, taken;
    do { /* a busy machine needs longer */
        wait *= 2;
        ponder(&answer, 20000); /* up to 4 s for a move, usually half a second */
        int64_t begin = clock_microseconds();
        while (clock_microseconds() - begin < wait) {
            usleep(10000);
        }
        assert_true(luft_engine_is_searching(engine));
        begin = clock_microseconds();
        luft_engine_ponderhit(engine);
        luft_engine_wait(engine);
        taken = clock_microseconds() - begin;
        assert_int_equal(answer.best_calls, 1);
        assert_true(answer.time_ms >= 1900); /* since the search began */
    } while (taken >= 1000000 && wait < 16000000);
    assert_true(taken < 1000000);
}

/* A ponderhit after the end of the search, when its threads are freed: fuzzing found a read of freed memory. */
static void a_late_ponderhit_does_nothing(void **state) {
    (void)state;
    engine_answer answer;
    engine_use_threads(engine, 4);
    ponder(&answer, LUFT_ENGINE_NO_LIMIT);
    luft_engine_stop(engine);
    luft_engine_wait(engine);
    engine_use_threads(engine, 1);
    luft_engine_ponderhit(engine);
    assert_int_equal(answer.best_calls, 1);
}

/* A stop right after the start: the engine still answers with a move that was searched, to depth 1. */
static void a_stop_waits_for_a_minimal_search(void **state) {
    (void)state;
    const luft_position position = position_from("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
    assert_int_equal(luft_engine_set_position(engine, &position, NULL, 0, NULL), LUFT_OK);
    for (int i = 0; i < 20; i++) {
        engine_answer answer = {.root = position};
        const luft_engine_callbacks callbacks = answer_callbacks(&answer);
        luft_engine_limits limits = luft_engine_no_limits();
        limits.infinite = true;
        engine_go(engine, &limits, &callbacks);
        luft_engine_stop(engine);
        luft_engine_wait(engine);
        assert_int_equal(answer.best_calls, 1);
        assert_int_equal(answer.best, move_from(&position, "e4d5"));
    }
}

static void deep_searches_of_small_positions_end(void **state) {
    (void)state;
    const luft_position position = position_from("8/8/6k1/3p4/3P4/3K4/8/8 w - - 0 1");
    luft_engine_limits limits = to_depth(250);
    limits.movetime_ms = test_is_quick() ? 300 : 1500;
    ask(&position, limits);
}

static void threads_agree_on_a_mate(void **state) {
    (void)state;
    const luft_position position = position_from("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1");
    engine_use_threads(engine, 3);
    luft_engine_limits limits = luft_engine_no_limits();
    limits.mate = 2;
    assert_mate_in(ask(&position, limits).score, 2);
    engine_use_threads(engine, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(mates_are_found, create, destroy),
        cmocka_unit_test_setup_teardown(a_quiet_mate_at_the_horizon_is_seen, create, destroy),
        cmocka_unit_test_setup_teardown(without_a_move_there_is_no_best_move, create, destroy),
        cmocka_unit_test_setup_teardown(a_perpetual_check_is_a_draw, create, destroy),
        cmocka_unit_test_setup_teardown(a_draw_scores_zero, create, destroy),
        cmocka_unit_test_setup_teardown(the_fifty_moves_are_counted, create, destroy),
        cmocka_unit_test_setup_teardown(a_position_seen_twice_in_the_game_is_a_draw, create, destroy),
        cmocka_unit_test_setup_teardown(variations_are_legal, create, destroy),
        cmocka_unit_test_setup_teardown(nodes_are_kept, create, destroy),
        cmocka_unit_test_setup_teardown(a_soft_limit_finishes_the_iteration, create, destroy),
        cmocka_unit_test_setup_teardown(a_search_on_the_callers_thread_is_the_same, create, destroy),
        cmocka_unit_test_setup_teardown(the_same_search_gives_the_same_nodes, create, destroy),
        cmocka_unit_test_setup_teardown(colour_flipped_positions_are_searched_alike, create, destroy),
        cmocka_unit_test_setup_teardown(only_the_moves_asked_for_are_searched, create, destroy),
        cmocka_unit_test_setup_teardown(variations_begin_with_different_moves, create, destroy),
        cmocka_unit_test_setup_teardown(an_infinite_search_waits_for_stop, create, destroy),
        cmocka_unit_test_setup_teardown(a_ponderhit_after_long_thought_is_answered_at_once, create, destroy),
        cmocka_unit_test_setup_teardown(a_late_ponderhit_does_nothing, create, destroy),
        cmocka_unit_test_setup_teardown(a_stop_waits_for_a_minimal_search, create, destroy),
        cmocka_unit_test_setup_teardown(deep_searches_of_small_positions_end, create, destroy),
        cmocka_unit_test_setup_teardown(threads_agree_on_a_mate, create, destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
