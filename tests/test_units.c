/* SPDX-License-Identifier: MIT */
/*
 * Journals and units: what was finished is kept whatever happens to the file, and the results do not depend on who did the
 * units, or in which order.
 */
#define _XOPEN_SOURCE 700

#include "support/check.h"
#include "support/failing_malloc.h"

#include "util/random.h"
#include "util/units.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char manifest[] = "work squares\nnodes 100\n";
static const journal_part whole = {1, 1};

typedef struct files {
    char directory[64];
    char path[128];
    char other[128];
} files;

static int set_up(void **state) {
    files *all = calloc(1, sizeof *all);
    assert_non_null(all);
    snprintf(all->directory, sizeof all->directory, "/tmp/luft-units-XXXXXX");
    assert_non_null(mkdtemp(all->directory));
    snprintf(all->path, sizeof all->path, "%s/1.journal", all->directory);
    snprintf(all->other, sizeof all->other, "%s/2.journal", all->directory);
    *state = all;
    return 0;
}

static int tear_down(void **state) {
    files *all = *state;
    unlink(all->path);
    unlink(all->other);
    assert_int_equal(rmdir(all->directory), 0);
    free(all);
    return 0;
}

static unit_key key_of(const char *request) {
    return unit_key_of(request, strlen(request));
}

/* The result of a unit in the journal; NULL if it is not there. The caller frees it. */
static char *result_of(journal *it, const char *request) {
    buffer text = {0};
    const journal_entry *entry = journal_entry_of(it, key_of(request));
    assert_non_null(entry);
    if (entry->state != UNIT_FINISHED) {
        return NULL;
    }
    assert_true(journal_read(it, entry, &text));
    buffer_append(&text, "", 1);
    return text.data;
}

static void add(journal *it, const char *request, const char *result) {
    assert_true(journal_add(it, key_of(request), result, strlen(result)));
}

static void expect(journal *it, const char *request, const char *result) {
    char *found = result_of(it, request);
    assert_non_null(found);
    assert_string_equal(found, result);
    free(found);
}

static void read_file(const char *path, buffer *out) {
    char block[4096];
    size_t length;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    while ((length = fread(block, 1, sizeof block, file)) > 0) {
        buffer_append(out, block, length);
    }
    fclose(file);
}

