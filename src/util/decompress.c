/* SPDX-License-Identifier: MIT */
/*
 * One struct for both formats. The Makefile defines LUFT_WITH_ZLIB and LUFT_WITH_ZSTD where it finds the libraries.
 * Several archives one after the other are one text, as gzip and zstd themselves define it.
 */
#include "decompress.h"

#include <limits.h>
#include <stdlib.h>

#if defined(LUFT_WITH_ZLIB)
#define ZLIB_CONST /* it does not write to what it reads */
#include <zlib.h>
#endif
#if defined(LUFT_WITH_ZSTD)
#include <zstd.h>
#include <zstd_errors.h>
#endif

#define NO_MEMORY "out of memory" /* INPUT_NO_MEMORY of input.h, which is above this module */

/* The functions of one format; all NULL in a build without it. */
typedef struct codec {
    bool (*start)(decompressor *stream);
    decompress_result (*step)(decompressor *stream, const char **in, size_t *in_length, char *out, size_t out_size,
                              size_t *out_length, const char **reason);
    void (*end)(decompressor *stream);
} codec;

struct decompressor {
    const codec *functions;
    bool complete; /* an archive ended with the last byte read */
#if defined(LUFT_WITH_ZLIB)
    z_stream gzip;
#endif
#if defined(LUFT_WITH_ZSTD)
    ZSTD_DStream *zstd;
#endif
};

/* --- gzip ------------------------------------------------------------------ */

#if defined(LUFT_WITH_ZLIB)

#define WINDOW_BITS_GZIP (15 + 16) /* the largest window, and the header of gzip rather than of zlib */

static bool gzip_start(decompressor *stream) {
    return inflateInit2(&stream->gzip, WINDOW_BITS_GZIP) == Z_OK;
}

static void gzip_end(decompressor *stream) {
    inflateEnd(&stream->gzip);
}

static unsigned clamp(size_t length) {
    return length > UINT_MAX ? UINT_MAX : (unsigned)length;
}

static decompress_result gzip_step(decompressor *stream, const char **in, size_t *in_length, char *out, size_t out_size,
                                   size_t *out_length, const char **reason) {
    z_stream *gzip = &stream->gzip;
    if (stream->complete) {
        while (*in_length > 0 && **in == '\0') { /* padding: tapes and some programs fill their last block */
            ++*in;
            --*in_length;
        }
        if (*in_length == 0) {
            return DECOMPRESS_GOOD;
        }
        inflateReset(gzip); /* another archive follows */
        stream->complete = false;
    }
    const unsigned given = clamp(*in_length);
    const unsigned room = clamp(out_size);
    gzip->next_in = (const unsigned char *)*in;
    gzip->avail_in = given;
    gzip->next_out = (unsigned char *)out;
    gzip->avail_out = room;
    const int result = inflate(gzip, Z_NO_FLUSH);
    *in += given - gzip->avail_in;
    *in_length -= given - gzip->avail_in;
    *out_length = room - gzip->avail_out;
    stream->complete = result == Z_STREAM_END;
    *reason = result == Z_MEM_ERROR ? NO_MEMORY : gzip->msg ? gzip->msg : "the data is damaged";
    const bool is_good = result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR;
    return is_good ? DECOMPRESS_GOOD : result == Z_MEM_ERROR ? DECOMPRESS_NO_MEMORY : DECOMPRESS_DAMAGED;
}

#endif

/* --- zstd ------------------------------------------------------------------ */

#if defined(LUFT_WITH_ZSTD)

static bool zstd_start(decompressor *stream) {
    stream->zstd = ZSTD_createDStream();
    return stream->zstd != NULL;
}

static void zstd_end(decompressor *stream) {
    ZSTD_freeDStream(stream->zstd);
}

static decompress_result zstd_step(decompressor *stream, const char **in, size_t *in_length, char *out, size_t out_size,
                                   size_t *out_length, const char **reason) {
    ZSTD_inBuffer source = {*in, *in_length, 0};
    ZSTD_outBuffer target = {.size = out_size};
    target.dst = out;
    const size_t result = ZSTD_decompressStream(stream->zstd, &target, &source);
    *in += source.pos;
    *in_length -= source.pos;
    *out_length = target.pos;
    stream->complete = result == 0;
    switch (ZSTD_getErrorCode(result)) {
    case ZSTD_error_no_error: return DECOMPRESS_GOOD;
    case ZSTD_error_frameParameter_windowTooLarge: /* the limit of libzstd, and of zstd without --long */
        *reason = "its window is larger than 128 MB: try zstd -dc --long=31 FILE | luft";
        return DECOMPRESS_NOT_READ;
    case ZSTD_error_memory_allocation: *reason = NO_MEMORY; return DECOMPRESS_NO_MEMORY;
    default: *reason = ZSTD_getErrorName(result); return DECOMPRESS_DAMAGED;
    }
}

#endif

/* --- Either ---------------------------------------------------------------- */

static const codec codecs[] = {
#if defined(LUFT_WITH_ZLIB)
    [DECOMPRESS_GZIP] = {gzip_start, gzip_step, gzip_end},
#else
    [DECOMPRESS_GZIP] = {NULL, NULL, NULL},
#endif
#if defined(LUFT_WITH_ZSTD)
    [DECOMPRESS_ZSTD] = {zstd_start, zstd_step, zstd_end},
#else
    [DECOMPRESS_ZSTD] = {NULL, NULL, NULL},
#endif
};

const char *decompress_formats(void) {
    const bool has_gzip = codecs[DECOMPRESS_GZIP].start != NULL, has_zstd = codecs[DECOMPRESS_ZSTD].start != NULL;
    return has_gzip && has_zstd ? "gzip and zstd" : has_gzip ? "gzip" : has_zstd ? "zstd" : "neither gzip nor zstd";
}

decompressor *decompress_create(decompress_format format, const char **reason) {
    if (!codecs[format].start) {
        *reason = format == DECOMPRESS_GZIP
                      ? "it is compressed with gzip, and this luft was built without zlib: try gzip -dc FILE | luft"
                      : "it is compressed with zstd, and this luft was built without libzstd: try zstd -dc FILE | luft";
        return NULL;
    }
    decompressor *stream = calloc(1, sizeof *stream);
    *reason = NO_MEMORY;
    if (stream) {
        stream->functions = &codecs[format];
        if (!stream->functions->start(stream)) {
            free(stream);
            return NULL;
        }
    }
    return stream;
}

void decompress_free(decompressor *stream) {
    if (stream) {
        stream->functions->end(stream);
        free(stream);
    }
}

decompress_result decompress_step(decompressor *stream, const char **in, size_t *in_length, char *out, size_t out_size,
                                  size_t *out_length, const char **reason) {
    *out_length = 0;
    return stream->functions->step(stream, in, in_length, out, out_size, out_length, reason);
}

bool decompress_is_complete(const decompressor *stream) {
    return stream->complete;
}
