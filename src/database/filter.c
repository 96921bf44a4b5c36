/* SPDX-License-Identifier: MIT */
/* Filters of games; see filter.h. */
#include "database/filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Texts ----------------------------------------------------------------- */

static char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char)(letter + ('a' - 'A')) : letter;
}

bool filter_contains(const char *text, size_t length, const char *part) {
    const size_t size = strlen(part);
    for (size_t start = 0; start + size <= length; start++) {
        size_t same = 0;
        while (same < size && lower(text[start + same]) == lower(part[same])) {
            same++;
        }
        if (same == size) {
            return true;
        }
    }
    return false;
}

/* --- Time controls --------------------------------------------------------- */

static bool read_seconds(long *seconds, const char **text, const char *end) {
    const char *start = *text;
    for (*seconds = 0; *text < end && **text >= '0' && **text <= '9' && *seconds < 10000000; (*text)++) {
        *seconds = 10 * *seconds + (**text - '0');
    }
    return *text > start;
}

/* The time for 40 moves, from "300+3", "300" or "40/7200:3600"; -1 for other texts. */
static long time_of(const char *text, size_t length) {
    const char *end = text + length;
    const char *slash = memchr(text, '/', length);
    const char *next = slash ? slash + 1 : text;
    long base, increment = 0;
    if (!read_seconds(&base, &next, end)) {
        return -1;
    }
    if (next < end && *next == '+') {
        next++;
        read_seconds(&increment, &next, end);
    }
    return base + 40 * increment;
}

/* Does the value of the tag have this time control, a class of speed or the value itself? */
static bool time_matches(const char *value, size_t length, const char *wanted) {
    static const struct {
        const char *name;
        long from, to;
    } classes[] = {{"bullet", 0, 179}, {"blitz", 180, 479}, {"rapid", 480, 1499}, {"classical", 1500, 1L << 40}};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (strcmp(wanted, classes[i].name) == 0) {
            const long time = time_of(value, length);
            return time >= classes[i].from && time <= classes[i].to;
        }
    }
    return strlen(wanted) == length && memcmp(value, wanted, length) == 0;
}

/* --- Sets of names --------------------------------------------------------- */

/* The numbers of the names of a table that match. */
static luft_error make_set(name_set *set, sqlite3 *handle, const char *table, const char *wanted,
                           bool (*matches)(const char *, size_t, const char *)) {
    char text[96];
    sqlite3_stmt *rows = NULL;
    int64_t last = 0, previous = INT64_MIN; /* a damaged file may lead in circles */
    int code = SQLITE_DONE;
    if (!wanted) {
        return LUFT_OK;
    }
    snprintf(text, sizeof text, "SELECT ifnull(max(id), 0) FROM %s", table);
    luft_error error = sql_number(&last, handle, text);
    if (error == LUFT_OK && (last < 0 || last > UINT32_MAX)) {
        error = LUFT_ERROR_DAMAGED;
    }
    if (error == LUFT_OK) {
        set->limit = (uint64_t)last + 1;
        set->bits = calloc(1, set->limit / 8 + 1);
        snprintf(text, sizeof text, "SELECT id, name FROM %s", table);
        error = set->bits ? sql_prepare(&rows, handle, text) : LUFT_ERROR_MEMORY;
    }
    while (error == LUFT_OK && (code = sqlite3_step(rows)) == SQLITE_ROW) {
        const int64_t id = sqlite3_column_int64(rows, 0);
        const char *name = sqlite3_column_blob(rows, 1);
        if (id <= previous) {
            error = LUFT_ERROR_DAMAGED;
            break;
        }
        previous = id;
        if (id > 0 && id <= last && matches(name ? name : "", (size_t)sqlite3_column_bytes(rows, 1), wanted)) {
            set->bits[id / 8] |= (uint8_t)(1 << id % 8);
        }
    }
    sqlite3_finalize(rows);
    return error == LUFT_OK ? sql_error(code) : error;
}

static bool has(const name_set *set, uint32_t number) {
    return number < set->limit && set->bits[number / 8] >> number % 8 & 1;
}

