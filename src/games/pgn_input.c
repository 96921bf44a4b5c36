/* SPDX-License-Identifier: MIT */
/* The input window of the PGN reader: refilling it and counting lines. */
#include "games/pgn_input.h"

#include <string.h>

void luft_pgn_input_start(pgn_input *input, luft_pgn_source source, void *payload) {
    input->source = source;
    input->payload = payload;
    memset(input->buffer, '\n', PGN_CONTEXT); /* so that the first byte begins a line */
    input->at = input->end = input->refill_at = input->buffer + PGN_CONTEXT;
    input->lines = (pgn_lines){.counted = input->at, .start = input->at, .number = 1};
    input->ended = input->failed = false;
}

/* --- Lines ----------------------------------------------------------------- */

/* True if a line begins at this byte. CR LF ends one line, not two. */
static bool is_line_start(const char *byte) {
    return byte[-1] == '\n' || (byte[-1] == '\r' && byte[0] != '\n');
}

/* Counts the lines that begin in [first, end). The loop is written so that compilers vectorise it. */
static uint64_t count_line_starts(const char *first, const char *end) {
    uint64_t total = 0;
    while (first < end) {
        const size_t length = end - first < 255 ? (size_t)(end - first) : 255;
        uint8_t starts = 0; /* cannot overflow: at most one per byte of 255 */
        const char *const before = first - 1;
        for (size_t i = 0; i < length; i++) {
            starts += (uint8_t)((before[i] == '\n') | ((before[i] == '\r') & (first[i] != '\n')));
        }
        total += starts;
        first += length;
    }
    return total;
}

/* Counts the lines that begin after the last counted byte, up to and including this one. */
static void count_up_to(pgn_lines *lines, const char *byte) {
    if (byte <= lines->counted) {
        return;
    }
    const uint64_t starts = count_line_starts(lines->counted + 1, byte + 1);
    if (starts > 0) {
        const char *start = byte;
        while (!is_line_start(start)) {
            start--;
        }
        lines->number += starts;
        lines->start = start;
        lines->bytes_discarded = 0;
    }
    lines->counted = byte;
}

luft_pgn_place luft_pgn_lines_place(pgn_lines *lines, const char *byte) {
    count_up_to(lines, byte);
    const uint64_t column = lines->bytes_discarded + (uint64_t)(byte - lines->start) + 1;
    return (luft_pgn_place){.line = lines->number, .column = column};
}

/* --- Refilling ------------------------------------------------------------- */

/* Moves the unread bytes, and the context before them, to the front of the buffer. */
static void make_room(pgn_input *input) {
    pgn_lines *lines = &input->lines;
    const char *keep = input->at - PGN_CONTEXT;
    const size_t discarded = (size_t)(keep - input->buffer);
    /* Stop before `at`: whether a line begins there depends on its byte, which may not be read yet. */
    count_up_to(lines, input->at - 1);
    if (lines->start < keep) {
        lines->bytes_discarded += (uint64_t)(keep - lines->start);
        lines->start = keep;
    }
    memmove(input->buffer, keep, (size_t)(input->end - keep));
    lines->start -= discarded;
    lines->counted -= discarded;
    input->at -= discarded;
    input->end -= discarded;
}

/* Calls the source until the lookahead is full. A source may return fewer bytes than asked for. */
static void fill(pgn_input *input) {
    char *const limit = input->buffer + PGN_CONTEXT + PGN_BUFFER;
    if (limit - input->at < PGN_LOOKAHEAD) {
        make_room(input);
    }
    while (!input->ended && input->end - input->at < PGN_LOOKAHEAD) {
        const size_t size = (size_t)(limit - input->end);
        const size_t got = input->source(input->payload, input->end, size);
        input->failed = got > size;
        input->ended = got == 0 || input->failed;
        input->end += input->ended ? 0 : got;
    }
}

bool luft_pgn_input_refill(pgn_input *input) {
    if (!input->ended) {
        fill(input);
        memset(input->end, 0, PGN_PADDING);
        input->refill_at = input->ended ? input->end : input->end - PGN_LOOKAHEAD + 1;
    }
    return input->at < input->end;
}
