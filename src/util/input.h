/* SPDX-License-Identifier: MIT */
/*
 * Reads files and standard input, decompressed where they are compressed. The first bytes of a file decide its format,
 * not its name. gzip and zstd are read if Luft was built with zlib and libzstd.
 */
#ifndef LUFT_UTIL_INPUT_H
#define LUFT_UTIL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INPUT_REASON_SIZE 160

typedef enum input_result {
    INPUT_READ,       /* there are bytes */
    INPUT_END,        /* of this file */
    INPUT_NOT_USABLE, /* the file cannot be opened, or has a format that is not read here */
    INPUT_BROKEN      /* reading stopped in the middle: a read failed, or the archive is truncated or damaged */
} input_result;

/* The reason where the file is not at fault. */
#define INPUT_NO_MEMORY "out of memory"

typedef struct input {
    int descriptor;                  /* -1 for none */
    uint64_t stored;                 /* bytes read from the file, before decompression */
    struct decompressor *compressed; /* NULL for plain text */
    input_result last;               /* INPUT_READ as long as more may come */
    bool broken;                     /* `reason` says why; what was read before is good */
    bool is_checked;                 /* the first bytes were checked to be text */
    char *block;                     /* read from the file and not yet used */
    size_t block_used;
    size_t block_length;
    char reason[INPUT_REASON_SIZE]; /* for the last two results: one clause */
} input;

/* Opens a file, "-" for standard input. Whatever it returns, end with input_close. */
input_result input_open(input *in, const char *path);

/* Puts at most `size` bytes, at least one, into the buffer and sets `length`. */
input_result input_read(input *in, char *buffer, size_t size, size_t *length);

/* The same as a source of luft_pgn_reader_create; the payload is the input. */
size_t input_read_pgn(void *in, char *buffer, size_t size);

void input_close(input *in);

/* The stored size of all these files together; 0 if it is not known, as for a pipe. */
uint64_t input_total_size(const char *const *paths, size_t count);

/* Is the file to write, "-" for standard output, one of the files to read, under whatever name? */
bool input_is_among(const char *path, const char *const *paths, size_t count);

/* Is this a regular file: not a directory, a pipe that could block for ever, or a device without an end? */
bool input_is_regular_file(const char *path);

#endif
