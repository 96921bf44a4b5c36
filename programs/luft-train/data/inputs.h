/* SPDX-License-Identifier: MIT */
/*
 * The files that a command is to read: those named, and for a directory all shards in it, in the order of their names.
 */
#ifndef LUFT_TRAIN_DATA_INPUTS_H
#define LUFT_TRAIN_DATA_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum input_kind { INPUT_UNKNOWN, INPUT_GAMES, INPUT_RECORDS } input_kind;

typedef struct inputs {
    char **paths;
    size_t count;
    size_t room;
} inputs;

/* False after an error line. */
bool inputs_find(inputs *list, char *const *operands, size_t count, const char *command);
void inputs_free(inputs *list);

/*
 * Calls `visit` with each name in the directory until it returns false. False, with errno set, if it did, or if the
 * directory cannot be read to its end.
 */
bool inputs_each_name(const char *directory, bool (*visit)(void *payload, const char *name), void *payload);

/* What the first bytes of a file say. */
input_kind input_kind_of(const char *path);

#endif
