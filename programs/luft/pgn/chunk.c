/* SPDX-License-Identifier: MIT */
/*
 * Fills a chunk to its size and keeps what follows the last place where luft_pgn_can_cut for the next one; that is less
 * than a game, so the copy costs little. A stream holds back its last few bytes: the next cut may begin in them, and the
 * bytes before a cut decide about it.
 */
#include "chunk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT_BACK ((size_t)(LUFT_PGN_CUT_BEFORE + LUFT_PGN_CUT_AFTER))
#define LINE_WINDOW ((size_t)256) /* longer than most lines */

bool chunk_source_init(chunk_source *source, const char *const *paths, size_t count) {
    *source = (chunk_source){.paths = paths, .path_count = count, .in = {.descriptor = -1}};
    source->pending = malloc(CHUNK_SIZE);
    return source->pending != NULL;
}

void chunk_source_free(chunk_source *source) {
    input_close(&source->in);
    free(source->pending);
}

bool chunk_init(chunk *piece, chunk_source *source) {
    *piece = (chunk){.source = source, .text = malloc(CHUNK_SIZE)};
    return piece->text != NULL;
}

void chunk_free(chunk *piece) {
    free(piece->text);
    piece->text = NULL;
}

/* --- Lines ----------------------------------------------------------------- */

size_t chunk_next_line(const char *text, size_t from, size_t length) {
    while (from < length) {
        /* A window: where all lines end in CR, a search for LF would go on to the end of the text, for every line. */
        const size_t window = length - from < LINE_WINDOW ? length - from : LINE_WINDOW;
        const char *feed = memchr(text + from, '\n', window);
        const size_t end = feed ? (size_t)(feed - text) : from + window;
        const char *carriage = memchr(text + from, '\r', end - from);
        if (carriage) {
            const size_t next = (size_t)(carriage - text) + 1;
            return next < length && text[next] == '\n' ? next + 1 : next;
        }
        if (feed) {
            return end + 1;
        }
        from = end;
    }
    return SIZE_MAX;
}

/* Counts line ends: LF, CRLF and CR. `after_cr` says whether the byte before was a CR, and is updated. */
static uint64_t count_line_ends(const char *text, size_t length, bool *after_cr) {
    uint64_t count = 0;
    if (length == 0) {
        return 0;
    }
    count -= text[0] == '\n' && *after_cr; /* the end of a line that was counted */
    for (size_t start = 0; start < length; start += 128) {
        const size_t end = length - start < 128 ? length : start + 128;
        uint8_t ends = 0; /* a byte, so that the compiler can count 32 places at once */
        for (size_t i = start; i < end; i++) {
            ends += text[i] == '\n';
        }
        count += ends;
    }
    for (const char *next = text; (next = memchr(next, '\r', (size_t)(text + length - next)));) {
        next++;
        count += next == text + length || *next != '\n';
    }
    *after_cr = text[length - 1] == '\r';
    return count;
}

/* The last place where the text can be cut; 0 if there is none. */
static size_t last_cut(const char *text, size_t length) {
    for (size_t at = length; at > 0; at--) {
        if (text[at - 1] == '[' && luft_pgn_can_cut(text, length, at - 1)) {
            return at - 1;
        }
    }
    return 0;
}

/* The first such place behind `from`; 0 if there is none. */
static size_t first_cut(const char *text, size_t length, size_t from) {
    const char *next = text + (from < length ? from : length);
    while ((next = memchr(next, '[', (size_t)(text + length - next)))) {
        if (luft_pgn_can_cut(text, length, (size_t)(next - text))) {
            return (size_t)(next - text);
        }
        next++;
    }
    return 0;
}

/* --- Filling --------------------------------------------------------------- */

static void note_failure(chunk *piece, input_result result) {
    piece->result = result;
    snprintf(piece->reason, sizeof piece->reason, "%s", piece->source->in.reason);
}

