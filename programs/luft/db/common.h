/* SPDX-License-Identifier: MIT */
/* What the subcommands of `luft db` share: opening databases with an error line, filters, names and long work. */
#ifndef LUFT_PROGRAM_DB_COMMON_H
#define LUFT_PROGRAM_DB_COMMON_H

#include "luft/database.h"
#include "luft/luft.h"

#include "util/buffer.h"
#include "util/interrupt.h"
#include "util/options.h"
#include "util/progress.h"
#include "util/text.h"

/* Opens a database. NULL after an error line. */
luft_database *db_open(const char *command, const char *path, luft_database_mode mode);

/* Prints why a call failed, by the reason of the database. Returns STATUS_FAILED. */
int db_failed(const char *command, const char *path, const luft_database *database);

/* --- Filters ---------------------------------------------------------------- */

/* The arguments of a filter. */
typedef struct db_filter_arguments {
    const char *player, *white, *black, *event, *site, *time_control, *eco, *from, *to;
    uint64_t min_rating, max_rating, min_plies, max_plies;
    int result, color;
} db_filter_arguments;

#define DB_FILTER_OPTIONS 15

/* Fills in the options of a filter, DB_FILTER_OPTIONS of them; arguments that are not given stay zeros. */
void db_filter_options(option options[DB_FILTER_OPTIONS], db_filter_arguments *arguments);

/* Turns the arguments into a filter. False after an error line. */
bool db_filter_read(luft_database_filter *filter, const char *command, const db_filter_arguments *arguments);

/* Is there any condition? */
bool db_filter_is_set(const luft_database_filter *filter);

/* --- Names ------------------------------------------------------------------ */

/* A game in one line: players with ratings, result, date, event, number. False if the database cannot be read. */
bool db_describe_game(buffer *out, luft_database_cursor *cursor, const luft_database_game *game);

/* A name as text for people. */
bool db_append_name(buffer *out, luft_database_cursor *cursor, luft_database_name_kind kind, uint32_t number);

/* A count with commas between the thousands. Returns `text`. */
static inline const char *db_count(char text[TEXT_COUNT_SIZE], uint64_t count) {
    return text_count(text, (luft_count){count, 0}, true);
}

/* --- Long work --------------------------------------------------------------- */

/* A piece of work that a signal stops, so that the database is left as it was, with a line of progress. */
typedef struct db_work {
    interrupt signals;
    atomic_int signal; /* that came; 0 for none */
    progress line;
    uint64_t goal; /* units */
    bool quiet;
} db_work;

void db_work_start(db_work *work, bool quiet);

/* Ends it. Ends the program too if a signal came. */
void db_work_stop(db_work *work);

/* From here on progress counts to `goal` of these units. */
void db_work_goal(db_work *work, const char *unit, uint64_t goal);

static inline bool db_work_is_stopped(db_work *work) {
    return atomic_load(&work->signal) != 0;
}

/* A luft_database_progress with a db_work as payload. */
bool db_work_progress(void *payload, double done);

#endif
