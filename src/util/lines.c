/* SPDX-License-Identifier: MIT */
/*
 * Reads lines from an untrusted file. The first block decides whether it is text: control bytes other than the usual
 * blanks mean that the user named a wrong file, which deserves one error rather than one for every line.
 */
#include "lines.h"

#include <string.h>

lines_result lines_open(lines *reader, const char *path) {
    memset(reader, 0, sizeof *reader);
    return input_open(&reader->in, path) == INPUT_READ ? LINES_READ : LINES_NOT_OPENED;
}

void lines_close(lines *reader) {
    input_close(&reader->in);
    buffer_free(&reader->line);
    reader->text = NULL;
}

static bool is_text(const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        if (byte < ' ' && byte != '\t' && byte != '\n' && byte != '\r' && byte != '\f') {
            return false;
        }
    }
    return true;
}

static lines_result fill_block(lines *reader) {
    reader->used = 0;
    const input_result result = input_read(&reader->in, reader->block, sizeof reader->block, &reader->filled);
    if (result != INPUT_READ) {
        return result == INPUT_END ? LINES_END : LINES_NOT_READ;
    }
    if (!reader->started) {
        reader->started = true;
        if (!is_text(reader->block, reader->filled)) {
            return LINES_NOT_TEXT;
        }
        if (reader->filled >= 3 && memcmp(reader->block, "\xef\xbb\xbf", 3) == 0) {
            reader->used = 3;
        }
    }
    return LINES_READ;
}

static lines_result append(lines *reader, const char *bytes, size_t count) {
    if (count > LINES_LENGTH_MAX - reader->line.length) {
        return LINES_TOO_LONG;
    }
    buffer_append(&reader->line, bytes, count);
    return reader->line.failed ? LINES_NO_MEMORY : LINES_READ;
}

lines_result lines_next(lines *reader) {
    buffer_clear(&reader->line);
    reader->length = 0;
    reader->number++;
    for (bool found = false; !found;) {
        if (reader->used == reader->filled) {
            const lines_result result = fill_block(reader);
            if (result == LINES_END && reader->line.length > 0) {
                break; /* the last line has no line feed */
            }
            if (result != LINES_READ) {
                return result;
            }
        }
        const char *start = reader->block + reader->used;
        const size_t rest = reader->filled - reader->used;
        const char *feed = memchr(start, '\n', rest);
        const size_t count = feed ? (size_t)(feed - start) : rest;
        found = feed != NULL;
        reader->used += count + found;
        const lines_result result = append(reader, start, count);
        if (result != LINES_READ) {
            return result;
        }
    }
    reader->text = reader->line.data ? reader->line.data : "";
    reader->length = reader->line.length;
    if (reader->length > 0 && reader->text[reader->length - 1] == '\r') {
        reader->length--;
    }
    return LINES_READ;
}

const char *lines_reason(const lines *reader, lines_result result) {
    switch (result) {
    case LINES_NOT_OPENED:
    case LINES_NOT_READ: return reader->in.reason;
    case LINES_NOT_TEXT: return "it is not a text file";
    case LINES_TOO_LONG: return "a line is longer than 16 MiB";
    case LINES_NO_MEMORY: return "out of memory";
    case LINES_READ:
    case LINES_END: break;
    }
    return "no error";
}
