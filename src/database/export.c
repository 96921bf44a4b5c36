/* SPDX-License-Identifier: MIT */
/* Games back to PGN: tags by the shape of the game, moves and notes. */
#include "database/cursor.h"
#include "database/database.h"
#include "database/notes.h"
#include "database/shape.h"

#include "util/date.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A tag whose texts are in the buffer; pointers come last, because the buffer moves as it grows. */
typedef struct stored_tag {
    size_t name, name_length, value, value_length;
} stored_tag;

typedef struct tag_list {
    buffer text;
    stored_tag *tags;
    size_t count, capacity;
} tag_list;

static luft_error add_tag(tag_list *list, const char *name, size_t name_length, luft_database_text value) {
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 32;
        stored_tag *tags = realloc(list->tags, capacity * sizeof *tags);
        if (!tags) {
            return LUFT_ERROR_MEMORY;
        }
        list->tags = tags;
        list->capacity = capacity;
    }
    const size_t at = list->text.length;
    list->tags[list->count++] = (stored_tag){at, name_length, at + name_length, value.length};
    buffer_append(&list->text, name, name_length);
    buffer_append(&list->text, value.text, value.length);
    return list->text.failed ? LUFT_ERROR_MEMORY : LUFT_OK;
}

/* The value of a tag that has a column. `room` has 32 bytes. */
static luft_error column_value(luft_database_text *value, luft_database_cursor *cursor, shape_tag tag, char *room) {
    const luft_database_game *game = &cursor->game;
    *value = (luft_database_text){room, 0};
    switch (tag) {
    case SHAPE_EVENT: return luft_database_cursor_name(value, cursor, LUFT_DATABASE_EVENT, game->event);
    case SHAPE_SITE: return cursor_site(value, cursor);
    case SHAPE_WHITE: return luft_database_cursor_name(value, cursor, LUFT_DATABASE_PLAYER, game->player[LUFT_WHITE]);
    case SHAPE_BLACK: return luft_database_cursor_name(value, cursor, LUFT_DATABASE_PLAYER, game->player[LUFT_BLACK]);
    case SHAPE_TIME_CONTROL: return luft_database_cursor_name(value, cursor, LUFT_DATABASE_TEXT, game->time_control);
    case SHAPE_ROUND: *value = game->round; return LUFT_OK;
    case SHAPE_FEN: *value = game->fen; return LUFT_OK;
    case SHAPE_DATE: date_write(room, game->date); break;
    case SHAPE_RESULT: snprintf(room, 32, "%s", luft_result_string((luft_result)game->result)); break;
    case SHAPE_WHITE_ELO: snprintf(room, 32, "%u", game->rating[LUFT_WHITE]); break;
    case SHAPE_BLACK_ELO: snprintf(room, 32, "%u", game->rating[LUFT_BLACK]); break;
    case SHAPE_ECO: snprintf(room, 32, "%s", game->eco); break;
    case SHAPE_PLY_COUNT: snprintf(room, 32, "%u", game->plies); break;
    case SHAPE_OTHER: return LUFT_ERROR_DAMAGED;
    }
    value->length = strlen(room);
    return LUFT_OK;
}

static luft_error add_roster(tag_list *list, luft_database_cursor *cursor) {
    luft_error error = LUFT_OK;
    for (shape_tag tag = SHAPE_EVENT; tag < SHAPE_ROSTER && error == LUFT_OK; tag++) {
        char room[32];
        luft_database_text value;
        error = column_value(&value, cursor, tag, room);
        error = error == LUFT_OK ? add_tag(list, shape_tag_name(tag), strlen(shape_tag_name(tag)), value) : error;
    }
    return error;
}

/* Gives a tag of the roster another value. */
static luft_error override(tag_list *list, const char *name, size_t length, luft_database_text value) {
    const shape_tag tag = shape_tag_of(name, length);
    if (tag >= SHAPE_ROSTER) {
        return LUFT_ERROR_DAMAGED;
    }
    list->tags[tag].value = list->text.length;
    list->tags[tag].value_length = value.length;
    buffer_append(&list->text, value.text, value.length);
    return list->text.failed ? LUFT_ERROR_MEMORY : LUFT_OK;
}