static void account(chunk *piece) {
    piece->stored += piece->source->in.stored - piece->source->stored;
    piece->source->stored = piece->source->in.stored;
}

static void close_file(chunk *piece) {
    account(piece);
    input_close(&piece->source->in);
    piece->source->is_open = false;
}

/* Reads until the memory of the chunk is full: true. At the end of the file, or if it fails: false. */
static bool fill(chunk *piece) {
    while (piece->length < CHUNK_SIZE) {
        size_t count;
        const input_result result =
            input_read(&piece->source->in, piece->text + piece->length, CHUNK_SIZE - piece->length, &count);
        if (result != INPUT_READ) {
            note_failure(piece, result);
            return false;
        }
        piece->length += count;
    }
    return true;
}

/* Moves the text from `cut` on to the next chunk. */
static void cut_off(chunk *piece, size_t cut) {
    chunk_source *source = piece->source;
    source->pending_length = piece->length - cut;
    memcpy(source->pending, piece->text + cut, source->pending_length);
    piece->length = cut;
}

bool chunk_next(chunk *piece) {
    chunk_source *source = piece->source;
    *piece = (chunk){.source = source, .text = piece->text, .copy = piece->copy, .result = INPUT_READ};
    if (!source->is_open) {
        if (source->next_path == source->path_count) {
            return false;
        }
        piece->first_of_file = true;
        source->stored = 0;
        const input_result result = input_open(&source->in, source->paths[source->next_path++]);
        source->is_open = true;
        if (result != INPUT_READ) {
            piece->path = source->next_path - 1;
            note_failure(piece, result);
            close_file(piece);
            return true;
        }
    }
    piece->path = source->next_path - 1;
    memcpy(piece->text, source->pending, source->pending_length);
    piece->length = source->pending_length;
    source->pending_length = 0;
    const bool is_full = fill(piece);
    piece->has_mark = piece->first_of_file && piece->length >= strlen(CHUNK_MARK) &&
                      memcmp(piece->text, CHUNK_MARK, strlen(CHUNK_MARK)) == 0;
    if (!is_full) {
        close_file(piece);
    } else {
        const size_t cut = last_cut(piece->text, piece->length);
        piece->is_stream = cut == 0;
        if (piece->is_stream) {
            piece->limit = piece->length - KEPT_BACK;
            return true;
        }
        cut_off(piece, cut);
        account(piece);
    }
    piece->bytes = piece->length;
    piece->lines = count_line_ends(piece->text, piece->length, &piece->after_cr);
    return true;
}

/* --- Streams --------------------------------------------------------------- */

/* Makes room, reads more, and looks for the end of the chunk in it. */
static void advance(chunk *piece) {
    piece->length -= piece->used;
    memmove(piece->text, piece->text + piece->used, piece->length);
    piece->used = 0;
    const bool more = fill(piece);
    /* The first bytes were kept back. In all but the last few of them a cut would have been found before. */
    const size_t cut = first_cut(piece->text, piece->length, LUFT_PGN_CUT_BEFORE + 1);
    piece->limit = cut ? cut : more ? piece->length - KEPT_BACK : piece->length;
    piece->stream_over = cut || !more;
    if (!more && !cut) {
        close_file(piece);
    } else if (cut) {
        cut_off(piece, cut);
        account(piece);
        if (!more) {
            piece->result = INPUT_READ; /* the next chunk will find the end again */
        }
    }
}

size_t chunk_read(void *payload, char *bytes, size_t size) {
    chunk *piece = payload;
    if (piece->used == piece->limit && !piece->stream_over) {
        advance(piece);
    }
    const size_t left = piece->limit - piece->used;
    const size_t count = left < size ? left : size;
    memcpy(bytes, piece->text + piece->used, count);
    piece->lines += count_line_ends(piece->text + piece->used, count, &piece->after_cr);
    piece->bytes += count;
    if (piece->copy) {
        buffer_append(piece->copy, bytes, count);
    }
    piece->used += count;
    return count;
}