static void write_file(const char *path, const char *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* --- The journal ------------------------------------------------------------------------- */

static void test_resume(void **state) {
    const files *all = *state;
    journal it;
    assert_true(journal_open(&it, all->path, manifest, whole));
    add(&it, "one", "1");
    add(&it, "two", "line\nfeed");
    add(&it, "three", "");
    expect(&it, "two", "line\nfeed");
    assert_true(journal_close(&it));
    assert_true(journal_open(&it, all->path, manifest, whole));
    assert_int_equal(it.finished, 3);
    assert_int_equal(it.dropped, 0);
    expect(&it, "one", "1");
    expect(&it, "two", "line\nfeed");
    expect(&it, "three", "");
    assert_null(result_of(&it, "four"));
    add(&it, "four", "4");
    assert_true(journal_close(&it));
    assert_true(journal_open(&it, all->path, manifest, whole));
    expect(&it, "four", "4");
    assert_true(journal_close(&it));
}

/* Any beginning of a journal is a journal, with the units that are complete in it, and can be continued. */
static void test_cut_everywhere(void **state) {
    const files *all = *state;
    static const char *const requests[] = {"a", "b", "c"}, *const results[] = {"first\n", "", "unit 3"};
    uint64_t ends[4];
    buffer bytes = {0};
    journal it;
    assert_true(journal_open(&it, all->path, manifest, whole));
    ends[0] = it.end;
    for (int i = 0; i < 3; i++) {
        add(&it, requests[i], results[i]);
        ends[i + 1] = it.end;
    }
    assert_true(journal_close(&it));
    read_file(all->path, &bytes);
    assert_int_equal(bytes.length, ends[3]);
    for (size_t length = 0; length <= bytes.length; length++) {
        write_file(all->path, bytes.data, length);
        assert_true(journal_open(&it, all->path, manifest, whole));
        uint64_t complete = 0;
        while (complete < 3 && ends[complete + 1] <= length) {
            complete++;
        }
        assert_int_equal(it.finished, complete);
        assert_int_equal(it.dropped, length <= ends[0] ? 0 : length - ends[complete]);
        for (uint64_t i = 0; i < 3; i++) {
            char *found = result_of(&it, requests[i]);
            assert_int_equal(found != NULL, i < complete);
            free(found);
            if (i >= complete) {
                add(&it, requests[i], results[i]);
            }
        }
        assert_true(journal_close(&it));
        buffer again = {0};
        read_file(all->path, &again);
        assert_int_equal(again.length, bytes.length);
        assert_memory_equal(again.data, bytes.data, bytes.length);
        buffer_free(&again);
    }
    buffer_free(&bytes);
}

/* A flipped bit never gives a wrong result: it ends the journal, or the journal is refused. */
static void test_flipped_bits(void **state) {
    const files *all = *state;
    buffer bytes = {0};
    journal it;
    assert_true(journal_open(&it, all->path, manifest, whole));
    add(&it, "a", "first");
    add(&it, "b", "second");
    assert_true(journal_close(&it));
    read_file(all->path, &bytes);
    for (size_t at = 0; at < bytes.length; at++) {
        bytes.data[at] ^= 1 << at % 8;
        write_file(all->path, bytes.data, bytes.length);
        if (journal_open(&it, all->path, manifest, whole)) {
            char *first = result_of(&it, "a"), *second = result_of(&it, "b");
            assert_true(!first || strcmp(first, "first") == 0);
            assert_true(!second || strcmp(second, "second") == 0);
            assert_true(!first || !second);
            assert_true(it.dropped > 0);
            free(first);
            free(second);
        } else {
            assert_true(it.reason[0] != '\0');
        }
        journal_close(&it);
        bytes.data[at] ^= 1 << at % 8;
    }
    buffer_free(&bytes);
}

static void test_other_work(void **state) {
    const files *all = *state;
    journal it, second;
    assert_true(journal_open(&it, all->path, manifest, whole));
    assert_false(journal_open(&second, all->path, manifest, whole));
    assert_non_null(strstr(second.reason, "another process"));
    journal_close(&second);
    assert_true(journal_close(&it));
    assert_false(journal_open(&it, all->path, "work squares\nnodes 200\n", whole));
    assert_non_null(strstr(it.reason, "\"nodes 100\""));
    assert_non_null(strstr(it.reason, "\"nodes 200\""));
    journal_close(&it);
    assert_false(journal_open(&it, all->path, manifest, (journal_part){2, 3}));
    journal_close(&it);
    write_file(all->path, "not a journal\n", 14);
    assert_false(journal_open(&it, all->path, manifest, whole));
    journal_close(&it);
    buffer bytes = {0};
    read_file(all->path, &bytes);
    assert_int_equal(bytes.length, 14); /* a file of the user stays as it is */
    buffer_free(&bytes);
    assert_false(journal_open(&it, all->directory, manifest, whole));
    journal_close(&it);
    assert_false(journal_open(&it, "/dev/null", manifest, whole));
    journal_close(&it);
}

/* A full disk: the record that does not fit is refused, those before it stay, and it fits later. */
static void test_full_disk(void **state) {
    const files *all = *state;
    journal it;
    struct rlimit old, limit;
    char long_result[3000];
    memset(long_result, 'x', sizeof long_result - 1);
    long_result[sizeof long_result - 1] = '\0';
    signal(SIGXFSZ, SIG_IGN);
    assert_true(journal_open(&it, all->path, manifest, whole));
    add(&it, "short", "1");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = old;
    limit.rlim_cur = 2048;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_false(journal_add(&it, key_of("long"), long_result, strlen(long_result)));
    assert_true(it.reason[0] != '\0');
    assert_null(result_of(&it, "long"));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    add(&it, "long", long_result);
    assert_true(journal_close(&it));
    assert_true(journal_open(&it, all->path, manifest, whole));
    assert_int_equal(it.finished, 2);
    assert_int_equal(it.dropped, 0);
    expect(&it, "long", long_result);
    assert_true(journal_close(&it));
}

static void test_merge_journals(void **state) {
    const files *all = *state;
    journal it;
    assert_true(journal_open(&it, all->path, manifest, (journal_part){1, 2}));
    add(&it, "a", "1");
    assert_true(journal_complete(&it));
    assert_true(journal_close(&it));
    assert_true(journal_open(&it, all->other, manifest, (journal_part){2, 2}));
    add(&it, "b", "2");
    add(&it, "a", "1");
    assert_true(journal_close(&it));
    assert_true(journal_open(&it, NULL, manifest, whole));
    assert_true(journal_merge(&it, all->path, manifest));
    assert_true(it.is_complete);
    assert_int_equal(it.part.number, 1);
    assert_true(journal_merge(&it, all->other, manifest));
    assert_false(it.is_complete);
    assert_int_equal(it.finished, 2);
    assert_int_equal(it.twice, 1);
    expect(&it, "a", "1");
    expect(&it, "b", "2");
    assert_false(journal_merge(&it, all->other, "work circles\n"));
    journal_close(&it);
    assert_true(journal_open(&it, NULL, manifest, whole));
    add(&it, "a", "another");
    assert_false(journal_merge(&it, all->path, manifest));
    assert_non_null(strstr(it.reason, "differ"));
    journal_close(&it);
}

/* --- Units --------------------------------------------------------------------------------- */

/* The square of a number; "odd" fails always, and each request that begins with a minus fails once. */
typedef struct squares {
    atomic_int runs;
    atomic_int failures;
} squares;

static void *open_squares(void *shared) {
    return shared;
}

static void close_squares(void *worker) {
    (void)worker;
}

static bool run_square(void *worker, const char *request, size_t length, buffer *result) {
    squares *counts = worker;
    atomic_fetch_add(&counts->runs, 1);
    assert_int_equal(strlen(request), length);
    if (strcmp(request, "odd") == 0 || (request[0] == '-' && atomic_fetch_add(&counts->failures, 1) == 0)) {
        buffer_append_text(result, "no such number");
        return false;
    }
    const long number = strtol(request, NULL, 10);
    buffer_printf(result, "%ld", number * number);
    return true;
}

static const unit_work square_work = {.open = open_squares, .close = close_squares, .run = run_square};

static units *open_units(const char *journal_path, journal_part part) {
    int status;
    const units_settings settings = {
        .command = "test", .manifest = manifest, .journal = journal_path, .part = part, .waiting_max = 16};
    units *it = units_open(&settings, &status);
    assert_non_null(it);
    return it;
}

static void start(units *it, squares *counts, int threads) {
    unit_work work = square_work;
    work.shared = counts;
    assert_true(units_start(it, &work, threads, NULL));
}

/* Asks for the numbers 0 to count - 1, each twice, and checks the squares. */
static void check_squares(units *it, int count) {
    char request[16], expected[16];
    for (int i = 0; i < 2 * count; i++) {
        snprintf(request, sizeof request, "%d", i % count);
        assert_true(units_ask(it, request, strlen(request), (uint64_t)(i * 7 % 5), 0));
    }
    for (int i = 0; i < count; i++) {
        buffer result = {0};
        snprintf(request, sizeof request, "%d", i);
        snprintf(expected, sizeof expected, "%d", i * i);
        assert_int_equal(units_wait(it, request, strlen(request), &result), UNIT_FINISHED);
        assert_int_equal(result.length, strlen(expected));
        assert_memory_equal(result.data, expected, result.length);
        buffer_free(&result);
    }
    assert_true(units_drain(it));
}

static void test_threads(void **state) {
    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        squares counts = {0};
        units *it = open_units(NULL, (journal_part){0, 0});
        start(it, &counts, threads);
        check_squares(it, 100);
        assert_int_equal(atomic_load(&counts.runs), 100); /* equal requests are one unit */
        assert_int_equal(units_done(it), 100);
        assert_int_equal(units_asked(it), 200);
        assert_true(units_free(it));
    }
}

