/* SPDX-License-Identifier: MIT */
/*
 * The two things every subcommand owes its user: one clear line when something
 * is refused, and an honest exit status when the output could not be written.
 */
#ifndef LUFT_UTIL_OUTPUT_H
#define LUFT_UTIL_OUTPUT_H

/* What the program exits with. */
enum {
    STATUS_OK = 0,
    STATUS_FAILED = 1, /* the work was done and something in it is wrong, or its output could not be written */
    STATUS_USAGE = 2   /* the arguments, or a file that they name, cannot be used */
};

/*
 * Prints "luft COMMAND: REASON" as one line on standard error; "luft: REASON"
 * if `command` is NULL. The reason is cut to 200 bytes and made printable ASCII.
 */
void output_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Flushes standard output. Returns `status`, or, after an error line, the status
 * of failure if anything printed since the start did not get out.
 */
int output_finish(const char *command, int status);

#endif
