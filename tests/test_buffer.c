/* SPDX-License-Identifier: MIT */
/* The growing buffer: what is appended is there, text from outside is made safe, and running out of memory is noticed. */
#include "support/check.h"
#include "support/failing_malloc.h"

#include "util/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_holds(const buffer *out, const char *expected) {
    assert_int_equal(out->length, strlen(expected));
    assert_memory_equal(out->data, expected, out->length);
}

static void appends_and_removes(void **state) {
    (void)state;
    buffer out = {0};
    buffer_append(&out, NULL, 0);
    assert_null(out.data);
    buffer_append(&out, "abc", 2);
    buffer_append_text(&out, "cd");
    buffer_printf(&out, " %d%s", 42, "!");
    assert_holds(&out, "abcd 42!");
    buffer_remove_front(&out, 0);
    buffer_remove_front(&out, 3);
    assert_holds(&out, "d 42!");
    buffer_clear(&out);
    assert_int_equal(out.length, 0);
    assert_false(out.failed);
    buffer_free(&out);
    assert_null(out.data);
}

static void keeps_what_it_has_while_it_grows(void **state) {
    (void)state;
    buffer out = {0};
    for (int i = 0; i < 20000; i++) {
        buffer_printf(&out, "%05d", i);
    }
    assert_int_equal(out.length, 100000);
    for (int i = 0; i < 20000; i++) {
        char digits[16];
        snprintf(digits, sizeof digits, "%05d", i);
        assert_memory_equal(out.data + 5 * i, digits, 5);
    }
    buffer_free(&out);
}

static void refuses_sizes_that_overflow(void **state) {
    (void)state;
    buffer out = {0};
    assert_null(buffer_reserve(&out, SIZE_MAX / 2));
    assert_true(out.failed);
    buffer_free(&out);
}

static luft_error append_much(void *payload) {
    (void)payload;
    buffer out = {0};
    buffer_append_text(&out, "first");
    char *end = buffer_reserve(&out, 1000);
    if (end) {
        memset(end, 'x', 1000);
        out.length += 1000;
    }
    buffer_append_text(&out, "last");
    const luft_error error = out.failed ? LUFT_ERROR_MEMORY : LUFT_OK;
    assert_true(out.failed || out.length == 1009);
    buffer_free(&out);
    return error;
}

static void remembers_that_memory_ran_out(void **state) {
    (void)state;
    assert_int_equal(assert_survives_failing_malloc(append_much, NULL), 2);
}

static void escapes_for_ascii(void **state) {
    (void)state;
    buffer out = {0};
    buffer_append_printable(&out, "a\\b\n\x7f\xe9~ ", 8);
    assert_holds(&out, "a\\x5cb\\x0a\\x7f\\xe9~ ");
    buffer_free(&out);
}

static void converts_for_people(void **state) {
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"Fischer", "Fischer"},
        {"M\xc3\xbcller", "M\xc3\xbcller"},              /* UTF-8 stays */
        {"M\xfcller", "M\xc3\xbcller"},                  /* Latin-1 is converted */
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},        /* four bytes */
        {"\xc0\xaf", "\xc3\x80\xc2\xaf"},                /* an overlong slash is Latin-1 */
        {"\xed\xa0\x80", "\xc3\xad\xc2\xa0\\x80"},       /* a surrogate is not a character */
        {"\xf4\x90\x80\x80", "\xc3\xb4\\x90\\x80\\x80"}, /* above 10FFFF */
        {"\x1b[2J", "\\x1b[2J"},                         /* a terminal would clear the screen */
        {"\x9b\x32J", "\\x9b2J"},                        /* the same in Latin-1 … */
        {"\xc2\x9b\x32J", "\\xc2\\x9b2J"},               /* … and in UTF-8 */
        {"\x7f", "\\x7f"},
        {"cut \xe2\x82", "cut \xc3\xa2\\x82"}, /* a character that is cut off */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        buffer out = {0};
        buffer_append_readable(&out, cases[i].text, strlen(cases[i].text));
        assert_holds(&out, cases[i].expected);
        buffer_free(&out);
    }
}

static void takes_whole_characters(void **state) {
    (void)state;
    buffer out = {0};
    assert_int_equal(buffer_append_character(&out, "\xe2\x99\x9e!", 4), 3);
    assert_int_equal(buffer_append_character(&out, "\xe2\x99\x9e!", 2), 1);
    assert_int_equal(buffer_append_character(&out, "a", 1), 1);
    assert_holds(&out, "\xe2\x99\x9e\xc3\xa2"
                       "a");
    buffer_free(&out);
}

/* A character in UTF-8 by the table of RFC 3629. Returns its length, 0 for a surrogate or a number that is too large. */
static size_t encode(char out[4], uint32_t character) {
    static const uint32_t limits[] = {0x80, 0x800, 0x10000, 0x110000};
    static const unsigned char leads[] = {0, 0xc0, 0xe0, 0xf0};
    if (character >= 0x110000 || (character >= 0xd800 && character < 0xe000)) {
        return 0;
    }
    size_t length = 1;
    while (character >= limits[length - 1]) {
        length++;
    }
    for (size_t i = length; i-- > 1; character /= 64) {
        out[i] = (char)(0x80 + character % 64);
    }
    out[0] = (char)(leads[length - 1] + character);
    return length;
}

/* Bytes are UTF-8 if their number, written again, gives the same bytes. */
static size_t utf8_by_encoding(const unsigned char bytes[4]) {
    static const unsigned char leads[] = {0, 0xc0, 0xe0, 0xf0};
    for (size_t length = 1; length <= 4; length++) {
        char again[4];
        uint32_t character = (uint32_t)(bytes[0] - leads[length - 1]);
        for (size_t i = 1; i < length; i++) {
            character = character * 64 + (uint32_t)(bytes[i] - 0x80);
        }
        if (encode(again, character) == length && memcmp(again, bytes, length) == 0) {
            return length;
        }
    }
    return 0;
}

static void takes_what_is_utf8_and_converts_the_rest(void **state) {
    (void)state;
    static const unsigned char later[] = {0x00, 0x7f, 0x80, 0x81, 0xbf, 0xc0, 0xff};
    buffer out = {0};
    for (unsigned first = 0; first < 256; first++) {
        char latin[4];
        const size_t latin_length = encode(latin, first);
        for (unsigned second = 0; second < 256; second++) {
            for (size_t i = 0; i < sizeof later * sizeof later; i++) {
                const unsigned char bytes[4] = {(unsigned char)first, (unsigned char)second, later[i / sizeof later],
                                                later[i % sizeof later]};
                const size_t length = utf8_by_encoding(bytes);
                out.length = 0;
                assert_int_equal(buffer_append_character(&out, (const char *)bytes, 4), length ? length : 1);
                assert_int_equal(out.length, length ? length : latin_length);
                assert_memory_equal(out.data, length ? (const char *)bytes : latin, out.length);
            }
        }
    }
    buffer_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appends_and_removes),         cmocka_unit_test(keeps_what_it_has_while_it_grows),
        cmocka_unit_test(refuses_sizes_that_overflow), cmocka_unit_test(remembers_that_memory_ran_out),
        cmocka_unit_test(escapes_for_ascii),           cmocka_unit_test(converts_for_people),
        cmocka_unit_test(takes_whole_characters),      cmocka_unit_test(takes_what_is_utf8_and_converts_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
