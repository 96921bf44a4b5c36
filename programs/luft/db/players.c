/* SPDX-License-Identifier: MIT */
/* `luft db players`: the score of each player, by colour, and by opening for one player. */
#include "commands.h"
#include "common.h"

#include "util/json.h"
#include "util/output.h"
#include "util/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME "luft db players"

static const char about[] =
    "Prints players with their games, results, score and performance, those with most games first. With --openings,\n"
    "prints the same by ECO code and colour for the players whose name contains NAME (--player).\n";

enum { ECO_COUNT = 501, MAX_DIFFERENCE = 800 }; /* A00 to E99, and one for games without a code */

/* Games as one of the players sees them. */
typedef struct score {
    uint64_t games, won, drawn, lost;
    uint64_t rated, opponents; /* games with a result and a rated opponent; the sum of those ratings */
    uint64_t points;           /* in those: 2 for a win, 1 for a draw */
} score;

typedef struct player {
    uint32_t number;
    score by_color[2];
} player;

typedef struct listing {
    const char *path;
    luft_database *database;
    luft_database_cursor *cursor;
    uint64_t limit, min_games;
    bool as_json, by_opening;
    player *players; /* by number, or by ECO code */
    size_t count;
} listing;

static void add_game(score *to, const luft_database_game *game, luft_color us) {
    const luft_result won = us == LUFT_WHITE ? LUFT_RESULT_WHITE : LUFT_RESULT_BLACK;
    const luft_result lost = us == LUFT_WHITE ? LUFT_RESULT_BLACK : LUFT_RESULT_WHITE;
    to->games++;
    to->won += game->result == won;
    to->drawn += game->result == LUFT_RESULT_DRAW;
    to->lost += game->result == lost;
    if (game->rating[us ^ 1] > 0 && game->result >= LUFT_RESULT_WHITE && game->result <= LUFT_RESULT_DRAW) {
        to->rated++;
        to->opponents += game->rating[us ^ 1];
        to->points += game->result == won ? 2 : game->result == LUFT_RESULT_DRAW;
    }
}

static score both(const player *one) {
    const score *a = &one->by_color[0], *b = &one->by_color[1];
    return (score){a->games + b->games,  a->won + b->won,     a->drawn + b->drawn,
                   a->lost + b->lost,    a->rated + b->rated, a->opponents + b->opponents,
                   a->points + b->points};
}

/* --- Counting --------------------------------------------------------------- */

static size_t eco_number(const char *eco) {
    return eco[0] == '\0' ? 0 : 1 + (size_t)(eco[0] - 'A') * 100 + (size_t)(eco[1] - '0') * 10 + (size_t)(eco[2] - '0');
}

/* The row in which a side of the game counts; `count` for none. */
static size_t row_of(const listing *it, const luft_database_game *game, luft_color us) {
    const size_t row = it->by_opening ? eco_number(game->eco) : game->player[us];
    return row < it->count ? row : it->count;
}

static luft_error count_games(listing *it, const luft_database_filter *filter) {
    luft_error error = LUFT_OK;
    for (luft_color us = LUFT_WHITE; us <= LUFT_BLACK && error == LUFT_OK; us++) {
        luft_database_filter of_color = *filter;
        luft_database_game game;
        if (filter->player_has_color && filter->player_color != us) {
            continue;
        }
        of_color.player_color = us;
        of_color.player_has_color = filter->player != NULL;
        luft_database_cursor_free(it->cursor);
        it->cursor = NULL;
        error = luft_database_cursor_create(&it->cursor, it->database, &of_color);
        while (error == LUFT_OK && (error = luft_database_cursor_next(&game, it->cursor)) == LUFT_OK) {
            const size_t row = row_of(it, &game, us);
            if (row < it->count) {
                it->players[row].number = (uint32_t)row;
                add_game(&it->players[row].by_color[us], &game, us);
            }
        }
        error = error == LUFT_ERROR_END ? LUFT_OK : error;
    }
    return error;
}

static int compare(const void *a, const void *b) {
    const player *first = a, *second = b;
    const uint64_t of_first = both(first).games, of_second = both(second).games;
    if (of_first != of_second) {
        return of_first < of_second ? 1 : -1;
    }
    return (first->number > second->number) - (first->number < second->number);
}

/* --- Printing --------------------------------------------------------------- */

static double score_percent(const score *of) {
    const uint64_t decided = of->won + of->drawn + of->lost;
    return decided ? 50 * (double)(2 * of->won + of->drawn) / (double)decided : 0;
}

/* The rating at which the score is expected; 0 if unknown. */
static int performance(const score *of) {
    if (of->rated == 0) {
        return 0;
    }
    const double share = (double)of->points / (2 * (double)of->rated);
    double difference = share <= 0 ? -MAX_DIFFERENCE : share >= 1 ? MAX_DIFFERENCE : 400 * log10(share / (1 - share));
    difference = difference > MAX_DIFFERENCE    ? MAX_DIFFERENCE
                 : difference < -MAX_DIFFERENCE ? -MAX_DIFFERENCE
                                                : difference;
    return (int)lround((double)of->opponents / (double)of->rated + difference);
}

