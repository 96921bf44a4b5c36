/* SPDX-License-Identifier: MIT */
/*
 * A UCI session within the process, for the fuzz targets that talk to it: lines go in, and all that comes out is held to
 * the contract: one printable error line for a refused command at the most (R2), one best
 * move for each go, legal where it is said (R4), and isready is answered (R5).
 */
#ifndef LUFT_TESTS_FUZZ_SESSION_H
#define LUFT_TESTS_FUZZ_SESSION_H

#include <stdbool.h>
#include <stddef.h>

/* As the program is when it has just begun. */
void session_begin(void);

/* One line, any bytes but line feeds. What would only take long is left out: searches are cut to few nodes. False for quit. */
bool session_say(const char *line, size_t length);

/* Ends what runs, and looks at the account. */
void session_end(void);

#endif
