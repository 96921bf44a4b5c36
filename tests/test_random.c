/* SPDX-License-Identifier: MIT */
/* Random numbers: the stream is SplitMix64, and numbers below a limit are even. */
#include "support/check.h"

#include "util/random.h"

/* The first numbers of SplitMix64 from the seed 1234567, as published with the algorithm. */
static void follows_the_published_stream(void **state) {
    (void)state;
    static const uint64_t published[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                         UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                         UINT64_C(16408922859458223821)};
    uint64_t random = 1234567;
    for (int i = 0; i < 5; i++) {
        assert_true(random_next(&random) == published[i]);
    }
}

static void stays_below_the_limit_and_is_even(void **state) {
    (void)state;
    enum { LIMIT = 7, DRAWS = 70000 };
    int counts[LIMIT] = {0};
    uint64_t random = 1;
    for (int i = 0; i < DRAWS; i++) {
        const uint64_t number = random_below(&random, LIMIT);
        assert_true(number < LIMIT);
        counts[number]++;
    }
    for (int i = 0; i < LIMIT; i++) { /* the deviation of a count is about 93: five of them */
        assert_in_range(counts[i], DRAWS / LIMIT - 465, DRAWS / LIMIT + 465);
    }
    assert_int_equal(random_below(&random, 1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_published_stream),
        cmocka_unit_test(stays_below_the_limit_and_is_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
