/* SPDX-License-Identifier: MIT */
/* What a function writes to standard output or standard error, as a string. */
#ifndef LUFT_TESTS_CAPTURED_H
#define LUFT_TESTS_CAPTURED_H

/* From here on the descriptor, 1 or 2, goes to a file. */
void capture_begin(int descriptor);

/* Restores the descriptor and returns what was written, at most 8,191 bytes; valid until the next call. */
const char *capture_end(void);

#endif
