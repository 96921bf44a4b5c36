/* SPDX-License-Identifier: MIT */
/*
 * Files of EPD that are not trusted, position by position. The library reads the
 * lines; this adds what it leaves to its users, which is what the operations of the
 * standard must hold: moves that are legal, numbers, and no opcode twice. A line at
 * fault is told on standard error as FILE:LINE:COLUMN: reason, counted and passed over.
 */
#ifndef LUFT_PROGRAM_EPD_READER_H
#define LUFT_PROGRAM_EPD_READER_H

#include "util/lines.h"

#include "luft/luft.h"

/* A line that was found good. Its text holds until the next one is read. */
typedef struct epd_record {
    luft_position position;
    luft_epd_cursor operations;
    luft_square ep_square; /* that of the text, also where no capture onto it is legal; or LUFT_NO_SQUARE */
} epd_record;

typedef struct epd_reader {
    uint64_t positions; /* lines that are no comment and not blank, in all files so far */
    uint64_t errors;    /* mistakes told of */
    /* Private: */
    const char *path;
    lines lines;
    lines_result result;
} epd_reader;

/* Opens a file, "-" for standard input; the counts go on from the file before. End with epd_close. */
void epd_open(epd_reader *reader, const char *path);

/* The next good line; false if there is none left or the file cannot be read. */
bool epd_next(epd_reader *reader, epd_record *out);

/* Closes the file. False, after an error line of this command, if reading it has failed. */
bool epd_close(epd_reader *reader, const char *command);

/* Tells of a mistake in the line last read, at a place in its text or NULL for its beginning. */
void epd_refuse(epd_reader *reader, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* --- Operations ---------------------------------------------------------------- */

/* Moves of the position, each by itself: am, bm, pm and sm. */
bool epd_holds_moves(const luft_epd_operation *operation);

/* Moves that follow each other: pv and sv. */
bool epd_holds_line(const luft_epd_operation *operation);

/* Reads one operand as a move. */
luft_error epd_read_move(luft_move *move, const luft_position *position, const luft_epd_operation *operation,
                         const luft_epd_operand *operand);

/* "#3", "#-3" in the place of a best move: files of mates give the distance so. */
bool epd_read_mate(int64_t *moves, const luft_epd_operation *operation, const luft_epd_operand *operand);

/* Reads an operand as a whole number. */
bool epd_read_number(int64_t *value, const luft_epd_operand *operand);

#endif
