/* SPDX-License-Identifier: MIT */
/*
 * Where a command writes: standard output, or a file that replaces one of that name only when it is whole. So a full
 * disk, or a program that is ended, costs nothing that was there before. util/atomic_file.h describes such files.
 */
#ifndef LUFT_UTIL_OUTPUT_FILE_H
#define LUFT_UTIL_OUTPUT_FILE_H

#include "atomic_file.h"

typedef struct output_file {
    FILE *file;            /* standard output, or the stream of `written` */
    const char *temporary; /* to be removed if the program ends early; NULL for standard output, a pipe or a device */
    aside written;
} output_file;

/* Standard output for a path that is NULL or "-". False after an error line of this command. */
bool output_file_open(output_file *output, const char *path, const char *command);

/* Gives the file its name if all is well and `keep`, else leaves everything as it was. False after an error line. */
bool output_file_close(output_file *output, bool keep, const char *command);

#endif
