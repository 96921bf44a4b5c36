/* SPDX-License-Identifier: MIT */
/*
 * A file that is written aside, under its name and `.part`, and takes its name when it is
 * whole and on the disk: whatever happens before, what was there is still there.
 */
#ifndef LUFT_TRAIN_ASIDE_H
#define LUFT_TRAIN_ASIDE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct aside {
    FILE *stream; /* NULL if it is not open */
    char *path;   /* the name that it gets */
    char *part;   /* its name until then */
} aside;

/* False, with errno set, if it cannot be opened or there is no memory. */
bool aside_open(aside *file, const char *path);

/* Gives the file its name if `good`, else removes it. False, with errno set, if it did not get its name. */
bool aside_close(aside *file, bool good);

/* A plain file: not a directory, nor a pipe for which one would wait for ever, nor a device without an end. */
bool is_plain_file(const char *path);

#endif
