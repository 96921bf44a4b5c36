/* SPDX-License-Identifier: MIT */
/* Files from outside: lines of any length and ending, compressed text, and files that are not text. */
#define _POSIX_C_SOURCE 200809L

#include "support/check.h"

#include "util/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(LUFT_WITH_ZLIB)
#include <zlib.h>
#endif

static char path[] = "/tmp/luft-lines-XXXXXX";

static int set_up(void **state) {
    (void)state;
    strcpy(path + strlen(path) - 6, "XXXXXX");
    const int descriptor = mkstemp(path);
    return descriptor >= 0 && close(descriptor) == 0 ? 0 : 1;
}

static int tear_down(void **state) {
    (void)state;
    return unlink(path);
}

static void write_bytes(const void *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void assert_line(lines *reader, const char *expected) {
    assert_int_equal(lines_next(reader), LINES_READ);
    assert_int_equal(reader->length, strlen(expected));
    assert_memory_equal(reader->text, expected, reader->length);
}

static void reads_lines_of_all_endings(void **state) {
    (void)state;
    static const char text[] = "\xef\xbb\xbf"
                               "first\r\n\n\xef\xbb\xbfthird\nlast";
    write_bytes(text, sizeof text - 1);
    lines reader;
    assert_int_equal(lines_open(&reader, path), LINES_READ);
    assert_line(&reader, "first"); /* the byte order mark is skipped, only at the start */
    assert_line(&reader, "");
    assert_line(&reader, "\xef\xbb\xbfthird");
    assert_line(&reader, "last");
    assert_int_equal(reader.number, 4);
    assert_int_equal(lines_next(&reader), LINES_END);
    lines_close(&reader);
}

static void reads_lines_longer_than_a_block(void **state) {
    (void)state;
    const size_t length = 100000;
    char *text = malloc(length + 3);
    assert_non_null(text);
    memset(text, 'x', length);
    memcpy(text + length, "\ny\n", 3);
    write_bytes(text, length + 3);
    lines reader;
    assert_int_equal(lines_open(&reader, path), LINES_READ);
    assert_int_equal(lines_next(&reader), LINES_READ);
    assert_int_equal(reader.length, length);
    assert_memory_equal(reader.text, text, length);
    assert_line(&reader, "y");
    lines_close(&reader);
    free(text);
}

static void refuses_lines_without_end(void **state) {
    (void)state;
    char *text = malloc(LINES_LENGTH_MAX + 1);
    assert_non_null(text);
    memset(text, 'x', LINES_LENGTH_MAX + 1);
    write_bytes(text, LINES_LENGTH_MAX + 1);
    free(text);
    lines reader;
    assert_int_equal(lines_open(&reader, path), LINES_READ);
    assert_int_equal(lines_next(&reader), LINES_TOO_LONG);
    assert_string_equal(lines_reason(&reader, LINES_TOO_LONG), "a line is longer than 16 MiB");
    lines_close(&reader);
}

static void refuses_what_is_not_text(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
        const char *reason; /* part of it */
    } cases[] = {
        {"BZh91AY", 7, "bzip2 -dc"},
        {"\xfd\x37zXZ\0", 6, "xz -dc"},
        {"PK\x03\x04 more", 9, "unzip -p"},
        {"7z\xbc\xaf more", 9, "7z"},
        {"\xff\xfe"
         "a\0b\0",
         6, "UTF-16"},
    };
    lines reader;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_bytes(cases[i].bytes, cases[i].length);
        const lines_result result = lines_open(&reader, path);
        assert_int_equal(result, LINES_NOT_OPENED);
        assert_non_null(strstr(lines_reason(&reader, result), cases[i].reason));
        lines_close(&reader);
    }
    write_bytes("one\x01two\n", 8);
    assert_int_equal(lines_open(&reader, path), LINES_READ);
    assert_int_equal(lines_next(&reader), LINES_NOT_TEXT);
    lines_close(&reader);
    assert_int_equal(lines_open(&reader, "/nofolder/file"), LINES_NOT_OPENED);
    lines_close(&reader);
}

#if defined(LUFT_WITH_ZLIB)

static void decompresses_gzip(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) { /* two archives are one text */
        gzFile file = gzopen(path, i == 0 ? "wb" : "ab");
        assert_non_null(file);
        assert_true(gzputs(file, i == 0 ? "first\nsec" : "ond\n") > 0);
        assert_int_equal(gzclose(file), Z_OK);
    }
    lines reader;
    assert_int_equal(lines_open(&reader, path), LINES_READ);
    assert_line(&reader, "first");
    assert_line(&reader, "second");
    assert_int_equal(lines_next(&reader), LINES_END);
    lines_close(&reader);

    char bytes[256]; /* and one that ends early is truncated */
    FILE *file = fopen(path, "rb");
    const size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    write_bytes(bytes, length - 4);
    assert_int_equal(lines_open(&reader, path), LINES_READ);
    assert_line(&reader, "first");
    const lines_result result = lines_next(&reader);
    assert_true(result == LINES_READ || result == LINES_NOT_READ);
    assert_int_equal(result == LINES_READ ? lines_next(&reader) : result, LINES_NOT_READ);
    assert_string_equal(lines_reason(&reader, LINES_NOT_READ), "the archive is truncated");
    lines_close(&reader);
}

#endif

static void knows_files_by_other_names(void **state) {
    (void)state;
    char link_path[64];
    snprintf(link_path, sizeof link_path, "%s.link", path);
    assert_int_equal(symlink(path, link_path), 0);
    write_bytes("abc", 3);
    const char *const paths[] = {"/dev/null", path};
    assert_true(input_is_among(link_path, paths, 2));
    assert_false(input_is_among(link_path, paths, 1));
    assert_int_equal(input_total_size(paths + 1, 1), 3);
    assert_int_equal(input_total_size(paths, 2), 0); /* a device has no size */
    assert_true(input_is_regular_file(link_path));
    assert_false(input_is_regular_file("/dev/null"));
    assert_false(input_is_regular_file("/tmp"));
    assert_int_equal(unlink(link_path), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reads_lines_of_all_endings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_lines_longer_than_a_block, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_lines_without_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_what_is_not_text, set_up, tear_down),
#if defined(LUFT_WITH_ZLIB)
        cmocka_unit_test_setup_teardown(decompresses_gzip, set_up, tear_down),
#endif
        cmocka_unit_test_setup_teardown(knows_files_by_other_names, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
