/* SPDX-License-Identifier: MIT */
/*
 * Limited strength: what a weak player must still do and must not do, that strong players beat weak ones, and that full
 * strength is the unchanged search. All random numbers come from seeds, so every run is the same.
 */
#include "support/asking.h"
#include "support/check.h"
#include "support/random_positions.h"

#include "engine/level.h"
#include "engine/network.h"
#include "engine/see.h"
#include "luft/engine.h"
#include "util/clock.h"

#include <stdlib.h>
#include <string.h>

/* --- Asking the engine ------------------------------------------------------ */

static luft_engine *engine;

static int create(void **state) {
    (void)state;
    engine = engine_new();
    assert_int_equal(luft_engine_set_hash(engine, 1), LUFT_OK);
    return luft_engine_set_seed(engine, 1) == LUFT_OK ? 0 : -1;
}

static int destroy(void **state) {
    (void)state;
    luft_engine_free(engine);
    return 0;
}

static engine_answer ask_after(const luft_position *start, const luft_move *moves, size_t count,
                               luft_engine_limits limits) {
    return engine_ask(engine, start, moves, count, limits);
}

/* No limit of the client: that of the level must end the search. */
static engine_answer ask(const luft_position *position) {
    return ask_after(position, NULL, 0, luft_engine_no_limits());
}

/* In how many of a hundred games the weakest player finds a move. */
static int finds(const char *fen, const char *played, const char *wanted) {
    int found = 0;
    const luft_position start = position_from(fen);
    luft_position position = start;
    luft_move last = LUFT_MOVE_NONE;
    if (played) {
        last = move_from(&start, played);
        luft_make(&position, &start, last);
    }
    const luft_move move = move_from(&position, wanted);
    luft_engine_set_elo(engine, LUFT_ENGINE_MIN_ELO);
    for (uint64_t seed = 1; seed <= 100; seed++) {
        luft_engine_clear(engine);
        luft_engine_set_seed(engine, seed);
        found += ask_after(&start, &last, played != NULL, luft_engine_no_limits()).best == move;
    }
    return found;
}

/* --- What a weak player does -------------------------------------------------- */

static void hanging_pieces_are_captured(void **state) {
    (void)state;
    const int queen = finds("rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3", NULL, "f3h4");
    const int rook = finds("3r2k1/5ppp/8/8/8/6B1/5PPP/6K1 b - - 0 1", "d8d6", "g3d6");
    assert_in_range(queen, 75, 100);
    assert_in_range(rook, 75, 100);
}

static void captures_are_recaptured(void **state) {
    (void)state;
    /* 1 e4 e5 2 Nf3 Nc6 3 Bb5 a6 4 Bxc6: with the d-pawn or the b-pawn. */
    const char *fen = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4";
    assert_in_range(finds(fen, "b5c6", "d7c6") + finds(fen, "b5c6", "b7c6"), 90, 100);
}

static void mates_in_one_are_mostly_found(void **state) {
    (void)state;
    assert_in_range(finds("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", NULL, "a1a8"), 75, 100);
    assert_in_range(finds("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", NULL, "h5f7"), 75,
                    100);
}

/* The player rarely moves a piece to a square where it is lost. */
static void pieces_are_not_thrown_away(void **state) {
    (void)state;
    static const char *const fens[] = {
        START_FEN,
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/1PN3P1/P3PPBP/R1BQ1RK1 w - - 0 12",
        "2r2rk1/pp3ppp/4pn2/3p4/3P4/4PN2/PP3PPP/2R2RK1 b - - 0 20",
    };
    int thrown = 0, asked = 0;
    luft_engine_set_elo(engine, LUFT_ENGINE_MIN_ELO);
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        const luft_position position = position_from(fens[i]);
        for (uint64_t seed = 1; seed <= 100; seed++, asked++) {
            luft_engine_set_seed(engine, seed);
            thrown += !see_at_least(&position, ask(&position).best, -200);
        }
    }
    assert_in_range(thrown, 0, (uintmax_t)asked / 50);
}

/* --- Strong against weak ------------------------------------------------------- */

