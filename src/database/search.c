/* SPDX-License-Identifier: MIT */
/*
 * Searches games by a query. Threads take ranges of numbers in turn. What is cheap comes first: facts and the summary of
 * a row, then names, then the moves, which are replayed up to the first match.
 */
#include "database/cursor.h"
#include "database/database.h"

#include "luft/opening.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define RANGE 1024 /* games that a thread takes at once */
#define NAMES (LUFT_QUERY_PLAYERS | LUFT_QUERY_EVENT | LUFT_QUERY_SITE)

typedef struct search {
    luft_database *database;
    const luft_query *query;
    const luft_database_filter *filter;
    const luft_database_search_options *options;
    uint64_t first, last;
    atomic_uint_fast64_t next;  /* the first number that no thread has taken */
    atomic_uint_fast64_t found; /* matches so far */
    atomic_int error;
    pthread_mutex_t lock; /* guards the matches, and the reason in the database */
    luft_database_matches matches;
    pthread_t owner; /* the thread that called, which reports progress */
} search;

/* What a thread searches with. */
typedef struct searcher {
    const search *it;
    luft_database_cursor *cursor;
    luft_query_matcher *matcher;
    buffer names[4];
    buffer matches; /* luft_database_match */
} searcher;

/* --- One game --------------------------------------------------------------- */

/* Reads names of the game into the facts. */
static luft_error read_names(luft_query_facts *facts, searcher *me, const luft_database_game *game) {
    const unsigned needs = luft_query_needs(me->it->query);
    luft_query_text *const texts[4] = {&facts->player[LUFT_WHITE], &facts->player[LUFT_BLACK], &facts->event,
                                       &facts->site};
    luft_error error = LUFT_OK;
    for (int i = 0; i < 4 && error == LUFT_OK; i++) {
        luft_database_text name = {"", 0};
        if (i < 2 && needs & LUFT_QUERY_PLAYERS) {
            error = luft_database_cursor_name(&name, me->cursor, LUFT_DATABASE_PLAYER, game->player[i]);
        } else if (i == 2 && needs & LUFT_QUERY_EVENT) {
            error = luft_database_cursor_name(&name, me->cursor, LUFT_DATABASE_EVENT, game->event);
        } else if (i == 3 && needs & LUFT_QUERY_SITE) {
            error = cursor_site(&name, me->cursor);
        }
        buffer_clear(&me->names[i]);
        buffer_append(&me->names[i], name.text, name.length);
        *texts[i] = (luft_query_text){me->names[i].data, me->names[i].length};
        error = me->names[i].failed ? LUFT_ERROR_MEMORY : error;
    }
    return error;
}

/* Replays the game up to the first position that matches. */
static luft_error replay(bool *matches, uint32_t *ply, searcher *me, const luft_query_facts *facts,
                         const luft_database_game *game) {
    luft_database_replay moves;
    luft_error error = luft_database_replay_start(&moves, game);
    luft_query_begin(me->matcher, facts);
    while (error == LUFT_OK) {
        if (luft_query_feed(me->matcher, &moves.position, moves.ply == game->plies)) {
            *matches = true;
            *ply = moves.ply;
            return LUFT_OK;
        }
        error = luft_database_replay_next(&moves);
    }
    return error == LUFT_ERROR_END ? LUFT_OK : error;
}

/* A game without the tag has the code of the last of its positions that has a name, as in `luft pgn filter`. */
static luft_error find_eco(char eco[4], const luft_database_game *game) {
    luft_database_replay moves;
    luft_opening opening;
    luft_error error = luft_database_replay_start(&moves, game);
    while (error == LUFT_OK && moves.ply <= luft_opening_longest()) {
        if (luft_opening_of_position(&opening, &moves.position)) {
            memcpy(eco, opening.eco, 4);
        }
        error = luft_database_replay_next(&moves);
    }
    return error == LUFT_ERROR_END ? LUFT_OK : error;
}

/* Adds the game to the matches if it matches. */
static luft_error search_game(searcher *me, const luft_database_game *game) {
    const luft_query *query = me->it->query;
    luft_query_summary bounds;
    luft_query_facts facts = {.elo = {game->rating[LUFT_WHITE], game->rating[LUFT_BLACK]},
                              .date = game->date,
                              .result = (luft_result)game->result,
                              .plies = game->plies,
                              .pending =
                                  luft_query_needs(query) & (game->eco[0] == '\0' ? NAMES | LUFT_QUERY_ECO : NAMES),
                              .summary = &bounds};
    memcpy(facts.eco, game->eco, sizeof facts.eco);
    memcpy(bounds.min, game->min, sizeof bounds.min);
    memcpy(bounds.max, game->max, sizeof bounds.max);
    memcpy(bounds.pawns, game->pawns, sizeof bounds.pawns);
    bool matches = luft_query_possible(query, &facts);
    luft_error error = LUFT_OK;
    uint32_t ply = 0;
    if (matches && facts.pending) {
        error = facts.pending & LUFT_QUERY_ECO ? find_eco(facts.eco, game) : LUFT_OK;
        error = error == LUFT_OK ? read_names(&facts, me, game) : error;
        facts.pending = 0;
        matches = error == LUFT_OK && luft_query_possible(query, &facts);
    }
    if (matches && luft_query_needs(query) & LUFT_QUERY_POSITIONS) {
        matches = false;
        error = replay(&matches, &ply, me, &facts, game);
    }
    if (error == LUFT_OK && matches) {
        const luft_database_match match = {.game = game->id, .ply = ply};
        buffer_append(&me->matches, &match, sizeof match);
        error = me->matches.failed ? LUFT_ERROR_MEMORY : LUFT_OK;
    }
    return error;
}

