/* SPDX-License-Identifier: MIT */
/*
 * Time management: limits that are never above the clock, the reserve, and nodes in place of time, with which a search
 * is the same on every machine.
 */
#include "support/check.h"
#include "support/random_positions.h"

#include "engine/limits.h"
#include "luft/engine.h"

static void test_account_opens_with_the_first_clock(void **state) {
    (void)state;
    node_account account = {.rate = 100, .left = LIMIT_NONE};
    search_limits limits = limits_none();
    limits.time_ms[LUFT_BLACK] = 5000;
    assert_int_equal(node_account_limits(&account, &limits, LUFT_BLACK).time_ms[LUFT_BLACK], 5000);
    assert_int_equal(account.left, 500000);
    node_account_spend(&account, &limits, LUFT_BLACK, 120000);
    /* The clock of the game does not matter now. */
    limits.time_ms[LUFT_BLACK] = 4999;
    assert_int_equal(node_account_limits(&account, &limits, LUFT_BLACK).time_ms[LUFT_BLACK], 3800);
}

static void test_account_gets_the_increment_and_is_never_overdrawn(void **state) {
    (void)state;
    node_account account = {.rate = 10, .left = 1000};
    search_limits limits = limits_none();
    limits.time_ms[LUFT_WHITE] = 1;
    limits.increment_ms[LUFT_WHITE] = 7;
    node_account_spend(&account, &limits, LUFT_WHITE, 400);
    assert_int_equal(account.left, 1000 - 400 + 70);
    node_account_spend(&account, &limits, LUFT_WHITE, 5000);
    assert_int_equal(account.left, 70);
}

static void test_account_without_a_rate_or_a_clock(void **state) {
    (void)state;
    node_account none = {.rate = 0, .left = LIMIT_NONE}, account = {.rate = 10, .left = 50};
    search_limits limits = limits_none();
    node_account_spend(&account, &limits, LUFT_WHITE, 20); /* a search to a depth */
    assert_int_equal(account.left, 50);
    limits.time_ms[LUFT_WHITE] = 777;
    assert_int_equal(node_account_limits(&none, &limits, LUFT_WHITE).time_ms[LUFT_WHITE], 777);
    node_account_spend(&none, &limits, LUFT_WHITE, 20);
    assert_int_equal(none.left, LIMIT_NONE);
}

/* 3 moves in 600 ms, repeated, then 100 ms for the rest: the clock counts at the first move of each time control. */
static void test_account_opens_with_each_time_control(void **state) {
    (void)state;
    const struct {
        int moves_to_go, clock, account;
    } steps[] = {{3, 600, 600},  {2, 599, 500},   {1, 598, 400},   {3, 1197, 1197}, {2, 1196, 1097},
                 {1, 1195, 997}, {0, 1294, 1294}, {0, 1293, 1194}, {0, 9999, 1094}};
    node_account account = {.rate = 10, .left = LIMIT_NONE};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        search_limits limits = limits_none();
        limits.time_ms[LUFT_WHITE] = steps[i].clock;
        limits.moves_to_go = steps[i].moves_to_go;
        assert_int_equal(node_account_limits(&account, &limits, LUFT_WHITE).time_ms[LUFT_WHITE], steps[i].account);
        /* Asked again for the same move, as after a ponder move that was not played. */
        assert_int_equal(node_account_limits(&account, &limits, LUFT_WHITE).time_ms[LUFT_WHITE], steps[i].account);
        node_account_spend(&account, &limits, LUFT_WHITE, 1000);
    }
}

static void test_clock_runs_by_nodes(void **state) {
    (void)state;
    search_clock clock;
    search_limits limits = limits_none();
    limits.movetime_ms = 100;
    clock_start(&clock, &limits, LUFT_WHITE, 0, clock_now());
    clock.node_rate = 50;
    assert_int_equal(clock.hard, 100000);
    assert_int_equal(clock_used(&clock, 4999), 99980);
    assert_int_equal(clock_used(&clock, 5000), 100000);
    atomic_store(&clock.start_nodes, 4000);
    assert_int_equal(clock_used(&clock, 5000), 20000);
}

/* --- A search ------------------------------------------------------------------ */

static void keep_nodes(void *payload, const luft_engine_line *line) {
    *(int64_t *)payload = line->nodes;
}

static int64_t nodes_of_search(luft_engine *engine, const luft_engine_limits *limits) {
    int64_t nodes = 0;
    const luft_engine_callbacks callbacks = {.size = sizeof callbacks, .line = keep_nodes, .payload = &nodes};
    assert_int_equal(luft_engine_start(engine, limits, &callbacks), LUFT_OK);
    luft_engine_wait(engine);
    return nodes;
}

