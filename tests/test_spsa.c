/* SPDX-License-Identifier: MIT */
/*
 * The tuner of search parameters: points on both sides of the estimate and within the limits, steps of the size that the
 * formulas give, an optimum found from noisy results, and pairs of games whose colours are reversed.
 */
#include "support/check.h"

#include "luft-train/tune/duel.h"
#include "luft-train/tune/spsa.h"
#include "util/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static spsa state_of(spsa_param *params, size_t count, uint64_t goal) {
    return (spsa){.params = params, .count = count, .rate = 0.002, .goal = goal, .seed = 7};
}

static void points_lie_on_both_sides(void **state) {
    (void)state;
    spsa_param params[2] = {{.name = "a", .value = 100, .min = 0, .max = 200, .step = 10},
                            {.name = "b", .value = 3.25, .min = 0, .max = 9, .step = 0.5}};
    const spsa run = state_of(params, 2, 1000);
    int ups[2] = {0}, sum = 0;
    for (uint64_t number = 0; number < 1000; number++) {
        int plus[2], minus[2];
        spsa_points(&run, number, plus, minus);
        /* The last step size is 10, the first one 10 * 1000^0.101 = 20.09. */
        assert_in_range(abs(plus[0] - minus[0]), 19, 42);
        assert_in_range(plus[0] + minus[0], 198, 202);
        ups[0] += plus[0] > minus[0];
        ups[1] += plus[0] > minus[0] && plus[1] > minus[1];
        sum += plus[1] + minus[1];
    }
    assert_in_range(ups[0], 430, 570); /* up as often as down */
    assert_in_range(ups[1], 170, 330); /* and each parameter on its own */
    assert_in_range(sum, 6300, 6700);  /* rounded up or down by chance: the mean of both points is 3.25 */
}

static void points_stay_within_the_limits(void **state) {
    (void)state;
    spsa_param params[1] = {{.name = "a", .value = 2, .min = 1, .max = 3, .step = 5}};
    spsa run = state_of(params, 1, 100);
    for (uint64_t number = 0; number < 100; number++) {
        int plus, minus;
        spsa_points(&run, number, &plus, &minus);
        assert_in_range(plus, 1, 3);
        assert_in_range(minus, 1, 3);
        spsa_update(&run, number, plus > minus ? 2 : -2);
        assert_true(params[0].value >= 1 && params[0].value <= 3);
    }
    assert_int_equal(run.steps, 100);
}

static void the_last_step_has_the_rate_and_size_that_were_asked_for(void **state) {
    (void)state;
    spsa_param params[1] = {{.name = "a", .value = 100, .min = 0, .max = 200, .step = 10}};
    spsa run = state_of(params, 1, 500);
    int plus, minus;
    spsa_points(&run, 499, &plus, &minus);
    assert_int_equal(abs(plus - minus), 20);
    spsa_update(&run, 499, 2);
    const double moved = params[0].value - 100;
    assert_true(fabs(fabs(moved) - 0.002 * 10 * 2) < 1e-9);
    assert_int_equal(moved > 0, plus > minus); /* towards the better point */
    spsa_update(&run, 499, -2);
    assert_true(fabs(params[0].value - 100) < 1e-9);
}

/* Results as games give them: mostly chance, with a preference for the point that is nearer to (70, 20). */
static void an_optimum_is_found_in_spite_of_noise(void **state) {
    (void)state;
    enum { GOAL = 40000 };
    spsa_param params[2] = {{.name = "a", .value = 100, .min = 0, .max = 200, .step = 10},
                            {.name = "b", .value = 40, .min = 0, .max = 100, .step = 5}};
    spsa run = state_of(params, 2, GOAL);
    run.rate = 0.02;
    uint64_t random = 3;
    for (uint64_t number = 0; number < GOAL; number++) {
        int plus[2], minus[2];
        spsa_points(&run, number, plus, minus);
        const double worse = hypot(plus[0] - 70, plus[1] - 20) - hypot(minus[0] - 70, minus[1] - 20);
        const double chance = (double)(random_next(&random) >> 11) * 0x1p-53;
        spsa_update(&run, number, chance < 0.5 - worse / 200 ? 1 : -1);
    }
    assert_true(fabs(params[0].value - 70) < 12);
    assert_true(fabs(params[1].value - 20) < 8);
}

/* --- Games ------------------------------------------------------------------------------- */

/* With equal values on both sides the second game is the first one again: what one wins, it then loses. */
static void equal_players_share_the_points(void **state) {
    (void)state;
    const openings starts = {.random_plies = 8};
    const duel_settings settings = {.starts = &starts, .nodes = 60, .hash_mb = 1};
    duel_worker workers[2];
    for (int i = 0; i < 2; i++) {
        assert_true(duel_worker_start(&workers[i], &settings));
    }
    duel_pair *pair = calloc(1, sizeof *pair);
    assert_non_null(pair);
    for (pair->number = 1; pair->number <= 4; pair->number++) {
        pair->seed = pair->number;
        assert_true(duel_worker_give(&workers[pair->number % 2], pair));
        duel_result result = {0};
        assert_true(duel_worker_take(&workers[pair->number % 2], &result));
        assert_int_equal(result.number, pair->number);
        assert_int_equal(result.points, 0);
    }
    free(pair);
    duel_workers_stop(workers, 2); /* returns although the second process holds the pipes of the first */
}

static void a_process_that_cannot_play_is_noticed(void **state) {
    (void)state;
    const openings starts = {.random_plies = 8};
    const duel_settings settings = {.starts = &starts, .nodes = 60, .hash_mb = UINT64_MAX >> 20};
    duel_worker worker;
    duel_result result;
    assert_true(duel_worker_start(&worker, &settings));
    assert_false(duel_worker_take(&worker, &result));
    duel_workers_stop(&worker, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_lie_on_both_sides),
        cmocka_unit_test(points_stay_within_the_limits),
        cmocka_unit_test(the_last_step_has_the_rate_and_size_that_were_asked_for),
        cmocka_unit_test(an_optimum_is_found_in_spite_of_noise),
        cmocka_unit_test(equal_players_share_the_points),
        cmocka_unit_test(a_process_that_cannot_play_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