/* The tag of one line of the shape. */
static luft_error add_by_shape(tag_list *list, luft_database_cursor *cursor, const char *name, size_t length,
                               const uint8_t **next) {
    const uint8_t *end = cursor->tags + cursor->tags_size;
    char room[32];
    luft_database_text value;
    if (length > 0 && (name[0] == SHAPE_VALUE || name[0] == SHAPE_OVERRIDE)) {
        luft_error error = cursor_value(&value, cursor, next, end);
        if (error != LUFT_OK) {
            return error;
        }
        return name[0] == SHAPE_VALUE ? add_tag(list, name + 1, length - 1, value)
                                      : override(list, name + 1, length - 1, value);
    }
    luft_error error = column_value(&value, cursor, shape_tag_of(name, length), room);
    return error == LUFT_OK ? add_tag(list, name, length, value) : error;
}

static luft_error collect_tags(tag_list *list, luft_database_cursor *cursor) {
    buffer shape = {0};
    const uint8_t *next = cursor->tags;
    luft_error error = add_roster(list, cursor);
    error = error == LUFT_OK ? cursor_shape(&shape, cursor) : error;
    for (size_t at = 0; at < shape.length && error == LUFT_OK;) {
        const char *name = shape.data + at, *end = memchr(name, SHAPE_END, shape.length - at);
        if (!end) {
            error = LUFT_ERROR_DAMAGED;
            break;
        }
        error = add_by_shape(list, cursor, name, (size_t)(end - name), &next);
        at = (size_t)(end - shape.data) + 1;
    }
    buffer_free(&shape);
    return error == LUFT_ERROR_MISSING ? LUFT_ERROR_DAMAGED : error;
}

static luft_error write_tags(luft_pgn_writer *writer, const tag_list *list) {
    luft_pgn_tag *tags = malloc(list->count * sizeof *tags);
    if (!tags) {
        return LUFT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < list->count; i++) {
        const stored_tag *tag = &list->tags[i];
        tags[i] = (luft_pgn_tag){list->text.data + tag->name, list->text.data + tag->value, tag->name_length,
                                 tag->value_length};
    }
    const luft_error error = luft_pgn_write_tags(writer, tags, list->count);
    free(tags);
    return error;
}

luft_error luft_database_cursor_write(luft_pgn_writer *writer, luft_database_cursor *cursor) {
    if (!writer || !cursor || !cursor->has_game) {
        return LUFT_ERROR_ARGUMENT;
    }
    tag_list list = {0};
    luft_database_replay replay;
    const uint8_t *notes = NULL;
    size_t notes_size = 0;
    luft_error error = luft_database_replay_start(&replay, &cursor->game);
    error = error == LUFT_OK ? collect_tags(&list, cursor) : error;
    error = error == LUFT_OK ? write_tags(writer, &list) : error;
    error = error == LUFT_OK ? cursor_notes(&notes, &notes_size, cursor) : error;
    error = error == LUFT_OK
                ? notes_write(writer, &replay.position, cursor->game.moves, cursor->game.moves_size, notes, notes_size)
                : error;
    error = error == LUFT_OK ? luft_pgn_write_result(writer, (luft_result)cursor->game.result) : error;
    free(list.tags);
    buffer_free(&list.text);
    return error;
}

static bool to_buffer(void *payload, const char *text, size_t length) {
    buffer_append(payload, text, length);
    return !((buffer *)payload)->failed;
}

luft_error luft_database_cursor_tree(luft_pgn_game **tree, luft_database_cursor *cursor) {
    buffer text = {0};
    luft_pgn_writer writer;
    luft_pgn_reader *reader = NULL;
    if (!tree) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_pgn_writer_init(&writer, to_buffer, &text);
    luft_error error = luft_database_cursor_write(&writer, cursor);
    error = error == LUFT_ERROR_WRITE ? LUFT_ERROR_MEMORY : error;
    error = error == LUFT_OK ? luft_pgn_reader_create_text(&reader, text.data, text.length) : error;
    error = error == LUFT_OK ? luft_pgn_game_read(tree, reader) : error;
    luft_pgn_reader_free(reader);
    buffer_free(&text);
    return error;
}