/* --- Threads ---------------------------------------------------------------- */

static luft_error search_range(searcher *me, search *it, uint64_t first) {
    const size_t before = me->matches.length;
    luft_database_game game;
    luft_error error;
    cursor_set_range(me->cursor, first, first + RANGE - 1 < it->last ? first + RANGE - 1 : it->last);
    while ((error = luft_database_cursor_next(&game, me->cursor)) == LUFT_OK) {
        error = search_game(me, &game);
        if (error != LUFT_OK) {
            return error;
        }
    }
    atomic_fetch_add(&it->found, (me->matches.length - before) / sizeof(luft_database_match));
    return error == LUFT_ERROR_END ? LUFT_OK : error;
}

/* Progress is reported by the thread that called; false asks to stop. */
static bool report(const search *it, uint64_t done) {
    const luft_database_search_options *options = it->options;
    return !options->progress || !pthread_equal(pthread_self(), it->owner) ||
           options->progress(options->payload, (double)(done - it->first) / (double)(it->last - it->first + 1));
}

/* Ranges are taken in ascending order and finished, so the first matches are complete once there are enough. */
static luft_error search_ranges(searcher *me, search *it) {
    luft_error error = LUFT_OK;
    while (error == LUFT_OK && atomic_load(&it->error) == LUFT_OK &&
           (it->options->limit == 0 || atomic_load(&it->found) < it->options->limit)) {
        const uint64_t first = atomic_fetch_add(&it->next, RANGE);
        if (first > it->last) {
            break;
        }
        error = report(it, first) ? search_range(me, it, first) : LUFT_ERROR_STOPPED;
    }
    return error;
}

/* Adds the matches of a thread to those of all. */
static luft_error collect(search *it, const buffer *found) {
    const size_t bytes = it->matches.count * sizeof *it->matches.matches;
    if (found->length == 0) {
        return LUFT_OK;
    }
    luft_database_match *matches = realloc(it->matches.matches, bytes + found->length);
    if (!matches) {
        return LUFT_ERROR_MEMORY;
    }
    memcpy((char *)matches + bytes, found->data, found->length);
    it->matches.matches = matches;
    it->matches.count += found->length / sizeof *matches;
    return LUFT_OK;
}

static void *run_searcher(void *argument) {
    search *it = argument;
    searcher me = {.it = it};
    luft_error error = luft_query_matcher_create(&me.matcher, it->query);
    pthread_mutex_lock(&it->lock);
    error = error == LUFT_OK ? luft_database_cursor_create(&me.cursor, it->database, it->filter) : error;
    pthread_mutex_unlock(&it->lock);
    error = error == LUFT_OK ? search_ranges(&me, it) : error;
    pthread_mutex_lock(&it->lock);
    error = error == LUFT_OK ? collect(it, &me.matches) : error;
    if (error != LUFT_OK && atomic_load(&it->error) == LUFT_OK) {
        atomic_store(&it->error, (int)error);
    }
    pthread_mutex_unlock(&it->lock);
    luft_database_cursor_free(me.cursor);
    luft_query_matcher_free(me.matcher);
    for (int i = 0; i < 4; i++) {
        buffer_free(&me.names[i]);
    }
    buffer_free(&me.matches);
    return NULL;
}

static void run_threads(search *it) {
    pthread_t started[LUFT_DATABASE_MAX_THREADS];
    int count = 0;
    const uint64_t ranges = (it->last - it->first) / RANGE + 1;
    while (count + 1 < it->options->threads && count + 1 < LUFT_DATABASE_MAX_THREADS && (uint64_t)count + 1 < ranges &&
           pthread_create(&started[count], NULL, run_searcher, it) == 0) {
        count++;
    }
    run_searcher(it);
    while (count > 0) {
        pthread_join(started[--count], NULL);
    }
}

static int compare_matches(const void *a, const void *b) {
    const uint64_t first = ((const luft_database_match *)a)->game, second = ((const luft_database_match *)b)->game;
    return (first > second) - (first < second);
}

luft_error luft_database_search(luft_database_matches *matches, luft_database *database, const luft_query *query,
                                const luft_database_filter *filter, const luft_database_search_options *options) {
    static const luft_database_search_options none = {0};
    luft_database_info info;
    if (!matches || !database || !query) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_error error = luft_database_get_info(&info, database);
    if (error != LUFT_OK) {
        return error;
    }
    search it = {.database = database,
                 .query = query,
                 .filter = filter,
                 .options = options ? options : &none,
                 .first = filter && filter->first_game > 0 ? filter->first_game : 1,
                 .last =
                     filter && filter->last_game > 0 && filter->last_game < info.games ? filter->last_game : info.games,
                 .owner = pthread_self()};
    atomic_store(&it.next, it.first);
    pthread_mutex_init(&it.lock, NULL);
    if (it.first <= it.last) {
        run_threads(&it);
    }
    pthread_mutex_destroy(&it.lock);
    error = (luft_error)atomic_load(&it.error);
    if (error != LUFT_OK) {
        luft_database_matches_free(&it.matches);
        return database_fail(database, error, error == LUFT_ERROR_STOPPED ? "stopped" : "cannot search the games");
    }
    if (it.matches.count > 0) {
        qsort(it.matches.matches, it.matches.count, sizeof *it.matches.matches, compare_matches);
    }
    if (it.options->limit > 0 && it.matches.count > it.options->limit) {
        it.matches.count = (size_t)it.options->limit;
    }
    *matches = it.matches;
    return LUFT_OK;
}

void luft_database_matches_free(luft_database_matches *matches) {
    if (matches) {
        free(matches->matches);
        *matches = (luft_database_matches){0};
    }
}
