/* SPDX-License-Identifier: MIT */
/* What the subcommands of `luft db` share; see common.h. */
#include "common.h"

#include "util/date.h"
#include "util/output.h"
#include "util/text.h"

#include <inttypes.h>
#include <string.h>

luft_database *db_open(const char *command, const char *path, luft_database_mode mode) {
    char reason[LUFT_DATABASE_REASON_SIZE];
    luft_database *database = NULL;
    if (luft_database_open(&database, path, mode, reason) != LUFT_OK) {
        char quoted[TEXT_QUOTED_SIZE];
        output_error(command, "%s: %s", text_quote(quoted, path, strlen(path)), reason);
        return NULL;
    }
    return database;
}

int db_failed(const char *command, const char *path, const luft_database *database) {
    char quoted[TEXT_QUOTED_SIZE];
    output_error(command, "%s: %s", text_quote(quoted, path, strlen(path)), luft_database_reason(database));
    return STATUS_FAILED;
}

/* --- Filters ---------------------------------------------------------------- */

/* In the order of luft_result. */
static const char *const results[] = {"any", "1-0", "0-1", "1/2-1/2", "*", NULL};
static const char *const colors[] = {"either", "white", "black", NULL};

void db_filter_options(option options[DB_FILTER_OPTIONS], db_filter_arguments *to) {
    const option all[DB_FILTER_OPTIONS] = {
        option_text("player", "NAME", "match games of players whose name contains NAME", &to->player),
        option_choice("color", "COLOR", "with --player: the colour of that player, either, white or black", &to->color,
                      colors),
        option_text("white", "NAME", "match games in which the name of White contains NAME", &to->white),
        option_text("black", "NAME", "match games in which the name of Black contains NAME", &to->black),
        option_text("event", "NAME", "match games whose event contains NAME", &to->event),
        option_text("site", "NAME", "match games whose site contains NAME", &to->site),
        option_text("eco", "CODE", "match games with this ECO code, B9, B90 or B90-B99", &to->eco),
        option_text("time-control", "TEXT", "match bullet, blitz, rapid, classical, or the value of the tag",
                    &to->time_control),
        option_choice("result", "RESULT", "match games with this result, 1-0, 0-1, 1/2-1/2 or *", &to->result, results),
        option_text("from", "DATE", "match games since DATE, such as 2019 or 2019.05.04", &to->from),
        option_text("to", "DATE", "match games up to DATE", &to->to),
        option_number("min-rating", "N", "match games in which both players have a rating of at least N",
                      &to->min_rating, 0, 9999),
        option_number("max-rating", "N", "match games in which both players have a rating of at most N",
                      &to->max_rating, 0, 9999),
        option_number("min-plies", "N", "match games of at least N plies", &to->min_plies, 0, UINT32_MAX),
        option_number("max-plies", "N", "match games of at most N plies", &to->max_plies, 0, UINT32_MAX),
    };
    memcpy(options, all, sizeof all);
}

static bool read_date(int *date, const char *command, const char *name, const char *text) {
    if (text && (!date_read(date, text, strlen(text)) || *date < 10000)) {
        char quoted[TEXT_QUOTED_SIZE];
        output_error(command, "option --%s: expected a date such as 2019, 2019.05 or 2019.05.04, got %s", name,
                     text_quote(quoted, text, strlen(text)));
        return false;
    }
    return true;
}

static bool is_eco(const char *text) {
    const char *dash = strchr(text, '-');
    const size_t first = dash ? (size_t)(dash - text) : strlen(text), second = dash ? strlen(dash + 1) : 1;
    return first >= 1 && first <= 3 && second >= 1 && second <= 3 && strspn(text, "ABCDE0123456789-") == strlen(text);
}

