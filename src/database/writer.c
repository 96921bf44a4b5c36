/* SPDX-License-Identifier: MIT */
/*
 * Adding games. One transaction holds the games of a run, so that a run that ends early leaves the database as it was.
 * Names, and the signatures by which duplicates are found, are in memory meanwhile.
 */
#include "database/writer.h"

#include "database/batch.h"
#include "database/database.h"
#include "database/hash.h"
#include "database/stats.h"

#include <stdlib.h>

/* --- Signatures ------------------------------------------------------------ */

/* Inserts a signature; false if the table has it. There is room. */
static bool insert_signature(uint64_t *table, size_t capacity, uint64_t signature) {
    size_t place = (size_t)random_mix(signature) & (capacity - 1);
    while (table[place] != 0 && table[place] != signature) {
        place = (place + 1) & (capacity - 1);
    }
    const bool is_new = table[place] == 0;
    table[place] = signature;
    return is_new;
}

static bool make_room(writer *it) {
    if (it->used < it->capacity / 8 * 5) {
        return true;
    }
    const size_t capacity = it->capacity ? 2 * it->capacity : 1024;
    uint64_t *table = calloc(capacity, sizeof *table);
    if (!table) {
        return false;
    }
    for (size_t i = 0; i < it->capacity; i++) {
        if (it->signatures[i] != 0) {
            insert_signature(table, capacity, it->signatures[i]);
        }
    }
    free(it->signatures);
    it->signatures = table;
    it->capacity = capacity;
    return true;
}

/* 0 is a free place: a signature of 0 counts as 1. */
static luft_error note_signature(bool *is_new, writer *it, uint64_t signature) {
    if (!make_room(it)) {
        return LUFT_ERROR_MEMORY;
    }
    *is_new = insert_signature(it->signatures, it->capacity, signature ? signature : 1);
    it->used += *is_new;
    return LUFT_OK;
}

static luft_error load_signatures(writer *it, sqlite3 *handle) {
    sqlite3_stmt *select = NULL;
    int code = SQLITE_DONE;
    luft_error error = sql_prepare(&select, handle, "SELECT signature FROM games");
    for (int64_t i = 0; error == LUFT_OK && (code = sqlite3_step(select)) == SQLITE_ROW; i++) {
        bool is_new;
        error = i == it->games ? LUFT_ERROR_DAMAGED
                               : note_signature(&is_new, it, (uint64_t)sqlite3_column_int64(select, 0));
    }
    error = error == LUFT_OK ? sql_error(code) : error;
    sqlite3_finalize(select);
    return error;
}

/* --- Beginning and ending --------------------------------------------------- */

static void writer_free(writer *it) {
    if (it) {
        names *const all[] = {&it->players, &it->events, &it->sites, &it->texts, &it->shapes};
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
            names_free(all[i]);
        }
        sqlite3_finalize(it->insert_game);
        sqlite3_finalize(it->insert_notes);
        buffer_free(&it->tags);
        free(it->signatures);
        free(it);
    }
}

static luft_error writer_load(writer *it, sqlite3 *handle) {
    const struct {
        names *names;
        const char *table;
    } tables[] = {{&it->players, "players"},
                  {&it->events, "events"},
                  {&it->sites, "sites"},
                  {&it->texts, "texts"},
                  {&it->shapes, "shapes"}};
    luft_error error = LUFT_OK;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0] && error == LUFT_OK; i++) {
        error = names_load(tables[i].names, handle, tables[i].table);
    }
    error = error == LUFT_OK ? database_get_meta(&it->games, handle, META_GAMES) : error;
    error = error == LUFT_OK ? load_signatures(it, handle) : error;
    error = error == LUFT_OK ? database_get_meta(&it->plies, handle, META_PLIES) : error;
    error = error == LUFT_OK ? sql_prepare(&it->insert_game, handle,
                                           "INSERT INTO games VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, "
                                           "?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)")
                             : error;
    return error == LUFT_OK ? sql_prepare(&it->insert_notes, handle, "INSERT INTO notes VALUES(?1, ?2)") : error;
}