/* The result for White, 2, 1 or 0; after 120 plies the evaluation decides. */
static int play(int white_elo, int black_elo, uint64_t seed) {
    luft_move moves[120];
    size_t count = 0;
    luft_position position = luft_start_position();
    const luft_position start = position;
    luft_engine_clear(engine);
    luft_engine_set_seed(engine, seed);
    for (; count < 120; count++) {
        if (!luft_has_legal_move(&position)) {
            return !luft_in_check(&position) ? 1 : position.side_to_move == LUFT_WHITE ? 0 : 2;
        }
        if (luft_has_insufficient_material(&position) || position.halfmove_clock >= 100) {
            return 1;
        }
        luft_engine_set_elo(engine, position.side_to_move == LUFT_WHITE ? white_elo : black_elo);
        moves[count] = ask_after(&start, moves, count, luft_engine_no_limits()).best;
        luft_make(&position, &position, moves[count]);
    }
    int score = 0;
    assert_int_equal(luft_engine_evaluate(&score, engine, &position), LUFT_OK);
    score = position.side_to_move == LUFT_WHITE ? score : -score;
    return score > 300 ? 2 : score < -300 ? 0 : 1;
}

static void strong_beats_weak(void **state) {
    (void)state;
    const uint64_t games = test_is_quick() ? 2 : 10;
    uint64_t points = 0; /* in halves */
    for (uint64_t game = 0; game < games; game++) {
        points += (uint64_t)(game % 2 == 0 ? play(1600, LUFT_ENGINE_MIN_ELO, game + 1)
                                           : 2 - play(LUFT_ENGINE_MIN_ELO, 1600, game + 1));
    }
    assert_in_range(points, games * 17 / 10, games * 2);
}

static void more_elo_sees_more(void **state) {
    (void)state;
    level_rules last = level_of_elo(LUFT_ENGINE_MIN_ELO);
    assert_in_range(level_depth(&last), 1, 3);
    for (int elo = LUFT_ENGINE_MIN_ELO; elo <= LUFT_ENGINE_MAX_ELO; elo += 10) {
        const level_rules now = level_of_elo(elo);
        assert_true(now.horizon >= last.horizon && now.noise <= last.noise && now.overlook <= last.overlook);
        assert_true(now.nodes > 0 && now.pv_count >= 1 && now.pv_count <= last.pv_count && now.noise >= 0);
        last = now;
    }
    assert_int_equal(level_elo_of_skill(0), LUFT_ENGINE_MIN_ELO);
    assert_true(level_elo_of_skill(LUFT_ENGINE_MAX_LEVEL - 1) < LUFT_ENGINE_MAX_ELO);
}

/* --- The player model ------------------------------------------------------------ */

/* The first glance, with the default network. */
static void look(level_view *view, const level_rules *rules, const luft_position *position, const luft_move *moves,
                 int count) {
    const char *reason;
    nnue_network *network = NULL;
    assert_int_equal(nnue_load(&network, network_bytes, network_size, &reason), LUFT_OK);
    assert_non_null(network);
    nnue_stack *stack = nnue_stack_create(network, 1);
    assert_non_null(stack);
    level_look(view, rules, stack, position, LUFT_MOVE_NONE, moves, count, 1);
    nnue_stack_free(stack);
    nnue_free(network);
}

/* The queen can capture a pawn; the search finds at depth 4 that the queen is lost then. */
static void nothing_is_seen_beyond_the_horizon(void **state) {
    (void)state;
    const luft_position position = position_from("4k3/3p4/8/8/8/8/3Q4/4K3 w - - 0 1");
    const luft_move moves[2] = {move_from(&position, "d2d7"), move_from(&position, "e1f1")};
    for (int horizon = 20; horizon <= 80; horizon += 20) { /* up to two plies more at random */
        const level_rules rules = {.nodes = 1, .pv_count = 2, .horizon = horizon};
        level_view view;
        look(&view, &rules, &position, moves, 2);
        for (int depth = 1; depth <= 9; depth++) {
            level_note(&view, depth, 1, moves[1], 100);
            level_note(&view, depth, 2, moves[0], depth < 4 ? 500 : -500);
        }
        assert_int_equal(view.moves[0].seen, view.moves[0].horizon < 4 ? 500 : -500);
        assert_int_equal(level_choose(&view)->move, moves[view.moves[0].horizon < 4 ? 0 : 1]);
    }
}

