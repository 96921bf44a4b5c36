/* SPDX-License-Identifier: MIT */
/*
 * Opening, creating and closing databases. A new one is written under a temporary name, without a journal, and gets its
 * name when it is complete: a run that is interrupted leaves nothing under that name. From then on it is in WAL mode,
 * in which readers and a writer do not wait for each other.
 */
#define _POSIX_C_SOURCE 200809L

#include "database/database.h"
#include "util/atomic_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPLICATION_ID 0x4c756674 /* "Luft" in ASCII */
#define BUSY_TIMEOUT_MS 2000
#define MAX_GAMES_OF_PAGE (DATABASE_PAGE_SIZE / 32) /* the row of a game has at least so many bytes */
#define CACHE_PAGES "-16384"                        /* in units of 1024 bytes */

static const char schema[] =
    "CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID;"
    "CREATE TABLE players(id INTEGER PRIMARY KEY, name TEXT);"
    "CREATE TABLE events(id INTEGER PRIMARY KEY, name TEXT);"
    "CREATE TABLE sites(id INTEGER PRIMARY KEY, name TEXT);"
    "CREATE TABLE texts(id INTEGER PRIMARY KEY, name TEXT);"
    "CREATE TABLE shapes(id INTEGER PRIMARY KEY, name TEXT);"
    "CREATE TABLE games(id INTEGER PRIMARY KEY, white INTEGER, black INTEGER, event INTEGER, site INTEGER, round TEXT,"
    " date INTEGER, result INTEGER, white_elo INTEGER, black_elo INTEGER, eco TEXT, time_control INTEGER,"
    " plies INTEGER, signature INTEGER, shape INTEGER, fen TEXT, summary BLOB, tags BLOB, moves BLOB);"
    "CREATE TABLE notes(id INTEGER PRIMARY KEY, notes BLOB);"
    "CREATE TABLE positions(key INTEGER PRIMARY KEY, moves BLOB);";

static const char *const meta_names[META_COUNT] = {"games", "plies", "indexed_games", "positions", "position_moves"};

/* --- Errors ---------------------------------------------------------------- */

static luft_error explain(char *reason, luft_error error, const char *what, sqlite3 *handle) {
    if (reason) {
        const char *detail = handle && sqlite3_errcode(handle) != SQLITE_OK && sqlite3_errcode(handle) != SQLITE_DONE &&
                                     sqlite3_errcode(handle) != SQLITE_ROW
                                 ? sqlite3_errmsg(handle)
                                 : luft_error_string(error);
        snprintf(reason, LUFT_DATABASE_REASON_SIZE, "%s: %s", what, detail);
    }
    return error;
}

luft_error database_fail(luft_database *database, luft_error error, const char *what) {
    return error == LUFT_OK ? error : explain(database->reason, error, what, database->handle);
}

const char *luft_database_reason(const luft_database *database) {
    return database ? database->reason : "there is no database";
}

/* --- Numbers --------------------------------------------------------------- */

/* A damaged number must not make anybody count for ever: no file has more games than fit into it. */
static luft_error check_games(int64_t games, sqlite3 *handle) {
    int64_t pages = 0;
    const luft_error error = sql_number(&pages, handle, "PRAGMA page_count");
    return error == LUFT_OK && games / MAX_GAMES_OF_PAGE > pages ? LUFT_ERROR_DAMAGED : error;
}

luft_error database_get_meta(int64_t *value, sqlite3 *handle, database_meta which) {
    char text[96];
    int64_t found = 0;
    snprintf(text, sizeof text, "SELECT value FROM meta WHERE name = '%s'", meta_names[which]);
    luft_error error = sql_number(&found, handle, text);
    if (error == LUFT_ERROR_MISSING || (error == LUFT_OK && found < 0)) {
        error = LUFT_ERROR_DAMAGED;
    }
    if (error == LUFT_OK && (which == META_GAMES || which == META_INDEXED_GAMES)) {
        error = check_games(found, handle);
    }
    if (error == LUFT_OK) {
        *value = found;
    }
    return error;
}

luft_error database_set_meta(sqlite3 *handle, database_meta which, int64_t value) {
    char text[128];
    snprintf(text, sizeof text, "INSERT OR REPLACE INTO meta(name, value) VALUES('%s', %lld)", meta_names[which],
             (long long)value);
    return sql_run(handle, text);
}

