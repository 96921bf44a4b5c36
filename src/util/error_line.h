/* SPDX-License-Identifier: MIT */
/*
 * The line on standard error when something is refused. Whatever goes into the reason, one line
 * of at most 200 printable bytes comes out, so that a terminal cannot be played
 * tricks on and a script can rely on the form. What is longer is cut in the middle.
 */
#ifndef LUFT_UTIL_ERROR_LINE_H
#define LUFT_UTIL_ERROR_LINE_H

#include <stdarg.h>

/* Prints "PROGRAM COMMAND: REASON"; "PROGRAM: REASON" if `command` is NULL. */
void error_line(const char *program, const char *command, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

#endif
