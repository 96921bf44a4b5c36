/* SPDX-License-Identifier: MIT */
/* `luft db search`: the games that match a query, as a list, a count, PGN or JSON, with the ply where they match. */
#include "commands.h"
#include "common.h"
#include "db_json.h"

#include "util/output.h"
#include "util/processors.h"
#include "util/setup.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NAME "luft db search"
#define OUTPUT_SIZE 65536 /* bytes that are written at once */

static const char about[] =
    "Finds the games that match a query, such as 'material KRPkr' or 'white carlsen board ////4P3///'; "
    "docs/queries.md\n"
    "describes the language. Prints each game with its first position that matches, by its number of plies.\n";

static const char *const formats[] = {"list", "count", "pgn", "json", NULL};
enum { AS_LIST, AS_COUNT, AS_PGN, AS_JSON };

typedef struct searching {
    const char *path;
    const char *text; /* of the query */
    luft_query *query;
    luft_database *database;
    luft_database_matches matches;
    uint64_t limit;
    uint64_t threads;
    int format;
    bool quiet;
} searching;

/* --- Output ----------------------------------------------------------------- */

static bool append_text(void *payload, const char *text, size_t length) {
    buffer *out = payload;
    buffer_append(out, text, length);
    return !out->failed;
}

/* The game as PGN with the ply in a tag of its own. */
static luft_error write_pgn(buffer *out, luft_database_cursor *cursor, const luft_database_match *match) {
    luft_pgn_game *tree = NULL;
    luft_pgn_writer writer;
    char ply[16];
    snprintf(ply, sizeof ply, "%" PRIu32, match->ply);
    luft_pgn_writer_init(&writer, append_text, out);
    luft_error error = luft_database_cursor_tree(&tree, cursor);
    error = error == LUFT_OK ? luft_pgn_game_set_tag(tree, "MatchPly", ply, strlen(ply)) : error;
    error = error == LUFT_OK ? luft_pgn_game_write(&writer, tree) : error;
    luft_pgn_game_free(tree);
    return error;
}

static luft_error write_match(buffer *out, const searching *it, luft_database_cursor *cursor,
                              const luft_database_match *match) {
    luft_database_game game;
    luft_error error = luft_database_cursor_seek(&game, cursor, match->game);
    if (error != LUFT_OK) {
        return error;
    }
    if (it->format == AS_PGN) {
        return write_pgn(out, cursor, match);
    }
    if (it->format == AS_JSON) {
        json text = {.text = out};
        json_open(&text, '{');
        error = db_json_game(&text, &game, cursor);
        json_count(&text, "ply", match->ply);
        json_close(&text, '}');
        buffer_append_text(out, "\n");
        return error;
    }
    error = db_describe_game(out, cursor, &game) ? LUFT_OK : LUFT_ERROR_DAMAGED;
    buffer_printf(out, "  ply %" PRIu32 "\n", match->ply);
    return error;
}

/* Writes all matches. Returns an exit status, after an error line if it is not STATUS_OK. */
static int write_matches(const searching *it) {
    luft_database_cursor *cursor = NULL;
    buffer out = {0};
    bool is_written = true;
    luft_error error = luft_database_cursor_create(&cursor, it->database, NULL);
    for (size_t i = 0; i < it->matches.count && error == LUFT_OK && is_written; i++) {
        error = write_match(&out, it, cursor, &it->matches.matches[i]);
        if (out.length >= OUTPUT_SIZE || i + 1 == it->matches.count) {
            is_written = output_write(NAME, stdout, &out);
            buffer_clear(&out);
        }
    }
    if (error != LUFT_OK) {
        char quoted[TEXT_QUOTED_SIZE];
        output_error(NAME, "%s: %s", text_quote(quoted, it->path, strlen(it->path)), luft_error_string(error));
    }
    luft_database_cursor_free(cursor);
    buffer_free(&out);
    return is_written && error == LUFT_OK ? STATUS_OK : STATUS_FAILED;
}

/* --- The command ------------------------------------------------------------ */

static int run(searching *it) {
    luft_database_info info;
    db_work work;
    db_work_start(&work, it->quiet);
    luft_error error = luft_database_get_info(&info, it->database);
    if (error == LUFT_OK) {
        const luft_database_search_options options = {.threads = (int)it->threads,
                                                      .limit = it->format == AS_COUNT ? 0 : it->limit,
                                                      .progress = db_work_progress,
                                                      .payload = &work};
        db_work_goal(&work, "games", info.games > 0 ? info.games : 1);
        error = luft_database_search(&it->matches, it->database, it->query, NULL, &options);
    }
    db_work_stop(&work);
    if (error != LUFT_OK) {
        return db_failed(NAME, it->path, it->database);
    }
    if (it->format == AS_COUNT) {
        printf("%zu\n", it->matches.count);
        return STATUS_OK;
    }
    return write_matches(it);
}

int db_search(int argc, char **argv) {
    searching it = {.threads = processors_count(4)};
    int status;
    const option options[] = {
        option_choice("format", "FORMAT", "print a list, count, pgn or json (default list)", &it.format, formats),
        option_number("limit", "N", "print the first N games only", &it.limit, 1, UINT32_MAX),
        option_number("threads", "N", "read games with N threads, 1 to 64 (default: one for each processor, at most 4)",
                      &it.threads, 1, LUFT_DATABASE_MAX_THREADS),
        option_flag("quiet", "print no progress line", &it.quiet),
    };
    const option operands[] = {{.name = "DATABASE", .help = "the file", .text = &it.path, .required = true},
                               {.name = "QUERY", .help = "what to find", .text = &it.text, .required = true}};
    const option_table table = {.command = NAME,
                                .usage = "[options] DATABASE QUERY",
                                .about = about,
                                .options = options,
                                .option_count = sizeof options / sizeof options[0],
                                .operands = operands,
                                .operand_count = 2};
    if (!options_read(&table, argc, argv, &status)) {
        return status;
    }
    status = STATUS_USAGE;
    if (setup_query(&it.query, NAME, "QUERY", it.text) && (it.database = db_open(NAME, it.path, LUFT_DATABASE_READ))) {
        status = run(&it);
    }
    luft_database_matches_free(&it.matches);
    luft_database_free(it.database);
    luft_query_free(it.query);
    return status;
}
