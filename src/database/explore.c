/* SPDX-License-Identifier: MIT */
/*
 * The moves that were played in a position. Usually its statistics say it all, plus the few games that were added since
 * they were built. With a filter, and for a position that only one game has, the games are replayed by threads; their
 * summaries rule most of them out, and a game is left as soon as it cannot reach the position any more.
 */
#include "database/codec.h"
#include "database/cursor.h"
#include "database/database.h"
#include "database/sums.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define RANGE 2048 /* games that a thread takes at once */

/* --- The position in a game ------------------------------------------------- */

typedef struct target {
    luft_position position;
    uint64_t key;
    uint8_t counts[2][5]; /* by colour, pawns to queens */
    int pieces[2];
    uint16_t home_pawns;
} target;

static target make_target(const luft_position *position) {
    target made = {
        .position = *position, .key = luft_database_key(position), .home_pawns = summary_home_pawns(&position->board)};
    for (int color = 0; color < 2; color++) {
        made.pieces[color] = luft_popcount(position->board.color[color]);
        for (int type = LUFT_PAWN; type <= LUFT_QUEEN; type++) {
            made.counts[color][type - 1] =
                (uint8_t)luft_popcount(luft_pieces(&position->board, (luft_color)color, (luft_piece_type)type));
        }
    }
    return made;
}

/* False if the summary of the game shows that it does not have the position. */
static bool is_possible(const target *wanted, const luft_database_game *game) {
    const luft_board *board = &wanted->position.board;
    if (game->home_pawns & ~wanted->home_pawns) {
        return false; /* a pawn that never left is not where it must be */
    }
    for (int color = 0; color < 2; color++) {
        if (board->pawns & board->color[color] & ~game->pawns[color]) {
            return false;
        }
        for (int type = 0; type < 5; type++) {
            const uint8_t count = wanted->counts[color][type];
            if (count < game->min[color][type] || count > game->max[color][type]) {
                return false;
            }
        }
    }
    return true;
}

/* Pieces do not come back, and pawns do not go back: false if the position cannot come any more. */
static bool can_come(const target *wanted, const luft_board *board) {
    return !(wanted->home_pawns & ~summary_home_pawns(board)) &&
           luft_popcount(board->color[LUFT_WHITE]) >= wanted->pieces[LUFT_WHITE] &&
           luft_popcount(board->color[LUFT_BLACK]) >= wanted->pieces[LUFT_BLACK];
}

static bool is_target(const target *wanted, const luft_position *position) {
    return luft_database_key(position) == wanted->key &&
           memcmp(&position->board, &wanted->position.board, sizeof position->board) == 0 &&
           position->ep_square == wanted->position.ep_square;
}

/* Adds each move once that the game has in the position. */
static luft_error scan_game(position_sum *sum, const target *wanted, const luft_database_game *game,
                            uint64_t signature) {
    const game_fact fact =
        game_fact_make(signature, (uint32_t)game->date, game->result, game->rating[0], game->rating[1]);
    luft_move seen[LUFT_MAX_MOVES + 2];
    int seen_count = 0;
    luft_database_replay replay;
    luft_error error = luft_database_replay_start(&replay, game);
    while (error == LUFT_OK && can_come(wanted, &replay.position.board)) {
        const bool is_here = is_target(wanted, &replay.position);
        if (replay.next == replay.end) {
            return is_here && !sum_add(sum, SUM_ENDED, game->id, &fact) ? LUFT_ERROR_DAMAGED : LUFT_OK;
        }
        error = codec_step(&replay.position, &replay.move, &replay.next, replay.end);
        if (is_here && error == LUFT_OK) {
            int i = 0;
            while (i < seen_count && seen[i] != replay.move) {
                i++;
            }
            if (i == seen_count && i <= LUFT_MAX_MOVES) {
                seen[seen_count++] = replay.move;
                error = sum_add(sum, replay.move, game->id, &fact) ? LUFT_OK : LUFT_ERROR_DAMAGED;
            }
        }
    }
    return error;
}

/* --- All games ------------------------------------------------------------- */

typedef struct scan {
    luft_database *database;
    const luft_database_filter *filter;
    target wanted;
    position_sum *sum; /* guarded by the lock */
    pthread_mutex_t lock;
    uint64_t last;
    atomic_uint_fast64_t next;
    atomic_int error;
} scan;

static luft_error scan_range(position_sum *sum, const scan *it, luft_database_cursor *cursor, uint64_t first) {
    luft_database_game game;
    luft_error error;
    cursor_set_range(cursor, first, first + RANGE - 1 < it->last ? first + RANGE - 1 : it->last);
    while ((error = luft_database_cursor_next(&game, cursor)) == LUFT_OK) {
        if (is_possible(&it->wanted, &game)) {
            error = scan_game(sum, &it->wanted, &game, cursor->signature);
            if (error != LUFT_OK) {
                return error;
            }
        }
    }
    return error == LUFT_ERROR_END ? LUFT_OK : error;
}

static void *scan_games(void *argument) {
    scan *it = argument;
    luft_database_cursor *cursor = NULL;
    position_sum *sum = malloc(sizeof *sum);
    pthread_mutex_lock(&it->lock); /* a cursor may write the reason of its failure to the handle */
    luft_error error = sum ? luft_database_cursor_create(&cursor, it->database, it->filter) : LUFT_ERROR_MEMORY;
    pthread_mutex_unlock(&it->lock);
    if (error == LUFT_OK) {
        sum_clear(sum, (luft_color)it->wanted.position.side_to_move);
    }
    while (error == LUFT_OK && atomic_load(&it->error) == LUFT_OK) {
        const uint64_t first = atomic_fetch_add(&it->next, RANGE);
        if (first > it->last) {
            break;
        }
        error = scan_range(sum, it, cursor, first);
    }
    luft_database_cursor_free(cursor);
    if (error == LUFT_OK) {
        pthread_mutex_lock(&it->lock);
        error = sum_merge(it->sum, sum) ? LUFT_OK : LUFT_ERROR_DAMAGED;
        pthread_mutex_unlock(&it->lock);
    }
    if (error != LUFT_OK) {
        int none = LUFT_OK;
        atomic_compare_exchange_strong(&it->error, &none, error);
    }
    free(sum);
    return NULL;
}

