/* SPDX-License-Identifier: MIT */
/* Reading games row by row. Each cursor has its own connection, so threads need no lock. Nothing of a row is trusted. */
#include "database/cursor.h"

#include "database/codec.h"
#include "database/database.h"
#include "database/hash.h"

#include <stdlib.h>

/* The columns, in the order of the table. */
enum {
    COLUMN_ID,
    COLUMN_WHITE,
    COLUMN_BLACK,
    COLUMN_EVENT,
    COLUMN_SITE,
    COLUMN_ROUND,
    COLUMN_DATE,
    COLUMN_RESULT,
    COLUMN_WHITE_ELO,
    COLUMN_BLACK_ELO,
    COLUMN_ECO,
    COLUMN_TIME_CONTROL,
    COLUMN_PLIES,
    COLUMN_SIGNATURE,
    COLUMN_SHAPE,
    COLUMN_FEN,
    COLUMN_SUMMARY,
    COLUMN_TAGS,
    COLUMN_MOVES
};

luft_error luft_database_cursor_create(luft_database_cursor **cursor, luft_database *database,
                                       const luft_database_filter *filter) {
    if (!cursor || !database) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_database_cursor *created = calloc(1, sizeof *created);
    if (!created) {
        return LUFT_ERROR_MEMORY;
    }
    int64_t games = 0;
    luft_error error = database_connect(&created->handle, database);
    error = error == LUFT_OK ? database_get_meta(&games, created->handle, META_GAMES) : error;
    error = error == LUFT_OK ? filter_init(&created->filter, created->handle, filter) : error;
    error = error == LUFT_OK ? sql_prepare(&created->rows, created->handle,
                                           "SELECT * FROM games WHERE id BETWEEN ?1 AND ?2 ORDER BY id")
                             : error;
    if (error != LUFT_OK) {
        luft_database_cursor_free(created);
        return database_fail(database, error,
                             error == LUFT_ERROR_ARGUMENT ? "cannot use the filter" : "cannot read the games");
    }
    const uint64_t last = filter ? filter->last_game : 0;
    created->games = (uint64_t)games;
    created->last = last > 0 && last < (uint64_t)games ? last : (uint64_t)games;
    *cursor = created;
    return LUFT_OK;
}

void luft_database_cursor_free(luft_database_cursor *cursor) {
    if (cursor) {
        for (int kind = 0; kind < CURSOR_NAME_KINDS; kind++) {
            sqlite3_finalize(cursor->names[kind]);
        }
        sqlite3_finalize(cursor->shapes);
        sqlite3_finalize(cursor->notes);
        sqlite3_finalize(cursor->rows);
        filter_free(&cursor->filter);
        buffer_free(&cursor->name);
        sqlite3_close(cursor->handle);
        free(cursor);
    }
}

/* --- Rows ------------------------------------------------------------------ */

/* A number from 0 to `maximum`; 0 for NULL. */
static bool column_number(uint64_t *value, sqlite3_stmt *rows, int column, uint64_t maximum) {
    const int64_t number = sqlite3_column_int64(rows, column);
    *value = (uint64_t)number;
    return number >= 0 && (uint64_t)number <= maximum;
}

static luft_database_text column_text(sqlite3_stmt *rows, int column) {
    const char *text = sqlite3_column_blob(rows, column);
    return (luft_database_text){text ? text : "", (size_t)sqlite3_column_bytes(rows, column)};
}

/* The bounds on the numbers of pieces. Without promotions no count rises above that of the start. */
static void read_summary(luft_database_game *game, const uint8_t *bytes) {
    static const uint8_t start[5] = {8, 2, 2, 2, 1};
    const summary known = summary_unpack(bytes);
    const bool may_rise = known.flags & SUMMARY_PROMOTIONS || game->fen.length > 0;
    memcpy(game->pawns, known.pawns, sizeof game->pawns);
    memcpy(game->min, known.min, sizeof game->min);
    game->home_pawns = known.home_pawns;
    for (int i = 0; i < 10; i++) {
        game->max[i / 5][i % 5] = may_rise ? 16 : start[i % 5];
    }
}

