/* SPDX-License-Identifier: MIT */
/*
 * A UCI session within the process, for the fuzz targets. All that it writes is checked against the contract: at most
 * one printable error line for a command (R2), one legal best move for each search (R4), an answer to isready (R5).
 */
#ifndef LUFT_TESTS_FUZZ_SESSION_H
#define LUFT_TESTS_FUZZ_SESSION_H

#include <stdbool.h>
#include <stddef.h>

/* The session is as new. */
void session_begin(void);

/* One line, any bytes but line feeds. Skips what only takes long, and cuts searches to few nodes. False for quit. */
bool session_say(const char *line, size_t length);

/* Ends what runs and what waits, and checks the counts. */
void session_end(void);

#endif
