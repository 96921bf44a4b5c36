/* SPDX-License-Identifier: MIT */
/* Cursors inside: the row at which one stands, for the parts of the library that need more of it. */
#ifndef LUFT_DATABASE_CURSOR_H
#define LUFT_DATABASE_CURSOR_H

#include "database/filter.h"
#include "database/record.h"

#include "util/buffer.h"

enum { CURSOR_NAME_KINDS = LUFT_DATABASE_TEXT + 1 };

struct luft_database_cursor {
    sqlite3 *handle;
    sqlite3_stmt *rows;
    sqlite3_stmt *names[CURSOR_NAME_KINDS]; /* prepared when they are needed */
    sqlite3_stmt *shapes, *notes;
    game_filter filter;
    bool is_started, has_game;
    bool is_broken;    /* SQLite cannot read on */
    uint64_t previous; /* the number of the last row: a damaged file may lead in circles */
    uint64_t games;    /* in the database */
    uint64_t last;     /* the highest number that is read */
    buffer name;       /* the last name */
    luft_database_game game;

    /* More of the row; bytes hold until the cursor moves. */
    uint64_t signature;
    uint32_t shape;
    const uint8_t *tags;
    size_t tags_size;
    const uint8_t *summary; /* SUMMARY_SIZE bytes */
};

/* From here on the cursor reads the games with these numbers, as far as there are such. */
void cursor_set_range(luft_database_cursor *cursor, uint64_t first, uint64_t last);

/* The shape of the game. */
luft_error cursor_shape(buffer *shape, luft_database_cursor *cursor);

/* The notes of the game, empty if there are none; they hold until the cursor moves. */
luft_error cursor_notes(const uint8_t **notes, size_t *length, luft_database_cursor *cursor);

/* A value of the tags at *next, which advances; it holds until the next name is read. */
luft_error cursor_value(luft_database_text *value, luft_database_cursor *cursor, const uint8_t **next,
                        const uint8_t *end);

/* The site, wherever it is stored. */
luft_error cursor_site(luft_database_text *site, luft_database_cursor *cursor);

#endif