static void moves_outside_the_variations_are_not_chosen(void **state) {
    (void)state;
    const luft_position position = position_from("4k3/3p4/8/8/8/8/3Q4/4K3 w - - 0 1");
    const luft_move moves[2] = {move_from(&position, "d2d7"), move_from(&position, "e1f1")};
    const level_rules rules = {.nodes = 1, .pv_count = 1, .horizon = 500};
    level_view view;
    look(&view, &rules, &position, moves, 2);
    level_note(&view, 1, 1, moves[0], 700);
    assert_int_equal(level_choose(&view)->move, moves[0]);
    level_note(&view, 2, 1, moves[1], 50);
    assert_int_equal(level_choose(&view)->move, moves[1]);
}

/* --- Every kind of search --------------------------------------------------------- */

static void check_random(const luft_position *position, void *payload) {
    int *count = payload;
    if (++*count % 19 == 0) {
        luft_engine_set_elo(engine, LUFT_ENGINE_MIN_ELO + *count * 37 % (LUFT_ENGINE_MAX_ELO - LUFT_ENGINE_MIN_ELO));
        luft_engine_limits limits = luft_engine_no_limits();
        limits.nodes = 1500;
        ask_after(position, NULL, 0, limits);
    }
}

static void moves_are_legal_everywhere(void **state) {
    (void)state;
    int count = 0;
    visit_random_positions(test_rounds(10), check_random, &count);
    luft_engine_set_elo(engine, LUFT_ENGINE_MIN_ELO);
    const luft_position mated = position_from("6kQ/5pp1/6N1/8/8/8/8/6K1 b - - 0 1");
    const luft_position stalemated = position_from("7k/5Q2/8/8/8/8/8/6K1 b - - 0 1");
    assert_int_equal(ask(&mated).best, LUFT_MOVE_NONE);
    assert_int_equal(ask(&stalemated).best, LUFT_MOVE_NONE);
    const luft_position single = position_from("7k/8/6K1/8/8/8/8/R7 b - - 0 1");
    assert_int_equal(ask(&single).best, move_from(&single, "h8g8"));
    const luft_position chess960 = position_from("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    for (uint64_t seed = 1; seed <= 20; seed++) {
        luft_engine_set_seed(engine, seed);
        ask(&chess960);
    }
}

static void only_the_moves_asked_for_are_played(void **state) {
    (void)state;
    const luft_position position = position_from(START_FEN);
    luft_engine_limits limits = luft_engine_no_limits();
    const luft_move moves[] = {move_from(&position, "a2a3"), move_from(&position, "h2h4")};
    limits.search_moves = moves;
    limits.search_move_count = 2;
    luft_engine_set_level(engine, 3);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        luft_engine_set_seed(engine, seed);
        const luft_move best = ask_after(&position, NULL, 0, limits).best;
        assert_true(best == moves[0] || best == moves[1]);
    }
}

/* With one variation, the last report is that of the move played; with more, there are as many as requested. */
static void variations_are_as_many_as_requested(void **state) {
    (void)state;
    const luft_position position = position_from(KIWIPETE_FEN);
    for (int elo = LUFT_ENGINE_MIN_ELO; elo <= LUFT_ENGINE_MAX_ELO; elo += 150) {
        luft_engine_set_elo(engine, elo);
        luft_engine_set_seed(engine, (uint64_t)elo);
        engine_use_lines(engine, 1);
        const engine_answer one = ask(&position);
        assert_int_equal(one.most_lines, 1);
        assert_int_equal(one.first_moves[1], one.best);
        engine_use_lines(engine, 3);
        assert_int_equal(ask(&position).most_lines, 3);
    }
}

