/* SPDX-License-Identifier: MIT */
/*
 * Where a command writes: standard output, or a file that is replaced atomically (util/atomic_file.h), so that a full
 * disk or an interrupted program leaves the old file as it was. Prints the error lines of the command.
 */
#ifndef LUFT_UTIL_OUTPUT_FILE_H
#define LUFT_UTIL_OUTPUT_FILE_H

#include "atomic_file.h"

typedef struct output_file {
    FILE *file;            /* standard output, or the stream of `written` */
    const char *temporary; /* to remove if the program ends early; NULL for standard output, a pipe or a device */
    atomic_file written;
} output_file;

/* True if there is no regular file of this name, or `force`; else false after an error line. */
bool output_file_may_create(const char *path, bool force, const char *command);

/* Standard output if the path is NULL or "-". False after an error line. */
bool output_file_open(output_file *output, const char *path, const char *command);

/* Replaces the file if `keep`, else leaves the old one. False after an error line if the output cannot be written. */
bool output_file_close(output_file *output, bool keep, const char *command);

#endif
