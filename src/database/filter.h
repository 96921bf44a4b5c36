/* SPDX-License-Identifier: MIT */
/* The conditions of a luft_database_filter, with names turned into sets of numbers so that games are tested fast. */
#ifndef LUFT_DATABASE_FILTER_H
#define LUFT_DATABASE_FILTER_H

#include "database/sql.h"

#include "luft/database.h"

/* A set of numbers of names. */
typedef struct name_set {
    uint8_t *bits;  /* NULL if there is no condition */
    uint64_t limit; /* all members are below it */
} name_set;

typedef struct game_filter {
    luft_database_filter wanted; /* without its texts */
    name_set player, white, black, event, site, time_control;
    char *site_text;                /* for games that store their site */
    char eco_first[4], eco_last[4]; /* empty for no condition */
} game_filter;

/* LUFT_ERROR_ARGUMENT for an ECO range or a time control that cannot be read. Call filter_free whatever it returns. */
luft_error filter_init(game_filter *it, sqlite3 *handle, const luft_database_filter *wanted);
void filter_free(game_filter *it);

/* Does a game pass? `site` is its text if it stores one itself. */
bool filter_passes(const game_filter *it, const luft_database_game *game, luft_database_text site);

/* Is a part of the text this one? Ignores the case of ASCII letters. */
bool filter_contains(const char *text, size_t length, const char *part);

#endif
