/* SPDX-License-Identifier: MIT */
/*
 * Text files from outside, line by line, unpacked where they are compressed. Lines
 * may be of any length up to a limit that no honest file reaches, and may hold any
 * bytes; files that are not text at all are told apart at once.
 */
#ifndef LUFT_UTIL_LINES_H
#define LUFT_UTIL_LINES_H

#include "input.h"

#define LINES_LENGTH_MAX ((size_t)16 << 20) /* 16 MiB */

typedef enum lines_result {
    LINES_READ,       /* there is a line */
    LINES_END,        /* there is none left */
    LINES_NOT_OPENED, /* the system refused, or it is of a kind that is not read here */
    LINES_NOT_READ,   /* reading stopped in the middle */
    LINES_NOT_TEXT,   /* the file begins with bytes that no text has */
    LINES_TOO_LONG,   /* the line is longer than LINES_LENGTH_MAX; reading stops there */
    LINES_NO_MEMORY
} lines_result;

typedef struct lines {
    input in;
    uint64_t number; /* of the line last read; the first is 1 */
    char *text;      /* that line, without its line feed or CR LF; not terminated */
    size_t length;
    size_t capacity; /* bytes at `text` */
    bool started;    /* the first block was read and looked at */
    size_t used;     /* bytes of the block that were taken */
    size_t filled;   /* bytes in the block */
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
