/* SPDX-License-Identifier: MIT */
/*
 * Building statistics in two phases. First threads replay the games and give the sorter a record for each position: its
 * key, the move and the game. Then threads take the partitions in turn, add up the records of each key and pass the
 * sums to the sink in the order of keys, so that the file is written from its start to its end.
 */
#include "database/stats.h"

#include "database/codec.h"
#include "database/sorter.h"
#include "database/sums.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_MEMORY ((size_t)256 << 20)
#define RANGE 1024                   /* games that a thread takes at once */
#define KEY_SIGN (UINT64_C(1) << 63) /* makes the order of unsigned numbers that of signed ones */

/* The word of a record: move, game, the side to move, and a bit for a position within the first plies. */
enum { SIDE_SHIFT = 1, GAME_SHIFT = 8, MOVE_SHIFT = 48 };
#define GAME_MASK ((UINT64_C(1) << (MOVE_SHIFT - GAME_SHIFT)) - 1)

typedef struct builder {
    luft_database *database;
    const luft_database_build *build;
    stats_sink sink;
    void *payload;
    uint64_t games;
    game_fact *facts; /* by number of the game, from 0 */
    sorter sorter;
    atomic_uint_fast64_t next; /* game or partition that a thread takes next */
    atomic_int error;          /* the first luft_error */

    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t turn; /* the partition that may go to the sink */
    double done;
} builder;

static void fail(builder *it, luft_error error) {
    int none = LUFT_OK;
    if (error != LUFT_OK) {
        atomic_compare_exchange_strong(&it->error, &none, error);
    }
}

static bool has_failed(builder *it) {
    return atomic_load(&it->error) != LUFT_OK;
}

/* Reports progress, with the lock held. */
static void report(builder *it, double done) {
    it->done = done > it->done ? done : it->done;
    if (it->build->progress && !it->build->progress(it->build->payload, it->done)) {
        fail(it, LUFT_ERROR_STOPPED);
    }
}

/* --- Replaying ------------------------------------------------------------- */

static luft_error add_position(sort_writer *out, const luft_position *position, luft_move move, uint64_t game,
                               bool is_early) {
    const uint64_t side = (uint64_t)position->side_to_move << SIDE_SHIFT;
    const sort_record record = {luft_database_key(position) ^ KEY_SIGN,
                                (uint64_t)move << MOVE_SHIFT | game << GAME_SHIFT | side | is_early};
    return sort_writer_add(out, record);
}

/* Replays the game of a row: id, fen, moves, ratings, date, result, signature. */
static luft_error add_game(builder *it, sort_writer *out, sqlite3_stmt *row) {
    const int64_t id = sqlite3_column_int64(row, 0);
    const char *fen = sqlite3_column_blob(row, 1);
    const size_t fen_length = (size_t)sqlite3_column_bytes(row, 1);
    const uint8_t *next = sqlite3_column_blob(row, 2);
    const size_t size = (size_t)sqlite3_column_bytes(row, 2);
    const uint8_t *end = size > 0 ? next + size : next;
    luft_position position = luft_start_position();
    luft_error error = LUFT_OK;
    if (id < 1 || (uint64_t)id > it->games ||
        (fen_length > 0 && luft_position_from_fen(&position, fen, fen_length, NULL) != LUFT_OK)) {
        return LUFT_ERROR_DAMAGED;
    }
    it->facts[id - 1] = game_fact_make((uint64_t)sqlite3_column_int64(row, 7), (uint32_t)sqlite3_column_int64(row, 5),
                                       (unsigned)sqlite3_column_int64(row, 6) & 7,
                                       (uint16_t)sqlite3_column_int64(row, 3), (uint16_t)sqlite3_column_int64(row, 4));
    uint32_t ply = 0;
    for (; next != end && error == LUFT_OK; ply++) {
        luft_position after = position;
        luft_move move;
        if (codec_step(&after, &move, &next, end) != LUFT_OK) {
            return LUFT_ERROR_DAMAGED;
        }
        error = add_position(out, &position, move, (uint64_t)id - 1, ply <= STATS_EARLY_PLIES);
        position = after;
    }
    return error == LUFT_OK ? add_position(out, &position, SUM_ENDED, (uint64_t)id - 1, ply <= STATS_EARLY_PLIES)
                            : error;
}

static luft_error add_range(builder *it, sort_writer *out, sqlite3_stmt *rows, uint64_t first) {
    const uint64_t last = first + RANGE - 1 < it->games ? first + RANGE - 1 : it->games;
    uint64_t count = 0;
    int code = SQLITE_DONE;
    luft_error error = LUFT_OK;
    sqlite3_bind_int64(rows, 1, (int64_t)first);
    sqlite3_bind_int64(rows, 2, (int64_t)last);
    while (error == LUFT_OK && count <= RANGE && (code = sqlite3_step(rows)) == SQLITE_ROW) {
        error = add_game(it, out, rows);
        count++;
    }
    error = error == LUFT_OK ? sql_error(code) : error;
    sqlite3_reset(rows);
    return error == LUFT_OK && count != last - first + 1 ? LUFT_ERROR_DAMAGED : error; /* a game is missing */
}

