/* SPDX-License-Identifier: MIT */
/*
 * A file that replaces another atomically: it is written to a temporary file in the same directory, and gets its name
 * when it is complete and on the disk. Until then the old file stays as it was, whatever happens.
 *
 * Where the system can, the temporary file has no name until then: a program that is killed leaves nothing behind.
 * Elsewhere, and for the moment of the replacement, it is named after the file, with a dot and six digits behind, the
 * first such name that is free: no file of the user is overwritten, and a search for *.games finds complete files only.
 * A name of the maximum length loses its end. Pipes and devices cannot be replaced and are written directly; a symbolic
 * link stays, and the file that it names is replaced.
 */
#ifndef LUFT_UTIL_ATOMIC_FILE_H
#define LUFT_UTIL_ATOMIC_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct atomic_file {
    FILE *stream;    /* NULL if it is not open */
    char *path;      /* the name that it gets; NULL for a pipe or a device, which has its name */
    char *temporary; /* the name until then; NULL if it has none */
    char *room;      /* private: memory for that name */
} atomic_file;

/* The name at the end of symbolic links, whether or not such a file exists; freed with free(). NULL with errno set. */
char *atomic_file_target(const char *path);

/* Opens with the permissions of the old file, if there is one. False, with errno set, if that fails. */
bool atomic_file_open(atomic_file *file, const char *path);

/*
 * Gives the file its name if `good`, else removes it; what a pipe or a device got stays there. False if it was not good
 * or cannot be written; errno says why, and stays as it is if it was not good.
 */
bool atomic_file_close(atomic_file *file, bool good);

/* Why opening or closing failed, by errno; "cannot be written" if that is 0, as after a write that failed earlier. */
const char *atomic_file_reason(void);

/* A file without a name, on the disk of `path`, to write and read again; gone when closed. NULL with errno set. */
FILE *atomic_file_scratch(const char *path);

#endif
