/* SPDX-License-Identifier: MIT */
/*
 * The window through which the PGN reader sees its input: a buffer of fixed size that
 * is refilled from the source. At the start of each token it holds at least
 * PGN_LOOKAHEAD bytes, or all that is left, so tokens are contiguous, and how the
 * source cuts its bytes cannot be noticed. Lines are counted behind the reader's
 * back, in one sweep, when somebody asks or the bytes are about to go.
 */
#ifndef LUFT_GAMES_PGN_INPUT_H
#define LUFT_GAMES_PGN_INPUT_H

#include "luft/pgn.h"

/* The fuzzers look through a small window: their inputs are short, and have to go beyond it. */
#ifdef LUFT_SMALL_WINDOW
#define PGN_UNIT 12
#else
#define PGN_UNIT 1024
#endif

enum {
    PGN_BUFFER = 256 * PGN_UNIT,   /* what is read at most before some of it has to go */
    PGN_LOOKAHEAD = 64 * PGN_UNIT, /* what a token can count on */
    PGN_PART = 60 * PGN_UNIT, /* the longest tag, and the longest part of a comment: leaves a look beyond its end */
    PGN_CONTEXT = 2,          /* bytes before the present one that stay */
    PGN_PADDING = 64          /* NULs behind the last byte: scans stop there */
};

/* How far lines are counted. */
typedef struct pgn_lines {
    const char *counted; /* up to this byte */
    const char *start;   /* the first byte in the buffer of the line that it is in */
    uint64_t bytes_gone; /* the bytes of that line that are in the buffer no more */
    uint64_t number;     /* its number */
} pgn_lines;

typedef struct pgn_input {
    luft_pgn_source source;
    void *payload;
    char *at;        /* the next byte to read */
    char *end;       /* behind the last byte that is here */
    char *refill_at; /* `at` must not begin a token here or later without a call of luft_pgn_input_refill */
    pgn_lines lines;
    bool ended;  /* the source has nothing more */
    bool failed; /* it ended by failing */
    char buffer[PGN_CONTEXT + PGN_BUFFER + PGN_PADDING];
} pgn_input;

void luft_pgn_input_start(pgn_input *input, luft_pgn_source source, void *payload);

/* Makes the lookahead full again; false if nothing is left to read. */
bool luft_pgn_input_refill(pgn_input *input);

/* Is there a byte at the reader's place? Call it where a token may begin. */
static inline bool pgn_input_has_more(pgn_input *input) {
    return input->at < input->refill_at || luft_pgn_input_refill(input);
}

/* Line and column of a byte in the buffer, which must not be before the last one asked for. The game is left 0. */
luft_pgn_place luft_pgn_lines_place(pgn_lines *lines, const char *byte);

/* How many bytes a tag or a part of a comment may have from the reader's place on. */
static inline size_t pgn_input_window(const pgn_input *input) {
    const size_t left = (size_t)(input->end - input->at);
    return left < PGN_PART ? left : PGN_PART;
}

static inline bool pgn_is_line_end(char c) {
    return c == '\n' || c == '\r';
}

/* Is this the first byte of a line? */
static inline bool pgn_begins_line(const char *byte) {
    return pgn_is_line_end(byte[-1]);
}

#endif