static luft_error count_rows(uint64_t *count, sqlite3 *handle, const char *text) {
    int64_t value = 0;
    const luft_error error = sql_number(&value, handle, text);
    *count = (uint64_t)value;
    return error;
}

luft_error luft_database_get_info(luft_database_info *info, luft_database *database) {
    if (!info || !database) {
        return LUFT_ERROR_ARGUMENT;
    }
    int64_t meta[META_COUNT];
    luft_database_info found = {0};
    luft_error error = LUFT_OK;
    for (int i = 0; i < META_COUNT && error == LUFT_OK; i++) {
        error = database_get_meta(&meta[i], database->handle, (database_meta)i);
    }
    if (error == LUFT_OK) {
        found = (luft_database_info){.games = (uint64_t)meta[META_GAMES],
                                     .plies = (uint64_t)meta[META_PLIES],
                                     .indexed_games = (uint64_t)meta[META_INDEXED_GAMES],
                                     .positions = (uint64_t)meta[META_POSITIONS],
                                     .position_moves = (uint64_t)meta[META_POSITION_MOVES]};
    }
    const struct {
        uint64_t *count;
        const char *text;
    } counts[] = {{&found.players, "SELECT ifnull(max(id), 0) FROM players"},
                  {&found.events, "SELECT ifnull(max(id), 0) FROM events"},
                  {&found.sites, "SELECT ifnull(max(id), 0) FROM sites"},
                  {&found.bytes, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0] && error == LUFT_OK; i++) {
        error = count_rows(counts[i].count, database->handle, counts[i].text);
    }
    if (error == LUFT_OK) {
        *info = found;
    }
    return database_fail(database, error, "cannot read the database");
}

/* --- Opening --------------------------------------------------------------- */

/* Is it one of ours, of this version? */
static luft_error check_format(sqlite3 *handle, char *reason) {
    int64_t application = 0, version = 0;
    luft_error error = sql_number(&application, handle, "PRAGMA application_id");
    error = error == LUFT_OK ? sql_number(&version, handle, "PRAGMA user_version") : error;
    if (error != LUFT_OK) {
        return explain(reason, error, "cannot read the file", handle);
    }
    if (application != APPLICATION_ID || version != LUFT_DATABASE_VERSION) {
        if (reason) {
            snprintf(reason, LUFT_DATABASE_REASON_SIZE,
                     application != APPLICATION_ID ? "it is not a database of Luft"
                                                   : "it has version %lld of the format; this library reads version %d",
                     (long long)version, LUFT_DATABASE_VERSION);
        }
        return LUFT_ERROR_DAMAGED;
    }
    return LUFT_OK;
}

static luft_error connect(sqlite3 **handle, const char *path, int flags, char *reason) {
    luft_error error = sql_error(sqlite3_open_v2(path, handle, flags | SQLITE_OPEN_NOMUTEX, NULL));
    if (error == LUFT_OK) {
        sqlite3_busy_timeout(*handle, BUSY_TIMEOUT_MS);
        error = sql_run(*handle, "PRAGMA cache_size = " CACHE_PAGES "; PRAGMA trusted_schema = 0;");
    }
    return error == LUFT_OK ? error : explain(reason, error, "cannot open the file", *handle);
}

luft_error database_connect(sqlite3 **handle, const luft_database *database) {
    *handle = NULL;
    return connect(handle, database->working ? database->working : database->path, SQLITE_OPEN_READONLY, NULL);
}

/* Creates an empty file with a name that is not in use. NULL if that fails. */
static char *make_working_file(const char *path) {
    const size_t size = strlen(path) + 8;
    char *working = malloc(size);
    if (working) {
        snprintf(working, size, "%s.XXXXXX", path);
        const int descriptor = mkstemp(working);
        if (descriptor < 0) {
            free(working);
            return NULL;
        }
        (void)fchmod(descriptor, 0644);
        close(descriptor);
    }
    return working;
}