luft_error luft_database_begin(luft_database *database) {
    if (!database || database->mode == LUFT_DATABASE_READ || database->writer) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_error error = sql_run(database->handle, "BEGIN IMMEDIATE");
    if (error != LUFT_OK) {
        return database_fail(database, error, "cannot begin to write");
    }
    database->writer = calloc(1, sizeof *database->writer);
    error = database->writer ? writer_load(database->writer, database->handle) : LUFT_ERROR_MEMORY;
    if (error != LUFT_OK) {
        database_fail(database, error, "cannot begin to write");
        luft_database_rollback(database);
    }
    return error;
}

void luft_database_rollback(luft_database *database) {
    if (database && database->handle) {
        writer_free(database->writer);
        database->writer = NULL;
        if (!sqlite3_get_autocommit(database->handle)) {
            (void)sql_run(database->handle, "ROLLBACK");
        }
    }
}

luft_error luft_database_commit(luft_database *database, const luft_database_build *build) {
    static const luft_database_build defaults = {0};
    if (!database || !database->writer) {
        return LUFT_ERROR_ARGUMENT;
    }
    const luft_database_build *wanted = build ? build : &defaults;
    luft_error error = database_set_meta(database->handle, META_GAMES, database->writer->games);
    error = error == LUFT_OK ? database_set_meta(database->handle, META_PLIES, database->writer->plies) : error;
    writer_free(database->writer);
    database->writer = NULL;
    error = error == LUFT_OK ? sql_run(database->handle, "COMMIT") : error;
    if (error != LUFT_OK) {
        database_fail(database, error, "cannot write the games");
        luft_database_rollback(database);
        return error;
    }
    const char *failure =
        database->working ? "cannot build the statistics" : "the games are added, but their statistics cannot be built";
    error = wanted->skip ? LUFT_OK : stats_update(database, wanted, failure);
    return error == LUFT_OK && database->working ? database_publish(database) : error;
}

/* --- Games ----------------------------------------------------------------- */

/* The values of the tags: for each a varint, twice the number of a text, or twice its length and 1, then the text. */
static luft_error make_tags(writer *it, const char *values, size_t length) {
    const uint8_t *next = (const uint8_t *)values, *end = next + length;
    luft_error error = LUFT_OK;
    buffer_clear(&it->tags);
    while (next < end && error == LUFT_OK) {
        uint64_t size = 0;
        uint32_t number = 0;
        if (!varint_read(&size, &next, end) || size > (uint64_t)(end - next)) {
            return LUFT_ERROR_DAMAGED;
        }
        if (size <= WRITER_TEXT_LENGTH) {
            error = names_find(&number, &it->texts, (const char *)next, (size_t)size, WRITER_TEXTS);
        }
        varint_append(&it->tags, number ? 2 * (uint64_t)number : 2 * size + 1);
        if (number == 0) {
            buffer_append(&it->tags, next, (size_t)size);
        }
        next += size;
    }
    return it->tags.failed ? LUFT_ERROR_MEMORY : error;
}

/* A site that is the address of this one game is stored with the game, without a number. */
static bool is_address(const char *site, size_t length) {
    for (size_t i = 0; i + 3 <= length; i++) {
        if (memcmp(site + i, "://", 3) == 0) {
            return true;
        }
    }
    return false;
}

/* Binds a number, 0 as NULL, which takes no room. */
static void bind_number(sqlite3_stmt *statement, int place, int64_t value) {
    if (value != 0) {
        sqlite3_bind_int64(statement, place, value);
    } else {
        sqlite3_bind_null(statement, place);
    }
}

static void bind_bytes(sqlite3_stmt *statement, int place, const void *bytes, size_t length) {
    if (length > 0) {
        sqlite3_bind_blob(statement, place, bytes, (int)length, SQLITE_STATIC);
    } else {
        sqlite3_bind_null(statement, place);
    }
}

static void bind_text(sqlite3_stmt *statement, int place, const char *text, size_t length) {
    if (length > 0) {
        sql_bind_text(statement, place, text, length);
    } else {
        sqlite3_bind_null(statement, place);
    }
}

/* The numbers of the names of a game. */
typedef struct numbers {
    uint32_t white, black, event, site, time_control, shape;
} numbers;

