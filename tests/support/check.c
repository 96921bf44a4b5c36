/* SPDX-License-Identifier: MIT */
/*
 * Test helpers. They use the public API of the library only, and a failure prints the
 * position, so that it can be reproduced.
 */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

static bool is_set(const char *name) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
}

bool test_is_quick(void) {
    return is_set("LUFT_TEST_QUICK");
}

bool test_is_long(void) {
    return !test_is_quick() && is_set("LUFT_TEST_LONG");
}

int test_rounds(int normal) {
    const int rounds = test_is_quick() ? normal / 10 : test_is_long() ? normal * 10 : normal;
    return rounds > 0 ? rounds : 1;
}

const char *test_data_directory(void) {
    const char *directory = getenv("LUFT_TEST_DATA");
    return directory != NULL && directory[0] != '\0' ? directory : "tests/data";
}

FILE *open_optional_data(const char *name) {
    const char *directory = getenv("LUFT_DATA");
    if (directory == NULL || directory[0] == '\0') {
        print_message("# skipped: LUFT_DATA is not set, %s is not tested\n", name);
        skip();
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        print_message("# skipped: LUFT_DATA has no %s\n", name);
        skip();
    }
    return file;
}

luft_position position_from(const char *fen) {
    luft_position position;
    luft_fen_report report = {.reason = ""};
    const luft_error error = luft_position_from_fen(&position, fen, strlen(fen), &report);
    if (error != LUFT_OK) {
        fail_msg("refused: %s: %s, %s (status %#x)", fen, luft_error_string(error), report.reason, report.status);
    }
    return position;
}

luft_move move_from(const luft_position *position, const char *uci) {
    luft_move move = LUFT_MOVE_NONE;
    require(luft_move_from_uci(&move, position, uci, strlen(uci)) == LUFT_OK, position, uci);
    return move;
}

luft_position position_after(const char *fen, const char *uci_moves) {
    luft_position position = position_from(fen);
    while (*uci_moves != '\0') {
        char text[LUFT_UCI_MOVE_SIZE] = "";
        const size_t length = strcspn(uci_moves, " ");
        assert_true(length < sizeof text);
        memcpy(text, uci_moves, length);
        assert_int_equal(luft_play(&position, &position, move_from(&position, text)), LUFT_OK);
        uci_moves += length + (uci_moves[length] == ' ');
    }
    return position;
}

static const char *fen_of(char buffer[LUFT_FEN_SIZE], const luft_position *position) {
    return luft_position_to_fen(buffer, LUFT_FEN_SIZE, position, LUFT_FEN_STANDARD) > 0 ? buffer
                                                                                        : "(no valid position)";
}

void require(bool condition, const luft_position *position, const char *what) {
    if (!condition) {
        char fen[LUFT_FEN_SIZE];
        fail_msg("%s: %s", fen_of(fen, position), what);
    }
}

void require_equal(uint64_t actual, uint64_t expected, const luft_position *position, const char *what) {
    if (actual != expected) {
        char fen[LUFT_FEN_SIZE];
        fail_msg("%s: %s: %#llx (%llu), expected %#llx (%llu)", fen_of(fen, position), what, (unsigned long long)actual,
                 (unsigned long long)actual, (unsigned long long)expected, (unsigned long long)expected);
    }
}

void assert_fen(const luft_position *position, const char *expected) {
    char fen[LUFT_FEN_SIZE] = "";
    luft_position_to_fen(fen, sizeof fen, position, LUFT_FEN_STANDARD);
    assert_string_equal(fen, expected);
}

void assert_reads_as(const char *fen, const char *expected) {
    const luft_position position = position_from(fen);
    assert_fen(&position, expected);
}

void assert_writes_within(text_writer write, const void *subject, const char *expected) {
    const size_t length = strlen(expected);
    for (size_t size = 0; size <= length + 2; size++) {
        /* A block of exactly this size, so that a sanitizer detects the first byte beyond. */
        char *buffer = malloc(size);
        assert_true(buffer != NULL || size == 0);
        if (size > 0) {
            memset(buffer, 0x7f, size);
        }
        assert_int_equal(write(buffer, size, subject), length);
        if (size > length) {
            assert_string_equal(buffer, expected);
        }
        for (size_t i = size > length ? length + 1 : 1; i < size; i++) {
            assert_int_equal(buffer[i], 0x7f);
        }
        if (size > 0 && size <= length) {
            assert_true(buffer[0] == '\0' || buffer[0] == 0x7f);
        }
        free(buffer);
    }
    assert_int_equal(write(NULL, 0, subject), length);
}

static int compare_moves(const void *a, const void *b) {
    return (int)*(const luft_move *)a - (int)*(const luft_move *)b;
}

void sort_moves(luft_move_list *list) {
    qsort(list->moves, (size_t)list->count, sizeof list->moves[0], compare_moves);
}
