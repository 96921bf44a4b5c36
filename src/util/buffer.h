/* SPDX-License-Identifier: MIT */
/*
 * Bytes that grow: text which is put together before it is written. Running out
 * of memory is remembered and asked for once, at the end, so that code which
 * appends ten times need not check ten times.
 */
#ifndef LUFT_UTIL_BUFFER_H
#define LUFT_UTIL_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bytes {
    char *data; /* not terminated; NULL if there never was any */
    size_t length;
    size_t capacity;
    bool failed; /* there was no memory, and something is missing */
} bytes;

/* Room for `count` more, at the end; NULL if there is no memory. The caller adds to `length` what it wrote. */
char *bytes_reserve(bytes *buffer, size_t count);

void bytes_append(bytes *buffer, const void *data, size_t count);
void bytes_append_text(bytes *buffer, const char *text);
void bytes_printf(bytes *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* In printable ASCII; every other byte, and the backslash, as \xHH. */
void bytes_append_printable(bytes *buffer, const char *text, size_t length);

/* For people to read: UTF-8, with what is none taken for Latin-1 and converted; control characters as \xHH. */
void bytes_append_readable(bytes *buffer, const char *text, size_t length);

/* As a JSON string with its quotes. What is no UTF-8 is taken for Latin-1 and converted. */
void bytes_append_json(bytes *buffer, const char *text, size_t length);

/* Takes the first `count` off the front. */
void bytes_remove_front(bytes *buffer, size_t count);

/* Empty again, with the memory kept. */
void bytes_clear(bytes *buffer);

void bytes_free(bytes *buffer);

#endif