static void *replay(void *argument) {
    builder *it = argument;
    sqlite3 *handle = NULL;
    sqlite3_stmt *rows = NULL;
    sort_writer out = {0};
    luft_error error = database_connect(&handle, it->database);
    error = error == LUFT_OK ? sort_writer_init(&out, &it->sorter) : error;
    error = error == LUFT_OK ? sql_prepare(&rows, handle,
                                           "SELECT id, fen, moves, white_elo, black_elo, date, result, signature "
                                           "FROM games WHERE id BETWEEN ?1 AND ?2")
                             : error;
    while (error == LUFT_OK && !has_failed(it)) {
        const uint64_t first = atomic_fetch_add(&it->next, RANGE) + 1;
        if (first > it->games) {
            break;
        }
        error = add_range(it, &out, rows, first);
        pthread_mutex_lock(&it->lock);
        report(it, 0.5 * (double)first / (double)it->games);
        pthread_mutex_unlock(&it->lock);
    }
    const luft_error finished = sort_writer_finish(&out);
    sqlite3_finalize(rows);
    sqlite3_close(handle);
    fail(it, error != LUFT_OK ? error : finished);
    return NULL;
}

/* --- Adding up ------------------------------------------------------------- */

/* The statistics of a partition on their way to the sink. */
typedef struct entry {
    int64_t key;
    size_t length; /* of its bytes, which follow those of the entry before */
    uint32_t moves;
} entry;

typedef struct packed {
    buffer entries, bytes;
    position_sum sum;
} packed;

/* The records of one key, if the position has statistics. */
static luft_error add_up(builder *it, packed *out, const sort_record *records, size_t count) {
    bool is_wanted = false;
    for (size_t i = 0; i < count && !is_wanted; i++) {
        is_wanted = records[i].word & 1 || (records[i].word ^ records[0].word) >> GAME_SHIFT & GAME_MASK;
    }
    if (!is_wanted) {
        return LUFT_OK;
    }
    sum_clear(&out->sum, (luft_color)(records[0].word >> SIDE_SHIFT & 1));
    for (size_t i = 0; i < count; i++) {
        const uint64_t word = records[i].word;
        const uint64_t game = word >> GAME_SHIFT & GAME_MASK;
        if (i > 0 && word >> GAME_SHIFT == records[i - 1].word >> GAME_SHIFT) {
            continue; /* the game had the position before, and the same move */
        }
        if (!sum_add(&out->sum, (luft_move)(word >> MOVE_SHIFT), game + 1, &it->facts[game])) {
            return LUFT_ERROR_DAMAGED;
        }
    }
    const size_t start = out->bytes.length;
    sum_pack(&out->bytes, &out->sum);
    const entry made = {(int64_t)(records[0].key ^ KEY_SIGN), out->bytes.length - start, out->sum.move_count};
    buffer_append(&out->entries, &made, sizeof made);
    return out->bytes.failed || out->entries.failed ? LUFT_ERROR_MEMORY : LUFT_OK;
}

static luft_error add_up_partition(builder *it, packed *out, size_t partition) {
    sort_record *records = NULL;
    size_t count = 0;
    luft_error error = sorter_take(&records, &count, &it->sorter, partition);
    buffer_clear(&out->entries);
    buffer_clear(&out->bytes);
    for (size_t start = 0, end; start < count && error == LUFT_OK; start = end) {
        for (end = start + 1; end < count && records[end].key == records[start].key; end++) {
        }
        error = add_up(it, out, records + start, end - start);
    }
    if (error == LUFT_OK) {
        free(records);
    }
    return error;
}

/* Passes the statistics of a partition to the sink when it is its turn. */
static void deliver(builder *it, const packed *in, size_t partition) {
    pthread_mutex_lock(&it->lock);
    while (it->turn != partition && !has_failed(it)) {
        pthread_cond_wait(&it->changed, &it->lock);
    }
    pthread_mutex_unlock(&it->lock);
    const uint8_t *bytes = (const uint8_t *)in->bytes.data;
    for (size_t at = 0; at < in->entries.length && !has_failed(it); at += sizeof(entry)) {
        entry next;
        memcpy(&next, in->entries.data + at, sizeof next);
        fail(it, it->sink(it->payload, next.key, bytes, next.length, next.moves));
        bytes += next.length;
    }
    pthread_mutex_lock(&it->lock);
    it->turn++;
    report(it, 0.5 + 0.5 * (double)it->turn / (double)sorter_partitions(&it->sorter));
    pthread_cond_broadcast(&it->changed);
    pthread_mutex_unlock(&it->lock);
}

