/* SPDX-License-Identifier: MIT */
/* Error lines and the end of the output. */
#include "output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { REASON_MAX = 200, TAIL = 120 };

/* Escapes each byte that is not printable as \xHH; returns the length. */
static size_t escape(char *printable, const char *raw) {
    size_t length = 0;
    for (; *raw != '\0'; raw++) {
        const unsigned char byte = (unsigned char)*raw;
        if (byte >= ' ' && byte <= '~') {
            printable[length++] = *raw;
        } else {
            length += (size_t)snprintf(printable + length, 5, "\\x%02x", byte);
        }
    }
    printable[length] = '\0';
    return length;
}

void output_error(const char *command, const char *format, ...) {
    char raw[5000] = ""; /* room for the longest path and a reason */
    char reason[4 * sizeof raw];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    const size_t length = escape(reason, raw);
    if (length > REASON_MAX) { /* what is wrong stands at the end, after a name that may be long */
        const size_t head = REASON_MAX - TAIL - 3;
        memset(reason + head, '.', 3);
        memmove(reason + head + 3, reason + length - TAIL, TAIL + 1);
    }
    fprintf(stderr, "%s: %s\n", command, reason);
}

bool output_write(const char *command, FILE *file, buffer *text) {
    if (text->failed) {
        output_error(command, "out of memory");
        return false;
    }
    const bool good = fwrite(text->data ? text->data : "", 1, text->length, file) == text->length && fflush(file) == 0;
    buffer_clear(text);
    return good;
}

int output_finish(const char *command, int status) {
    const int failed_before = ferror(stdout);
    errno = 0;
    if (fflush(stdout) == 0 && !failed_before) {
        return status;
    }
    if (errno != 0) {
        output_error(command, "cannot write the output: %s", strerror(errno));
    } else {
        output_error(command, "cannot write the output");
    }
    return STATUS_FAILED;
}
