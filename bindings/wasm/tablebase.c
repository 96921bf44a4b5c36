/* SPDX-License-Identifier: MIT */
/*
 * Tablebases for a page. A page has no files: each table comes as bytes. The buffer of the caller becomes the memory of
 * the table, so that a large table is in memory once.
 */
#include "rules.h"

#include "util/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 32 /* more than the name of any table, such as KRBNvKRP.rtbw, needs */

struct web_tables {
    luft_tablebase *tablebase;
    char **bytes; /* of each table that was added */
    size_t count;
};

web_tables *web_tables_create(void) {
    web_tables *tables = calloc(1, sizeof *tables);
    if (tables && luft_tablebase_open(&tables->tablebase, NULL, LUFT_TABLEBASE_READ) != LUFT_OK) {
        free(tables);
        return NULL;
    }
    return tables;
}

void web_tables_free(web_tables *tables) {
    if (tables) {
        luft_tablebase_free(tables->tablebase);
        for (size_t i = 0; i < tables->count; i++) {
            free(tables->bytes[i]);
        }
        free(tables->bytes);
        free(tables);
    }
}

static size_t refuse_name(const char *name, size_t length) {
    char quoted[TEXT_QUOTED_SIZE], reason[160];
    snprintf(reason, sizeof reason, "expected the name of a table such as KQvK.rtbw, got %s",
             text_quote(quoted, name, length));
    return web_refuse(reason);
}

/* True in JSON, or the error. */
size_t web_tables_add(web_tables *tables, size_t length, size_t name_length) {
    char name[NAME_SIZE];
    if (name_length >= sizeof name || memchr(web_input() + length, '\0', name_length)) {
        return refuse_name(web_input() + length, name_length);
    }
    memcpy(name, web_input() + length, name_length);
    name[name_length] = '\0';
    char **bytes = realloc(tables->bytes, (tables->count + 1) * sizeof *bytes);
    if (!bytes) {
        return web_refuse(luft_error_string(LUFT_ERROR_MEMORY));
    }
    tables->bytes = bytes;
    const size_t before = luft_tablebase_count(tables->tablebase);
    char *taken = web_take_input(length);
    const luft_error error = luft_tablebase_add(tables->tablebase, name, taken, length);
    if (luft_tablebase_count(tables->tablebase) > before) {
        bytes[tables->count++] = taken;
    } else {
        free(taken); /* an invalid name, or a table that is there already */
    }
    if (error != LUFT_OK) {
        return error == LUFT_ERROR_ARGUMENT ? refuse_name(name, name_length) : web_refuse(luft_error_string(error));
    }
    json_bool(web_json(), true);
    return web_answer_length();
}

size_t web_tables_info(const web_tables *tables) {
    json *out = web_json();
    json_open(out, '{');
    json_key(out, "count");
    json_number(out, luft_tablebase_count(tables->tablebase));
    json_key(out, "largest");
    json_integer(out, luft_tablebase_largest(tables->tablebase));
    json_key(out, "faults");
    json_open(out, '[');
    for (size_t i = 0; i < luft_tablebase_count(tables->tablebase); i++) {
        luft_tablebase_table table = {.error = LUFT_OK};
        luft_tablebase_get_table(&table, tables->tablebase, i);
        if (table.error != LUFT_OK) {
            json_open(out, '{');
            json_member(out, "name", table.name);
            json_member(out, "kind", table.kind == LUFT_TABLEBASE_WDL ? "wdl" : "dtz");
            json_member(out, "reason", table.reason ? table.reason : luft_error_string(table.error));
            json_close(out, '}');
        }
    }
    json_close(out, ']');
    json_close(out, '}');
    return web_answer_length();
}

static void put_result(json *out, luft_wdl wdl, bool has_dtz, int dtz) {
    json_key(out, "wdl");
    json_integer(out, wdl);
    json_key(out, "dtz");
    if (has_dtz) {
        json_integer(out, dtz);
    } else {
        json_null(out);
    }
}

static void put_moves(json *out, const luft_tablebase_moves *moves, const luft_position *position, bool chess960) {
    json_key(out, "moves");
    json_open(out, '[');
    for (int i = 0; i < moves->count; i++) {
        const luft_tablebase_move *move = &moves->moves[i];
        json_open(out, '{');
        web_put_move_names(out, position, move->move, chess960);
        put_result(out, move->wdl, moves->has_dtz, move->dtz);
        json_key(out, "rank");
        json_integer(out, move->rank);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static size_t probe(const luft_tablebase *tablebase, const luft_game *game, const uint64_t *keys, bool chess960) {
    const luft_position *position = luft_game_position(game);
    luft_tablebase_moves moves;
    luft_wdl wdl = LUFT_WDL_DRAW;
    int dtz = 0;
    luft_error error = luft_tablebase_probe_wdl(&wdl, tablebase, position);
    if (error == LUFT_OK) {
        error = luft_tablebase_probe_root(&moves, tablebase, position, keys, luft_game_ply(game), true);
    }
    const luft_error dtz_error = error == LUFT_OK ? luft_tablebase_probe_dtz(&dtz, tablebase, position) : LUFT_OK;
    error = dtz_error == LUFT_ERROR_MISSING ? error : error != LUFT_OK ? error : dtz_error;
    if (error != LUFT_OK) {
        return web_refuse(luft_error_string(error));
    }
    json *out = web_json();
    json_open(out, '{');
    put_result(out, wdl, dtz_error == LUFT_OK, dtz);
    put_moves(out, &moves, position, chess960);
    json_close(out, '}');
    return web_answer_length();
}

size_t web_tables_probe(const web_tables *tables, size_t fen_length, size_t moves_length, bool chess960) {
    luft_game *game = web_read_game(fen_length, moves_length);
    if (!game) {
        return web_answer_length();
    }
    const size_t count = luft_game_ply(game);
    uint64_t *keys = malloc((count + 1) * sizeof *keys);
    for (size_t i = 0; keys && i < count; i++) {
        keys[i] = luft_key(luft_game_position_at(game, i));
    }
    const size_t answer =
        keys ? probe(tables->tablebase, game, keys, chess960) : web_refuse(luft_error_string(LUFT_ERROR_MEMORY));
    free(keys);
    luft_game_free(game);
    return answer;
}
