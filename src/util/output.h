/* SPDX-License-Identifier: MIT */
/*
 * Error lines and the end of the output: one clear line when something is refused, and an exit status that shows when the
 * output could not be written.
 */
#ifndef LUFT_UTIL_OUTPUT_H
#define LUFT_UTIL_OUTPUT_H

#include "buffer.h"

#include <stdio.h>

/* Exit statuses. */
enum {
    STATUS_OK = 0,
    STATUS_FAILED = 1, /* the data has errors, or the output could not be written */
    STATUS_USAGE = 2   /* the arguments, or a file that they name, cannot be used */
};

/*
 * Prints "COMMAND: REASON" as one line on standard error; `command` is all of it, such as "luft pgn check".
 * Escapes bytes that are not printable ASCII and shortens the reason in its middle to 200 bytes, so that text from
 * outside cannot control the terminal and scripts can rely on one line.
 */
void output_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Writes the text, flushes and empties it. False if that fails: after an error line if the buffer ran out of memory,
 * without one if the file cannot be written, which output_finish or output_file_close reports.
 */
bool output_write(const char *command, FILE *file, buffer *text);

/*
 * Flushes standard output. Returns `status`, or, after an error line, STATUS_FAILED if anything printed since the
 * start was lost.
 */
int output_finish(const char *command, int status);

#endif
