/* SPDX-License-Identifier: MIT */
/* Text functions: strict numbers, grouped counts, safe quotes, words. */
#include "support/check.h"

#include "util/text.h"

#include <string.h>

static void reads_strict_numbers(void **state) {
    (void)state;
    static const char *const bad[] = {"", "-1", "+1", " 1", "1 ", "1e3", "0x10", "1.0", "18446744073709551616", "a"};
    uint64_t value = 99;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(text_to_number(&value, bad[i], strlen(bad[i]), UINT64_MAX));
    }
    assert_false(text_to_number(&value, "65", 2, 64));
    assert_int_equal(value, 99);
    assert_true(text_to_number(&value, "64x", 2, 64));
    assert_int_equal(value, 64);
    assert_true(text_to_number(&value, "18446744073709551615", 20, UINT64_MAX));
    assert_true(value == UINT64_MAX);
}

static void reads_thousandths(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } good[] = {{"10", 10000}, {"0.5", 500}, {"1.25", 1250}, {"0.001", 1}, {"20.0", 20000}};
    static const char *const bad[] = {"", ".", "1.", ".5", "1.2345", "-1", "1.-5", "21", "1,5"};
    int64_t value;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(text_to_thousandths(&value, good[i].text, strlen(good[i].text), 20));
        assert_int_equal(value, good[i].value);
    }
    value = 77;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(text_to_thousandths(&value, bad[i], strlen(bad[i]), 20));
    }
    assert_int_equal(value, 77);
}

static void writes_counts_of_128_bits(void **state) {
    (void)state;
    char text[TEXT_COUNT_SIZE];
    assert_string_equal(text_count(text, (luft_count){0, 0}, true), "0");
    assert_string_equal(text_count(text, (luft_count){999, 0}, true), "999");
    assert_string_equal(text_count(text, (luft_count){119060324, 0}, true), "119,060,324");
    assert_string_equal(text_count(text, (luft_count){119060324, 0}, false), "119060324");
    /* 2^128 - 1 and 2^64. */
    assert_string_equal(text_count(text, (luft_count){UINT64_MAX, UINT64_MAX}, true),
                        "340,282,366,920,938,463,463,374,607,431,768,211,455");
    assert_string_equal(text_count(text, (luft_count){.low = 0, .high = 1}, false), "18446744073709551616");
}

static void quotes_safely(void **state) {
    (void)state;
    char quoted[TEXT_QUOTED_SIZE];
    char text[1000];
    assert_string_equal(text_quote(quoted, "e9\n\xff", 4), "\"e9\\x0a\\xff\"");
    assert_string_equal(text_quote(quoted, "", 0), "\"\"");
    for (size_t length = 0; length < sizeof text; length++) {
        memset(text, length % 2 ? 'a' : '\x01', sizeof text);
        text_quote(quoted, text, length);
        const size_t size = strlen(quoted);
        assert_true(size < TEXT_QUOTED_SIZE && quoted[0] == '"' && quoted[size - 1] == '"');
    }
    assert_non_null(strstr(quoted, "...\""));
}

static void splits_words_at_blanks(void **state) {
    (void)state;
    const char *text = " \t e4  e5\tNf3 ";
    size_t length = strlen(text), word_length;
    const char *word;
    static const char *const expected[] = {"e4", "e5", "Nf3"};
    for (int i = 0; i < 3; i++) {
        assert_true(text_next_word(&word, &word_length, &text, &length));
        assert_int_equal(word_length, strlen(expected[i]));
        assert_memory_equal(word, expected[i], word_length);
    }
    assert_false(text_next_word(&word, &word_length, &text, &length));
    assert_int_equal(length, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_strict_numbers),      cmocka_unit_test(reads_thousandths),
        cmocka_unit_test(writes_counts_of_128_bits), cmocka_unit_test(quotes_safely),
        cmocka_unit_test(splits_words_at_blanks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
