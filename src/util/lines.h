/* SPDX-License-Identifier: MIT */
/*
 * Reads text files line by line, decompressed where they are compressed. Lines may hold any bytes and have any length
 * up to a limit that no sane file reaches; a file that is not text is refused at its first block.
 */
#ifndef LUFT_UTIL_LINES_H
#define LUFT_UTIL_LINES_H

#include "buffer.h"
#include "input.h"

#define LINES_LENGTH_MAX ((size_t)16 << 20) /* 16 MiB */

typedef enum lines_result {
    LINES_READ,       /* there is a line */
    LINES_END,        /* there is none left */
    LINES_NOT_OPENED, /* it cannot be opened, or has a format that is not read here */
    LINES_NOT_READ,   /* reading stopped in the middle */
    LINES_NOT_TEXT,   /* the file begins with control bytes */
    LINES_TOO_LONG,   /* the line is longer than LINES_LENGTH_MAX; reading stops there */
    LINES_NO_MEMORY
} lines_result;

typedef struct lines {
    input in;
    uint64_t number;  /* of the line last read; the first is 1 */
    const char *text; /* that line, without its line feed or CR LF; not terminated */
    size_t length;
    /* Private: */
    buffer line;   /* `text` is in here */
    bool started;  /* the first block was read and checked */
    size_t used;   /* bytes of the block that were consumed */
    size_t filled; /* bytes in the block */
    char block[16384];
} lines;

/* Opens a file, or standard input if the path is "-". Call lines_close whatever it returns. */
lines_result lines_open(lines *reader, const char *path);

/* Reads the next line. A byte order mark at the start of the file is skipped. */
lines_result lines_next(lines *reader);

void lines_close(lines *reader);

/* Why there is no line, in one clause, for any result but LINES_READ and LINES_END. */
const char *lines_reason(const lines *reader, lines_result result);

#endif
