/* SPDX-License-Identifier: MIT */
/*
 * `luft-train generate`: plays games of the engine against itself, on all cores, into a directory of shards.
 *
 * A worker fills one shard at a time, in memory, and shares nothing with the others while it plays. The contents of a
 * shard depend only on the seed and the number of the shard: the same command gives the same files, and an interrupted
 * run continues with the missing shards.
 */
#define _XOPEN_SOURCE 700

#include "command.h"
#include "openings.h"
#include "selfplay.h"
#include "shards.h"

#include "util/clock.h"
#include "util/interrupt.h"
#include "util/options.h"
#include "util/output.h"
#include "util/processors.h"
#include "util/progress.h"
#include "util/random.h"

#include <inttypes.h>
#include <stdlib.h>

#define NAME "luft-train generate"

enum { THREADS_MAX = 256, HASH_MAX_MB = 1024, SECONDS_BETWEEN_LOGS = 300 };

typedef struct generate_settings {
    const char *out;
    const char *book;
    const char *syzygy;
    uint64_t positions; /* to have in the directory at the end; 0 for no such goal */
    uint64_t games;     /* likewise */
    uint64_t nodes;
    uint64_t detours; /* for each move of a game */
    uint64_t detour_nodes;
    uint64_t threads;
    uint64_t seed;
    uint64_t hash_mb;
    uint64_t shard_games;
} generate_settings;

/* Shared by the workers. */
typedef struct generate_job {
    const generate_settings *settings;
    const openings *starts;
    const luft_tablebase *tablebase; /* NULL for none */
    uint64_t signature;
    shards all;
    pthread_mutex_t mutex; /* guards `all` */
    _Atomic uint64_t games;
    _Atomic uint64_t positions;
    atomic_bool stop;
    atomic_bool failed;
    _Atomic int running;
} generate_job;

static bool is_enough(generate_job *job) {
    const generate_settings *settings = job->settings;
    return atomic_load(&job->stop) || (settings->positions && atomic_load(&job->positions) >= settings->positions) ||
           (settings->games && atomic_load(&job->games) >= settings->games);
}

/* --- Workers ----------------------------------------------------------------- */

/* What a worker owns. */
typedef struct generate_worker {
    luft_engine *engine;
    game_data *game;
    game_data *detour;
    buffer shard;
    file_header header; /* of the shard */
} generate_worker;

/* Adds a game to the shard. False if out of memory. */
static bool keep(generate_job *job, generate_worker *worker, const game_data *game) {
    const uint64_t kept = (uint64_t)game_kept(game);
    worker->header.count++;
    worker->header.positions += kept;
    atomic_fetch_add(&job->games, 1);
    atomic_fetch_add(&job->positions, kept);
    return game_encode(&worker->shard, game);
}

/* Adds the detours behind their game, which they belong to. */
static bool keep_detours(generate_job *job, generate_worker *worker, uint64_t *random) {
    const generate_settings *settings = job->settings;
    const game_data *game = worker->game;
    bool good = true;
    for (int ply = game->opening; good && ply < game->plies; ply++) {
        for (uint64_t i = 0; good && i < settings->detours; i++) {
            if (selfplay_detour(worker->engine, &game->positions[ply], (int64_t)settings->detour_nodes, random,
                                worker->detour)) {
                good = keep(job, worker, worker->detour);
            }
        }
    }
    return good;
}

/* Plays the games of one shard until it is full or the work is done. False if no game can be played or kept. */
static bool play_shard(generate_job *job, generate_worker *worker) {
    const generate_settings *settings = job->settings;
    buffer_clear(&worker->shard);
    for (uint64_t i = 0; i < settings->shard_games && !is_enough(job); i++) {
        uint64_t random = random_mix(worker->header.seed + i);
        if (!selfplay_game(worker->engine, job->starts, job->tablebase, (int64_t)settings->nodes, &random,
                           worker->game) ||
            !keep(job, worker, worker->game) || !keep_detours(job, worker, &random)) {
            return false;
        }
    }
    return true;
}

static bool write_shard(generate_job *job, uint32_t number, const file_header *header, const buffer *games) {
    if (!shards_write(&job->all, number, header, games, NAME)) {
        return false;
    }
    pthread_mutex_lock(&job->mutex);
    shards_log(&job->all, "shard %" PRIu32 ": %" PRIu64 " games, %" PRIu64 " positions, %zu bytes", number,
               header->count, header->positions, games->length + FILE_HEADER_SIZE);
    pthread_mutex_unlock(&job->mutex);
    return true;
}

