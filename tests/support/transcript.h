/* SPDX-License-Identifier: MIT */
/*
 * What the PGN reader tells, as text: one line for each callback, so that a test can write
 * down what it expects and compare. On the way it checks what holds for every game: the
 * order of the callbacks, brackets that match, moves that are legal and lead from
 * the one position to the other.
 */
#ifndef LUFT_TESTS_TRANSCRIPT_H
#define LUFT_TESTS_TRANSCRIPT_H

#include "luft/luft.h"

typedef struct transcript {
    char *text; /* terminated; "game 1 at 1:1", "tag White=Ann", "moves", "e2e4", "(" … */
    size_t length, capacity;
    bool has_places;  /* say where games begin; errors always say it */
    bool hides_lines; /* say 0 for the line of an error */

    /* What comes back from the next callback whose line is this text; LUFT_PGN_CONTINUE from all others. */
    const char *act_on;
    luft_pgn_action action;

    bool in_game, in_moves, is_cut, in_comment;
    int depth;
    uint64_t games;
} transcript;

extern const luft_pgn_visitor transcript_visitor;

void transcript_free(transcript *record);

/* How the bytes are handed to the reader. */
typedef enum delivery { DELIVER_TEXT, DELIVER_BYTES, DELIVER_CHUNKS, DELIVER_WHOLE, DELIVERIES } delivery;

/* Reads a text into a record that is all zero but for its wishes. Returns what luft_pgn_read_all did. */
luft_error transcribe(transcript *record, const char *text, size_t length, delivery how);

/* Reads the text in all ways and fails the test unless each gives this transcript. */
void assert_transcript(const char *text, const char *expected);
void assert_transcript_of(const char *text, size_t length, const char *expected);

#endif
