/* SPDX-License-Identifier: MIT */
/*
 * Standard input, output and error, one or the other of which may be closed when a program starts.
 */
#ifndef LUFT_UTIL_STANDARD_FILES_H
#define LUFT_UTIL_STANDARD_FILES_H

/*
 * A file that is opened gets the lowest free number: with standard error closed, messages
 * would go into it. What is closed is opened here so that it cannot be used: both reading
 * and writing fail as they would have. And output waits until it is taken. For the start of main().
 */
void keep_standard_files(void);

#endif