static char *copy_text(const char *text) {
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

/* --- The filter ------------------------------------------------------------ */

/* Reads "B9", "B90" or "B90-B99". */
static bool read_eco(game_filter *it, const char *text) {
    const char *dash = strchr(text, '-');
    const char *second = dash ? dash + 1 : text;
    const size_t first_length = dash ? (size_t)(dash - text) : strlen(text), second_length = strlen(second);
    if (first_length < 1 || first_length > 3 || second_length < 1 || second_length > 3) {
        return false;
    }
    memcpy(it->eco_first, "A00", 4);
    memcpy(it->eco_last, "E99", 4);
    memcpy(it->eco_first, text, first_length);
    memcpy(it->eco_last, second, second_length);
    return true;
}

/* Unknown parts of the last date mean all of the year or month. */
static int last_date(int date) {
    const int with_month = date > 0 && date / 100 % 100 == 0 ? date + 1200 : date;
    return with_month > 0 && with_month % 100 == 0 ? with_month + 31 : with_month;
}

luft_error filter_init(game_filter *it, sqlite3 *handle, const luft_database_filter *wanted) {
    static const luft_database_filter all = {0};
    const luft_database_filter *from = wanted ? wanted : &all;
    *it = (game_filter){.wanted = *from};
    it->wanted.to_date = last_date(from->to_date);
    const struct {
        name_set *set;
        const char *table, *wanted;
        bool (*matches)(const char *, size_t, const char *);
    } sets[] = {{&it->player, "players", from->player, filter_contains},
                {&it->white, "players", from->white, filter_contains},
                {&it->black, "players", from->black, filter_contains},
                {&it->event, "events", from->event, filter_contains},
                {&it->site, "sites", from->site, filter_contains},
                {&it->time_control, "texts", from->time_control, time_matches}};
    luft_error error = from->eco && !read_eco(it, from->eco) ? LUFT_ERROR_ARGUMENT : LUFT_OK;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0] && error == LUFT_OK; i++) {
        error = make_set(sets[i].set, handle, sets[i].table, sets[i].wanted, sets[i].matches);
    }
    if (error == LUFT_OK && from->site && !(it->site_text = copy_text(from->site))) {
        error = LUFT_ERROR_MEMORY;
    }
    return error;
}

void filter_free(game_filter *it) {
    name_set *const sets[] = {&it->player, &it->white, &it->black, &it->event, &it->site, &it->time_control};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        free(sets[i]->bits);
    }
    free(it->site_text);
    *it = (game_filter){0};
}

static bool names_pass(const game_filter *it, const luft_database_game *game, luft_database_text site) {
    const luft_database_filter *wanted = &it->wanted;
    if (it->player.bits) {
        const bool white = has(&it->player, game->player[LUFT_WHITE]),
                   black = has(&it->player, game->player[LUFT_BLACK]);
        if (wanted->player_has_color ? !(wanted->player_color == LUFT_WHITE ? white : black) : !white && !black) {
            return false;
        }
    }
    if ((it->white.bits && !has(&it->white, game->player[LUFT_WHITE])) ||
        (it->black.bits && !has(&it->black, game->player[LUFT_BLACK])) ||
        (it->event.bits && !has(&it->event, game->event)) ||
        (it->time_control.bits && !has(&it->time_control, game->time_control))) {
        return false;
    }
    return !it->site.bits ||
           (game->site ? has(&it->site, game->site) : filter_contains(site.text, site.length, it->site_text));
}

bool filter_passes(const game_filter *it, const luft_database_game *game, luft_database_text site) {
    const luft_database_filter *wanted = &it->wanted;
    const int lower_rating = game->rating[0] < game->rating[1] ? game->rating[0] : game->rating[1];
    const int higher_rating = game->rating[0] > game->rating[1] ? game->rating[0] : game->rating[1];
    if ((wanted->min_rating > 0 && lower_rating < wanted->min_rating) ||
        (wanted->max_rating > 0 && (lower_rating == 0 || higher_rating > wanted->max_rating))) {
        return false;
    }
    if ((wanted->from_date > 0 && game->date < wanted->from_date) ||
        (wanted->to_date > 0 && (game->date == 0 || game->date > wanted->to_date))) {
        return false;
    }
    if ((wanted->results && !(wanted->results >> game->result & 1)) || game->plies < wanted->min_plies ||
        (wanted->max_plies > 0 && game->plies > wanted->max_plies)) {
        return false;
    }
    if (it->eco_first[0] && (memcmp(game->eco, it->eco_first, 3) < 0 || memcmp(game->eco, it->eco_last, 3) > 0)) {
        return false;
    }
    return names_pass(it, game, site);
}
