/* SPDX-License-Identifier: MIT */
/*
 * Reads untrusted EPD files position by position. The library parses the lines; this module checks what it leaves to
 * its users, the contents of the standard operations: legal moves, integers, and no opcode twice. An error is reported
 * on standard error as FILE:LINE:COLUMN: reason and counted, and the line is skipped.
 */
#ifndef LUFT_PROGRAM_EPD_READER_H
#define LUFT_PROGRAM_EPD_READER_H

#include "util/lines.h"

#include "luft/luft.h"

/* A good line. Its text is valid until the next one is read. */
typedef struct epd_record {
    luft_position position;
    luft_epd_cursor operations;
    luft_square ep_square; /* that of the text, also where no capture onto it is legal; or LUFT_NO_SQUARE */
} epd_record;

typedef struct epd_reader {
    uint64_t positions; /* lines that are not blank and not comments, in all files so far */
    uint64_t errors;    /* reported errors */
    /* Private: */
    const char *path;
    lines lines;
    lines_result result;
} epd_reader;

/* Opens a file, "-" for standard input; keeps the counts of the file before. Call epd_close at the end. */
void epd_open(epd_reader *reader, const char *path);

/* Reads the next good line; false if there is none left or the file cannot be read. */
bool epd_next(epd_reader *reader, epd_record *out);

/* Closes the file. False, after an error line of this command, if it could not be read. */
bool epd_close(epd_reader *reader, const char *command);

/* Reports an error in the last line, at a place in its text or NULL for its beginning. */
void epd_refuse(epd_reader *reader, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* --- Operations ---------------------------------------------------------------- */

/* Operations with moves of the position: am, bm, pm and sm. */
bool epd_holds_moves(const luft_epd_operation *operation);

/* Operations with a variation: pv and sv. */
bool epd_holds_line(const luft_epd_operation *operation);

/* Reads one operand as a move. */
luft_error epd_read_move(luft_move *move, const luft_position *position, const luft_epd_operation *operation,
                         const luft_epd_operand *operand);

/* Reads "#3" or "#-3" among the moves of bm, as files of mates write the distance. */
bool epd_read_mate(int64_t *moves, const luft_epd_operation *operation, const luft_epd_operand *operand);

/* Reads an operand as an integer. */
bool epd_read_number(int64_t *value, const luft_epd_operand *operand);

#endif
