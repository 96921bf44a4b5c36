/* SPDX-License-Identifier: MIT */
/*
 * A file that is written aside, beside the one that it is to replace, and takes its name when it is whole and on the
 * disk: whatever happens before, what was there is still there.
 *
 * Its name until then is its own and a dot and six digits, the first such that is free: nothing of the user's is
 * overwritten, and who looks for names that end in .games finds none that is not whole. Of a name that is as long as names
 * can be, the end is left out. A program that is killed leaves it behind. What is no plain file, such as a pipe or /dev/null,
 * cannot be replaced and is written as it is; a symbolic link stays, and what it leads to is replaced.
 */
#ifndef LUFT_UTIL_ATOMIC_FILE_H
#define LUFT_UTIL_ATOMIC_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct aside {
    FILE *stream;    /* NULL if it is not open */
    char *path;      /* the name that it gets; NULL if it has it already */
    char *temporary; /* its name until then; NULL likewise */
} aside;

/* With the rights of the file that is there, if any. False, with errno set, if it cannot be opened or there is no memory. */
bool aside_open(aside *file, const char *path);

/*
 * Gives the file its name if `good`, else removes it; of what has its name already the bytes that went out stay. False if it
 * was not good or cannot be written; errno tells why, and stays as it is if it was not good.
 */
bool aside_close(aside *file, bool good);

/* Why it failed, by errno; where that is 0, as after a write that failed long ago, that it "cannot be written". */
const char *aside_reason(void);

/* A file without a name on the disk of this one, to write and to read again; gone when it is closed. NULL with errno set. */
FILE *aside_scratch(const char *path);

/* A plain file: not a directory, nor a pipe for which one would wait for ever, nor a device without an end. */
bool is_plain_file(const char *path);

#endif