static void test_search_by_nodes(void **state) {
    (void)state;
    luft_engine *engine = NULL;
    assert_int_equal(luft_engine_create(&engine), LUFT_OK);
    luft_engine_set_node_rate(engine, 20);
    luft_engine_set_overhead(engine, 0);
    luft_engine_limits limits = luft_engine_no_limits();
    limits.movetime_ms = 1000; /* 20,000 nodes; the search checks the clock every 1,024 */
    const int64_t nodes = nodes_of_search(engine, &limits);
    assert_in_range(nodes, 20000, 20000 + 1024);
    luft_engine_clear(engine);
    assert_int_equal(nodes_of_search(engine, &limits), nodes);

    /* The account lasts for the game: later searches have less, whatever the clock says. A new game has a full account. */
    limits = luft_engine_no_limits();
    limits.time_ms[LUFT_WHITE] = 2000;
    limits.moves_to_go = 1;
    luft_engine_clear(engine);
    const int64_t first = nodes_of_search(engine, &limits);
    assert_in_range(first, 8000, 40000);
    int64_t all = first;
    for (int i = 0; i < 12; i++) {
        all += nodes_of_search(engine, &limits);
    }
    assert_in_range(all, first + 1, 40000 + 13 * 1024);
    luft_engine_clear(engine);
    assert_int_equal(nodes_of_search(engine, &limits), first);
    luft_engine_free(engine);
}

/* A game that is played on the increment keeps 100 ms: a busy machine may suspend the engine for so long. */
static void a_reserve_stays_on_the_clock(void **state) {
    (void)state;
    search_clock clock;
    search_limits limits = limits_none();
    int64_t left = 1000000;
    limits.increment_ms[LUFT_WHITE] = 10;
    for (int move = 0; move < 300; move++) {
        limits.time_ms[LUFT_WHITE] = left / 1000;
        clock_start(&clock, &limits, LUFT_WHITE, 10, 0);
        assert_true(clock.soft <= clock.hard);
        left += 10000 - clock.soft - 5000; /* the usual case: the search ends at the soft limit, and 5 ms get lost */
        assert_true(left - clock.hard >= 100000);
    }
    /* With less than 200 ms half of the time stays. */
    for (int64_t time = 1; time <= 200; time++) {
        limits = limits_none();
        limits.time_ms[LUFT_BLACK] = time;
        clock_start(&clock, &limits, LUFT_BLACK, 10, 0);
        assert_true(clock.hard <= time * 500);
        assert_true(clock.hard > 0);
    }
    /* With moves to go the reserve stays until the last of them. */
    limits = limits_none();
    limits.time_ms[LUFT_WHITE] = 300;
    limits.moves_to_go = 1;
    clock_start(&clock, &limits, LUFT_WHITE, 10, 0);
    assert_in_range(clock.hard, 100000, 200000);
}

/* --- Limits ------------------------------------------------------------------- */

static void time_is_never_overspent(void **state) {
    (void)state;
    random_source source = {5};
    for (int i = 0; i < test_rounds(20000); i++) {
        search_limits limits = limits_none();
        limits.time_ms[0] = (int64_t)(random_next(&source) >> (20 + random_below(&source, 44)));
        limits.increment_ms[0] = random_below(&source, 3) ? random_below(&source, 5000) : 0;
        limits.moves_to_go = random_below(&source, 2) ? random_below(&source, 60) : 0;
        const int64_t overhead = random_below(&source, 200);
        search_clock clock;
        clock_start(&clock, &limits, LUFT_WHITE, overhead, 0);
        assert_true(clock.soft >= 0 && clock.soft <= clock.hard);
        assert_true(clock.hard <= limits.time_ms[0] * 1000);
        if (limits.time_ms[0] > 10 * overhead) {
            assert_true(clock.hard <= (limits.time_ms[0] - overhead) * 1000);
        }
    }
}

static void a_move_time_is_used(void **state) {
    (void)state;
    search_limits limits = limits_none();
    limits.movetime_ms = 1000;
    search_clock clock;
    clock_start(&clock, &limits, LUFT_WHITE, 10, 0);
    assert_int_equal(clock.hard, 990000);
    limits.movetime_ms = 0;
    clock_start(&clock, &limits, LUFT_WHITE, 10, 0);
    assert_int_equal(clock.hard, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_never_overspent),
        cmocka_unit_test(a_move_time_is_used),
        cmocka_unit_test(a_reserve_stays_on_the_clock),
        cmocka_unit_test(test_account_opens_with_the_first_clock),
        cmocka_unit_test(test_account_gets_the_increment_and_is_never_overdrawn),
        cmocka_unit_test(test_account_without_a_rate_or_a_clock),
        cmocka_unit_test(test_account_opens_with_each_time_control),
        cmocka_unit_test(test_clock_runs_by_nodes),
        cmocka_unit_test(test_search_by_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
