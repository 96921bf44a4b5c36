/* SPDX-License-Identifier: MIT */
/*
 * The part of cmocka that the tests use, for C libraries that Debian has no cmocka for. `make test-musl` puts this folder
 * before the others. The output is TAP, as with CMOCKA_MESSAGE_OUTPUT=TAP.
 */
#ifndef LUFT_TESTS_PORTABLE_CMOCKA_H
#define LUFT_TESTS_PORTABLE_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*CMUnitTestFunction)(void **state);
typedef int (*CMFixtureFunction)(void **state);

struct CMUnitTest {
    const char *name;
    CMUnitTestFunction test_func;
    CMFixtureFunction setup_func, teardown_func;
    void *initial_state;
};

#define cmocka_unit_test(f)                                                                                            \
    { #f, f, NULL, NULL, NULL }
#define cmocka_unit_test_setup_teardown(f, setup, teardown)                                                            \
    { #f, f, setup, teardown, NULL }
#define cmocka_run_group_tests(tests, setup, teardown)                                                                 \
    portable_run(tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)

#define print_error(...) fprintf(stderr, __VA_ARGS__)

enum { PORTABLE_FAILED = 1, PORTABLE_SKIPPED };

/* Several files of a test program include this; they share one. */
__attribute__((weak)) jmp_buf portable_jump;

static inline _Noreturn void portable_fail(const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    longjmp(portable_jump, PORTABLE_FAILED);
}

#define portable_check(condition, ...) ((condition) ? (void)0 : portable_fail(__FILE__, __LINE__, __VA_ARGS__))
#define fail_msg(...) portable_fail(__FILE__, __LINE__, __VA_ARGS__)
#define skip() longjmp(portable_jump, PORTABLE_SKIPPED)
#define print_message(...) printf(__VA_ARGS__)

#define assert_true(c) portable_check(c, "%s is false", #c)
#define assert_false(c) portable_check(!(c), "%s is true", #c)
#define assert_null(p) portable_check((p) == NULL, "%s is not NULL", #p)
#define assert_non_null(p) portable_check((p) != NULL, "%s is NULL", #p)
#define assert_ptr_equal(a, b) portable_check((const void *)(a) == (const void *)(b), "%s is not %s", #a, #b)
#define portable_compare(a, sign, b)                                                                                   \
    do {                                                                                                               \
        const uintmax_t portable_a = (uintmax_t)(a), portable_b = (uintmax_t)(b);                                      \
        portable_check(portable_a sign portable_b, "%s is %jd, %s is %jd", #a, (intmax_t)portable_a, #b,               \
                       (intmax_t)portable_b);                                                                          \
    } while (0)
#define assert_int_equal(a, b) portable_compare(a, ==, b)
#define assert_int_not_equal(a, b) portable_compare(a, !=, b)
#define assert_in_range(a, least, most)                                                                                \
    do {                                                                                                               \
        portable_compare(a, >=, least);                                                                                \
        portable_compare(a, <=, most);                                                                                 \
    } while (0)
#define assert_float_equal(a, b, epsilon)                                                                              \
    portable_check((a) - (b) <= (epsilon) && (b) - (a) <= (epsilon), "%s is %g", #a, (double)(a))
#define portable_strings(a, b, wanted)                                                                                 \
    do {                                                                                                               \
        const char *portable_a = (a), *portable_b = (b);                                                               \
        portable_check((strcmp(portable_a, portable_b) == 0) == (wanted), "\"%s\", \"%s\"", portable_a, portable_b);   \
    } while (0)
#define assert_string_equal(a, b) portable_strings(a, b, 1)
#define assert_string_not_equal(a, b) portable_strings(a, b, 0)
#define assert_memory_equal(a, b, size) portable_check(memcmp(a, b, size) == 0, "%s differs from %s", #a, #b)
#define assert_memory_not_equal(a, b, size) portable_check(memcmp(a, b, size) != 0, "%s equals %s", #a, #b)

/* Runs a test with its fixtures. 0, or how it ended. */
static inline int portable_run_one(const struct CMUnitTest *test, void *state) {
    volatile int result = PORTABLE_FAILED;
    void *own = state;
    if (test->setup_func && test->setup_func(&own) != 0) {
        return PORTABLE_FAILED;
    }
    result = setjmp(portable_jump);
    if (result == 0) {
        test->test_func(&own);
    }
    if (test->teardown_func && test->teardown_func(&own) != 0) {
        return PORTABLE_FAILED;
    }
    return result;
}

static inline int portable_run(const struct CMUnitTest *tests, size_t count, CMFixtureFunction setup,
                               CMFixtureFunction teardown) {
    void *state = NULL;
    int failed = setup && setup(&state) != 0;
    printf("1..%zu\n", count);
    for (size_t i = 0; i < count; i++) {
        const int result = failed && i == 0 && setup && !state ? PORTABLE_FAILED : portable_run_one(&tests[i], state);
        failed += result == PORTABLE_FAILED;
        printf("%sok %zu - %s%s\n", result == PORTABLE_FAILED ? "not " : "", i + 1, tests[i].name,
               result == PORTABLE_SKIPPED ? " # SKIP" : "");
        fflush(stdout);
    }
    return failed + (teardown && teardown(&state) != 0);
}

#endif