static void *work(void *payload) {
    generate_job *job = payload;
    generate_worker worker = {.game = malloc(sizeof *worker.game), .detour = malloc(sizeof *worker.detour)};
    bool good = worker.game && worker.detour && luft_engine_create(&worker.engine) == LUFT_OK &&
                luft_engine_set_hash(worker.engine, job->settings->hash_mb) == LUFT_OK;
    bool written = true; /* if not, there was an error line */
    while (good && !is_enough(job)) {
        pthread_mutex_lock(&job->mutex);
        const uint32_t number = shards_next(&job->all);
        pthread_mutex_unlock(&job->mutex);
        worker.header = file_header_of(FILE_KIND_GAMES);
        worker.header.nodes = (uint32_t)job->settings->nodes;
        worker.header.signature = job->signature;
        worker.header.seed = random_mix(job->settings->seed + random_mix(number));
        good = number > 0 && play_shard(job, &worker);
        written = !good || worker.header.count == 0 || write_shard(job, number, &worker.header, &worker.shard);
        good = good && written;
    }
    if (!good) {
        if (!atomic_exchange(&job->failed, true) && written) {
            output_error(NAME, "no balanced opening was found, or out of memory");
        }
        atomic_store(&job->stop, true);
    }
    buffer_free(&worker.shard);
    free(worker.detour);
    free(worker.game);
    luft_engine_free(worker.engine);
    atomic_fetch_sub(&job->running, 1);
    return NULL;
}

/* --- The command ------------------------------------------------------------- */

/* A signal to end the program lets the workers finish their games and shards. */
static void on_signal(void *payload, int number) {
    (void)number;
    generate_job *job = payload;
    atomic_store(&job->stop, true);
}

/* Shows the progress until all workers are done. */
static void watch(generate_job *job) {
    char text[PROGRESS_TEXT_SIZE];
    progress line;
    const bool by_games = job->settings->games && !job->settings->positions;
    progress_start_goal(&line, "positions", job->all.positions, by_games ? 0 : job->settings->positions);
    double logged = line.started;
    while (atomic_load(&job->running) > 0) {
        clock_sleep_ms(100);
        progress_set(&line, atomic_load(&job->positions));
        if (clock_seconds() - logged >= SECONDS_BETWEEN_LOGS) {
            logged = clock_seconds();
            pthread_mutex_lock(&job->mutex);
            shards_log(&job->all, "%s", progress_text(&line, text));
            pthread_mutex_unlock(&job->mutex);
        }
    }
    progress_set(&line, atomic_load(&job->positions));
    progress_clear(&line);
    progress_text(&line, text);
    fprintf(stderr, "%" PRIu64 " games, %s\n", atomic_load(&job->games), text);
    shards_log(&job->all, "end: %" PRIu64 " games, %s", atomic_load(&job->games), text);
}

/* Reports if fewer threads run than were asked for. */
static void report_threads(generate_job *job, uint64_t started) {
    char text[96];
    if (started < job->settings->threads) {
        snprintf(text, sizeof text, "cannot start more than %" PRIu64 " of %" PRIu64 " threads", started,
                 job->settings->threads);
        output_error(NAME, "%s", text);
        pthread_mutex_lock(&job->mutex);
        shards_log(&job->all, "%s", text);
        pthread_mutex_unlock(&job->mutex);
    }
}

static bool run_workers(generate_job *job) {
    pthread_t ids[THREADS_MAX];
    uint64_t started = 0;
    for (; started < job->settings->threads; started++) {
        atomic_fetch_add(&job->running, 1);
        if (pthread_create(&ids[started], NULL, work, job) != 0) {
            atomic_fetch_sub(&job->running, 1);
            break; /* fewer threads do the work too */
        }
    }
    if (started > 0) {
        report_threads(job, started);
        watch(job);
    } else {
        output_error(NAME, "cannot start a thread");
    }
    for (uint64_t i = 0; i < started; i++) {
        pthread_join(ids[i], NULL);
    }
    return started > 0 && !atomic_load(&job->failed);
}

static int generate(const generate_settings *settings, const openings *starts, const luft_tablebase *tablebase) {
    generate_job job = {.settings = settings, .starts = starts, .tablebase = tablebase};
    interrupt signals;
    job.signature = selfplay_signature();
    if (job.signature == 0) {
        output_error(NAME, "out of memory");
        return STATUS_FAILED;
    }
    if (!shards_open(&job.all, settings->out, NAME)) {
        return STATUS_USAGE;
    }
    atomic_init(&job.games, job.all.games);
    atomic_init(&job.positions, job.all.positions);
    shards_log(&job.all,
               "start: %" PRIu64 " shards, %" PRIu64 " games, %" PRIu64 " positions are there; engine %016" PRIx64
               ", seed %" PRIu64 ", %" PRIu64 " nodes, %" PRIu64 " detours of %" PRIu64 " nodes, %" PRIu64
               " threads, %" PRIu64 " MB, book %s, tablebases %s",
               job.all.count, job.all.games, job.all.positions, job.signature, settings->seed, settings->nodes,
               settings->detours, settings->detour_nodes, settings->threads, settings->hash_mb,
               settings->book ? settings->book : "none", settings->syzygy ? settings->syzygy : "none");
    pthread_mutex_init(&job.mutex, NULL);
    interrupt_start(&signals, on_signal, &job);
    const bool good = run_workers(&job);
    interrupt_stop(&signals);
    pthread_mutex_destroy(&job.mutex);
    shards_close(&job.all);
    return good ? STATUS_OK : STATUS_FAILED;
}

