/* SPDX-License-Identifier: MIT */
/* Standard input, output and error, any of which may be closed, or be left non-blocking, when a program starts. */
#ifndef LUFT_UTIL_STANDARD_FILES_H
#define LUFT_UTIL_STANDARD_FILES_H

/*
 * Makes the three safe to use; for the start of main().
 *
 * - Opens those that are closed, so that no file opened later gets the number of standard error and its messages.
 *   Reading and writing them fails, as it would have.
 * - Output waits until it is taken.
 * - A write that fails reports an error; SIGPIPE and SIGXFSZ are ignored.
 */
void standard_files_prepare(void);

#endif
