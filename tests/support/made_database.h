/* SPDX-License-Identifier: MIT */
/*
 * The database of a test, made of PGN. Needs SQLite: a build without it leaves this file out.
 */
#ifndef LUFT_TESTS_MADE_DATABASE_H
#define LUFT_TESTS_MADE_DATABASE_H

#include "luft/database.h"
#include "util/buffer.h"

/* Makes a database of all games of the text, in one transaction, and leaves it open. Fails the test if it cannot. */
luft_database *database_of_pgn(const char *path, const buffer *text);

#endif