/* A second run takes everything from the journal. */
static void test_units_resume(void **state) {
    const files *all = *state;
    squares counts = {0};
    units *it = open_units(all->path, (journal_part){0, 0});
    start(it, &counts, 2);
    check_squares(it, 30);
    assert_true(units_free(it));
    it = open_units(all->path, (journal_part){0, 0});
    start(it, &counts, 2);
    check_squares(it, 40);
    assert_int_equal(atomic_load(&counts.runs), 40);
    assert_int_equal(units_done(it), 10);
    assert_true(units_free(it));
}

static void test_failing_units(void **state) {
    (void)state;
    squares counts = {0};
    buffer result = {0};
    units *it = open_units(NULL, (journal_part){0, 0});
    start(it, &counts, 1);
    assert_true(units_ask(it, "odd", 3, 1, 0));
    assert_true(units_ask(it, "-3", 2, 1, 0));
    assert_true(units_ask(it, "4", 1, 1, 0));
    assert_int_equal(units_wait(it, "odd", 3, &result), UNIT_FAILED);
    assert_int_equal(units_wait(it, "-3", 2, &result), UNIT_FINISHED); /* the second time */
    assert_memory_equal(result.data, "9", 1);
    assert_int_equal(units_wait(it, "4", 1, &result), UNIT_FINISHED);
    assert_false(units_drain(it));
    assert_int_equal(units_failed(it), 1);
    assert_int_equal(atomic_load(&counts.runs), 2 + 2 + 1);
    assert_true(units_free(it));
    buffer_free(&result);
}

