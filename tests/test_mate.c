/* SPDX-License-Identifier: MIT */
/*
 * The mate search: against a plain search of all moves, with draws by the game before the root, and by `go mate`.
 */
#include "support/random_positions.h"
#include "support/tested_engine.h"

#include "engine/mate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_BYTES = 1 << 20, PATIENCE = 20000000 };

/* --- The oracle ------------------------------------------------------------ */

static bool is_mated(const luft_position *position) {
    return luft_in_check(position) && !luft_has_legal_move(position);
}

/* Does the side to move, or its opponent, mate within so many plies? Tries everything; knows the fifty-move rule. */
static bool mates_within(const luft_position *position, luft_color attacker, int plies) {
    luft_move_list list;
    const bool attacks = position->side_to_move == attacker;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    if (list.count == 0 || plies == 0 || position->halfmove_clock >= 100) {
        return !attacks && is_mated(position);
    }
    for (int i = 0; i < list.count; i++) {
        luft_position next;
        luft_make(&next, position, list.moves[i]);
        if (mates_within(&next, attacker, plies - 1) == attacks) {
            return attacks;
        }
    }
    return !attacks;
}

/* The shortest mate of the side to move (positive) or of its opponent (negative) within so many moves, or 0. */
static int shortest_mate(const luft_position *position, int moves) {
    const luft_color us = (luft_color)position->side_to_move;
    for (int i = 1; i <= moves; i++) {
        if (mates_within(position, us, 2 * i - 1)) {
            return i;
        }
        if (mates_within(position, luft_opposite(us), 2 * i)) {
            return -i;
        }
    }
    return 0;
}

/* --- The search under test ------------------------------------------------- */

/* Requires that the variation is legal, ends in mate and is as long as the score says. Returns its moves, signed. */
static int moves_of_variation(mate_search *search, const luft_position *root) {
    search_pv pv;
    const int score = mate_variation(search, &pv);
    luft_position position = *root;
    for (int i = 0; i < pv.length; i++) {
        require(luft_is_legal(&position, pv.moves[i]), root, "legal moves");
        luft_make(&position, &position, pv.moves[i]);
    }
    require(is_mated(&position), root, "a variation that ends in mate");
    require_equal((uint64_t)(score > 0 ? SCORE_MATE - score : score + SCORE_MATE), (uint64_t)pv.length, root,
                  "the length of the variation");
    require((score > 0) == (pv.length % 2 == 1), root, "the side that mates");
    return score > 0 ? (pv.length + 1) / 2 : -pv.length / 2;
}

static mate_state solve(mate_search *search) {
    mate_state state = MATE_OPEN;
    while (state == MATE_OPEN && mate_positions(search) < PATIENCE) {
        state = mate_step(search, 1000);
    }
    return state;
}

/* The mate in at most so many moves, negative if the opponent mates; 0 if it is proved that there is none. */
static int answer(mate_search *search, const luft_position *position, int moves) {
    mate_begin(search, position, NULL, 0, moves, NULL, 0);
    const mate_state state = solve(search);
    require(state != MATE_OPEN, position, "an answer");
    return state == MATE_PROVED ? moves_of_variation(search, position) : 0;
}

static void check_against_all_moves(const luft_position *position, void *payload) {
    const int choices = luft_count_moves(position);
    if (choices == 0 || choices > 25 ||
        position->halfmove_clock >= 100) { /* the game is over, or the oracle too slow */
        return;
    }
    /* Without a mate of either side the refutation is of the side to move: the opponent's can be given up. */
    const int expected = shortest_mate(position, 2);
    require_equal((uint64_t)answer(payload, position, 2), (uint64_t)expected, position, "the shortest mate");
}

static void the_shortest_mate_is_found(void **state) {
    (void)state;
    mate_search *search = mate_create(TABLE_BYTES);
    assert_non_null(search);
    visit_fantastic_positions(test_rounds(300), check_against_all_moves, search);
    visit_random_games(test_rounds(3), check_against_all_moves, search);
    mate_free(search);
}

/* The answers do not depend on what the table keeps. */
static void a_table_of_one_cluster_is_enough(void **state) {
    (void)state;
    mate_search *search = mate_create(1);
    assert_non_null(search);
    for (uint64_t seed = 0; seed < 40; seed++) {
        const luft_position position = fantastic_position(seed);
        const int choices = luft_count_moves(&position);
        if (choices > 0 && choices <= 25 && mates_within(&position, (luft_color)position.side_to_move, 1)) {
            assert_int_equal(answer(search, &position, 1), 1);
        }
    }
    mate_free(search);
}

