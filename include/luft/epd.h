/* SPDX-License-Identifier: MIT */
/*
 * Extended Position Description: four fields of a FEN, then operations such as
 * `bm Nf3; id "WAC.001";`. The text is read where it is, one operation and one
 * operand after the other; nothing is allocated, and a line may be of any length.
 */
#ifndef LUFT_EPD_H
#define LUFT_EPD_H

#include "notation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Reading --------------------------------------------------------------- */

/* A place in the operations of a line. The text it points into must stay. */
typedef struct luft_epd_cursor {
    const char *text; /* the operations not yet read */
    size_t length;    /* of that text, in bytes */
} luft_epd_cursor;

/* One operation: an opcode and its operands, both as they stand in the text. */
typedef struct luft_epd_operation {
    const char *opcode;
    size_t opcode_length;
    luft_epd_cursor operands;
} luft_epd_operation;

/* One operand: a word, or a string in quotes. */
typedef struct luft_epd_operand {
    const char *text; /* as it stands, for a string what is between the quotes: see luft_epd_unescape */
    size_t length;
    bool quoted;
} luft_epd_operand;

/*
 * Reads the position of a line and sets the cursor before its operations. The
 * counters come from the operations hmvc and fmvn where those are there, or from
 * the two fields of a full FEN in their place, which many files have. `report` may be NULL.
 */
LUFT_API luft_error luft_epd_read(luft_position *position, luft_epd_cursor *cursor, const char *text, size_t length,
                                  luft_fen_report *report);

/* The next operation; LUFT_ERROR_END after the last, LUFT_ERROR_EPD where the text is none (cursor at the fault). */
LUFT_API luft_error luft_epd_next_operation(luft_epd_operation *operation, luft_epd_cursor *cursor);

/* The next operand of an operation; LUFT_ERROR_END after the last. */
LUFT_API luft_error luft_epd_next_operand(luft_epd_operand *operand, luft_epd_cursor *operands);

/* The first operation with this opcode; LUFT_ERROR_END if the line has none. The cursor is not moved. */
LUFT_API luft_error luft_epd_find(luft_epd_operation *operation, const luft_epd_cursor *cursor, const char *opcode);

/* The text of an operand without its escapes (\" and \\), as luft_position_to_fen writes text. */
LUFT_API size_t luft_epd_unescape(char *buffer, size_t size, const luft_epd_operand *operand);

/*
 * Reads the operands of an operation as moves: for bm and am all of them from `position`, for
 * pv and others that hold a line of play each from where the one before leads, if `line` says so.
 * Fills `moves`, at most `capacity` of them, and sets `count` to how many there are.
 */
LUFT_API luft_error luft_epd_moves(luft_move *moves, size_t capacity, size_t *count, const luft_position *position,
                                   const luft_epd_operation *operation, bool line);

/* --- Writing --------------------------------------------------------------- */

/* Room for the four fields of the longest position and a NUL. */
#define LUFT_EPD_POSITION_SIZE LUFT_FEN_SIZE

/* Writes the four fields of a valid position, as luft_position_to_fen writes text. */
LUFT_API size_t luft_position_to_epd(char *buffer, size_t size, const luft_position *position, luft_fen_style style);

/*
 * Writes ` opcode operand operand;`, each quoted and escaped if it is marked as quoted.
 * Returns the length, 0 if a part cannot be written: an empty opcode, or a blank, semicolon or quote in a bare word.
 */
LUFT_API size_t luft_epd_write_operation(char *buffer, size_t size, const char *opcode,
                                         const luft_epd_operand *operands, size_t count);

#ifdef __cplusplus
}
#endif

#endif
