/* SPDX-License-Identifier: MIT */
/* Error lines and the end of the output. */
#include "output.h"

#include "error_line.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void output_error(const char *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    error_line("luft", command, format, arguments);
    va_end(arguments);
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
