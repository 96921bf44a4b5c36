/* SPDX-License-Identifier: MIT */
/*
 * Decompression as a stream: gzip by zlib, zstd by libzstd. Luft can be built without either (ZLIB=0, ZSTD=0);
 * creating a decompressor of that format then fails with a reason.
 */
#ifndef LUFT_UTIL_DECOMPRESS_H
#define LUFT_UTIL_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum decompress_format { DECOMPRESS_GZIP, DECOMPRESS_ZSTD } decompress_format;

typedef struct decompressor decompressor;

/* NULL, with a reason, if this build lacks the format or memory ran out. */
decompressor *decompress_create(decompress_format format, const char **reason);

/* NULL is fine. */
void decompress_free(decompressor *stream);

typedef enum decompress_result {
    DECOMPRESS_GOOD,
    DECOMPRESS_DAMAGED,
    DECOMPRESS_NOT_READ, /* the archive needs a larger window than is read here */
    DECOMPRESS_NO_MEMORY
} decompress_result;

/*
 * Reads compressed bytes and writes plain ones: moves `in` and `in_length` on and sets `out_length`. Stops when either
 * runs out. If the result is not good there is a reason; `out_length` still holds then.
 */
decompress_result decompress_step(decompressor *stream, const char **in, size_t *in_length, char *out, size_t out_size,
                                  size_t *out_length, const char **reason);

/* May the compressed bytes end here? False in the middle of an archive. */
bool decompress_is_complete(const decompressor *stream);

/* The formats of this build, for the help: "gzip and zstd", "gzip", "zstd" or "neither gzip nor zstd". */
const char *decompress_formats(void);

#endif