static luft_error append_name(buffer *name, listing *it, const player *one) {
    buffer_clear(name);
    if (it->by_opening) {
        const unsigned number = one->number - 1;
        if (one->number == 0) {
            buffer_append_text(name, "-");
        } else {
            buffer_printf(name, "%c%02u", (char)('A' + number / 100), number % 100);
        }
        return LUFT_OK;
    }
    luft_database_text text;
    const luft_error error = luft_database_cursor_name(&text, it->cursor, LUFT_DATABASE_PLAYER, one->number);
    if (error == LUFT_OK) {
        buffer_append_readable(name, text.text, text.length);
    }
    return error;
}

static void write_text(buffer *out, const buffer *name, const player *one) {
    const score all = both(one);
    buffer_printf(out, "%7" PRIu64 " %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %6.1f %6.1f %6.1f  ", all.games, all.won,
                  all.drawn, all.lost, score_percent(&all), score_percent(&one->by_color[LUFT_WHITE]),
                  score_percent(&one->by_color[LUFT_BLACK]));
    if (all.rated > 0) {
        buffer_printf(out, "%5d  ", performance(&all));
    } else {
        buffer_append_text(out, "    -  ");
    }
    buffer_append(out, name->data, name->length);
    buffer_append_text(out, "\n");
}

static void write_json_score(json *out, const score *of) {
    json_open(out, '{');
    json_count(out, "games", of->games);
    json_count(out, "won", of->won);
    json_count(out, "drawn", of->drawn);
    json_count(out, "lost", of->lost);
    if (of->rated > 0) {
        json_key(out, "performance");
        json_integer(out, performance(of));
    }
    json_close(out, '}');
}

static void write_json(buffer *text, const buffer *name, const listing *it, const player *one) {
    json out = {.text = text};
    const score all = both(one);
    json_open(&out, '{');
    json_key(&out, it->by_opening ? "eco" : "player");
    json_bytes(&out, name->data, name->length);
    json_key(&out, "all");
    write_json_score(&out, &all);
    json_key(&out, "white");
    write_json_score(&out, &one->by_color[LUFT_WHITE]);
    json_key(&out, "black");
    write_json_score(&out, &one->by_color[LUFT_BLACK]);
    json_close(&out, '}');
    buffer_append_text(text, "\n");
}

static int print(listing *it) {
    buffer text = {0}, name = {0};
    luft_error error = LUFT_OK;
    uint64_t printed = 0;
    qsort(it->players, it->count, sizeof *it->players, compare);
    if (!it->as_json) {
        buffer_append_text(&text, "  games    won  drawn   lost  score  White  Black   perf  ");
        buffer_append_text(&text, it->by_opening ? "opening\n" : "player\n");
    }
    for (size_t i = 0; i < it->count && printed < it->limit && error == LUFT_OK; i++) {
        const uint64_t games = both(&it->players[i]).games;
        if (games == 0 || games < it->min_games) {
            continue;
        }
        error = append_name(&name, it, &it->players[i]);
        if (it->as_json) {
            write_json(&text, &name, it, &it->players[i]);
        } else {
            write_text(&text, &name, &it->players[i]);
        }
        printed++;
    }
    if (error != LUFT_OK) {
        output_error(NAME, "%s: %s", it->path, luft_error_string(error));
    }
    const bool good = error == LUFT_OK && output_write(NAME, stdout, &text);
    buffer_free(&text);
    buffer_free(&name);
    return good ? STATUS_OK : STATUS_FAILED;
}

static int run(listing *it, const luft_database_filter *filter) {
    luft_database_info info;
    luft_error error = luft_database_get_info(&info, it->database);
    if (error == LUFT_OK) {
        it->count = it->by_opening ? ECO_COUNT : (size_t)info.players + 1;
        it->players = calloc(it->count, sizeof *it->players);
        error = it->players ? count_games(it, filter) : LUFT_ERROR_MEMORY;
    }
    if (error != LUFT_OK) {
        output_error(NAME, "%s: %s", it->path, luft_error_string(error));
    }
    const int status = error == LUFT_OK ? print(it) : STATUS_FAILED;
    luft_database_cursor_free(it->cursor);
    free(it->players);
    return status;
}

int db_players(int argc, char **argv) {
    listing it = {.limit = 20};
    db_filter_arguments arguments = {0};
    luft_database_filter filter;
    int status;
    option options[DB_FILTER_OPTIONS + 4] = {
        option_flag("openings", "print the openings of the players of --player", &it.by_opening),
        option_number("limit", "N", "print the first N lines (default 20)", &it.limit, 1, UINT64_MAX),
        option_number("min-games", "N", "leave out players with fewer than N games", &it.min_games, 0, UINT64_MAX),
        option_flag("json", "print an object a line", &it.as_json),
    };
    db_filter_options(options + 4, &arguments);
    const option operands[] = {{.name = "DATABASE", .help = "the file", .text = &it.path, .required = true}};
    const option_table table = {.command = NAME,
                                .usage = "[options] DATABASE",
                                .about = about,
                                .options = options,
                                .option_count = DB_FILTER_OPTIONS + 4,
                                .operands = operands,
                                .operand_count = 1};
    if (!options_read(&table, argc, argv, &status)) {
        return status;
    }
    if (!db_filter_read(&filter, NAME, &arguments)) {
        return STATUS_USAGE;
    }
    if (it.by_opening && !filter.player) {
        output_error(NAME, "option --openings needs --player");
        return STATUS_USAGE;
    }
    if (!(it.database = db_open(NAME, it.path, LUFT_DATABASE_READ))) {
        return STATUS_USAGE;
    }
    status = run(&it, &filter);
    luft_database_free(it.database);
    return status;
}
