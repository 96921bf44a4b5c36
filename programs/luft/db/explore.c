/* SPDX-License-Identifier: MIT */
/* `luft db explore`: the moves that were played in a position, with results, ratings and the best games. */
#include "commands.h"
#include "common.h"
#include "db_json.h"

#include "util/output.h"
#include "util/processors.h"
#include "util/setup.h"
#include "util/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME "luft db explore"

static const char about[] =
    "Prints the moves that were played in a position: games, share, results (# White, = draw, . Black), the average\n"
    "rating of the side to move, its performance, and when it was last played. Then the games of the highest\n"
    "rated players. Without FEN the position is the start of a game.\n";

enum { BAR_WIDTH = 20 };

typedef struct exploring {
    const char *path, *fen, *moves;
    bool as_json;
    uint64_t limit, threads;
    luft_database *database;
    luft_position position;
    luft_database_statistics statistics;
} exploring;

/* --- Text ------------------------------------------------------------------- */

/* Three parts of a bar, in proportion; they add up to the whole. */
static void append_bar(buffer *out, const luft_database_move *move) {
    const uint64_t decided = move->white + move->draws + move->black;
    const uint64_t first = decided ? (move->white * BAR_WIDTH + decided / 2) / decided : 0;
    const uint64_t second = decided ? ((move->white + move->draws) * BAR_WIDTH + decided / 2) / decided : 0;
    for (uint64_t i = 0; i < BAR_WIDTH; i++) {
        buffer_append_text(out, !decided ? " " : i < first ? "#" : i < second ? "=" : ".");
    }
}

static unsigned percent(uint64_t part, uint64_t whole) {
    return whole ? (unsigned)((200 * part + whole) / (2 * whole)) : 0;
}

static void append_move(buffer *out, const char *name, const luft_database_move *move, uint64_t all) {
    const uint64_t decided = move->white + move->draws + move->black;
    char games[TEXT_COUNT_SIZE];
    buffer_printf(out, "%-8s %10s %5.1f %%  ", name, db_count(games, move->games),
                  all ? 100 * (double)move->games / (double)all : 0.0);
    append_bar(out, move);
    buffer_printf(out, " %3u %3u %3u", percent(move->white, decided), percent(move->draws, decided),
                  percent(move->black, decided));
    if (move->rated > 0) {
        buffer_printf(out, "  %4u  %4d  ", move->rating, move->performance);
    } else {
        buffer_append_text(out, "     -     -  ");
    }
    db_append_date(out, move->last_date);
    buffer_append_text(out, "\n");
}

static void write_moves(buffer *out, const exploring *it) {
    const luft_database_statistics *found = &it->statistics;
    buffer_printf(out, "%-8s %10s %7s  %-*s %3s %3s %3s  %4s  %4s  %s\n", "move", "games", "share", BAR_WIDTH,
                  "results", "1-0", "1/2", "0-1", "elo", "perf", "last");
    for (uint32_t i = 0; i < found->move_count && i < it->limit; i++) {
        char san[LUFT_SAN_SIZE] = "--";
        if (found->moves[i].move != LUFT_MOVE_NONE) {
            luft_move_to_san(san, sizeof san, &it->position, found->moves[i].move);
        }
        append_move(out, san, &found->moves[i], found->total.games);
    }
    append_move(out, "all", &found->total, found->total.games);
    if (found->ended > 0) {
        buffer_printf(out, "%" PRIu64 " more ended here\n", found->ended);
    }
}

static luft_error write_best(buffer *out, const exploring *it, luft_database_cursor *cursor) {
    luft_error error = LUFT_OK;
    for (uint32_t i = 0; i < it->statistics.best_count && error == LUFT_OK; i++) {
        luft_database_game game;
        error = luft_database_cursor_seek(&game, cursor, it->statistics.best[i]);
        if (error == LUFT_OK) {
            buffer_append_text(out, i == 0 ? "\n" : "");
            error = db_describe_game(out, cursor, &game) ? LUFT_OK : LUFT_ERROR_DAMAGED;
            buffer_append_text(out, "\n");
        }
    }
    return error;
}

/* --- The command ------------------------------------------------------------ */

static int run(exploring *it, const luft_database_filter *filter) {
    buffer text = {0};
    luft_database_cursor *cursor = NULL;
    luft_error error = luft_database_explore(&it->statistics, it->database, &it->position, filter, (int)it->threads);
    error = error == LUFT_OK ? luft_database_cursor_create(&cursor, it->database, NULL) : error;
    if (error != LUFT_OK) {
        return db_failed(NAME, it->path, it->database);
    }
    if (it->as_json) {
        json out = {.text = &text};
        error = db_json_statistics(&out, &it->statistics, &it->position, (uint32_t)it->limit, cursor);
        buffer_append_text(&text, "\n");
    } else {
        write_moves(&text, it);
        error = write_best(&text, it, cursor);
    }
    luft_database_cursor_free(cursor);
    if (error != LUFT_OK) {
        output_error(NAME, "%s: %s", it->path, luft_error_string(error));
    }
    const bool good = error == LUFT_OK && output_write(NAME, stdout, &text);
    buffer_free(&text);
    return good ? STATUS_OK : STATUS_FAILED;
}

int db_explore(int argc, char **argv) {
    exploring *it = calloc(1, sizeof *it);
    db_filter_arguments arguments = {0};
    luft_database_filter filter;
    int status;
    if (!it) {
        output_error(NAME, "out of memory");
        return STATUS_FAILED;
    }
    it->limit = LUFT_MAX_MOVES + 1;
    it->threads = processors_count(4);
    option options[DB_FILTER_OPTIONS + 4] = {
        option_text("moves", "MOVES", "play these moves first, in SAN or UCI notation", &it->moves),
        option_number("limit", "N", "print the N moves with most games only", &it->limit, 1, LUFT_MAX_MOVES + 1),
        option_flag("json", "print JSON", &it->as_json),
        option_number("threads", "N", "read games with N threads, 1 to 64 (default: one for each processor, at most 4)",
                      &it->threads, 1, LUFT_DATABASE_MAX_THREADS),
    };
    db_filter_options(options + 4, &arguments);
    const option operands[] = {
        {.name = "DATABASE", .help = "the file", .text = &it->path, .required = true},
        {.name = "FEN", .help = "the position (default: the start of a game)", .text = &it->fen}};
    const option_table table = {.command = NAME,
                                .usage = "[options] DATABASE [FEN]",
                                .about = about,
                                .options = options,
                                .option_count = DB_FILTER_OPTIONS + 4,
                                .operands = operands,
                                .operand_count = 2};
    if (options_read(&table, argc, argv, &status)) {
        status = STATUS_USAGE;
        if (db_filter_read(&filter, NAME, &arguments) &&
            setup_position(&it->position, NAME, "FEN", it->fen, it->moves) &&
            (it->database = db_open(NAME, it->path, LUFT_DATABASE_READ))) {
            status = run(it, db_filter_is_set(&filter) ? &filter : NULL);
            luft_database_free(it->database);
        }
    }
    free(it);
    return status;
}
