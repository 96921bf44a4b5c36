/* SPDX-License-Identifier: MIT */
/* `luft db stats`: how many games, results and positions a database has, and how large it is. */
#include "commands.h"
#include "common.h"

#include "util/date.h"
#include "util/json.h"
#include "util/output.h"
#include "util/text.h"

#include <inttypes.h>

#define NAME "luft db stats"

static const char about[] = "Counts the games of a database, or those that pass the filter.\n";

typedef struct totals {
    luft_database_info info;
    uint64_t games, plies, rated; /* rated: both players are */
    uint64_t results[LUFT_RESULT_UNKNOWN + 1];
    uint64_t rating_sum; /* of both players in rated games */
    int first_date, last_date;
} totals;

static luft_error count_games(totals *all, luft_database *database, const luft_database_filter *filter) {
    luft_database_cursor *cursor = NULL;
    luft_database_game game;
    luft_error error = luft_database_cursor_create(&cursor, database, filter);
    while (error == LUFT_OK && (error = luft_database_cursor_next(&game, cursor)) == LUFT_OK) {
        all->games++;
        all->plies += game.plies;
        all->results[game.result]++;
        if (game.rating[0] > 0 && game.rating[1] > 0) {
            all->rated++;
            all->rating_sum += (uint64_t)game.rating[0] + game.rating[1];
        }
        if (game.date > 0) {
            all->first_date = all->first_date == 0 || game.date < all->first_date ? game.date : all->first_date;
            all->last_date = game.date > all->last_date ? game.date : all->last_date;
        }
    }
    luft_database_cursor_free(cursor);
    return error == LUFT_ERROR_END ? LUFT_OK : error;
}

static void write_line(buffer *out, const char *name, uint64_t number, uint64_t whole) {
    char text[TEXT_COUNT_SIZE];
    buffer_printf(out, "%-22s %14s", name, db_count(text, number));
    if (whole > 0) {
        buffer_printf(out, "  %5.1f %%", 100 * (double)number / (double)whole);
    }
    buffer_append_text(out, "\n");
}

static void write_text(buffer *out, const totals *all) {
    char first[DATE_TEXT_SIZE], last[DATE_TEXT_SIZE];
    write_line(out, "games", all->games, 0);
    write_line(out, "White wins", all->results[LUFT_RESULT_WHITE], all->games);
    write_line(out, "draws", all->results[LUFT_RESULT_DRAW], all->games);
    write_line(out, "Black wins", all->results[LUFT_RESULT_BLACK], all->games);
    write_line(out, "without result", all->results[LUFT_RESULT_NONE] + all->results[LUFT_RESULT_UNKNOWN], all->games);
    write_line(out, "plies", all->plies, 0);
    write_line(out, "both players rated", all->rated, all->games);
    if (all->rated > 0) {
        write_line(out, "average rating", (all->rating_sum + all->rated) / (2 * all->rated), 0);
    }
    if (all->first_date > 0) {
        buffer_printf(out, "%-22s %14s\n%-22s %14s\n", "first date", date_write(first, all->first_date), "last date",
                      date_write(last, all->last_date));
    }
    write_line(out, "players", all->info.players, 0);
    write_line(out, "events", all->info.events, 0);
    write_line(out, "sites", all->info.sites, 0);
    write_line(out, "positions", all->info.positions, 0);
    write_line(out, "moves of positions", all->info.position_moves, 0);
    write_line(out, "games in statistics", all->info.indexed_games, 0);
    write_line(out, "bytes", all->info.bytes, 0);
}

static void write_json(buffer *text, const totals *all) {
    json out = {.text = text};
    json_open_lines(&out, '{');
    json_count(&out, "games", all->games);
    json_count(&out, "white", all->results[LUFT_RESULT_WHITE]);
    json_count(&out, "draws", all->results[LUFT_RESULT_DRAW]);
    json_count(&out, "black", all->results[LUFT_RESULT_BLACK]);
    json_count(&out, "plies", all->plies);
    json_count(&out, "rated", all->rated);
    json_count(&out, "players", all->info.players);
    json_count(&out, "events", all->info.events);
    json_count(&out, "sites", all->info.sites);
    json_count(&out, "positions", all->info.positions);
    json_count(&out, "position_moves", all->info.position_moves);
    json_count(&out, "indexed_games", all->info.indexed_games);
    json_count(&out, "bytes", all->info.bytes);
    json_close(&out, '}');
    buffer_append_text(text, "\n");
}

int db_stats(int argc, char **argv) {
    const char *path = NULL;
    bool as_json = false;
    db_filter_arguments arguments = {0};
    luft_database_filter filter;
    totals all = {0};
    buffer text = {0};
    int status;
    option options[DB_FILTER_OPTIONS + 1] = {option_flag("json", "print JSON", &as_json)};
    db_filter_options(options + 1, &arguments);
    const option operands[] = {{.name = "DATABASE", .help = "the file", .text = &path, .required = true}};
    const option_table table = {.command = NAME,
                                .usage = "[options] DATABASE",
                                .about = about,
                                .options = options,
                                .option_count = DB_FILTER_OPTIONS + 1,
                                .operands = operands,
                                .operand_count = 1};
    if (!options_read(&table, argc, argv, &status)) {
        return status;
    }
    luft_database *database = NULL;
    if (!db_filter_read(&filter, NAME, &arguments) || !(database = db_open(NAME, path, LUFT_DATABASE_READ))) {
        return STATUS_USAGE;
    }
    luft_error error = luft_database_get_info(&all.info, database);
    error = error == LUFT_OK ? count_games(&all, database, &filter) : error;
    if (error != LUFT_OK) {
        output_error(NAME, "%s: %s", path, luft_error_string(error));
        luft_database_free(database);
        return STATUS_FAILED;
    }
    luft_database_free(database);
    if (as_json) {
        write_json(&text, &all);
    } else {
        write_text(&text, &all);
    }
    const bool is_written = output_write(NAME, stdout, &text);
    buffer_free(&text);
    return is_written ? STATUS_OK : STATUS_FAILED;
}
