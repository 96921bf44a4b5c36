/* SPDX-License-Identifier: MIT */
/* Error lines are one line of printable ASCII, and lost output is noticed. */
#include "support/captured.h"
#include "support/check.h"
#include "support/failing_malloc.h"

#include "util/output.h"

#include <stdio.h>
#include <string.h>

static void prints_one_printable_line(void **state) {
    (void)state;
    capture_begin(2);
    output_error("luft pgn check", "%s: a\nb\x1b[2J\xff", "games.pgn");
    assert_string_equal(capture_end(), "luft pgn check: games.pgn: a\\x0ab\\x1b[2J\\xff\n");
}

static void shortens_in_the_middle(void **state) {
    (void)state;
    char name[4000];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    capture_begin(2);
    output_error("luft", "%s: permission denied", name);
    const char *line = capture_end();
    assert_int_equal(strlen(line), strlen("luft: ") + 200 + 1);
    assert_non_null(strstr(line, "nnn...nnn"));
    assert_string_equal(line + strlen(line) - strlen("n: permission denied\n"), "n: permission denied\n");
}

static void writes_and_empties_the_text(void **state) {
    (void)state;
    buffer text = {0};
    FILE *file = tmpfile();
    char read[16] = "";
    assert_true(output_write("luft", file, &text)); /* nothing is fine */
    buffer_append_text(&text, "abc");
    assert_true(output_write("luft", file, &text));
    assert_int_equal(text.length, 0);
    rewind(file);
    assert_int_equal(fread(read, 1, sizeof read, file), 3);
    assert_string_equal(read, "abc");
    fclose(file);
    text.failed = true;
    capture_begin(2);
    const bool good = output_write("luft", stdout, &text);
    assert_string_equal(capture_end(), "luft: out of memory\n");
    assert_false(good);
    buffer_free(&text);
}

static void notices_a_full_disk(void **state) {
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (!full) {
        skip();
    }
    buffer text = {0};
    buffer_append_text(&text, "abc");
    assert_false(output_write("luft", full, &text));
    buffer_free(&text);
    fclose(full);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_one_printable_line),
        cmocka_unit_test(shortens_in_the_middle),
        cmocka_unit_test(writes_and_empties_the_text),
        cmocka_unit_test(notices_a_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
