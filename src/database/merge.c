/* SPDX-License-Identifier: MIT */
/* Games from one database to another: each row becomes a record again and takes the way of all games. */
#include "database/batch.h"
#include "database/cursor.h"
#include "database/database.h"
#include "database/hash.h"
#include "database/shape.h"

#define BATCH_BYTES ((size_t)1 << 20)

/* A record in the making: the texts are copied, because each name replaces the last. */
typedef struct making {
    record game;
    buffer bytes;
} making;

static void add_part(making *it, record_part part, luft_database_text text) {
    buffer_append(&it->bytes, text.text, text.length);
    it->game.length[part] += (uint32_t)text.length;
}

static luft_error add_name(making *it, record_part part, luft_database_cursor *cursor, luft_database_name_kind kind,
                           uint32_t number) {
    luft_database_text name = {"", 0};
    const luft_error error = luft_database_cursor_name(&name, cursor, kind, number);
    add_part(it, part, name);
    return error;
}

/* The names, in the order of the parts. */
static luft_error add_names(making *it, luft_database_cursor *cursor) {
    const luft_database_game *game = &cursor->game;
    luft_database_text site = {"", 0};
    luft_error error = add_name(it, RECORD_WHITE, cursor, LUFT_DATABASE_PLAYER, game->player[LUFT_WHITE]);
    error =
        error == LUFT_OK ? add_name(it, RECORD_BLACK, cursor, LUFT_DATABASE_PLAYER, game->player[LUFT_BLACK]) : error;
    error = error == LUFT_OK ? add_name(it, RECORD_EVENT, cursor, LUFT_DATABASE_EVENT, game->event) : error;
    error = error == LUFT_OK ? cursor_site(&site, cursor) : error;
    add_part(it, RECORD_SITE, site);
    add_part(it, RECORD_ROUND, game->round);
    add_part(it, RECORD_FEN, game->fen);
    if (error == LUFT_OK && game->time_control != 0) {
        error = add_name(it, RECORD_TIME_CONTROL, cursor, LUFT_DATABASE_TEXT, game->time_control);
    }
    return error;
}

/* The shape, and as many values as it asks for. */
static luft_error add_tags(making *it, luft_database_cursor *cursor) {
    buffer shape = {0};
    const uint8_t *next = cursor->tags, *end = next + cursor->tags_size;
    luft_error error = cursor_shape(&shape, cursor);
    add_part(it, RECORD_SHAPE, (luft_database_text){shape.data, shape.length});
    for (size_t at = 0; at < shape.length && error == LUFT_OK; at++) {
        const bool is_start = at == 0 || shape.data[at - 1] == SHAPE_END;
        if (is_start && (shape.data[at] == SHAPE_VALUE || shape.data[at] == SHAPE_OVERRIDE)) {
            luft_database_text value;
            uint8_t length[VARINT_MAX_BYTES];
            error = cursor_value(&value, cursor, &next, end);
            if (error == LUFT_OK) {
                add_part(it, RECORD_VALUES,
                         (luft_database_text){(const char *)length, varint_write(length, value.length)});
                add_part(it, RECORD_VALUES, value);
            }
        }
    }
    buffer_free(&shape);
    return error;
}

static luft_error add_game(luft_database_batch *batch, making *it, luft_database_cursor *cursor) {
    const luft_database_game *game = &cursor->game;
    const uint8_t *notes = NULL;
    size_t notes_size = 0;
    it->game = (record){.signature = cursor->signature,
                        .plies = game->plies,
                        .date = game->date,
                        .rating = {game->rating[0], game->rating[1]},
                        .result = game->result,
                        .eco = {game->eco[0], game->eco[1], game->eco[2]}};
    memcpy(it->game.summary, cursor->summary, SUMMARY_SIZE);
    buffer_clear(&it->bytes);
    luft_error error = add_names(it, cursor);
    error = error == LUFT_OK ? add_tags(it, cursor) : error;
    add_part(it, RECORD_MOVES, (luft_database_text){(const char *)game->moves, game->moves_size});
    error = error == LUFT_OK ? cursor_notes(&notes, &notes_size, cursor) : error;
    add_part(it, RECORD_NOTES, (luft_database_text){(const char *)notes, notes_size});
    if (error == LUFT_OK) {
        buffer_append(&batch->records, &it->game, sizeof it->game);
        buffer_append(&batch->records, it->bytes.data, it->bytes.length);
        batch->count++;
    }
    return error == LUFT_ERROR_MISSING            ? LUFT_ERROR_DAMAGED
           : error == LUFT_OK && it->bytes.failed ? LUFT_ERROR_MEMORY
                                                  : error;
}

luft_error luft_database_merge(luft_database *database, luft_database *other, bool keep_duplicates,
                               luft_database_counts *counts) {
    luft_database_cursor *cursor = NULL;
    luft_database_batch *batch = NULL;
    luft_database_game game;
    making it = {0};
    if (!database || !other || !database->writer) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_error error = luft_database_batch_create(&batch, LUFT_DATABASE_LEAVE_OUT);
    error = error == LUFT_OK ? luft_database_cursor_create(&cursor, other, NULL) : error;
    while (error == LUFT_OK) {
        error = luft_database_cursor_next(&game, cursor);
        error = error == LUFT_OK ? add_game(batch, &it, cursor) : error;
        if (error == LUFT_ERROR_END || (error == LUFT_OK && luft_database_batch_size(batch) > BATCH_BYTES)) {
            const luft_error appended = luft_database_append(database, batch, keep_duplicates, counts);
            error = appended != LUFT_OK ? appended : error;
            luft_database_batch_clear(batch);
        }
    }
    luft_database_cursor_free(cursor);
    luft_database_batch_free(batch);
    buffer_free(&it.bytes);
    return error == LUFT_ERROR_END ? LUFT_OK : database_fail(database, error, "cannot merge the databases");
}