/* The tables of a directory, NULL if none are asked for. False after an error line. */
static bool open_tables(luft_tablebase **tablebase, const char *directories) {
    *tablebase = NULL;
    if (!directories) {
        return true;
    }
    if (luft_tablebase_open(tablebase, directories, LUFT_TABLEBASE_READ) != LUFT_OK) {
        output_error(NAME, "--syzygy: cannot read the tables in %s", directories);
        return false;
    }
    if (luft_tablebase_count(*tablebase) == 0) {
        output_error(NAME, "--syzygy: no tables in %s", directories);
        luft_tablebase_free(*tablebase);
        return false;
    }
    return true;
}

static void report_damaged_tables(const luft_tablebase *tablebase) {
    luft_tablebase_table fault;
    while (luft_tablebase_next_fault(&fault, tablebase)) {
        output_error(NAME, "ignored %s.%s: %s", fault.name, fault.kind == LUFT_TABLEBASE_WDL ? "rtbw" : "rtbz",
                     fault.reason);
    }
}

int train_generate(int argc, char **argv) {
    generate_settings settings = {.nodes = 2500,
                                  .detour_nodes = 100,
                                  .threads = processors_count(THREADS_MAX),
                                  .seed = 1,
                                  .hash_mb = 4,
                                  .shard_games = 256};
    openings starts = {.book_percent = 50, .chess960_percent = 10, .random_plies = 8, .book_plies = 2};
    const option options[] = {
        {.name = "out",
         .value = "DIR",
         .help = "write the shards to DIR; required",
         .text = &settings.out,
         .required = true},
        option_number("positions", "N", "stop when DIR has N positions, earlier runs included", &settings.positions, 1,
                      UINT64_MAX / 2),
        option_number("games", "N", "stop when DIR has N games; a detour counts as one", &settings.games, 1,
                      UINT64_MAX / 2),
        option_number("nodes", "N", "search each move to the depth that reaches N nodes (default 2500)",
                      &settings.nodes, 1, 100000000),
        option_number("detours", "N", "search N positions beside the game for each of its moves (default 0)",
                      &settings.detours, 0, 100),
        option_number("detour-nodes", "N", "search them with N nodes (default 100)", &settings.detour_nodes, 1,
                      1000000),
        option_number("threads", "N", "play N games at a time (default: one for each core)", &settings.threads, 1,
                      THREADS_MAX),
        option_number("seed", "N", "seed of all random choices (default 1)", &settings.seed, 0, UINT64_MAX / 2),
        option_number("hash", "MB", "hash table of each thread (default 4)", &settings.hash_mb, 1, HASH_MAX_MB),
        option_number("shard-games", "N", "write N games to a file (default 256)", &settings.shard_games, 1, 1000000),
        option_number("random-plies", "N", "play N or N + 1 random moves from a start position (default 8)",
                      &starts.random_plies, 0, 100),
        option_number("chess960", "PERCENT", "start this share of the games from Chess960 positions (default 10)",
                      &starts.chess960_percent, 0, 100),
        option_text("book", "FILE", "start from the positions of an EPD file, or the last ones of PGN games",
                    &settings.book),
        option_text("syzygy", "DIR", "end games where the tablebases in DIR know the result", &settings.syzygy),
        option_number("book-share", "PERCENT", "start this share of the games from the book (default 50)",
                      &starts.book_percent, 0, 100),
        option_number("book-plies", "N", "play N or N + 1 random moves from a book position (default 2)",
                      &starts.book_plies, 0, 100),
    };
    const option_table table = {
        .command = NAME,
        .usage = "--out DIR [--positions N] [--nodes N] [--threads N] [--seed N] [--book FILE]",
        .about =
            "Plays games of the engine against itself until there are enough or it is interrupted, and writes them\n"
            "to shards. Started again, it continues.\n",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    int status;
    if (!options_read(&table, argc, argv, &status)) {
        return status;
    }
    if (!openings_read_option(&starts, settings.book, NAME)) {
        openings_free(&starts);
        return STATUS_USAGE;
    }
    luft_tablebase *tablebase;
    if (!open_tables(&tablebase, settings.syzygy)) {
        openings_free(&starts);
        return STATUS_USAGE;
    }
    status = generate(&settings, &starts, tablebase);
    report_damaged_tables(tablebase);
    luft_tablebase_free(tablebase);
    openings_free(&starts);
    return status;
}