bool db_filter_read(luft_database_filter *filter, const char *command, const db_filter_arguments *from) {
    *filter = (luft_database_filter){.player = from->player,
                                     .white = from->white,
                                     .black = from->black,
                                     .event = from->event,
                                     .site = from->site,
                                     .time_control = from->time_control,
                                     .eco = from->eco,
                                     .min_rating = (int)from->min_rating,
                                     .max_rating = (int)from->max_rating,
                                     .results = from->result ? 1u << from->result : 0,
                                     .min_plies = (uint32_t)from->min_plies,
                                     .max_plies = (uint32_t)from->max_plies,
                                     .player_color = from->color == 2 ? LUFT_BLACK : LUFT_WHITE,
                                     .player_has_color = from->color != 0};
    if (from->color != 0 && !from->player) {
        output_error(command, "option --color needs --player");
        return false;
    }
    if (from->eco && !is_eco(from->eco)) {
        char quoted[TEXT_QUOTED_SIZE];
        output_error(command, "option --eco: expected a code such as B9, B90 or B90-B99, got %s",
                     text_quote(quoted, from->eco, strlen(from->eco)));
        return false;
    }
    return read_date(&filter->from_date, command, "from", from->from) &&
           read_date(&filter->to_date, command, "to", from->to);
}

bool db_filter_is_set(const luft_database_filter *filter) {
    return filter->player || filter->white || filter->black || filter->event || filter->site || filter->time_control ||
           filter->eco || filter->min_rating || filter->max_rating || filter->from_date || filter->to_date ||
           filter->results || filter->min_plies || filter->max_plies || filter->first_game || filter->last_game;
}

/* --- Names ------------------------------------------------------------------ */

bool db_append_name(buffer *out, luft_database_cursor *cursor, luft_database_name_kind kind, uint32_t number) {
    luft_database_text name;
    if (luft_database_cursor_name(&name, cursor, kind, number) != LUFT_OK) {
        return false;
    }
    buffer_append_readable(out, name.text, name.length);
    return true;
}

static bool append_player(buffer *out, luft_database_cursor *cursor, const luft_database_game *game, luft_color color) {
    const bool good = db_append_name(out, cursor, LUFT_DATABASE_PLAYER, game->player[color]);
    if (game->rating[color] > 0) {
        buffer_printf(out, " (%u)", game->rating[color]);
    }
    return good;
}

bool db_describe_game(buffer *out, luft_database_cursor *cursor, const luft_database_game *game) {
    char date[DATE_TEXT_SIZE];
    bool good = append_player(out, cursor, game, LUFT_WHITE);
    buffer_append_text(out, " - ");
    good = good && append_player(out, cursor, game, LUFT_BLACK);
    buffer_printf(out, "  %s  %s  ", luft_result_string((luft_result)game->result), date_write(date, game->date));
    good = good && db_append_name(out, cursor, LUFT_DATABASE_EVENT, game->event);
    buffer_printf(out, "  [game %" PRIu64 "]", game->id);
    return good;
}

/* --- Long work --------------------------------------------------------------- */

static void on_signal(void *payload, int number) {
    db_work *work = payload;
    atomic_store(&work->signal, number);
}

void db_work_start(db_work *work, bool quiet) {
    *work = (db_work){.quiet = quiet};
    interrupt_start(&work->signals, on_signal, work);
}

void db_work_stop(db_work *work) {
    interrupt_stop(&work->signals);
    if (work->goal > 0) {
        progress_clear(&work->line);
    }
    if (db_work_is_stopped(work)) {
        interrupt_exit(atomic_load(&work->signal), NULL);
    }
}

void db_work_goal(db_work *work, const char *unit, uint64_t goal) {
    work->goal = goal;
    progress_start_goal(&work->line, unit, 0, goal);
}

bool db_work_progress(void *payload, double done) {
    db_work *work = payload;
    if (!work->quiet && work->goal > 0) {
        progress_set(&work->line, (uint64_t)(done * (double)work->goal));
    }
    return !db_work_is_stopped(work);
}