static luft_error read_row(luft_database_cursor *cursor) {
    sqlite3_stmt *rows = cursor->rows;
    luft_database_game *game = &cursor->game;
    uint64_t value[COLUMN_MOVES];
    bool good = true;
    for (int column = COLUMN_ID; column <= COLUMN_SHAPE; column++) {
        if (column != COLUMN_ROUND && column != COLUMN_ECO && column != COLUMN_SIGNATURE) {
            const bool is_name = column <= COLUMN_SITE || column == COLUMN_TIME_CONTROL || column >= COLUMN_SHAPE;
            good &=
                column_number(&value[column], rows, column, is_name || column == COLUMN_PLIES ? UINT32_MAX : 99991231);
        }
    }
    if (!good || value[COLUMN_RESULT] > LUFT_RESULT_UNKNOWN || value[COLUMN_WHITE_ELO] > UINT16_MAX ||
        value[COLUMN_BLACK_ELO] > UINT16_MAX || sqlite3_column_bytes(rows, COLUMN_SUMMARY) != SUMMARY_SIZE) {
        return LUFT_ERROR_DAMAGED;
    }
    const luft_database_text eco = column_text(rows, COLUMN_ECO), moves = column_text(rows, COLUMN_MOVES);
    *game = (luft_database_game){.id = value[COLUMN_ID],
                                 .player = {(uint32_t)value[COLUMN_WHITE], (uint32_t)value[COLUMN_BLACK]},
                                 .event = (uint32_t)value[COLUMN_EVENT],
                                 .site = (uint32_t)value[COLUMN_SITE],
                                 .time_control = (uint32_t)value[COLUMN_TIME_CONTROL],
                                 .date = (int32_t)value[COLUMN_DATE],
                                 .rating = {(uint16_t)value[COLUMN_WHITE_ELO], (uint16_t)value[COLUMN_BLACK_ELO]},
                                 .result = (uint8_t)value[COLUMN_RESULT],
                                 .plies = (uint32_t)value[COLUMN_PLIES],
                                 .round = column_text(rows, COLUMN_ROUND),
                                 .fen = column_text(rows, COLUMN_FEN),
                                 .moves = (const uint8_t *)moves.text,
                                 .moves_size = moves.length};
    memcpy(game->eco, eco.text, eco.length < 3 ? eco.length : 3);
    cursor->signature = (uint64_t)sqlite3_column_int64(rows, COLUMN_SIGNATURE);
    cursor->shape = (uint32_t)value[COLUMN_SHAPE];
    const luft_database_text tags = column_text(rows, COLUMN_TAGS);
    cursor->tags = (const uint8_t *)tags.text;
    cursor->tags_size = tags.length;
    cursor->summary = sqlite3_column_blob(rows, COLUMN_SUMMARY);
    read_summary(game, cursor->summary);
    cursor->has_game = true;
    return LUFT_OK;
}

/* Starts the rows at a number. */
static void start(luft_database_cursor *cursor, uint64_t first) {
    sqlite3_reset(cursor->rows);
    sqlite3_bind_int64(cursor->rows, 1, (int64_t)(first < INT64_MAX ? first : INT64_MAX));
    sqlite3_bind_int64(cursor->rows, 2, (int64_t)cursor->last);
    cursor->is_started = true;
    cursor->previous = 0;
}

void cursor_set_range(luft_database_cursor *cursor, uint64_t first, uint64_t last) {
    cursor->last = last < cursor->games ? last : cursor->games;
    start(cursor, first);
}

static luft_error step(luft_database_cursor *cursor) {
    cursor->has_game = false;
    const int code = cursor->is_broken ? SQLITE_CORRUPT : sqlite3_step(cursor->rows);
    if (code == SQLITE_DONE) {
        return LUFT_ERROR_END;
    }
    const uint64_t id = code == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(cursor->rows, COLUMN_ID) : 0;
    if (code != SQLITE_ROW || id <= cursor->previous) {
        cursor->is_broken = true;
        return code == SQLITE_ROW ? LUFT_ERROR_DAMAGED : sql_error(code);
    }
    cursor->previous = id;
    return read_row(cursor);
}

luft_error luft_database_cursor_next(luft_database_game *game, luft_database_cursor *cursor) {
    if (!game || !cursor) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (!cursor->is_started) {
        const uint64_t first = cursor->filter.wanted.first_game;
        start(cursor, first > 0 ? first : 1);
    }
    while (true) {
        luft_error error = step(cursor);
        luft_database_text site = {"", 0};
        if (error == LUFT_OK && cursor->filter.site.bits && cursor->game.site == 0) {
            error = cursor_site(&site, cursor);
        }
        if (error != LUFT_OK) {
            return error;
        }
        if (filter_passes(&cursor->filter, &cursor->game, site)) {
            *game = cursor->game;
            return LUFT_OK;
        }
    }
}

luft_error luft_database_cursor_seek(luft_database_game *game, luft_database_cursor *cursor, uint64_t id) {
    if (!game || !cursor) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (id == 0 || id > cursor->last) {
        return LUFT_ERROR_MISSING;
    }
    start(cursor, id);
    const luft_error error = step(cursor);
    if (error != LUFT_OK || cursor->game.id != id) {
        cursor->has_game = false;
        return error == LUFT_OK || error == LUFT_ERROR_END ? LUFT_ERROR_MISSING : error;
    }
    *game = cursor->game;
    return LUFT_OK;
}

/* --- Names ----------------------------------------------------------------- */