/* Composed problems; each is known to have no shorter solution. */
static void known_problems_are_solved(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        int moves;
    } problems[] = {
        {"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2},    /* Morphy: Ra6, a quiet sacrifice */
        {"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1}, /* the back rank */
        {"6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", 1},    /* the smothered mate */
        {"5r1k/6pp/7N/3Q4/8/8/8/6K1 w - - 0 1", 2},  /* Philidor's legacy: Qg8+ Rxg8 Nf7# */
        {"7k/8/5K2/8/8/8/8/R7 w - - 0 1", 2},        /* Kg6 and Ra8 */
    };
    mate_search *search = mate_create(TABLE_BYTES);
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
        const luft_position position = position_from(problems[i].fen);
        assert_int_equal(answer(search, &position, problems[i].moves), problems[i].moves);
        assert_int_equal(answer(search, &position, problems[i].moves + 2), problems[i].moves);
        if (problems[i].moves > 1) {
            assert_int_equal(answer(search, &position, problems[i].moves - 1), 0);
        }
    }
    mate_free(search);
}

/* Bare kings: nobody mates. Beyond the bound of the search that is not proved. */
static void more_moves_than_the_search_has_are_not_refuted(void **state) {
    (void)state;
    mate_search *search = mate_create(TABLE_BYTES);
    const luft_position position = position_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    mate_begin(search, &position, NULL, 0, MATE_MOVES_MAX, NULL, 0);
    assert_int_equal(solve(search), MATE_REFUTED);
    mate_begin(search, &position, NULL, 0, MATE_MOVES_MAX + 1, NULL, 0);
    assert_int_equal(solve(search), MATE_BEYOND);
    mate_free(search);
}

/* --- Draws ------------------------------------------------------------------ */

static void the_fifty_move_rule_is_kept(void **state) {
    (void)state;
    mate_search *search = mate_create(TABLE_BYTES);
    /* Kg6 and Ra8: the mate comes with the third ply. */
    const luft_position in_time = position_from("7k/8/5K2/8/8/8/8/R7 w - - 97 80");
    const luft_position too_late = position_from("7k/8/5K2/8/8/8/8/R7 w - - 98 80");
    assert_int_equal(answer(search, &in_time, 2), 2);
    assert_int_equal(answer(search, &too_late, 2), 0);
    mate_free(search);
}

/* After the moves, with the keys of all positions before: the mate within two moves. */
static int answer_after(mate_search *search, const char *fen, const char *const moves[], int count) {
    uint64_t keys[16];
    luft_position position = position_from(fen);
    for (int i = 0; i < count; i++) {
        keys[i] = luft_key(&position);
        luft_make(&position, &position, move_from(&position, moves[i]));
    }
    mate_begin(search, &position, keys, (size_t)count, 2, NULL, 0);
    const mate_state state = solve(search);
    assert_int_not_equal(state, MATE_OPEN);
    return state == MATE_PROVED ? moves_of_variation(search, &position) : 0;
}

/* Kg6 Kg8 Ra8 is the only mate in two. Where the position after it has occurred twice, it is a draw. */
static void a_third_occurrence_is_a_draw(void **state) {
    (void)state;
    static const char *const moves[] = {"f6g6", "h8g8", "g6f6", "g8h8", "f6g6", "h8g8", "g6f6", "g8h8"};
    const char *fen = "7k/R7/5K2/8/8/8/8/8 w - - 0 1";
    mate_search *search = mate_create(TABLE_BYTES);
    assert_int_equal(answer_after(search, fen, moves, 4), 2);
    assert_int_equal(answer_after(search, fen, moves, 8), 0);
    mate_free(search);
}

/* --- The engine --------------------------------------------------------------- */

static luft_engine_limits to_mate(int moves) {
    luft_engine_limits limits = luft_engine_no_limits();
    limits.mate = moves;
    return limits;
}