static luft_error find_numbers(numbers *found, writer *it, const record *game, const char *const parts[RECORD_PARTS]) {
    const struct {
        uint32_t *number;
        names *names;
        record_part part;
    } wanted[] = {{&found->white, &it->players, RECORD_WHITE}, {&found->black, &it->players, RECORD_BLACK},
                  {&found->event, &it->events, RECORD_EVENT},  {&found->site, &it->sites, RECORD_SITE},
                  {&found->shape, &it->shapes, RECORD_SHAPE},  {&found->time_control, &it->texts, RECORD_TIME_CONTROL}};
    luft_error error = LUFT_OK;
    *found = (numbers){0};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && error == LUFT_OK; i++) {
        const char *text = parts[wanted[i].part];
        const size_t length = game->length[wanted[i].part];
        const bool is_left_out = (wanted[i].part == RECORD_SITE && is_address(text, length)) ||
                                 (wanted[i].part == RECORD_TIME_CONTROL && length == 0);
        if (!is_left_out) {
            error = names_find(wanted[i].number, wanted[i].names, text, length, UINT32_MAX);
        }
    }
    return error;
}

static luft_error insert_game(writer *it, const record *game, const char *const parts[RECORD_PARTS]) {
    const uint32_t *length = game->length;
    sqlite3_stmt *row = it->insert_game;
    numbers found;
    luft_error error = find_numbers(&found, it, game, parts);
    error = error == LUFT_OK ? make_tags(it, parts[RECORD_VALUES], length[RECORD_VALUES]) : error;
    if (error != LUFT_OK) {
        return error;
    }
    if (found.site == 0) {
        varint_append(&it->tags, 2 * (uint64_t)length[RECORD_SITE] + 1);
        buffer_append(&it->tags, parts[RECORD_SITE], length[RECORD_SITE]);
    }
    const int64_t columns[] = {it->games + 1, found.white, found.black, found.event, found.site};
    for (int i = 0; i < 5; i++) {
        bind_number(row, i + 1, columns[i]);
    }
    bind_text(row, 6, parts[RECORD_ROUND], length[RECORD_ROUND]);
    bind_number(row, 7, game->date);
    bind_number(row, 8, game->result);
    bind_number(row, 9, game->rating[LUFT_WHITE]);
    bind_number(row, 10, game->rating[LUFT_BLACK]);
    bind_text(row, 11, game->eco, game->eco[0] ? 3 : 0);
    bind_number(row, 12, found.time_control);
    sqlite3_bind_int64(row, 13, game->plies);
    sqlite3_bind_int64(row, 14, (int64_t)game->signature);
    sqlite3_bind_int64(row, 15, found.shape);
    bind_text(row, 16, parts[RECORD_FEN], length[RECORD_FEN]);
    bind_bytes(row, 17, game->summary, SUMMARY_SIZE);
    bind_bytes(row, 18, it->tags.data, it->tags.length);
    bind_bytes(row, 19, parts[RECORD_MOVES], length[RECORD_MOVES]);
    error = it->tags.failed ? LUFT_ERROR_MEMORY : sql_step(row);
    if (error == LUFT_OK && length[RECORD_NOTES] > 0) {
        sqlite3_bind_int64(it->insert_notes, 1, it->games + 1);
        bind_bytes(it->insert_notes, 2, parts[RECORD_NOTES], length[RECORD_NOTES]);
        error = sql_step(it->insert_notes);
    }
    it->games++;
    it->plies += game->plies;
    return error;
}

luft_error luft_database_append(luft_database *database, const luft_database_batch *batch, bool keep_duplicates,
                                luft_database_counts *counts) {
    if (!database || !batch || !database->writer) {
        return LUFT_ERROR_ARGUMENT;
    }
    writer *it = database->writer;
    luft_database_counts found = {0};
    luft_error error = luft_database_batch_error(batch);
    for (size_t at = 0; at < batch->records.length && error == LUFT_OK;) {
        const char *parts[RECORD_PARTS];
        record game;
        bool is_new = true;
        memcpy(&game, batch->records.data + at, sizeof game);
        record_parts(parts, &game, batch->records.data + at + sizeof game);
        at += record_size(&game);
        error = note_signature(&is_new, it, game.signature);
        if (error == LUFT_OK && (is_new || keep_duplicates)) {
            error = insert_game(it, &game, parts);
            found.added++;
        } else {
            found.duplicates++;
        }
    }
    if (counts && error == LUFT_OK) {
        counts->added += found.added;
        counts->duplicates += found.duplicates;
    }
    return database_fail(database, error, "cannot write a game");
}
