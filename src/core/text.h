/* SPDX-License-Identifier: MIT */
/*
 * Copies text to a caller's buffer: all of it or nothing. Always returns the length
 * needed. Writers compose in a sufficient buffer of their own first.
 */
#ifndef LUFT_CORE_TEXT_H
#define LUFT_CORE_TEXT_H

#include <stddef.h>
#include <string.h>

/* Copies `length` bytes and a NUL if they fit. Otherwise leaves an empty string if `size` is at least 1. */
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