/* Adds the games from `first` to `last` that pass the filter. */
static luft_error add_games(position_sum *sum, luft_database *database, const luft_position *position,
                            const luft_database_filter *filter, uint64_t first, uint64_t last, int threads) {
    pthread_t started[LUFT_DATABASE_MAX_THREADS];
    int count = 0;
    scan it = {.database = database, .filter = filter, .wanted = make_target(position), .sum = sum, .last = last};
    if (first > last) {
        return LUFT_OK;
    }
    pthread_mutex_init(&it.lock, NULL);
    atomic_store(&it.next, first);
    while (count + 1 < threads && count + 1 < LUFT_DATABASE_MAX_THREADS && last - first >= RANGE &&
           pthread_create(&started[count], NULL, scan_games, &it) == 0) {
        count++;
    }
    scan_games(&it);
    while (count > 0) {
        pthread_join(started[--count], NULL);
    }
    pthread_mutex_destroy(&it.lock);
    return (luft_error)atomic_load(&it.error);
}

/* --- The statistics -------------------------------------------------------- */

/* What the file says, read from one state of it. */
typedef struct lookup {
    int64_t games, indexed;
    bool has_entry;
} lookup;

static luft_error read_entry(lookup *found, position_sum *sum, sqlite3 *handle, const luft_position *position) {
    sqlite3_stmt *row = NULL;
    luft_error error = sql_prepare(&row, handle, "SELECT moves FROM positions WHERE key = ?1");
    if (error != LUFT_OK) {
        return error;
    }
    sqlite3_bind_int64(row, 1, (int64_t)luft_database_key(position));
    const int code = sqlite3_step(row);
    found->has_entry = code == SQLITE_ROW;
    error = sql_error(code);
    if (code == SQLITE_ROW && !sum_unpack(sum, (luft_color)position->side_to_move, sqlite3_column_blob(row, 0),
                                          (size_t)sqlite3_column_bytes(row, 0))) {
        error = LUFT_ERROR_DAMAGED;
    }
    sqlite3_finalize(row);
    return error;
}

static luft_error look_up(lookup *found, position_sum *sum, sqlite3 *handle, const luft_position *position) {
    luft_error error = sql_run(handle, "SAVEPOINT explore");
    error = error == LUFT_OK ? database_get_meta(&found->games, handle, META_GAMES) : error;
    error = error == LUFT_OK ? database_get_meta(&found->indexed, handle, META_INDEXED_GAMES) : error;
    error = error == LUFT_OK ? read_entry(found, sum, handle, position) : error;
    (void)sql_run(handle, "RELEASE explore");
    return error;
}

/* The statistics know the best games by their numbers; to compare them with others takes more. */
static luft_error complete_best(position_sum *sum, luft_database *database) {
    luft_database_cursor *cursor = NULL;
    luft_error error = luft_database_cursor_create(&cursor, database, NULL);
    for (uint32_t i = 0; i < sum->best_count && error == LUFT_OK; i++) {
        luft_database_game game;
        error = luft_database_cursor_seek(&game, cursor, sum->best[i].id);
        if (error == LUFT_OK) {
            sum->best[i].fact =
                game_fact_make(cursor->signature, (uint32_t)game.date, game.result, game.rating[0], game.rating[1]);
        }
    }
    luft_database_cursor_free(cursor);
    return error == LUFT_ERROR_MISSING ? LUFT_ERROR_DAMAGED : error;
}

/* Everything about the position, in one sum. */
static luft_error explore(position_sum *sum, bool *from_games, luft_database *database, const luft_position *position,
                          const luft_database_filter *filter, int threads) {
    lookup found = {0};
    sum_clear(sum, (luft_color)position->side_to_move);
    luft_error error = look_up(&found, sum, database->handle, position);
    if (error != LUFT_OK) {
        return error;
    }
    uint64_t first = (uint64_t)found.indexed + 1, last = (uint64_t)found.games;
    *from_games = filter || !found.has_entry;
    if (*from_games) {
        sum_clear(sum, (luft_color)position->side_to_move);
        first = filter && filter->first_game > 0 ? filter->first_game : 1;
        last = filter && filter->last_game > 0 && filter->last_game < last ? filter->last_game : last;
    } else if (first <= last) {
        error = complete_best(sum, database);
    }
    return error == LUFT_OK ? add_games(sum, database, position, filter, first, last, threads) : error;
}

luft_error luft_database_explore(luft_database_statistics *statistics, luft_database *database,
                                 const luft_position *position, const luft_database_filter *filter, int threads) {
    bool from_games = false;
    if (!statistics || !database || !position || luft_position_status(position) != LUFT_STATUS_VALID) {
        return LUFT_ERROR_ARGUMENT;
    }
    position_sum *sum = malloc(sizeof *sum);
    luft_error error = sum ? explore(sum, &from_games, database, position, filter, threads) : LUFT_ERROR_MEMORY;
    if (error == LUFT_OK) {
        sum_publish(statistics, sum, position);
        statistics->from_games = from_games;
    } else {
        database_fail(database, error, "cannot explore the position");
    }
    free(sum);
    return error;
}
