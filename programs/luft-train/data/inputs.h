/* SPDX-License-Identifier: MIT */
/* The files that a command reads: those named by operands, and for a directory all shards in it, in order of their names. */
#ifndef LUFT_TRAIN_DATA_INPUTS_H
#define LUFT_TRAIN_DATA_INPUTS_H

#include "util/options.h"

typedef enum inputs_kind { INPUTS_UNKNOWN, INPUTS_GAMES, INPUTS_RECORDS } inputs_kind;

typedef struct inputs {
    char **paths;
    size_t count;
    size_t room;
} inputs;

/*
 * Reads the arguments of a command whose operands are files, and finds these files. True to go on; false if the command
 * is to end with this exit status. The table needs no `rest`.
 */
bool inputs_read(inputs *list, const option_table *table, int argc, char **argv, int *status);
void inputs_free(inputs *list);

/* Is the file to write one of the files to read? Prints an error line then. `name` is its option: "--out". */
bool inputs_has_output(const inputs *list, const char *name, const char *path, const char *command);

/*
 * Calls `visit` with each name in the directory until it returns false. False, with errno set, if it did, or if the
 * directory cannot be read to its end.
 */
bool inputs_each_name(const char *directory, bool (*visit)(void *payload, const char *name), void *payload);

/* The kind of a file, by its first bytes. */
inputs_kind inputs_kind_of(const char *path);

#endif