/* The file that the new one replaces: that of a link, if the path is one. Pipes, devices and folders are not replaced. */
static bool find_replaced_file(luft_database *database) {
    struct stat about;
    char *target = atomic_file_target(database->path);
    if (!target || (stat(target, &about) == 0 && !S_ISREG(about.st_mode))) {
        free(target);
        return false;
    }
    free(database->path);
    database->path = target;
    return true;
}

static luft_error create(luft_database *database, char *reason) {
    char text[160];
    if (!find_replaced_file(database)) {
        return explain(reason, LUFT_ERROR_WRITE, "the path is not that of a file", NULL);
    }
    database->working = make_working_file(database->path);
    if (!database->working) {
        return explain(reason, LUFT_ERROR_WRITE, "cannot create a file there", NULL);
    }
    luft_error error = connect(&database->handle, database->working, SQLITE_OPEN_READWRITE, reason);
    if (error == LUFT_OK) {
        snprintf(text, sizeof text,
                 "PRAGMA page_size = %d; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                 "PRAGMA application_id = %d; PRAGMA user_version = %d;",
                 DATABASE_PAGE_SIZE, APPLICATION_ID, LUFT_DATABASE_VERSION);
        error = sql_run(database->handle, text);
        error = error == LUFT_OK ? sql_run(database->handle, schema) : error;
        for (int i = 0; i < META_COUNT && error == LUFT_OK; i++) {
            error = database_set_meta(database->handle, (database_meta)i, 0);
        }
        explain(reason, error, "cannot create the database", database->handle);
    }
    return error;
}

luft_error luft_database_open(luft_database **database, const char *path, luft_database_mode mode, char *reason) {
    if (!database || !path || mode < LUFT_DATABASE_READ || mode > LUFT_DATABASE_CREATE) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_database *opened = calloc(1, sizeof *opened);
    if (!opened || !(opened->path = strdup(path))) {
        free(opened);
        return explain(reason, LUFT_ERROR_MEMORY, "cannot open the file", NULL);
    }
    opened->mode = mode;
    luft_error error;
    if (mode == LUFT_DATABASE_CREATE) {
        error = create(opened, reason);
    } else {
        error = connect(&opened->handle, path,
                        mode == LUFT_DATABASE_WRITE ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, reason);
        error = error == LUFT_OK ? check_format(opened->handle, reason) : error;
    }
    if (error != LUFT_OK) {
        luft_database_free(opened);
        return error;
    }
    *database = opened;
    return LUFT_OK;
}

void luft_database_free(luft_database *database) {
    if (database) {
        luft_database_rollback(database);
        sqlite3_close(database->handle);
        if (database->working) {
            unlink(database->working);
        }
        free(database->working);
        free(database->path);
        free(database);
    }
}

/* --- Publishing ------------------------------------------------------------ */

static bool sync_file(const char *path) {
    const int descriptor = open(path, O_RDONLY);
    const bool good = descriptor >= 0 && fsync(descriptor) == 0;
    if (descriptor >= 0) {
        close(descriptor);
    }
    return good;
}

/* A log that an older file of this name has left would be taken for that of the new one. */
static void remove_old_log(const char *path) {
    static const char *const endings[] = {"-wal", "-shm", "-journal"};
    const size_t size = strlen(path) + 9;
    char *name = malloc(size);
    for (size_t i = 0; name && i < sizeof endings / sizeof endings[0]; i++) {
        snprintf(name, size, "%s%s", path, endings[i]);
        unlink(name);
    }
    free(name);
}

luft_error database_publish(luft_database *database) {
    luft_error error = sql_run(database->handle, "PRAGMA journal_mode = WAL");
    if (error == LUFT_OK) {
        error = sql_error(sqlite3_close(database->handle));
        database->handle = error == LUFT_OK ? NULL : database->handle;
    }
    if (error != LUFT_OK || !sync_file(database->working)) {
        return database_fail(database, error != LUFT_OK ? error : LUFT_ERROR_WRITE, "cannot complete the database");
    }
    remove_old_log(database->path);
    if (rename(database->working, database->path) != 0) {
        return database_fail(database, LUFT_ERROR_WRITE, "cannot give the database its name");
    }
    free(database->working);
    database->working = NULL;
    database->mode = LUFT_DATABASE_WRITE;
    return connect(&database->handle, database->path, SQLITE_OPEN_READWRITE, database->reason);
}
