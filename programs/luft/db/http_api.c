/* SPDX-License-Identifier: MIT */
/* The JSON API of `luft db serve`: info, explore, search and games. */
#include "db_json.h"
#include "http.h"

#include "util/setup.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MATCHES_MAX 1000 /* games of one answer */
#define MATCHES_DEFAULT 50
#define SEARCH_THREADS 2

void http_fail(http_answer *answer, int status, const char *reason) {
    json out = {.text = &answer->body};
    buffer_clear(&answer->body);
    answer->status = status;
    answer->type = "application/json";
    json_open(&out, '{');
    json_member(&out, "error", reason);
    json_close(&out, '}');
    buffer_append_text(&answer->body, "\n");
}

/* --- Parameters --------------------------------------------------------------- */

static bool read_number(uint64_t *number, const char *text, uint64_t maximum) {
    return text_to_number(number, text, strlen(text), maximum);
}

/* The position of the parameters fen and moves. False after an answer. */
static bool read_position(luft_position *position, http_answer *answer, const http_query *query) {
    char reason[SETUP_REASON_SIZE];
    luft_fen_report report;
    *position = luft_start_position();
    if (query->fen && luft_position_from_fen(position, query->fen, strlen(query->fen), &report) != LUFT_OK) {
        http_fail(answer, 400, setup_fen_reason(reason, &report, query->fen, strlen(query->fen)));
        return false;
    }
    const char *text = query->moves ? query->moves : "", *word;
    size_t length = strlen(text), word_length;
    while (text_next_word(&word, &word_length, &text, &length)) {
        luft_move move;
        if (setup_read_move(&move, position, word, word_length) != LUFT_OK) {
            http_fail(answer, 400, "moves: expected legal moves, separated by blanks");
            return false;
        }
        luft_make(position, position, move);
    }
    return true;
}

/* --- Answers ------------------------------------------------------------------ */

static luft_error answer_info(json *out, luft_database *database) {
    luft_database_info info;
    const luft_error error = luft_database_get_info(&info, database);
    if (error == LUFT_OK) {
        json_open(out, '{');
        json_count(out, "games", info.games);
        json_count(out, "plies", info.plies);
        json_count(out, "players", info.players);
        json_count(out, "positions", info.positions);
        json_count(out, "bytes", info.bytes);
        json_close(out, '}');
    }
    return error;
}

static luft_error answer_explore(json *out, luft_database *database, const luft_position *position) {
    luft_database_statistics *statistics = malloc(sizeof *statistics);
    luft_database_cursor *cursor = NULL;
    luft_error error = statistics ? LUFT_OK : LUFT_ERROR_MEMORY;
    error = error == LUFT_OK ? luft_database_explore(statistics, database, position, NULL, SEARCH_THREADS) : error;
    error = error == LUFT_OK ? luft_database_cursor_create(&cursor, database, NULL) : error;
    error = error == LUFT_OK ? db_json_statistics(out, statistics, position, LUFT_MAX_MOVES + 1, cursor) : error;
    luft_database_cursor_free(cursor);
    free(statistics);
    return error;
}

static luft_error write_matches(json *out, luft_database *database, const luft_database_matches *matches) {
    luft_database_cursor *cursor = NULL;
    luft_error error = luft_database_cursor_create(&cursor, database, NULL);
    json_open_lines(out, '{');
    json_count(out, "count", matches->count);
    json_key(out, "games");
    json_open_lines(out, '[');
    for (size_t i = 0; i < matches->count && error == LUFT_OK; i++) {
        luft_database_game game;
        error = luft_database_cursor_seek(&game, cursor, matches->matches[i].game);
        if (error == LUFT_OK) {
            json_open(out, '{');
            error = db_json_game(out, &game, cursor);
            json_count(out, "ply", matches->matches[i].ply);
            json_close(out, '}');
        }
    }
    json_close(out, ']');
    json_close(out, '}');
    luft_database_cursor_free(cursor);
    return error;
}

static luft_error answer_search(json *out, luft_database *database, const luft_query *query, uint64_t limit) {
    const luft_database_search_options options = {.threads = SEARCH_THREADS, .limit = limit};
    luft_database_matches matches = {0};
    luft_error error = luft_database_search(&matches, database, query, NULL, &options);
    error = error == LUFT_OK ? write_matches(out, database, &matches) : error;
    luft_database_matches_free(&matches);
    return error;
}

static bool append_text(void *payload, const char *text, size_t length) {
    buffer *out = payload;
    buffer_append(out, text, length);
    return !out->failed;
}

static luft_error answer_game(json *out, luft_database *database, uint64_t id) {
    luft_database_cursor *cursor = NULL;
    luft_database_game game;
    luft_pgn_writer writer;
    buffer pgn = {0};
    luft_error error = luft_database_cursor_create(&cursor, database, NULL);
    error = error == LUFT_OK ? luft_database_cursor_seek(&game, cursor, id) : error;
    if (error == LUFT_OK) {
        json_open_lines(out, '{');
        error = db_json_game(out, &game, cursor);
        luft_pgn_writer_init(&writer, append_text, &pgn);
        error = error == LUFT_OK ? luft_database_cursor_write(&writer, cursor) : error;
        json_key(out, "pgn");
        json_bytes(out, pgn.data ? pgn.data : "", pgn.length);
        json_close(out, '}');
    }
    buffer_free(&pgn);
    luft_database_cursor_free(cursor);
    return error;
}

/* --- Paths -------------------------------------------------------------------- */

/* Searches, after checking the parameters. LUFT_ERROR_QUERY after an answer. */
static luft_error handle_search(http_answer *answer, json *out, luft_database *database, const http_query *query) {
    uint64_t limit = MATCHES_DEFAULT;
    luft_query *compiled = NULL;
    luft_query_report report;
    const char *text = query->query ? query->query : "";
    if (query->limit && (!read_number(&limit, query->limit, MATCHES_MAX) || limit == 0)) {
        http_fail(answer, 400, "limit: expected an integer from 1 to 1000");
        return LUFT_ERROR_QUERY;
    }
    luft_error error = luft_query_compile(&compiled, text, strlen(text), &report);
    if (error == LUFT_ERROR_QUERY) {
        http_fail(answer, 400, report.reason);
        return error;
    }
    error = error == LUFT_OK ? answer_search(out, database, compiled, limit) : error;
    luft_query_free(compiled);
    return error;
}

void http_api(http_answer *answer, luft_database *database, const char *path, const http_query *query) {
    json out = {.text = &answer->body};
    luft_position position;
    luft_error error = LUFT_OK;
    uint64_t id;
    answer->status = 200;
    answer->type = "application/json";
    if (strcmp(path, "info") == 0) {
        error = answer_info(&out, database);
    } else if (strcmp(path, "explore") == 0) {
        if (!read_position(&position, answer, query)) {
            return;
        }
        error = answer_explore(&out, database, &position);
    } else if (strcmp(path, "search") == 0) {
        error = handle_search(answer, &out, database, query);
    } else if (strncmp(path, "games/", 6) == 0 && read_number(&id, path + 6, INT64_MAX)) {
        error = answer_game(&out, database, id);
    } else {
        http_fail(answer, 404, "there is no such path: use info, explore, search or games/NUMBER");
        return;
    }
    buffer_append_text(&answer->body, "\n");
    if (error == LUFT_ERROR_MISSING) {
        http_fail(answer, 404, "there is no such game");
    } else if (error != LUFT_OK && error != LUFT_ERROR_QUERY) {
        http_fail(answer, 500, luft_error_string(error));
    }
    if (answer->body.failed) {
        answer->status = 500;
    }
}
