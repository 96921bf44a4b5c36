/* SPDX-License-Identifier: MIT */
/*
 * Records the callbacks of the PGN reader as text, one line each, so that a test can
 * compare them with the expected ones. Also checks what holds for every game: the order of
 * the callbacks, matching parentheses, legal moves that lead from one position to the
 * next.
 */
#ifndef LUFT_TESTS_TRANSCRIPT_H
#define LUFT_TESTS_TRANSCRIPT_H

#include "luft/luft.h"

typedef struct transcript {
    char *text; /* NUL-terminated; "game 1 at 1:1", "tag White=Ann", "moves", "e2e4", "(" … */
    size_t length, capacity;
    bool has_places;  /* write where games begin; errors always have their place */
    bool hides_lines; /* write 0 for the line of an error */

    /* The action returned for the next callback with this line; all others return LUFT_PGN_CONTINUE. */
    const char *act_on;
    luft_pgn_action action;

    bool in_game, in_moves, is_cut, in_comment;
    int depth;
    uint64_t games;
} transcript;

extern const luft_pgn_visitor transcript_visitor;

void transcript_free(transcript *record);

/* How the bytes are passed to the reader. */
typedef enum delivery { DELIVER_TEXT, DELIVER_BYTES, DELIVER_CHUNKS, DELIVER_WHOLE, DELIVERIES } delivery;

/* Reads a text into a record, all zero except for its settings. Returns the result of luft_pgn_read_all. */
luft_error transcribe(transcript *record, const char *text, size_t length, delivery how);

/* Reads the text with every delivery and fails the test unless each gives this transcript. */
void assert_transcript(const char *text, const char *expected);
void assert_transcript_of(const char *text, size_t length, const char *expected);

#endif
