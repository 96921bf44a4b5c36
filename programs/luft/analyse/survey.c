/* SPDX-License-Identifier: MIT */
/*
 * Games are written with everything in them, but the reader skips lines that begin with %, and comments before the
 * first game that do not belong to it. A count of such lines, by the bytes and by the reader, tells whether there are any.
 */
#define _XOPEN_SOURCE 700

#include "survey.h"

#include "util/input.h"

#include "luft/luft.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* What a first reading counts. */
typedef struct survey {
    input in;
    char last_read;          /* the last byte read */
    char last_in_comment;    /* the last byte of the comment, if more of it follows */
    char first;              /* the first byte of the file that is not a blank; NUL for none */
    uint64_t lines_read;     /* lines that begin with % … */
    uint64_t comment_lines;  /* … and those of them inside comments, which stay */
    bool has_tag_or_moves;   /* of the first game, and … */
    bool has_comment_before; /* … a comment that belongs to it */
    bool has_fault;          /* some game has an error */
} survey;

/* Counts the lines of the text that begin with %. `last` is the byte before the text, and then its last byte. */
static uint64_t count_percent_lines(const char *text, size_t length, char *last) {
    uint64_t count = 0;
    for (const char *at = text; length > 0 && (at = memchr(at, '%', (size_t)(text + length - at))); at++) {
        const char before = at > text ? at[-1] : *last;
        count += before == '\n' || before == '\r';
    }
    *last = length > 0 ? text[length - 1] : *last;
    return count;
}

static size_t survey_read(void *payload, char *bytes, size_t size) {
    survey *seen = payload;
    const size_t length = input_read_pgn(&seen->in, bytes, size);
    if (length != LUFT_PGN_READ_FAILED) {
        seen->lines_read += count_percent_lines(bytes, length, &seen->last_read);
        for (size_t i = 0; i < length && seen->first == '\0'; i++) {
            const bool is_blank = (unsigned char)bytes[i] <= ' ' || strchr("\xef\xbb\xbf\xc2\xa0", bytes[i]);
            seen->first = (char)(is_blank ? '\0' : bytes[i]);
        }
    }
    return length;
}

static luft_pgn_action survey_tag(void *payload, const char *name, size_t name_length, const char *value,
                                  size_t value_length) {
    (void)name, (void)name_length, (void)value, (void)value_length;
    ((survey *)payload)->has_tag_or_moves = true;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action survey_moves_start(void *payload, const luft_position *start) {
    (void)start;
    ((survey *)payload)->has_tag_or_moves = true;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action survey_comment(void *payload, const char *text, size_t length, bool more) {
    survey *seen = payload;
    seen->has_comment_before |= !seen->has_tag_or_moves;
    seen->comment_lines += count_percent_lines(text, length, &seen->last_in_comment);
    seen->last_in_comment = (char)(more ? seen->last_in_comment : '\0');
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action survey_error(void *payload, const luft_pgn_error *error) {
    (void)error;
    ((survey *)payload)->has_fault = true;
    return LUFT_PGN_STOP;
}

bool survey_loses_lines(const char *path) {
    static const luft_pgn_visitor visitor = {
        .tag = survey_tag, .moves_start = survey_moves_start, .comment = survey_comment, .error = survey_error};
    survey seen = {.last_read = '\n'};
    luft_pgn_reader *reader = NULL;
    const bool is_stdin = strcmp(path, "-") == 0;
    const off_t start = is_stdin ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0; /* a regular file, as the caller has checked */
    bool is_read = false;
    if (input_open(&seen.in, path) == INPUT_READ && luft_pgn_reader_create(&reader, survey_read, &seen) == LUFT_OK) {
        is_read = luft_pgn_read_all(reader, &visitor, &seen) == LUFT_OK;
    }
    luft_pgn_reader_free(reader);
    input_close(&seen.in);
    if (is_stdin) {
        lseek(STDIN_FILENO, start, SEEK_SET);
    }
    const bool loses_comment = (seen.first == '{' || seen.first == ';') && !seen.has_comment_before;
    return is_read && !seen.has_fault && (seen.lines_read > seen.comment_lines || loses_comment);
}
