/* SPDX-License-Identifier: MIT */
/*
 * A file to write, which replaces one of that name only when it is whole: until then it
 * is written aside. So a full disk, or a program that is ended, costs nothing that was there before.
 */
#ifndef LUFT_CLI_OUTPUT_FILE_H
#define LUFT_CLI_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct output_file {
    FILE *file;      /* standard output, or the one aside, or a device that is written at once */
    char *target;    /* the name that it gets; NULL if it has it already */
    char *temporary; /* its name until then; NULL likewise */
} output_file;

/* Standard output for a path that is NULL or "-". False after an error line of this command. */
bool output_file_open(output_file *output, const char *path, const char *command);

/* Gives the file its name if all is well and `keep`, else leaves everything as it was. False after an error line. */
bool output_file_close(output_file *output, bool keep, const char *command);

#endif
