/* SPDX-License-Identifier: MIT */
/* The progress line and the clock: what the line says, and that it is not drawn where there is no terminal. */
#include "support/captured.h"
#include "support/check.h"

#include "util/clock.h"
#include "util/progress.h"

#include <stdio.h>
#include <string.h>

static char text[PROGRESS_TEXT_SIZE];

static void clock_moves_forward(void **state) {
    (void)state;
    const int64_t before = clock_microseconds();
    const double seconds = clock_seconds();
    clock_sleep_ms(20);
    const int64_t passed = clock_microseconds() - before;
    assert_true(passed >= 20000 && passed < 10000000);
    assert_true(clock_seconds() - seconds >= 0.019);
}

/* As if the work had begun ten seconds ago: the rates then have known values. */
static void start_earlier(progress *line) {
    line->started -= 10;
}

static void counts_work_and_shares(void **state) {
    (void)state;
    progress line;
    progress_start(&line, "perft 7", true);
    start_earlier(&line);
    progress_add(&line, 0.25, 1234567, 50000000);
    assert_string_equal(progress_text(&line, text), "perft 7: 25.0 %, 1,234,567 nodes, 5.0 Mnps, 30 s left");
    progress_add(&line, 0.8, UINT64_MAX, UINT64_MAX);
    progress_text(&line, text);
    assert_non_null(strstr(text, "100.0 %, 18,446,744,073,709,551,615 nodes"));
    assert_null(strstr(text, "left"));
}

static void knows_no_share_where_there_is_none(void **state) {
    (void)state;
    progress line;
    progress_start_units(&line, "", false, "games", " MB/s", 1e-6);
    start_earlier(&line);
    progress_add(&line, 0.5, 12, 20000000);
    assert_string_equal(progress_text(&line, text), "12 games, 2.0 MB/s");
}

static void counts_towards_a_goal(void **state) {
    (void)state;
    progress line;
    progress_start_goal(&line, "positions", 1000, 5000);
    start_earlier(&line);
    progress_set(&line, 2000);
    assert_string_equal(progress_text(&line, text), "25.0 %, 2,000 positions, 100.0/s, 30 s left");
    progress_set(&line, 6000);
    assert_string_equal(progress_text(&line, text), "100.0 %, 6,000 positions, 500.0/s");
    progress_start_goal(&line, "positions", 0, 0);
    start_earlier(&line);
    progress_set(&line, 5);
    assert_string_equal(progress_text(&line, text), "5 positions, 0.5/s");
}

static void chooses_the_unit_of_the_time_left(void **state) {
    (void)state;
    static const struct {
        double share;
        const char *expected; /* NULL for none */
    } cases[] = {{0.11, "81 s"}, {0.09, "2 min"}, {0.011, "15 min"}, {0.005, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        progress line;
        progress_start(&line, "x", true);
        start_earlier(&line);
        progress_add(&line, cases[i].share, 0, 0);
        progress_text(&line, text);
        const char *left = strstr(text, cases[i].expected ? cases[i].expected : "left");
        assert_true((left != NULL) == (cases[i].expected != NULL));
    }
}

static void draws_nothing_into_a_file(void **state) {
    (void)state;
    progress line;
    capture_begin(2);
    progress_start(&line, "x", true);
    start_earlier(&line);
    progress_add(&line, 0.5, 1, 1);
    progress_clear(&line);
    assert_string_equal(capture_end(), "");
}

static void draws_and_clears_on_a_terminal(void **state) {
    (void)state;
    progress line;
    capture_begin(2);
    progress_start(&line, "x", true);
    line.terminal = true;
    progress_add(&line, 0.1, 1, 1); /* not in the first second */
    start_earlier(&line);
    progress_add(&line, 0.4, 1, 1);
    progress_add(&line, 0.1, 1, 1); /* not again at once */
    const int width = line.width;
    progress_clear(&line);
    progress_clear(&line);
    const char *drawn = capture_end();
    char expected[256];
    snprintf(expected, sizeof expected, "\rx: 50.0 %%, 2 nodes, 0.0 Mnps, 10 s left\r%*s\r", width, "");
    assert_string_equal(drawn, expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clock_moves_forward),
        cmocka_unit_test(counts_work_and_shares),
        cmocka_unit_test(knows_no_share_where_there_is_none),
        cmocka_unit_test(counts_towards_a_goal),
        cmocka_unit_test(chooses_the_unit_of_the_time_left),
        cmocka_unit_test(draws_nothing_into_a_file),
        cmocka_unit_test(draws_and_clears_on_a_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
