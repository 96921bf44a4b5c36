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

/* Text that is not yet read: the operations of a line, or the operands of an operation. The text must stay. */
typedef struct luft_epd_cursor {
    const char *text;
    size_t length; /* in bytes */
} luft_epd_cursor;

/* One operation: an opcode and its operands, both as they stand in the text. */
typedef struct luft_epd_operation {
    const char *opcode; /* not terminated */
    size_t opcode_length;
    luft_epd_cursor operands;
} luft_epd_operation;

/* One operand: a word, or a string in quotes. */
typedef struct luft_epd_operand {
    const char *text; /* not terminated; for a string what is between the quotes */
    size_t length;
    bool quoted;  /* a string */
    bool escaped; /* `text` holds backslashes, which luft_epd_unescape understands; if false, it is what is meant */
} luft_epd_operand;

/*
 * Reads the position of a line, checks the operations behind it and sets the cursor before them. The counters come from
 * the operations hmvc and fmvn where those are there, else from the two last fields of a FEN, which many files have before
 * the operations, else they are 0 and 1. An error of luft_position_from_fen, or LUFT_ERROR_EPD if the text after the
 * position is not a list of operations; `report`, which may be NULL, says where and why. Understood beyond the standard:
 * semicolons too many or missing at the end, \" and \\ in strings, a line end behind the line, dashes in the place
 * of the counters (`w q - - bm Rxf4;`).
 */
LUFT_API LUFT_NODISCARD luft_error luft_epd_read(luft_position *position, luft_epd_cursor *cursor, const char *text,
                                                 size_t length, luft_fen_report *report);

/*
 * Takes the next operation off the cursor: LUFT_ERROR_END after the last, LUFT_ERROR_EPD where the text is none, and the
 * cursor stays. A line that luft_epd_read has accepted has no such place.
 */
LUFT_API LUFT_NODISCARD luft_error luft_epd_next_operation(luft_epd_operation *operation, luft_epd_cursor *cursor);

/* Takes the next operand off the operands of an operation; errors as above. */
LUFT_API LUFT_NODISCARD luft_error luft_epd_next_operand(luft_epd_operand *operand, luft_epd_cursor *operands);

/* The first operation with this opcode; LUFT_ERROR_END if there is none. The cursor is not moved. */
LUFT_API LUFT_NODISCARD luft_error luft_epd_find(luft_epd_operation *operation, const luft_epd_cursor *cursor,
                                                 const char *opcode);

/* Writes the text that an operand means, without escapes, as luft_position_to_fen writes text. */
LUFT_API size_t luft_epd_unescape(char *buffer, size_t size, const luft_epd_operand *operand);

/*
 * Reads all operands of an operation as moves, as luft_move_from_san reads them, so in UCI form too. For bm and am each
 * is a move of `position`; for pv and others that hold a line of play, where `line` is true, each is a move of
 * the position to which the one before leads. Sets `count` to how many there are and fills `moves` with the
 * first `capacity` of them. The first that cannot be read decides the error.
 */
LUFT_API LUFT_NODISCARD luft_error luft_epd_moves(luft_move *moves, size_t capacity, size_t *count,
                                                  const luft_position *position, const luft_epd_operation *operation,
                                                  bool line);

/* --- Writing --------------------------------------------------------------- */

/* Room for the four fields of the longest position and a NUL. */
#define LUFT_EPD_POSITION_SIZE LUFT_FEN_SIZE

/* Writes the four fields of a valid position, as luft_position_to_fen writes text. The counters can follow as operations. */
LUFT_API size_t luft_position_to_epd(char *buffer, size_t size, const luft_position *position, luft_fen_style style);

/* The same with this en passant square, as luft_position_to_fen_with_ep writes it. */
LUFT_API size_t luft_position_to_epd_with_ep(char *buffer, size_t size, const luft_position *position,
                                             luft_fen_style style, luft_square ep_square);

/*
 * Writes ` opcode operand operand;`, a blank before and a semicolon after it, as luft_position_to_fen writes text. Operands
 * that are quoted get their quotes, and escapes too unless they are escaped already: so what was read
 * is written as it was, and text of your own comes out right. Returns the length, 0 if a part cannot be
 * written: an opcode that does not begin with a letter, a blank, semicolon or quote in it or in a
 * word, an empty word, a control character anywhere but for tabs in strings.
 */
LUFT_API size_t luft_epd_write_operation(char *buffer, size_t size, const char *opcode,
                                         const luft_epd_operand *operands, size_t count);

#ifdef __cplusplus
}
#endif

#endif
