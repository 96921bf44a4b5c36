/* SPDX-License-Identifier: MIT */
/*
 * Text into a caller's buffer: all of it or nothing, and always the length that
 * it needs. Writers first compose in a buffer of their own that is large enough.
 */
#ifndef LUFT_CORE_TEXT_H
#define LUFT_CORE_TEXT_H

#include <stddef.h>
#include <string.h>

/* Copies `length` bytes and a NUL if `size` has room for both, else leaves an empty string if it has room for that. */
static inline size_t put_text(char *buffer, size_t size, const char *text, size_t length) {
    if (buffer && size > length) {
        memcpy(buffer, text, length);
        buffer[length] = '\0';
    } else if (buffer && size > 0) {
        buffer[0] = '\0';
    }
    return length;
}

#endif
