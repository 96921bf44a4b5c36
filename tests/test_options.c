/* SPDX-License-Identifier: MIT */
/* The option parser of both programs: values in every form, operands, help, and one error line for each mistake. */
#include "support/captured.h"
#include "support/check.h"

#include "util/options.h"
#include "util/output.h"

#include <string.h>

static const char *const methods[] = {"fast", "slow", "plain", NULL};

/* The targets, and the arguments that were left over. */
static struct parsed {
    bool flag;
    const char *file;
    uint64_t number;
    int method;
    uint64_t depth;
    const char *const *rest;
    size_t rest_count;
    int status;
} got;

enum { ARGUMENTS_MAX = 16 };

/* Parses the words of a line. `takes_rest`: further operands are fine. */
static bool parse(const char *line, bool takes_rest, bool needs_file) {
    static char words[256];
    char *argv[ARGUMENTS_MAX] = {"test"};
    int argc = 1;
    strcpy(words, line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    got = (struct parsed){.number = 7, .method = 1, .status = -1};
    const option options[] = {
        {.name = "flag", .help = "set it", .flag = &got.flag},
        {.name = "file",
         .letter = 'f',
         .value = "FILE",
         .help = "read FILE",
         .text = &got.file,
         .required = needs_file},
        {.name = "number", .value = "N", .help = "use N", .number = &got.number, .minimum = 5, .maximum = 20},
        {.name = "method", .value = "M", .help = "choose M", .choice = &got.method, .choices = methods},
    };
    const option operands[] = {{.name = "DEPTH", .help = "plies", .number = &got.depth, .maximum = 64}};
    const option_table table = {.command = "luft test",
                                .usage = "[options] DEPTH",
                                .about = "Tests.\n",
                                .options = options,
                                .option_count = 4,
                                .operands = operands,
                                .operand_count = 1,
                                .rest = takes_rest ? &got.rest : NULL,
                                .rest_count = takes_rest ? &got.rest_count : NULL};
    static const char *rest[ARGUMENTS_MAX];
    const bool good = options_read(&table, argc, argv, &got.status);
    for (size_t i = 0; takes_rest && i < got.rest_count; i++) {
        rest[i] = got.rest[i];
    }
    got.rest = rest;
    return good;
}

static void reads_values_in_every_form(void **state) {
    (void)state;
    assert_true(parse("", false, false));
    assert_true(!got.flag && !got.file && got.number == 7 && got.method == 1 && got.depth == 0);
    assert_true(parse("--flag --file a --number 20 --method plain 64", false, false));
    assert_true(got.flag && got.number == 20 && got.method == 2 && got.depth == 64);
    assert_string_equal(got.file, "a");
    assert_true(parse("3 --file=x=y --number=5 --method=fast", false, false));
    assert_true(got.depth == 3 && got.number == 5 && got.method == 0);
    assert_string_equal(got.file, "x=y");
    assert_true(parse("-f b --file c", false, false));
    assert_string_equal(got.file, "c"); /* the last counts */
    assert_true(parse("--file -", false, false));
    assert_string_equal(got.file, "-");
}

static void collects_operands_in_order(void **state) {
    (void)state;
    assert_true(parse("1 a --number 6 b -- --flag -", true, false));
    assert_int_equal(got.rest_count, 4);
    assert_string_equal(got.rest[0], "a");
    assert_string_equal(got.rest[1], "b");
    assert_string_equal(got.rest[2], "--flag");
    assert_string_equal(got.rest[3], "-");
    assert_false(got.flag);
    assert_int_equal(got.number, 6);
}

static void refuses_with_one_line(void **state) {
    (void)state;
    static const struct {
        const char *line, *expected;
    } cases[] = {
        {"--number 4", "--number: expected an integer from 5 to 20, got \"4\""},
        {"--number 21", "--number: expected an integer from 5 to 20, got \"21\""},
        {"--number=1e1", "--number: expected an integer from 5 to 20, got \"1e1\""},
        {"-1", "DEPTH: expected an integer from 0 to 64, got \"-1\""},
        {"--method quick", "--method: expected fast, slow or plain, got \"quick\""},
        {"--flag=1", "--flag: takes no value"},
        {"--file", "--file: expected a value: FILE"},
        {"--file --flag", "--file: expected a value: FILE"},
        {"--nothing", "unknown option \"--nothing\" (luft test --help lists them)"},
        {"-x", "unknown option \"-x\" (luft test --help lists them)"},
        {"--=", "unknown option \"--\" (luft test --help lists them)"},
        {"1 2", "unexpected argument \"2\" (quote an argument that contains blanks)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char expected[128];
        snprintf(expected, sizeof expected, "luft test: %s\n", cases[i].expected);
        capture_begin(2);
        const bool good = parse(cases[i].line, false, false);
        const char *line = capture_end();
        assert_false(good);
        assert_int_equal(got.status, STATUS_USAGE);
        assert_string_equal(line, expected);
    }
}

static void asks_for_what_is_required(void **state) {
    (void)state;
    capture_begin(2);
    const bool good = parse("5", false, true);
    const char *line = capture_end();
    assert_false(good);
    assert_int_equal(got.status, STATUS_USAGE);
    assert_string_equal(line, "luft test: -f, --file FILE is missing (luft test --help describes it)\n");
    assert_true(parse("5 --file a", false, true));
    capture_begin(2);
    assert_false(parse("5 --file=", false, true));
    assert_string_equal(capture_end(), "luft test: -f, --file FILE is empty (luft test --help describes it)\n");
}

static void prints_the_help(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        capture_begin(1);
        const bool good = parse(i == 0 ? "--number 6 --help" : "-h", false, false);
        const char *help = capture_end();
        assert_false(good);
        assert_int_equal(got.status, STATUS_OK);
        assert_string_equal(help, "Usage: luft test [options] DEPTH\n\nTests.\n\n"
                                  "  DEPTH            plies\n"
                                  "  --flag           set it\n"
                                  "  -f, --file FILE  read FILE\n"
                                  "  --number N       use N\n"
                                  "  --method M       choose M\n"
                                  "  --help           print this help\n");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_values_in_every_form),
        cmocka_unit_test(collects_operands_in_order),
        cmocka_unit_test(refuses_with_one_line),
        cmocka_unit_test(asks_for_what_is_required),
        cmocka_unit_test(prints_the_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
