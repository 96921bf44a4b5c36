/* SPDX-License-Identifier: MIT */
/*
 * Bytes of files and of standard input, one file after the other, unpacked where
 * they are compressed. What a file is, its first bytes say, not its name. gzip
 * and zstd are known where Luft was built with zlib and libzstd.
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
    INPUT_NOT_USABLE, /* the file cannot be opened, or is of a kind that is not read here */
    INPUT_BROKEN      /* reading stopped in the middle: the system refused, or the archive is cut off or damaged */
} input_result;

/* The reason where it is not the fault of the file. */
#define INPUT_NO_MEMORY "out of memory"

typedef struct input {
    int descriptor;          /* -1 for none */
    uint64_t taken;          /* bytes read from the file, as they are stored */
    struct unpacker *packed; /* NULL for plain text */
    input_result last;       /* INPUT_READ as long as more may come */
    bool broken;             /* `reason` says why; what was read before it is good */
    bool looked_at;          /* the first bytes were found to be text */
    char *block;             /* read from the file and not yet used */
    size_t block_used;
    size_t block_length;
    char reason[INPUT_REASON_SIZE]; /* for the last two results, one clause */
} input;

/* Opens a file, "-" for standard input. Whatever it returns, end with input_close. */
input_result input_open(input *in, const char *path);

/* Puts at most `size` bytes, at least one, into the buffer and sets `length`. */
input_result input_read(input *in, char *buffer, size_t size, size_t *length);

/* The same in the form that a reader of PGN takes; the payload is the input. */
size_t input_read_pgn(void *in, char *buffer, size_t size);

void input_close(input *in);

/* The size of all of these files together as they are stored; 0 if it is not known, as that of a pipe. */
uint64_t input_total_size(const char *const *paths, size_t count);

/* Is this place to write to, "-" for standard output, one of the files, under whatever name? */
bool input_is_among(const char *path, const char *const *paths, size_t count);

#endif
