/* SPDX-License-Identifier: MIT */
/*
 * Runs a perft suite. Files are untrusted: a line that cannot be read is reported with its number and counted as
 * wrong, because a suite that skips lines proves nothing. Skips blank lines and lines that begin with #.
 */
#include "suite.h"

#include "counting.h"

#include "util/clock.h"
#include "util/lines.h"
#include "util/output.h"
#include "util/progress.h"
#include "util/setup.h"
#include "util/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct suite_state {
    const suite_request *request;
    progress line;
    uint64_t line_number;
    uint64_t positions;
    uint64_t counts;
    uint64_t wrong;      /* counts, and lines that cannot be read */
    uint64_t unreadable; /* lines */
} suite_state;

static void report_unreadable(suite_state *state, const char *reason) {
    progress_clear(&state->line);
    printf("line %" PRIu64 ": cannot be read: %s\n", state->line_number, reason);
    state->unreadable++;
    state->wrong++;
}

/* Removes the text up to the next semicolon from the front and trims it. False at the end. */
static bool next_part(const char **part, size_t *part_length, const char **text, size_t *length) {
    if (*length == 0) {
        return false;
    }
    const char *semicolon = memchr(*text, ';', *length);
    const size_t count = semicolon ? (size_t)(semicolon - *text) : *length;
    const size_t taken = count + (semicolon ? 1 : 0);
    *part = *text;
    *part_length = count;
    *text += taken;
    *length -= taken;
    text_trim(part, part_length);
    return true;
}

/* "D4 197281" */
static bool read_count(uint64_t *depth, uint64_t *expected, const char *part, size_t length) {
    const char *word;
    size_t word_length;
    if (!text_next_word(&word, &word_length, &part, &length) || (word[0] != 'D' && word[0] != 'd') ||
        !text_to_number(depth, word + 1, word_length - 1, LUFT_PERFT_MAX_DEPTH)) {
        return false;
    }
    return text_next_word(&word, &word_length, &part, &length) &&
           text_to_number(expected, word, word_length, UINT64_MAX) && length == 0;
}

/* Checks all counts of a line before any is computed. False if one is bad. */
static bool check_counts(suite_state *state, const char *text, size_t length) {
    char reason[TEXT_QUOTED_SIZE + 48];
    char quoted[TEXT_QUOTED_SIZE];
    const char *part;
    size_t part_length;
    uint64_t depth;
    uint64_t expected;
    int found = 0;
    while (next_part(&part, &part_length, &text, &length)) {
        if (part_length == 0) {
            continue;
        }
        if (!read_count(&depth, &expected, part, part_length)) {
            snprintf(reason, sizeof reason, "expected a count such as D1 20, got %s",
                     text_quote(quoted, part, part_length));
            report_unreadable(state, reason);
            return false;
        }
        found++;
    }
    if (found == 0) {
        report_unreadable(state, "expected counts such as ;D1 20, got none");
    }
    return found > 0;
}

static void compare_counts(suite_state *state, const luft_position *position, const char *text, size_t length) {
    const suite_request *request = state->request;
    const char *part;
    size_t part_length;
    uint64_t depth;
    uint64_t expected;
    while (next_part(&part, &part_length, &text, &length)) {
        if (part_length == 0 || !read_count(&depth, &expected, part, part_length) || depth > request->max_depth ||
            expected > request->max_nodes) {
            continue;
        }
        luft_count count;
        counting how = request->how;
        how.line = &state->line;
        state->counts++;
        const counting_result result = counting_run(&count, &how, position, 1, (int)depth, 0);
        if (result != COUNTING_DONE || count.high || count.low != expected) {
            char digits[TEXT_COUNT_SIZE];
            const char *got = result == COUNTING_NO_MEMORY  ? "no memory"
                              : result == COUNTING_OVERFLOW ? "more than 128 bits"
                                                            : text_count(digits, count, false);
            state->wrong++;
            progress_clear(&state->line);
            printf("line %" PRIu64 ", depth %" PRIu64 ": expected %" PRIu64 ", got %s\n", state->line_number, depth,
                   expected, got);
        }
    }
}

static void run_line(suite_state *state, const char *text, size_t length) {
    luft_position position;
    luft_fen_report report;
    char reason[SETUP_REASON_SIZE];
    const char *fen;
    size_t fen_length;
    text_trim(&text, &length);
    if (length == 0 || text[0] == '#') {
        return;
    }
    snprintf(state->line.label, sizeof state->line.label, "suite, line %" PRIu64, state->line_number);
    next_part(&fen, &fen_length, &text, &length);
    if (luft_position_from_fen(&position, fen, fen_length, &report) != LUFT_OK) {
        report_unreadable(state, setup_fen_reason(reason, &report, fen, fen_length));
    } else if (check_counts(state, text, length)) {
        state->positions++;
        compare_counts(state, &position, text, length);
    }
}

static void print_result(const suite_state *state, double seconds) {
    if (state->unreadable > 0) {
        printf("%" PRIu64 " %s could not be read; each counts as wrong\n", state->unreadable,
               state->unreadable == 1 ? "line" : "lines");
    }
    printf("Nodes searched: %" PRIu64 "\n", state->line.count);
    printf("Time: %.3f s, %.1f Mnps\n", seconds, seconds > 0 ? (double)state->line.count / seconds * 1e-6 : 0);
    printf("suite: %" PRIu64 " positions, %" PRIu64 " counts, %" PRIu64 " wrong\n", state->positions, state->counts,
           state->wrong);
}

int suite_run(const suite_request *request) {
    suite_state state = {.request = request};
    lines reader;
    lines_result result = lines_open(&reader, request->path);
    progress_start(&state.line, "suite", false);
    while (result == LINES_READ && (result = lines_next(&reader)) == LINES_READ) {
        state.line_number = reader.number;
        run_line(&state, reader.text, reader.length);
    }
    progress_clear(&state.line);
    int status = state.wrong > 0 ? STATUS_FAILED : STATUS_OK;
    char quoted[TEXT_QUOTED_SIZE];
    const char *path = text_quote(quoted, request->path, strlen(request->path));
    if (result != LINES_END) {
        output_error(request->command, "cannot read %s: %s", path, lines_reason(&reader, result));
        status = STATUS_USAGE;
    } else if (state.positions + state.unreadable == 0) {
        output_error(request->command, "%s has no positions", path);
        status = STATUS_USAGE;
    } else if (state.counts + state.unreadable == 0) {
        output_error(request->command, "%s has no counts within --max-depth and --max-nodes", path);
        status = STATUS_USAGE;
    } else {
        print_result(&state, clock_seconds() - state.line.started);
    }
    lines_close(&reader);
    return status;
}
