/* SPDX-License-Identifier: MIT */
/*
 * Decompression as a stream, gzip by zlib and zstd by libzstd. Each may be left
 * out when Luft is built (ZLIB=0, ZSTD=0); asking for it then gives a reason and
 * no more.
 */
#ifndef LUFT_UTIL_UNPACK_H
#define LUFT_UTIL_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

typedef enum unpack_kind { UNPACK_GZIP, UNPACK_ZSTD } unpack_kind;

typedef struct unpacker unpacker;

/* NULL, with a reason, if this build has none of that kind or if there is no memory. */
unpacker *unpacker_create(unpack_kind kind, const char **reason);

/* NULL is fine. */
void unpacker_free(unpacker *packed);

/*
 * Takes packed bytes and gives plain ones: moves `in` and `in_length` on and sets `out_length`. It
 * stops when either runs out. False, with a reason, if the bytes are damaged; `out_length` still holds then.
 */
bool unpacker_step(unpacker *packed, const char **in, size_t *in_length, char *out, size_t out_size, size_t *out_length,
                   const char **reason);

/* May the packed bytes end here? False in the middle of an archive. */
bool unpacker_is_complete(const unpacker *packed);

/* Which kinds this build knows, for the help: "gzip and zstd", "gzip", "zstd" or "neither gzip nor zstd". */
const char *unpack_kinds(void);

#endif