static void *collect(void *argument) {
    builder *it = argument;
    packed *out = calloc(1, sizeof *out);
    fail(it, out ? LUFT_OK : LUFT_ERROR_MEMORY);
    while (!has_failed(it)) {
        const size_t partition = (size_t)atomic_fetch_add(&it->next, 1);
        if (partition >= sorter_partitions(&it->sorter)) {
            break;
        }
        fail(it, add_up_partition(it, out, partition));
        deliver(it, out, partition);
    }
    if (out) {
        buffer_free(&out->entries);
        buffer_free(&out->bytes);
    }
    free(out);
    pthread_mutex_lock(&it->lock);
    pthread_cond_broadcast(&it->changed); /* others may wait for a turn that an error has cancelled */
    pthread_mutex_unlock(&it->lock);
    return NULL;
}

/* --- Both ------------------------------------------------------------------ */

/* Runs the function in so many threads, one of them this one; fewer if no more can be started. */
static void run_threads(builder *it, void *(*function)(void *)) {
    pthread_t threads[LUFT_DATABASE_MAX_THREADS];
    int started = 0;
    atomic_store(&it->next, 0);
    while (started + 1 < it->build->threads && started + 1 < LUFT_DATABASE_MAX_THREADS &&
           pthread_create(&threads[started], NULL, function, it) == 0) {
        started++;
    }
    function(it);
    while (started > 0) {
        pthread_join(threads[--started], NULL);
    }
}

luft_error stats_build(luft_database *database, uint64_t games, const luft_database_build *build, stats_sink sink,
                       void *payload) {
    builder it = {.database = database, .build = build, .sink = sink, .payload = payload, .games = games};
    int64_t plies = 0;
    if (games == 0) {
        return LUFT_OK;
    }
    luft_error error = database_get_meta(&plies, database->handle, META_PLIES);
    if (error != LUFT_OK) {
        return error;
    }
    plies = plies / LUFT_PGN_MAX_NODES > (int64_t)games ? 0 : plies; /* damaged; it is only an estimate */
    it.facts = calloc(games, sizeof *it.facts);
    pthread_mutex_init(&it.lock, NULL);
    pthread_cond_init(&it.changed, NULL);
    fail(&it, sorter_init(&it.sorter, (uint64_t)plies + games, build->memory ? build->memory : DEFAULT_MEMORY,
                          database->path));
    fail(&it, it.facts ? LUFT_OK : LUFT_ERROR_MEMORY);
    if (!has_failed(&it)) {
        run_threads(&it, replay);
    }
    if (!has_failed(&it)) {
        run_threads(&it, collect);
    }
    sorter_free(&it.sorter);
    pthread_cond_destroy(&it.changed);
    pthread_mutex_destroy(&it.lock);
    free(it.facts);
    return (luft_error)atomic_load(&it.error);
}

/* --- The table ------------------------------------------------------------- */

typedef struct table {
    sqlite3 *handle;
    sqlite3_stmt *insert;
    uint64_t positions, moves;
} table;

static luft_error insert_position(void *payload, int64_t key, const uint8_t *bytes, size_t length, uint32_t moves) {
    table *to = payload;
    if (to->positions == 0) {
        const luft_error error = sql_run(to->handle, "DELETE FROM positions");
        if (error != LUFT_OK) {
            return error;
        }
    }
    sqlite3_bind_int64(to->insert, 1, key);
    sqlite3_bind_blob(to->insert, 2, bytes, (int)length, SQLITE_STATIC);
    to->positions++;
    to->moves += moves;
    return sql_step(to->insert);
}

static luft_error rebuild(luft_database *database, uint64_t games, const luft_database_build *build) {
    table to = {.handle = database->handle};
    luft_error error = sql_prepare(&to.insert, database->handle, "INSERT INTO positions VALUES(?1, ?2)");
    error = error == LUFT_OK ? stats_build(database, games, build, insert_position, &to) : error;
    sqlite3_finalize(to.insert);
    error = error == LUFT_OK ? database_set_meta(database->handle, META_INDEXED_GAMES, (int64_t)games) : error;
    error = error == LUFT_OK ? database_set_meta(database->handle, META_POSITIONS, (int64_t)to.positions) : error;
    return error == LUFT_OK ? database_set_meta(database->handle, META_POSITION_MOVES, (int64_t)to.moves) : error;
}

luft_error stats_update(luft_database *database, const luft_database_build *build, const char *failure) {
    int64_t games = 0, indexed = 0;
    luft_error error = sql_run(database->handle, "BEGIN IMMEDIATE");
    if (error == LUFT_ERROR_BUSY) {
        return LUFT_OK; /* somebody else is writing; the games count all the same when a position is explored */
    }
    error = error == LUFT_OK ? database_get_meta(&games, database->handle, META_GAMES) : error;
    error = error == LUFT_OK ? database_get_meta(&indexed, database->handle, META_INDEXED_GAMES) : error;
    const bool is_due =
        build->rebuild || indexed > games || games - indexed > STATS_MISSING_MAX || (indexed == 0 && games > 0);
    if (error == LUFT_OK && is_due) {
        error = rebuild(database, (uint64_t)games, build);
    }
    error = error == LUFT_OK ? sql_run(database->handle, "COMMIT") : error;
    if (error != LUFT_OK) {
        database_fail(database, error, failure);
        luft_database_rollback(database);
    }
    return error;
}
