/* SPDX-License-Identifier: MIT */
/*
 * Cuts PGN files into chunks of whole games. A chunk ends where luft_pgn_can_cut, before a line that begins with
 * `[Event "`, or with the file. If no such line comes within the size of a chunk, the chunk is a stream, read piece by
 * piece until one comes.
 */
#ifndef LUFT_PROGRAM_PGN_CHUNK_H
#define LUFT_PROGRAM_PGN_CHUNK_H

#include "util/buffer.h"
#include "util/input.h"

#include "luft/luft.h"

#define CHUNK_SIZE ((size_t)1 << 20)

/* Where chunks come from: a list of files. One thread at a time may use it. */
typedef struct chunk_source {
    const char *const *paths;
    size_t path_count;
    size_t next_path; /* the file to open next; the current one is before it */
    bool is_open;
    input in;
    uint64_t stored;       /* stored bytes of the current file that were added to chunks */
    char *pending;         /* CHUNK_SIZE bytes: read, but part of the next chunk */
    size_t pending_length; /* of them */
} chunk_source;

/* The byte order mark of UTF-8. */
#define CHUNK_MARK "\xef\xbb\xbf"

typedef struct chunk {
    chunk_source *source;
    size_t path;         /* its place in the list */
    bool first_of_file;  /* lines and games count from here */
    bool has_mark;       /* the file begins with a byte order mark, and the chunk too */
    bool is_stream;      /* this chunk owns the source until chunk_read has returned its end */
    input_result result; /* INPUT_READ or INPUT_END if good; else the file fails after these bytes */
    char reason[INPUT_REASON_SIZE];
    uint64_t stored; /* bytes of the file, as they are stored */
    uint64_t bytes;  /* of text: so far, for a stream */
    uint64_t lines;  /* that end in it: so far, for a stream */
    char *text;      /* CHUNK_SIZE bytes */
    size_t length;   /* of the text in memory: all of it unless it is a stream */
    size_t used;     /* for a stream: bytes of it that were returned */
    size_t limit;    /* for a stream: bytes known to be part of this chunk */
    bool stream_over;
    bool after_cr; /* for a stream: the last byte returned was a CR */
    buffer *copy;  /* for a stream: gets a copy of what is returned; NULL for none */
} chunk;

/* False if out of memory. Call chunk_source_free whatever it returns. */
bool chunk_source_init(chunk_source *source, const char *const *paths, size_t count);
void chunk_source_free(chunk_source *source);

/* False if out of memory. Call chunk_free whatever it returns. */
bool chunk_init(chunk *piece, chunk_source *source);
void chunk_free(chunk *piece);

/* The next chunk; false after the last. A file that cannot be opened is an empty chunk. */
bool chunk_next(chunk *piece);

/* A luft_pgn_source with a chunk that is a stream as payload. */
size_t chunk_read(void *payload, char *bytes, size_t size);

/* The offset of the line after the one at `from`; SIZE_MAX if this is the last. */
size_t chunk_next_line(const char *text, size_t from, size_t length);

#endif
