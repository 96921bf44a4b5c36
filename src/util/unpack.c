/* SPDX-License-Identifier: MIT */
/*
 * One struct for both kinds of archive. The Makefile defines LUFT_WITH_ZLIB and
 * LUFT_WITH_ZSTD where it finds the libraries. Several archives one after the
 * other are one text, as gzip and zstd themselves have it.
 */
#include "unpack.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#if defined(LUFT_WITH_ZLIB)
#define ZLIB_CONST /* it does not write to what it reads */
#include <zlib.h>
#endif
#if defined(LUFT_WITH_ZSTD)
#include <zstd.h>
#endif

struct unpacker {
    unpack_kind kind;
    bool complete; /* an archive ended with the last byte taken */
#if defined(LUFT_WITH_ZLIB)
    z_stream gzip;
#endif
#if defined(LUFT_WITH_ZSTD)
    ZSTD_DStream *zstd;
#endif
};

const char *unpack_kinds(void) {
#if defined(LUFT_WITH_ZLIB) && defined(LUFT_WITH_ZSTD)
    return "gzip and zstd";
#elif defined(LUFT_WITH_ZLIB)
    return "gzip";
#elif defined(LUFT_WITH_ZSTD)
    return "zstd";
#else
    return "neither gzip nor zstd";
#endif
}

/* --- gzip ------------------------------------------------------------------ */

#if defined(LUFT_WITH_ZLIB)

#define WINDOW_BITS_GZIP (15 + 16) /* the greatest window, and a gzip header rather than one of zlib */

static bool gzip_start(unpacker *packed) {
    return inflateInit2(&packed->gzip, WINDOW_BITS_GZIP) == Z_OK;
}

static void gzip_end(unpacker *packed) {
    inflateEnd(&packed->gzip);
}

static unsigned clamp(size_t length) {
    return length > UINT_MAX ? UINT_MAX : (unsigned)length;
}

static bool gzip_step(unpacker *packed, const char **in, size_t *in_length, char *out, size_t out_size,
                      size_t *out_length, const char **reason) {
    z_stream *stream = &packed->gzip;
    if (packed->complete) {
        while (*in_length > 0 && **in == '\0') { /* tapes and some programs fill up their last block */
            ++*in;
            --*in_length;
        }
        if (*in_length == 0) {
            return true;
        }
        inflateReset(stream); /* another archive follows */
        packed->complete = false;
    }
    const unsigned given = clamp(*in_length);
    const unsigned room = clamp(out_size);
    stream->next_in = (const unsigned char *)*in;
    stream->avail_in = given;
    stream->next_out = (unsigned char *)out;
    stream->avail_out = room;
    const int result = inflate(stream, Z_NO_FLUSH);
    *in += given - stream->avail_in;
    *in_length -= given - stream->avail_in;
    *out_length = room - stream->avail_out;
    packed->complete = result == Z_STREAM_END;
    *reason = stream->msg ? stream->msg : "the data is damaged";
    return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR;
}

#else

static bool gzip_start(unpacker *packed) {
    (void)packed;
    return false;
}

static void gzip_end(unpacker *packed) {
    (void)packed;
}

static bool gzip_step(unpacker *packed, const char **in, size_t *in_length, char *out, size_t out_size,
                      size_t *out_length, const char **reason) {
    (void)packed, (void)in, (void)in_length, (void)out, (void)out_size, (void)out_length, (void)reason;
    return false;
}

#endif

/* --- zstd ------------------------------------------------------------------ */

#if defined(LUFT_WITH_ZSTD)

static bool zstd_start(unpacker *packed) {
    packed->zstd = ZSTD_createDStream();
    return packed->zstd != NULL;
}

static void zstd_end(unpacker *packed) {
    ZSTD_freeDStream(packed->zstd);
}

static bool zstd_step(unpacker *packed, const char **in, size_t *in_length, char *out, size_t out_size,
                      size_t *out_length, const char **reason) {
    ZSTD_inBuffer source = {*in, *in_length, 0};
    ZSTD_outBuffer target = {.size = out_size};
    target.dst = out;
    const size_t result = ZSTD_decompressStream(packed->zstd, &target, &source);
    *in += source.pos;
    *in_length -= source.pos;
    *out_length = target.pos;
    packed->complete = result == 0;
    *reason = ZSTD_getErrorName(result);
    return !ZSTD_isError(result);
}

#else

static bool zstd_start(unpacker *packed) {
    (void)packed;
    return false;
}

static void zstd_end(unpacker *packed) {
    (void)packed;
}

static bool zstd_step(unpacker *packed, const char **in, size_t *in_length, char *out, size_t out_size,
                      size_t *out_length, const char **reason) {
    (void)packed, (void)in, (void)in_length, (void)out, (void)out_size, (void)out_length, (void)reason;
    return false;
}

#endif

/* --- Either ---------------------------------------------------------------- */

static bool is_built_in(unpack_kind kind) {
#if defined(LUFT_WITH_ZLIB)
    if (kind == UNPACK_GZIP) {
        return true;
    }
#endif
#if defined(LUFT_WITH_ZSTD)
    if (kind == UNPACK_ZSTD) {
        return true;
    }
#endif
    (void)kind;
    return false;
}

unpacker *unpacker_create(unpack_kind kind, const char **reason) {
    if (!is_built_in(kind)) {
        *reason = kind == UNPACK_GZIP
                      ? "it is packed with gzip, and this luft was built without zlib: try gzip -dc FILE | luft"
                      : "it is packed with zstd, and this luft was built without libzstd: try zstd -dc FILE | luft";
        return NULL;
    }
    unpacker *packed = calloc(1, sizeof *packed);
    *reason = "out of memory"; /* INPUT_NO_MEMORY of input.h, which is above */
    if (packed) {
        packed->kind = kind;
        if (!(kind == UNPACK_GZIP ? gzip_start(packed) : zstd_start(packed))) {
            free(packed);
            return NULL;
        }
    }
    return packed;
}

void unpacker_free(unpacker *packed) {
    if (packed) {
        if (packed->kind == UNPACK_GZIP) {
            gzip_end(packed);
        } else {
            zstd_end(packed);
        }
        free(packed);
    }
}

bool unpacker_step(unpacker *packed, const char **in, size_t *in_length, char *out, size_t out_size, size_t *out_length,
                   const char **reason) {
    *out_length = 0;
    return packed->kind == UNPACK_GZIP ? gzip_step(packed, in, in_length, out, out_size, out_length, reason)
                                       : zstd_step(packed, in, in_length, out, out_size, out_length, reason);
}

bool unpacker_is_complete(const unpacker *packed) {
    return packed->complete;
}
