/* SPDX-License-Identifier: MIT */
/*
 * Bytes that grow: the one buffer for text and data that is put together before it is written.
 *
 * A buffer remembers that memory ran out, in `failed`: code that appends ten times checks once, at the end.
 * All zeros is an empty buffer.
 */
#ifndef LUFT_UTIL_BUFFER_H
#define LUFT_UTIL_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct buffer {
    char *data; /* not terminated; NULL before the first byte */
    size_t length;
    size_t capacity;
    bool failed; /* out of memory: something is missing */
} buffer;

/* Returns room for `count` bytes at the end, NULL if out of memory. The caller adds what it wrote to `length`. */
char *buffer_reserve(buffer *out, size_t count);

void buffer_append(buffer *out, const void *data, size_t count);
void buffer_append_text(buffer *out, const char *text);
void buffer_printf(buffer *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends printable ASCII; writes every other byte, and the backslash, as \xHH. */
void buffer_append_printable(buffer *out, const char *text, size_t length);

/* Appends UTF-8 for people: converts bytes that are not UTF-8 from Latin-1, writes control characters as \xHH. */
void buffer_append_readable(buffer *out, const char *text, size_t length);

/* Appends the first character of the text as UTF-8, from Latin-1 if it is not UTF-8. Returns the bytes it took. */
size_t buffer_append_character(buffer *out, const char *text, size_t length);

/* Removes the first `count` bytes. */
void buffer_remove_front(buffer *out, size_t count);

/* Empties the buffer and keeps its memory; `failed` stays. */
void buffer_clear(buffer *out);

void buffer_free(buffer *out);

#endif
