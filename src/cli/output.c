/* SPDX-License-Identifier: MIT */
/*
 * Error lines and the end of the output. Whatever goes into a reason, one line
 * of at most 200 printable bytes comes out, so that a terminal cannot be played
 * tricks on and a script can rely on the form.
 */
#include "output.h"

#include "command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define REASON_MAX 200

void output_error(const char *command, const char *format, ...) {
    char raw[2 * REASON_MAX];
    char reason[REASON_MAX + 1];
    va_list arguments;
    va_start(arguments, format);
    const int written = vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    size_t out = 0;
    for (size_t i = 0; written >= 0 && raw[i] != '\0'; i++) {
        const unsigned char byte = (unsigned char)raw[i];
        const int printable = byte >= ' ' && byte <= '~';
        /* Three bytes are kept for dots as long as there is more to come. */
        if (out + (printable ? 1 : 4) > REASON_MAX - (raw[i + 1] == '\0' ? 0 : 3)) {
            memcpy(reason + out, "...", 3);
            out += 3;
            break;
        }
        if (printable) {
            reason[out++] = (char)byte;
        } else {
            out += (size_t)snprintf(reason + out, 5, "\\x%02x", byte);
        }
    }
    reason[out] = '\0';
    fprintf(stderr, "luft%s%s: %s\n", command ? " " : "", command ? command : "", reason);
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
