/* SPDX-License-Identifier: MIT */
/*
 * The input window of the PGN reader: a buffer of fixed size, refilled from the source. At
 * the start of each token it holds at least PGN_LOOKAHEAD bytes, or all that is left. So
 * tokens are contiguous, and the result does not depend on how the source splits its
 * bytes. Lines are counted lazily, in one sweep, when a caller asks for a place or bytes
 * leave the buffer.
 */
#ifndef LUFT_GAMES_PGN_INPUT_H
#define LUFT_GAMES_PGN_INPUT_H

#include "luft/pgn.h"

/* Fuzzers use a small window, so that their short inputs still exceed it. */
#ifdef LUFT_SMALL_WINDOW
#define PGN_UNIT 12
#else
#define PGN_UNIT 1024
#endif

enum {
    PGN_BUFFER = 256 * PGN_UNIT,       /* bytes held at once */
    PGN_LOOKAHEAD = 64 * PGN_UNIT,     /* bytes available at the start of a token */
    PGN_PART = 60 * PGN_UNIT,          /* longest tag, and longest part of a comment; leaves lookahead after its end */
    PGN_CONTEXT = LUFT_PGN_CUT_BEFORE, /* bytes kept before the current one */
    PGN_PADDING = 64                   /* NULs after the last byte: scans stop there */
};

/* State of the line count. */
typedef struct pgn_lines {
    const char *counted;      /* lines are counted up to this byte */
    const char *start;        /* first byte in the buffer of the line that holds `counted` */
    uint64_t bytes_discarded; /* bytes of that line that have left the buffer */
    uint64_t number;          /* of that line, from 1 */
} pgn_lines;

typedef struct pgn_input {
    luft_pgn_source source;
    void *payload;
    char *at;        /* the next byte to read */
    char *end;       /* after the last byte read from the source */
    char *refill_at; /* a token that begins here or later needs a call of luft_pgn_input_refill first */
    pgn_lines lines;
    bool ended;  /* the source has no more bytes */
    bool failed; /* the source reported an error */
    char buffer[PGN_CONTEXT + PGN_BUFFER + PGN_PADDING];
} pgn_input;

void luft_pgn_input_start(pgn_input *input, luft_pgn_source source, void *payload);

/* Refills the lookahead; false if no bytes are left. */
bool luft_pgn_input_refill(pgn_input *input);

/* True if there is a byte to read. Call it where a token may begin. */
static inline bool pgn_input_has_more(pgn_input *input) {
    return input->at < input->refill_at || luft_pgn_input_refill(input);
}

/* Returns line and column of a byte in the buffer; the field `game` is 0. Bytes must be asked for in order. */
luft_pgn_place luft_pgn_lines_place(pgn_lines *lines, const char *byte);

/* Longest possible tag, or part of a comment, at the current byte. */
static inline size_t pgn_input_window(const pgn_input *input) {
    const size_t left = (size_t)(input->end - input->at);
    return left < PGN_PART ? left : PGN_PART;
}

static inline bool pgn_is_line_end(char c) {
    return c == '\n' || c == '\r';
}

/* True for the first byte of a line, and for the line feed of CR LF. */
static inline bool pgn_begins_line(const char *byte) {
    return pgn_is_line_end(byte[-1]);
}

#endif
