/* SPDX-License-Identifier: MIT */
/* Statistics and games of a database as JSON: the same text in `luft db explore`, `search` and `serve`. */
#ifndef LUFT_PROGRAM_DB_JSON_H
#define LUFT_PROGRAM_DB_JSON_H

#include "common.h"

#include "util/json.h"

/* A date without its unknown parts; nothing for 0. */
void db_append_date(buffer *out, int date);

/* Writes the members of a game into an open object: its number, players, ratings, result, date and event. */
luft_error db_json_game(json *out, const luft_database_game *game, luft_database_cursor *cursor);

/* Writes the statistics of a position as an object, with at most `limit` moves. */
luft_error db_json_statistics(json *out, const luft_database_statistics *found, const luft_position *position,
                              uint32_t limit, luft_database_cursor *cursor);

#endif