static void the_engine_proves_a_mate(void **state) {
    (void)state;
    set_fen("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    const luft_engine_result *result = search(to_mate(5));
    assert_int_equal(result->score.kind, LUFT_ENGINE_MATE);
    assert_false(result->no_mate);
    assert_int_equal(result->lines[0]->move_count, 2 * result->score.value - 1);
}

static void the_engine_proves_that_there_is_none(void **state) {
    (void)state;
    set_fen(START_FEN);
    const luft_engine_result *result = search(to_mate(3));
    assert_true(result->no_mate);
    assert_int_not_equal(result->best, LUFT_MOVE_NONE);
    assert_int_not_equal(result->score.kind, LUFT_ENGINE_MATE);
    set_fen("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    assert_true(search(to_mate(1))->no_mate);
    assert_false(search(to_depth(1))->no_mate); /* of another search */
}

/* The positions of the mate search count: the limit is exceeded by the replies to one move at most. */
static void a_limit_of_nodes_holds(void **state) {
    (void)state;
    set_fen(KIWIPETE_FEN);
    for (int64_t nodes = 2000; nodes <= 32000; nodes *= 2) {
        luft_engine_limits limits = to_mate(10);
        limits.nodes = nodes;
        const luft_engine_result *result = search(limits);
        assert_true(result->nodes >= nodes && result->nodes < nodes + 2000);
    }
}

/* Where the normal search reaches its depth in a few nodes, the mate search goes on. */
static void small_positions_get_a_proof(void **state) {
    (void)state;
    static const char *const fens[] = {"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "8/8/8/4k3/8/8/8/4K3 w - - 0 1",
                                       "7k/8/5K2/8/8/8/8/5Q2 w - - 99 80"};
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        luft_engine_limits limits = to_mate(1);
        limits.depth = 6;
        set_fen(fens[i]);
        assert_true(search(limits)->no_mate);
    }
}

/* A refutation can come while only losing moves have been tried: a mate against the side to move must be one all the same. */
static void no_mate_is_claimed_that_is_none(void **state) {
    (void)state;
    static const char pieces[] = "KkQR";
    random_source source = {3};
    for (int round = test_rounds(8000); round > 0;) {
        luft_position position;
        char fen[LUFT_FEN_SIZE], squares[64] = {0};
        size_t length = 0;
        int empty = 0;
        for (size_t i = 0; i < sizeof pieces - 1; i++) {
            squares[8 + random_below(&source, 48)] = pieces[i];
        }
        for (int i = 0; i < 64; i++) {
            empty += squares[i] == 0;
            if (empty > 0 && (squares[i] != 0 || i % 8 == 7)) {
                fen[length++] = (char)('0' + empty);
                empty = 0;
            }
            if (squares[i] != 0) {
                fen[length++] = squares[i];
            }
            if (i % 8 == 7) {
                fen[length++] = i < 63 ? '/' : ' ';
            }
        }
        const int used = snprintf(fen + length, sizeof fen - length, "%c - - %d 90", "wb"[random_below(&source, 2)],
                                  90 + random_below(&source, 10));
        const luft_error error = luft_position_from_fen(&position, fen, length + (size_t)used, NULL);
        if (error != LUFT_OK || !luft_has_legal_move(&position)) {
            assert_true(error == LUFT_OK || error == LUFT_ERROR_POSITION); /* a piece on another, a king in check */
            continue;
        }
        round--;
        assert_int_equal(luft_engine_set_position(engine, &position, NULL, 0, NULL), LUFT_OK);
        const luft_engine_score score = search(to_mate(2))->score;
        const luft_color us = (luft_color)position.side_to_move;
        if (score.kind == LUFT_ENGINE_MATE && score.bound == LUFT_ENGINE_EXACT && abs(score.value) <= 2) {
            require(score.value > 0 ? mates_within(&position, us, 2 * score.value - 1)
                                    : mates_within(&position, luft_opposite(us), -2 * score.value),
                    &position, "a mate");
        }
    }
}

/* With Ra6 forbidden, Morphy's problem has no mate in two. */
static void search_moves_are_the_only_first_moves(void **state) {
    (void)state;
    const char *fen = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    const luft_position position = position_from(fen);
    const luft_move key_move = move_from(&position, "a1a6");
    luft_move others[LUFT_MAX_MOVES];
    luft_move_list list;
    luft_engine_limits limits = to_mate(2);
    luft_generate(&list, &position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        if (list.moves[i] != key_move) {
            others[limits.search_move_count++] = list.moves[i];
        }
    }
    limits.search_moves = others;
    set_fen(fen);
    const luft_engine_result *result = search(limits);
    assert_true(result->no_mate);
    assert_int_not_equal(result->best, key_move);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shortest_mate_is_found),
        cmocka_unit_test(a_table_of_one_cluster_is_enough),
        cmocka_unit_test(known_problems_are_solved),
        cmocka_unit_test(more_moves_than_the_search_has_are_not_refuted),
        cmocka_unit_test(the_fifty_move_rule_is_kept),
        cmocka_unit_test(a_third_occurrence_is_a_draw),
        cmocka_unit_test_setup_teardown(the_engine_proves_a_mate, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(the_engine_proves_that_there_is_none, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(small_positions_get_a_proof, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(no_mate_is_claimed_that_is_none, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(a_limit_of_nodes_holds, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(search_moves_are_the_only_first_moves, create_engine, destroy_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
