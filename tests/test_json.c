/* SPDX-License-Identifier: MIT */
/* The JSON writer: commas, layout and escapes, by the rules of RFC 8259. */
#include "support/check.h"

#include "util/json.h"

#include <string.h>

static buffer text;
static json out;

static int set_up(void **state) {
    (void)state;
    text = (buffer){0};
    out = (json){.text = &text};
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    buffer_free(&text);
    return 0;
}

static void assert_written(const char *expected) {
    buffer_append(&text, "", 1);
    assert_string_equal(text.data, expected);
}

static void writes_all_kinds_of_values(void **state) {
    (void)state;
    json_open(&out, '[');
    json_number(&out, UINT64_MAX);
    json_integer(&out, INT64_MIN);
    json_real(&out, 2.0 / 3, 3);
    json_bool(&out, true);
    json_bool(&out, false);
    json_null(&out);
    json_literal(&out, "340282366920938463463374607431768211455");
    json_string(&out, "text");
    json_bytes(&out, "cut", 2);
    json_close(&out, ']');
    assert_written("[18446744073709551615, -9223372036854775808, 0.667, true, false, null, "
                   "340282366920938463463374607431768211455, \"text\", \"cu\"]");
}

static void puts_commas_between_members(void **state) {
    (void)state;
    json_open(&out, '{');
    json_key(&out, "empty");
    json_open(&out, '{');
    json_close(&out, '}');
    json_key(&out, "list");
    json_open(&out, '[');
    json_open(&out, '[');
    json_close(&out, ']');
    json_number(&out, 1);
    json_close(&out, ']');
    json_member(&out, "name", "x");
    json_count(&out, "n", 2);
    json_close(&out, '}');
    assert_written("{\"empty\": {}, \"list\": [[], 1], \"name\": \"x\", \"n\": 2}");
}

static void breaks_lines_where_asked(void **state) {
    (void)state;
    json_open_lines(&out, '{');
    json_count(&out, "a", 1);
    json_key(&out, "inner");
    json_open_lines(&out, '[');
    json_open(&out, '{');
    json_count(&out, "b", 2);
    json_count(&out, "c", 3);
    json_close(&out, '}');
    json_number(&out, 4);
    json_close(&out, ']');
    json_key(&out, "none");
    json_open_lines(&out, '[');
    json_close(&out, ']');
    json_close(&out, '}');
    assert_written("{\n  \"a\": 1,\n  \"inner\": [\n    {\"b\": 2, \"c\": 3},\n    4\n  ],\n  \"none\": []\n}");
}

/* A container on one line inside one with lines, after a deeper one with lines: the layout of each stays its own. */
static void layout_does_not_leak(void **state) {
    (void)state;
    json_open(&out, '[');
    json_open_lines(&out, '[');
    json_number(&out, 1);
    json_close(&out, ']');
    json_open(&out, '[');
    json_number(&out, 2);
    json_number(&out, 3);
    json_close(&out, ']');
    json_close(&out, ']');
    assert_written("[[\n    1\n  ], [2, 3]]");
}

static void escapes_strings_and_keys(void **state) {
    (void)state;
    json_open(&out, '{');
    json_key_bytes(&out, "a\"b", 3);
    json_bytes(&out, "\"\\/\b\n\x1f\x7f\0z", 9);
    json_close(&out, '}');
    assert_written("{\"a\\\"b\": \"\\\"\\\\/\\u0008\\u000a\\u001f\\u007f\\u0000z\"}");
}

static void writes_valid_utf8(void **state) {
    (void)state;
    json_open(&out, '[');
    json_string(&out, "M\xc3\xbcller \xe2\x99\x9e");
    json_string(&out, "M\xfcller");
    json_string(&out, "\xe2\x99");
    json_close(&out, ']');
    assert_written("[\"M\xc3\xbcller \xe2\x99\x9e\", \"M\xc3\xbcller\", \"\xc3\xa2\xc2\x99\"]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(writes_all_kinds_of_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(puts_commas_between_members, set_up, tear_down),
        cmocka_unit_test_setup_teardown(breaks_lines_where_asked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(layout_does_not_leak, set_up, tear_down),
        cmocka_unit_test_setup_teardown(escapes_strings_and_keys, set_up, tear_down),
        cmocka_unit_test_setup_teardown(writes_valid_utf8, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
