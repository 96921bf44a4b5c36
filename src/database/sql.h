/* SPDX-License-Identifier: MIT */
/* SQLite with the errors of Luft. A statement that is prepared here belongs to the caller. */
#ifndef LUFT_DATABASE_SQL_H
#define LUFT_DATABASE_SQL_H

#include "luft/types.h"

#include <sqlite3.h>

/* The error of a result code; LUFT_OK for SQLITE_OK, SQLITE_ROW and SQLITE_DONE. */
luft_error sql_error(int code);

luft_error sql_prepare(sqlite3_stmt **statement, sqlite3 *handle, const char *text);

/* Runs one or more statements without results. */
luft_error sql_run(sqlite3 *handle, const char *text);

/* Runs a prepared statement that returns no row, and resets it. */
luft_error sql_step(sqlite3_stmt *statement);

/* The number in the first column of the first row. LUFT_ERROR_MISSING without a row. */
luft_error sql_number(int64_t *number, sqlite3 *handle, const char *text);

/* Binds text: as TEXT if it is UTF-8, else as BLOB, so that any program can read the first and no byte is lost. */
void sql_bind_text(sqlite3_stmt *statement, int place, const char *text, size_t length);

#endif