/* Reads the first column of the row with this number into the buffer. */
static luft_error read_by_number(buffer *out, luft_database_cursor *cursor, sqlite3_stmt **statement, const char *text,
                                 uint64_t number) {
    luft_error error = *statement ? LUFT_OK : sql_prepare(statement, cursor->handle, text);
    if (error != LUFT_OK) {
        return error;
    }
    sqlite3_bind_int64(*statement, 1, (int64_t)number);
    const int code = sqlite3_step(*statement);
    error = code == SQLITE_DONE ? LUFT_ERROR_MISSING : sql_error(code);
    buffer_clear(out);
    if (code == SQLITE_ROW) {
        buffer_append(out, sqlite3_column_blob(*statement, 0), (size_t)sqlite3_column_bytes(*statement, 0));
        error = out->failed ? LUFT_ERROR_MEMORY : error;
    }
    sqlite3_reset(*statement);
    return error;
}

luft_error luft_database_cursor_name(luft_database_text *name, luft_database_cursor *cursor,
                                     luft_database_name_kind kind, uint32_t number) {
    static const char *const selects[CURSOR_NAME_KINDS] = {
        "SELECT name FROM players WHERE id = ?1", "SELECT name FROM events WHERE id = ?1",
        "SELECT name FROM sites WHERE id = ?1", "SELECT name FROM texts WHERE id = ?1"};
    if (!name || !cursor || kind < LUFT_DATABASE_PLAYER || kind > LUFT_DATABASE_TEXT) {
        return LUFT_ERROR_ARGUMENT;
    }
    const luft_error error = read_by_number(&cursor->name, cursor, &cursor->names[kind], selects[kind], number);
    if (error == LUFT_OK) {
        *name = (luft_database_text){cursor->name.length > 0 ? cursor->name.data : "", cursor->name.length};
    }
    return error;
}

luft_error cursor_shape(buffer *shape, luft_database_cursor *cursor) {
    const luft_error error =
        read_by_number(shape, cursor, &cursor->shapes, "SELECT name FROM shapes WHERE id = ?1", cursor->shape);
    return error == LUFT_ERROR_MISSING ? LUFT_ERROR_DAMAGED : error;
}

luft_error cursor_notes(const uint8_t **notes, size_t *length, luft_database_cursor *cursor) {
    const luft_error error =
        read_by_number(&cursor->name, cursor, &cursor->notes, "SELECT notes FROM notes WHERE id = ?1", cursor->game.id);
    *notes = (const uint8_t *)cursor->name.data;
    *length = cursor->name.length;
    return error == LUFT_ERROR_MISSING ? LUFT_OK : error;
}

luft_error cursor_value(luft_database_text *value, luft_database_cursor *cursor, const uint8_t **next,
                        const uint8_t *end) {
    uint64_t number;
    if (!varint_read(&number, next, end)) {
        return LUFT_ERROR_DAMAGED;
    }
    if (number % 2 == 0) {
        const luft_error error = number / 2 > UINT32_MAX ? LUFT_ERROR_MISSING
                                                         : luft_database_cursor_name(value, cursor, LUFT_DATABASE_TEXT,
                                                                                     (uint32_t)(number / 2));
        return error == LUFT_ERROR_MISSING ? LUFT_ERROR_DAMAGED : error;
    }
    if (number / 2 > (uint64_t)(end - *next)) {
        return LUFT_ERROR_DAMAGED;
    }
    *value = (luft_database_text){(const char *)*next, (size_t)(number / 2)};
    *next += number / 2;
    return LUFT_OK;
}

/* A site that is stored with the game is the last value of its tags. */
luft_error cursor_site(luft_database_text *site, luft_database_cursor *cursor) {
    if (cursor->game.site != 0) {
        return luft_database_cursor_name(site, cursor, LUFT_DATABASE_SITE, cursor->game.site);
    }
    const uint8_t *next = cursor->tags, *end = next + cursor->tags_size;
    luft_error error = next == end ? LUFT_ERROR_DAMAGED : LUFT_OK;
    while (next < end && error == LUFT_OK) {
        error = cursor_value(site, cursor, &next, end);
    }
    return error;
}

luft_error luft_database_cursor_site(luft_database_text *site, luft_database_cursor *cursor) {
    return site && cursor && cursor->has_game ? cursor_site(site, cursor) : LUFT_ERROR_ARGUMENT;
}

/* --- Replaying ------------------------------------------------------------- */

luft_error luft_database_replay_start(luft_database_replay *replay, const luft_database_game *game) {
    if (!replay || !game) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_position start_position = luft_start_position();
    if (game->fen.length > 0 &&
        luft_position_from_fen(&start_position, game->fen.text, game->fen.length, NULL) != LUFT_OK) {
        return LUFT_ERROR_DAMAGED;
    }
    *replay = (luft_database_replay){.position = start_position,
                                     .move = LUFT_MOVE_NONE,
                                     .next = game->moves,
                                     .end = game->moves_size > 0 ? game->moves + game->moves_size : game->moves};
    return LUFT_OK;
}

luft_error luft_database_replay_next(luft_database_replay *replay) {
    if (!replay) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (replay->next == replay->end) {
        return LUFT_ERROR_END;
    }
    const luft_error error = codec_step(&replay->position, &replay->move, &replay->next, replay->end);
    replay->ply += error == LUFT_OK;
    return error;
}