static void infinite_and_ponder_wait(void **state) {
    (void)state;
    const luft_position position = position_from(START_FEN);
    engine_answer answer = {.root = position};
    const luft_engine_callbacks callbacks = answer_callbacks(&answer);
    luft_engine_set_elo(engine, LUFT_ENGINE_MIN_ELO);
    assert_int_equal(luft_engine_set_position(engine, &position, NULL, 0, NULL), LUFT_OK);
    for (int ponder = 0; ponder <= 1; ponder++) {
        luft_engine_limits limits = luft_engine_no_limits();
        limits.infinite = !ponder;
        limits.ponder = ponder;
        answer.best_calls = 0;
        engine_go(engine, &limits, &callbacks);
        for (int64_t end = clock_microseconds() + 30000;
             clock_microseconds() < end;) { /* the search itself takes 2 ms */
            assert_true(luft_engine_is_searching(engine));
        }
        if (ponder) {
            luft_engine_ponderhit(engine);
        } else {
            luft_engine_stop(engine);
        }
        luft_engine_wait(engine);
        assert_int_equal(answer.best_calls, 1);
        assert_true(luft_is_legal(&position, answer.best));
    }
}

/* --- Random numbers ----------------------------------------------------------------- */

static void a_seed_is_a_game(void **state) {
    (void)state;
    const luft_position position = position_from(START_FEN);
    luft_move first[20];
    bool differ = false;
    luft_engine_set_elo(engine, 1000);
    for (int round = 0; round < 2; round++) {
        for (uint64_t seed = 1; seed <= 20; seed++) {
            luft_engine_clear(engine);
            luft_engine_set_seed(engine, seed);
            const luft_move best = ask(&position).best;
            if (round == 0) {
                first[seed - 1] = best;
            } else {
                assert_int_equal(best, first[seed - 1]);
            }
            differ = differ || best != first[0];
        }
    }
    assert_true(differ);
}

static void full_strength_is_the_unchanged_search(void **state) {
    (void)state;
    const luft_position position = position_from(KIWIPETE_FEN);
    luft_engine_limits limits = luft_engine_no_limits();
    limits.depth = 9;
    const engine_answer before = ask_after(&position, NULL, 0, limits);
    assert_int_equal(before.depth, 9);
    luft_engine_set_elo(engine, 1200);
    luft_engine_set_level(engine, 5);
    assert_true(ask_after(&position, NULL, 0, limits).nodes < before.nodes);
    luft_engine_set_elo(engine, 0);
    assert_true(ask_after(&position, NULL, 0, limits).nodes < before.nodes); /* the skill still limits it */
    luft_engine_set_level(engine, LUFT_ENGINE_MAX_LEVEL);
    luft_engine_clear(engine);
    const engine_answer after = ask_after(&position, NULL, 0, limits);
    assert_int_equal(after.nodes, before.nodes);
    assert_int_equal(after.best, before.best);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(hanging_pieces_are_captured, create, destroy),
        cmocka_unit_test_setup_teardown(captures_are_recaptured, create, destroy),
        cmocka_unit_test_setup_teardown(mates_in_one_are_mostly_found, create, destroy),
        cmocka_unit_test_setup_teardown(pieces_are_not_thrown_away, create, destroy),
        cmocka_unit_test_setup_teardown(strong_beats_weak, create, destroy),
        cmocka_unit_test(more_elo_sees_more),
        cmocka_unit_test(nothing_is_seen_beyond_the_horizon),
        cmocka_unit_test(moves_outside_the_variations_are_not_chosen),
        cmocka_unit_test_setup_teardown(moves_are_legal_everywhere, create, destroy),
        cmocka_unit_test_setup_teardown(only_the_moves_asked_for_are_played, create, destroy),
        cmocka_unit_test_setup_teardown(variations_are_as_many_as_requested, create, destroy),
        cmocka_unit_test_setup_teardown(infinite_and_ponder_wait, create, destroy),
        cmocka_unit_test_setup_teardown(a_seed_is_a_game, create, destroy),
        cmocka_unit_test_setup_teardown(full_strength_is_the_unchanged_search, create, destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
