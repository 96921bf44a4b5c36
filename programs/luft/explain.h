/* SPDX-License-Identifier: MIT */
/*
 * Explains what is wrong with a FEN, and what reading it corrected, in plain words with the squares concerned. The
 * library reports the kind of fault; this module reads the text again to say where. All text goes into buffers of the
 * caller, one line each.
 */
#ifndef LUFT_PROGRAM_EXPLAIN_H
#define LUFT_PROGRAM_EXPLAIN_H

#include "luft/luft.h"

/* Room for any of the lines. */
#define EXPLAIN_LINE_SIZE 400

/* The most lines that one FEN can need: sixteen for pawns, and one for each other kind of fault. */
#define EXPLAIN_LINES_MAX 32

typedef struct explanation {
    char lines[EXPLAIN_LINES_MAX][EXPLAIN_LINE_SIZE];
    int count;
} explanation;

/*
 * A line for each fault of a FEN that was refused with this report: one for a syntax error, which names the field, the
 * character and the reason; one for each fault of an invalid position.
 */
void explain_refusal(explanation *out, const char *fen, size_t length, const luft_fen_report *report);

/*
 * A line for each part of the FEN that `position`, which was read from it, does not have. `kept_ep` is an en passant
 * square that the caller keeps beside the position, or LUFT_NO_SQUARE.
 */
void explain_corrections(explanation *out, const char *fen, size_t length, const luft_position *position,
                         luft_square kept_ep);

/* The board of a FEN with valid syntax, whether or not the position is possible. */
luft_board explain_board(const char *fen, size_t length);

/* The FEN around the byte at `offset`, and below it a caret under that byte: two lines of printable ASCII. */
#define EXPLAIN_PLACE_SIZE 256
const char *explain_place(char buffer[EXPLAIN_PLACE_SIZE], const char *fen, size_t length, size_t offset);

#endif
