/* SPDX-License-Identifier: MIT */
/* Checking a database: the file by SQLite, every game by replaying and exporting it, the statistics by a recount. */
#include "database/batch.h"
#include "database/codec.h"
#include "database/cursor.h"
#include "database/database.h"
#include "database/stats.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LINE_SIZE 256

typedef struct checker {
    luft_database *database;
    luft_database_findings *findings;
    void (*report)(void *payload, const char *line);
    void *payload;
    sqlite3_stmt *positions; /* those that are stored, in the order of keys */
    bool has_position;
} checker;

__attribute__((format(printf, 2, 3))) static void say(const checker *it, const char *format, ...) {
    char line[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (it->report) {
        it->report(it->payload, line);
    }
}

/* --- The file -------------------------------------------------------------- */

static luft_error check_file(const checker *it) {
    sqlite3_stmt *rows = NULL;
    int code = SQLITE_DONE;
    luft_error error = sql_prepare(&rows, it->database->handle, "PRAGMA integrity_check");
    while (error == LUFT_OK && (code = sqlite3_step(rows)) == SQLITE_ROW) {
        const char *line = (const char *)sqlite3_column_text(rows, 0);
        if (line && strcmp(line, "ok") != 0) {
            it->findings->file_faults++;
            say(it, "file: %s", line);
        }
    }
    error = error == LUFT_OK ? sql_error(code) : error;
    sqlite3_finalize(rows);
    return error;
}

/* --- Games ----------------------------------------------------------------- */

static bool ignore(void *payload, const char *text, size_t length) {
    (void)payload, (void)text, (void)length;
    return true;
}

/* What is wrong with the moves; NULL if nothing is. */
static const char *moves_fault(const luft_database_cursor *cursor) {
    const luft_database_game *game = &cursor->game;
    luft_database_replay replay;
    summary positions;
    uint8_t bytes[SUMMARY_SIZE];
    uint32_t plies = 0;
    if (luft_database_replay_start(&replay, game) != LUFT_OK) {
        return "its start position is not valid";
    }
    summary_start(&positions, &replay.position);
    for (; replay.next != replay.end; plies++) {
        const luft_position before = replay.position;
        const luft_error error = luft_database_replay_next(&replay);
        if (error != LUFT_OK || (replay.move != LUFT_MOVE_NONE && !luft_is_legal(&before, replay.move))) {
            return "a move is not legal";
        }
        summary_add(&positions, replay.move, &replay.position);
    }
    summary_end(&positions, &replay.position);
    summary_pack(bytes, &positions);
    return plies != game->plies                                ? "its number of plies is wrong"
           : memcmp(bytes, cursor->summary, SUMMARY_SIZE) != 0 ? "its summary is wrong"
                                                               : NULL;
}

static const char *game_fault(luft_database_cursor *cursor) {
    luft_pgn_writer writer;
    const char *fault = moves_fault(cursor);
    if (!fault) {
        luft_pgn_writer_init(&writer, ignore, NULL);
        const luft_error error = luft_database_cursor_write(&writer, cursor);
        fault = error == LUFT_OK ? NULL : "its tags or notes cannot be read";
    }
    return fault;
}

static luft_error check_games(const checker *it, const luft_database_build *build) {
    luft_database_cursor *cursor = NULL;
    luft_database_game game;
    uint64_t expected = 1;
    luft_error error = luft_database_cursor_create(&cursor, it->database, NULL);
    while (error == LUFT_OK && (error = luft_database_cursor_next(&game, cursor)) != LUFT_ERROR_END) {
        const char *fault = error == LUFT_ERROR_DAMAGED ? "its row is not that of a game" : NULL;
        if (error != LUFT_OK && (!fault || cursor->is_broken)) {
            break;
        }
        fault = fault ? fault : game.id != expected ? "a number is missing before it" : game_fault(cursor);
        error = LUFT_OK;
        it->findings->games++;
        if (fault) {
            it->findings->bad_games++;
            say(it, "game %llu: %s", (unsigned long long)expected, fault);
        }
        expected++;
        if (build->progress && expected % 1024 == 0 &&
            !build->progress(build->payload, 0.5 * (double)expected / (double)(cursor->games + 1))) {
            error = LUFT_ERROR_STOPPED;
        }
    }
    if (error == LUFT_ERROR_END && expected != cursor->games + 1) {
        it->findings->bad_games++;
        say(it, "the database has %llu games, not %llu", (unsigned long long)expected - 1,
            (unsigned long long)cursor->games);
    }
    luft_database_cursor_free(cursor);
    return error == LUFT_ERROR_END ? LUFT_OK : error;
}

/* --- Statistics ------------------------------------------------------------ */

static luft_error next_stored(checker *it) {
    const bool has_previous = it->has_position;
    const int64_t previous = has_previous ? sqlite3_column_int64(it->positions, 0) : 0;
    const int code = sqlite3_step(it->positions);
    it->has_position = code == SQLITE_ROW;
    if (it->has_position && has_previous && sqlite3_column_int64(it->positions, 0) <= previous) {
        return LUFT_ERROR_DAMAGED; /* a damaged file may lead in circles */
    }
    return sql_error(code);
}

static void bad_position(checker *it, int64_t key, const char *fault) {
    it->findings->bad_positions++;
    say(it, "position %016llx: %s", (unsigned long long)key, fault);
}

/* Compares with what is stored; both come in the order of keys. */
static luft_error compare_position(void *payload, int64_t key, const uint8_t *bytes, size_t length, uint32_t moves) {
    checker *it = payload;
    luft_error error = LUFT_OK;
    (void)moves;
    it->findings->positions++;
    while (it->has_position && sqlite3_column_int64(it->positions, 0) < key && error == LUFT_OK) {
        bad_position(it, sqlite3_column_int64(it->positions, 0), "it has statistics, but should have none");
        error = next_stored(it);
    }
    if (error != LUFT_OK) {
        return error;
    }
    if (!it->has_position || sqlite3_column_int64(it->positions, 0) != key) {
        bad_position(it, key, "it has no statistics");
        return LUFT_OK;
    }
    const void *stored = sqlite3_column_blob(it->positions, 1);
    if ((size_t)sqlite3_column_bytes(it->positions, 1) != length || memcmp(stored, bytes, length) != 0) {
        bad_position(it, key, "its statistics are not those of a recount");
    }
    return next_stored(it);
}

static luft_error check_statistics(checker *it, const luft_database_build *build) {
    int64_t indexed = 0, games = 0;
    luft_error error = database_get_meta(&indexed, it->database->handle, META_INDEXED_GAMES);
    error = error == LUFT_OK ? database_get_meta(&games, it->database->handle, META_GAMES) : error;
    if (error == LUFT_OK && indexed > games) {
        error = LUFT_ERROR_DAMAGED;
    }
    error = error == LUFT_OK
                ? sql_prepare(&it->positions, it->database->handle, "SELECT key, moves FROM positions ORDER BY key")
                : error;
    error = error == LUFT_OK ? next_stored(it) : error;
    error = error == LUFT_OK ? stats_build(it->database, (uint64_t)indexed, build, compare_position, it) : error;
    while (error == LUFT_OK && it->has_position) {
        bad_position(it, sqlite3_column_int64(it->positions, 0), "it has statistics, but should have none");
        error = next_stored(it);
    }
    sqlite3_finalize(it->positions);
    return error;
}

luft_error luft_database_check(luft_database_findings *findings, luft_database *database,
                               const luft_database_build *build, void (*report)(void *payload, const char *line),
                               void *payload) {
    static const luft_database_build defaults = {0};
    luft_database_findings found = {0};
    if (!findings || !database) {
        return LUFT_ERROR_ARGUMENT;
    }
    checker it = {.database = database, .findings = &found, .report = report, .payload = payload};
    const luft_database_build *wanted = build ? build : &defaults;
    luft_error error = check_file(&it);
    error = error == LUFT_OK ? check_games(&it, wanted) : error;
    if (error == LUFT_OK && found.bad_games == 0) {
        error = check_statistics(&it, wanted); /* a recount needs games that can be replayed */
    }
    if (error == LUFT_OK) {
        *findings = found;
    }
    return database_fail(database, error, "cannot check the database");
}

luft_error luft_database_vacuum(luft_database *database, const luft_database_build *build) {
    luft_database_build wanted = build ? *build : (luft_database_build){0};
    int64_t games = 0, indexed = 0;
    if (!database || database->mode != LUFT_DATABASE_WRITE || database->writer) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_error error = database_get_meta(&games, database->handle, META_GAMES);
    error = error == LUFT_OK ? database_get_meta(&indexed, database->handle, META_INDEXED_GAMES) : error;
    wanted.rebuild |= games != indexed;
    if (error == LUFT_OK && wanted.rebuild && !wanted.skip) {
        error = stats_update(database, &wanted, "cannot build the statistics");
    }
    error = error == LUFT_OK ? sql_run(database->handle, "VACUUM; PRAGMA wal_checkpoint(TRUNCATE);") : error;
    return database_fail(database, error, "cannot make the file smaller");
}