/* Units are taken largest first; one that goes back is taken again. */
static void test_order(void **state) {
    (void)state;
    units *it = open_units(NULL, (journal_part){0, 0});
    unit taken;
    char request[16];
    for (int i = 0; i < 12; i++) {
        snprintf(request, sizeof request, "%d", i);
        assert_true(units_ask(it, request, strlen(request), (uint64_t)(i * 5 % 12), 0));
    }
    uint64_t last = 100;
    for (int i = 0; i < 12; i++) {
        assert_true(units_take(it, &taken, false));
        assert_true(taken.weight < last);
        last = taken.weight;
        if (i == 5) {
            const uint64_t order = taken.order;
            units_return(it, &taken);
            assert_true(units_take(it, &taken, true));
            assert_int_equal(taken.order, order);
        }
        units_finish(it, &taken, "x", 1);
    }
    assert_false(units_take(it, &taken, false));
    assert_true(units_is_open(it));
    assert_true(units_drain(it));
    assert_false(units_is_open(it));
    assert_false(units_take(it, &taken, true));
    assert_true(units_free(it));
}

/* Two parts, done in any order, merge to the whole; a part that is missing or not finished is refused. */
static void test_parts(void **state) {
    const files *all = *state;
    squares counts = {0};
    int status;
    const char *const paths[] = {all->path, all->other};
    units_settings merged = {.command = "test", .manifest = manifest, .parts = all->directory};
    for (uint64_t part = 2; part >= 1; part--) {
        units *it = open_units(paths[part - 1], (journal_part){part, 2});
        assert_true(units_is_part(it));
        start(it, &counts, 2);
        for (int i = 0; i < 50; i++) {
            char request[16];
            snprintf(request, sizeof request, "%d", i);
            assert_true(units_ask(it, request, strlen(request), 1, 0));
        }
        if (part == 1) {
            assert_null(units_open(&merged, &status)); /* part 1 is not finished */
            assert_int_equal(status, 1);
        }
        assert_true(units_drain(it));
        assert_true(units_free(it));
        if (part == 2) {
            assert_null(units_open(&merged, &status)); /* part 1 is missing */
            assert_int_equal(status, 1);
        }
    }
    assert_int_equal(atomic_load(&counts.runs), 50);
    units *it = units_open(&merged, &status);
    assert_non_null(it);
    check_squares(it, 50);
    assert_false(units_ask(it, "51", 2, 1, 0)); /* no unit of these parts */
    assert_false(units_free(it));
}

static void test_journal_breaks(void **state) {
    const files *all = *state;
    struct rlimit old, limit;
    squares counts = {0};
    signal(SIGXFSZ, SIG_IGN);
    units *it = open_units(all->path, (journal_part){0, 0});
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = old;
    limit.rlim_cur = 512;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    start(it, &counts, 2);
    char request[16];
    int asked = 0;
    do {
        snprintf(request, sizeof request, "%d", asked);
    } while (units_ask(it, request, strlen(request), 1, 0) && ++asked < 1000);
    assert_true(asked < 1000);
    assert_false(units_drain(it));
    assert_false(units_free(it));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    it = open_units(all->path, (journal_part){0, 0});
    start(it, &counts, 2);
    check_squares(it, 100);
    assert_true(units_free(it));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_resume, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cut_everywhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_flipped_bits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_work, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_full_disk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_merge_journals, set_up, tear_down),
        cmocka_unit_test(test_threads),
        cmocka_unit_test_setup_teardown(test_units_resume, set_up, tear_down),
        cmocka_unit_test(test_failing_units),
        cmocka_unit_test(test_order),
        cmocka_unit_test_setup_teardown(test_parts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_journal_breaks, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
