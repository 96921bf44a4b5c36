/* SPDX-License-Identifier: MIT */
/*
 * What is wrong with a FEN, and what reading it put right, in plain words with the
 * squares concerned. The library tells what kind of fault there is; this looks at the
 * text again to say where. Every text goes into buffers of the caller, one line each.
 */
#ifndef LUFT_PROGRAM_EXPLAIN_H
#define LUFT_PROGRAM_EXPLAIN_H

#include "luft/luft.h"

/* Room for any of the lines. */
#define EXPLAIN_LINE_SIZE 400

/* More lines than these do not come together: sixteen faults of pawns, and one for each other kind. */
#define EXPLAIN_LINES_MAX 32

typedef struct explanation {
    char lines[EXPLAIN_LINES_MAX][EXPLAIN_LINE_SIZE];
    int count;
} explanation;

/*
 * A line for each fault of a FEN that was refused with this report: one for a fault in the
 * writing, which names the field, the character and the reason; all for a position that cannot be.
 */
void explain_refusal(explanation *out, const char *fen, size_t length, const luft_fen_report *report);

/*
 * A line for each thing that the FEN says and `position`, which was read from it, does not. `kept_ep` is an en passant
 * square that was kept beside the position, or LUFT_NO_SQUARE.
 */
void explain_corrections(explanation *out, const char *fen, size_t length, const luft_position *position,
                         luft_square kept_ep);

/* The board that a FEN describes which is well written, be the position possible or not. */
luft_board explain_board(const char *fen, size_t length);

/*
 * The FEN, or the part of it around the byte at `offset`, and below it a caret under that
 * byte: two lines for a screen, in printable ASCII.
 */
#define EXPLAIN_PLACE_SIZE 256
const char *explain_place(char buffer[EXPLAIN_PLACE_SIZE], const char *fen, size_t length, size_t offset);

#endif
