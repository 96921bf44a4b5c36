/* SPDX-License-Identifier: MIT */
/* The handle of a database, and what the parts of the library share. */
#ifndef LUFT_DATABASE_DATABASE_H
#define LUFT_DATABASE_DATABASE_H

#include "database/sql.h"

#include "luft/database.h"

#define DATABASE_PAGE_SIZE 8192

struct luft_database {
    sqlite3 *handle;
    char *path;
    char *working; /* the temporary name of a database that is being created; NULL once it has its own */
    luft_database_mode mode;
    struct writer *writer; /* between begin and commit; NULL otherwise */
    char reason[LUFT_DATABASE_REASON_SIZE];
};

/* Numbers that the table `meta` holds. */
typedef enum database_meta {
    META_GAMES,
    META_PLIES,
    META_INDEXED_GAMES,
    META_POSITIONS,
    META_POSITION_MOVES,
    META_COUNT
} database_meta;

luft_error database_get_meta(int64_t *value, sqlite3 *handle, database_meta which);
luft_error database_set_meta(sqlite3 *handle, database_meta which, int64_t value);

/* A connection of its own for reading. Close it with sqlite3_close. */
luft_error database_connect(sqlite3 **handle, const luft_database *database);

/* Keeps the reason of an error, in SQLite's words if it has some, and returns the error. */
luft_error database_fail(luft_database *database, luft_error error, const char *what);

/* Makes what was written to a new database permanent: it gets its name. */
luft_error database_publish(luft_database *database);

#endif
