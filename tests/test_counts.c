/* SPDX-License-Identifier: MIT */
/*
 * Counting in bounded memory: whatever the memory, the counts are those of a plain array. With little memory the
 * records go through many runs of a temporary file, which are joined when there are too many.
 */
#include "support/check.h"
#include "support/failing_malloc.h"
#include "support/random_positions.h"

#include "util/counts.h"

#include <stdlib.h>
#include <string.h>

enum { KEYS = 20000, MOVES = 4 };

/* What was visited, in order. */
typedef struct visited {
    uint32_t (*expected)[MOVES][COUNT_RESULTS]; /* by key and move */
    uint64_t last_key;
    uint16_t last_move;
    size_t records;
    size_t limit;
} visited;

/* Keys that are spread over all 64 bits, in the order of their numbers. */
static uint64_t key_of(int number) {
    return (uint64_t)number * UINT64_C(0x000200000000003f) + 5;
}

static bool check_record(void *payload, const count_record *record) {
    visited *seen = payload;
    assert_true(seen->records == 0 || record->key > seen->last_key ||
                (record->key == seen->last_key && record->move > seen->last_move));
    const int number = (int)((record->key - 5) / UINT64_C(0x000200000000003f));
    assert_true(number < KEYS && record->move < MOVES && record->key == key_of(number));
    assert_memory_equal(seen->expected[number][record->move], record->games, sizeof record->games);
    seen->last_key = record->key;
    seen->last_move = record->move;
    return ++seen->records != seen->limit;
}

static void check_memory(size_t memory, int games, bool expect_runs) {
    counts it;
    visited seen = {.expected = calloc(KEYS, sizeof *seen.expected)};
    random_source source = {7};
    size_t different = 0;
    assert_non_null(seen.expected);
    assert_true(counts_init(&it, memory, "/tmp/counts"));
    for (int i = 0; i < games; i++) {
        /* Low numbers are frequent, as positions near the start of a game are. */
        const int number = random_below(&source, 1 + random_below(&source, KEYS));
        const int move = random_below(&source, MOVES), result = random_below(&source, COUNT_RESULTS);
        uint32_t *expected = seen.expected[number][move];
        different += expected[0] + expected[1] + expected[2] == 0;
        expected[result]++;
        assert_true(counts_add(&it, key_of(number), (uint16_t)move, result));
    }
    assert_int_equal(it.scratch != NULL, expect_runs);
    assert_true(counts_visit(&it, check_record, &seen));
    assert_null(it.reason);
    assert_int_equal(seen.records, different);
    counts_free(&it);
    free(seen.expected);
}

static void counts_are_those_of_an_array(void **state) {
    (void)state;
    check_memory((size_t)8 << 20, 100000, false);
    check_memory((size_t)1 << 20, 100000, true);
    check_memory(0, 1000, true);
    check_memory(0, 200000, true); /* more than 256 runs: they are joined, more than once */
    check_memory((size_t)1 << 20, 0, false);
}

static void a_visitor_can_stop(void **state) {
    (void)state;
    counts it;
    visited seen = {.expected = calloc(KEYS, sizeof *seen.expected), .limit = 3};
    assert_non_null(seen.expected);
    assert_true(counts_init(&it, 0, "/tmp/counts"));
    for (int i = 0; i < 1000; i++) {
        seen.expected[i][1][COUNT_WON] = 1;
        assert_true(counts_add(&it, key_of(i), 1, COUNT_WON));
    }
    assert_true(counts_visit(&it, check_record, &seen));
    assert_int_equal(seen.records, 3);
    counts_free(&it);
    free(seen.expected);
}

static void a_disk_that_refuses_is_named(void **state) {
    (void)state;
    counts it;
    int added = 0;
    assert_true(counts_init(&it, 0, "/no/such/folder/counts"));
    while (added < 1000 && counts_add(&it, key_of(added), 0, COUNT_DRAWN)) {
        added++;
    }
    assert_in_range(added, 1, 999);
    assert_non_null(strstr(it.reason, "temporary file"));
    counts_free(&it);
    counts_free(&it); /* twice is fine */
}

static bool ignore(void *payload, const count_record *record) {
    (void)payload;
    (void)record;
    return true;
}

static luft_error memory_scenario(void *payload) {
    counts it;
    (void)payload;
    bool good = counts_init(&it, 0, "/tmp/counts");
    for (int i = 0; good && i < 400; i++) {
        good = counts_add(&it, key_of(i), 0, COUNT_LOST);
    }
    good = good && counts_visit(&it, ignore, NULL);
    counts_free(&it);
    return good ? LUFT_OK : LUFT_ERROR_MEMORY;
}

static void out_of_memory(void **state) {
    (void)state;
    assert_true(assert_survives_failing_malloc(memory_scenario, NULL) >= 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_an_array),
        cmocka_unit_test(a_visitor_can_stop),
        cmocka_unit_test(a_disk_that_refuses_is_named),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
