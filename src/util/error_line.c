/* SPDX-License-Identifier: MIT */
/* Error lines. */
#include "error_line.h"

#include <stdio.h>
#include <string.h>

enum { REASON_MAX = 200, TAIL = 120 };

/* The text with each byte that is not printable as \xHH; returns its length. */
static size_t make_readable(char *readable, const char *raw) {
    size_t length = 0;
    for (; *raw != '\0'; raw++) {
        const unsigned char byte = (unsigned char)*raw;
        if (byte >= ' ' && byte <= '~') {
            readable[length++] = *raw;
        } else {
            length += (size_t)snprintf(readable + length, 5, "\\x%02x", byte);
        }
    }
    readable[length] = '\0';
    return length;
}

void error_line(const char *program, const char *command, const char *format, va_list arguments) {
    char raw[5000] = ""; /* room for the longest path, and what is wrong with it */
    char reason[4 * sizeof raw];
    vsnprintf(raw, sizeof raw, format, arguments);
    const size_t length = make_readable(reason, raw);
    if (length > REASON_MAX) { /* what is wrong stands at the end, behind a name that may be long */
        const size_t head = REASON_MAX - TAIL - 3;
        memset(reason + head, '.', 3);
        memmove(reason + head + 3, reason + length - TAIL, TAIL + 1);
    }
    fprintf(stderr, "%s%s%s: %s\n", program, command ? " " : "", command ? command : "", reason);
}
