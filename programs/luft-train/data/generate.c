/* SPDX-License-Identifier: MIT */
/*
 * `luft-train generate`: games of the engine with itself, on all cores, into a directory of shards.
 *
 * A worker fills one shard at a time, in memory, and shares nothing with the others while it plays. All that happens in
 * a shard follows from the seed and the number of the shard; so the same command gives the same files, and a
 * run that was cut off is taken up by playing the shards that are missing.
 */
#define _XOPEN_SOURCE 700

#include "arguments.h"
#include "openings.h"
#include "progress.h"
#include "util/random.h"
#include "selfplay.h"
#include "shards.h"
#include "command.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const char command[] = "generate";

enum { THREADS_MAX = 256, HASH_MAX_MB = 1024, SECONDS_BETWEEN_LOGS = 300 };

typedef struct generate_settings {
    const char *out;
    const char *book;
    uint64_t positions; /* to be in the directory at the end; 0 for no such goal */
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

/* What a worker has for itself. */
typedef struct generate_worker {
    luft_engine *engine;
    game_data *game;
    game_data *detour;
    byte_buffer buffer; /* the shard */
    file_header header; /* of the shard */
} generate_worker;

/* False if there is no memory. */
static bool keep(generate_job *job, generate_worker *worker, const game_data *game) {
    const uint64_t kept = (uint64_t)game_kept(game);
    worker->header.count++;
    worker->header.positions += kept;
    atomic_fetch_add(&job->games, 1);
    atomic_fetch_add(&job->positions, kept);
    return game_encode(&worker->buffer, game);
}

/* The detours follow their game, so that it is known whose they are. */
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

/* Plays the games of one shard into the buffer, until it is full or the work is done. False if it cannot. */
static bool play_shard(generate_job *job, generate_worker *worker) {
    const generate_settings *settings = job->settings;
    worker->buffer.length = 0;
    for (uint64_t i = 0; i < settings->shard_games && !is_enough(job); i++) {
        uint64_t random = scatter(worker->header.seed + i);
        if (!selfplay_game(worker->engine, job->starts, (int64_t)settings->nodes, &random, worker->game) ||
            !keep(job, worker, worker->game) || !keep_detours(job, worker, &random)) {
            return false;
        }
    }
    return true;
}

static bool write_shard(generate_job *job, uint32_t number, const file_header *header, const byte_buffer *buffer) {
    if (!shards_write(&job->all, number, header, buffer, command)) {
        return false;
    }
    pthread_mutex_lock(&job->mutex);
    shards_log(&job->all, "shard %" PRIu32 ": %" PRIu64 " games, %" PRIu64 " positions, %zu bytes", number,
               header->count, header->positions, buffer->length + FILE_HEADER_SIZE);
    pthread_mutex_unlock(&job->mutex);
    return true;
}

static void *work(void *payload) {
    generate_job *job = payload;
    generate_worker worker = {
        .engine = engine_create(), .game = malloc(sizeof *worker.game), .detour = malloc(sizeof *worker.detour)};
    bool good = worker.engine && worker.game && worker.detour && engine_set_hash(worker.engine, job->settings->hash_mb);
    bool written = true; /* if not, that was said */
    while (good && !is_enough(job)) {
        pthread_mutex_lock(&job->mutex);
        const uint32_t number = shards_next(&job->all);
        pthread_mutex_unlock(&job->mutex);
        worker.header = file_header_of(FILE_KIND_GAMES);
        worker.header.nodes = (uint32_t)job->settings->nodes;
        worker.header.signature = job->signature;
        worker.header.seed = scatter(job->settings->seed + scatter(number));
        good = number > 0 && play_shard(job, &worker);
        written = !good || worker.header.count == 0 || write_shard(job, number, &worker.header, &worker.buffer);
        good = good && written;
    }
    if (!good) {
        if (!atomic_exchange(&job->failed, true) && written) {
            complain(command, "no opening is fair, or there is no memory");
        }
        atomic_store(&job->stop, true);
    }
    free(worker.buffer.bytes);
    free(worker.detour);
    free(worker.game);
    engine_free(worker.engine);
    atomic_fetch_sub(&job->running, 1);
    return NULL;
}

/* --- The command ------------------------------------------------------------- */

/* Shows how far they have come until all workers are done. A signal to end lets them finish their games and shards. */
static void watch(generate_job *job, const sigset_t *signals) {
    char text[128];
    progress line;
    const bool by_games = job->settings->games && !job->settings->positions;
    progress_start(&line, "positions", job->all.positions, by_games ? 0 : job->settings->positions);
    double logged = line.started;
    while (atomic_load(&job->running) > 0) {
        const struct timespec pause = {.tv_nsec = 100000000};
        if (sigtimedwait(signals, NULL, &pause) > 0) {
            atomic_store(&job->stop, true);
        }
        const uint64_t done = atomic_load(&job->positions);
        progress_show(&line, done);
        if (clock_seconds() - logged >= SECONDS_BETWEEN_LOGS) {
            logged = clock_seconds();
            pthread_mutex_lock(&job->mutex);
            shards_log(&job->all, "%s", progress_text(&line, done, text, sizeof text));
            pthread_mutex_unlock(&job->mutex);
        }
    }
    progress_end(&line);
    line.goal = 0;
    progress_text(&line, atomic_load(&job->positions), text, sizeof text);
    fprintf(stderr, "%" PRIu64 " games, %s\n", atomic_load(&job->games), text);
    shards_log(&job->all, "end: %" PRIu64 " games, %s", atomic_load(&job->games), text);
}

/* Says so if there are fewer than were asked for. */
static void tell_of_threads(generate_job *job, uint64_t started) {
    char text[96];
    if (started < job->settings->threads) {
        snprintf(text, sizeof text, "%" PRIu64 " of %" PRIu64 " threads: the system gives no more", started,
                 job->settings->threads);
        complain(command, "%s", text);
        pthread_mutex_lock(&job->mutex);
        shards_log(&job->all, "%s", text);
        pthread_mutex_unlock(&job->mutex);
    }
}

static bool run_workers(generate_job *job, const sigset_t *signals) {
    pthread_t ids[THREADS_MAX];
    uint64_t started = 0;
    for (; started < job->settings->threads; started++) {
        atomic_fetch_add(&job->running, 1);
        if (pthread_create(&ids[started], NULL, work, job) != 0) {
            atomic_fetch_sub(&job->running, 1);
            break; /* fewer threads do the work too, and are told of */
        }
    }
    if (started > 0) {
        tell_of_threads(job, started);
        watch(job, signals);
    } else {
        complain(command, "the system gives no thread");
    }
    for (uint64_t i = 0; i < started; i++) {
        pthread_join(ids[i], NULL);
    }
    return started > 0 && !atomic_load(&job->failed);
}

static int generate(const generate_settings *settings, const openings *starts) {
    generate_job job = {.settings = settings, .starts = starts};
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, NULL); /* the workers inherit it, so only watch() sees them */
    job.signature = selfplay_signature();
    if (job.signature == 0) {
        complain(command, "there is no memory");
        return STATUS_FAILED;
    }
    if (!shards_open(&job.all, settings->out, command)) {
        return STATUS_USAGE;
    }
    atomic_init(&job.games, job.all.games);
    atomic_init(&job.positions, job.all.positions);
    shards_log(&job.all,
               "start: %" PRIu64 " shards, %" PRIu64 " games, %" PRIu64 " positions are there; engine %016" PRIx64
               ", seed %" PRIu64 ", %" PRIu64 " nodes, %" PRIu64 " detours of %" PRIu64 " nodes, %" PRIu64
               " threads, %" PRIu64 " MB, book %s",
               job.all.count, job.all.games, job.all.positions, job.signature, settings->seed, settings->nodes,
               settings->detours, settings->detour_nodes, settings->threads, settings->hash_mb,
               settings->book ? settings->book : "none");
    pthread_mutex_init(&job.mutex, NULL);
    const bool good = run_workers(&job, &signals);
    pthread_mutex_destroy(&job.mutex);
    shards_close(&job.all);
    return good ? STATUS_OK : STATUS_FAILED;
}

int train_generate(int argc, char **argv) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    generate_settings settings = {.nodes = 2500,
                                  .detour_nodes = 100,
                                  .threads = cores < 1             ? 1
                                             : cores > THREADS_MAX ? THREADS_MAX
                                                                   : (uint64_t)cores,
                                  .seed = 1,
                                  .hash_mb = 4,
                                  .shard_games = 256};
    openings starts = {.book_percent = 50, .chess960_percent = 10, .random_plies = 8, .book_plies = 2};
    const argument list[] = {
        {.name = "out", .value = "DIR", .help = "the directory of the shards; needed", .text = &settings.out},
        {.name = "positions",
         .value = "N",
         .help = "stop when so many are there, those of earlier runs included",
         .number = &settings.positions,
         .minimum = 1,
         .maximum = UINT64_MAX / 2},
        {.name = "games",
         .value = "N",
         .help = "stop when so many games are there; a detour counts as one",
         .number = &settings.games,
         .minimum = 1,
         .maximum = UINT64_MAX / 2},
        {.name = "nodes",
         .value = "N",
         .help = "a move: the iteration that reaches it is the last (2500)",
         .number = &settings.nodes,
         .minimum = 1,
         .maximum = 100000000},
        {.name = "detours",
         .value = "N",
         .help = "positions beside the game, for each of its moves (0)",
         .number = &settings.detours,
         .maximum = 100},
        {.name = "detour-nodes",
         .value = "N",
         .help = "a search of those (100)",
         .number = &settings.detour_nodes,
         .minimum = 1,
         .maximum = 1000000},
        {.name = "threads",
         .value = "N",
         .help = "games at a time (as many as there are cores)",
         .number = &settings.threads,
         .minimum = 1,
         .maximum = THREADS_MAX},
        {.name = "seed",
         .value = "N",
         .help = "of all that is left to chance (1)",
         .number = &settings.seed,
         .maximum = UINT64_MAX / 2},
        {.name = "hash",
         .value = "MB",
         .help = "of each thread (4)",
         .number = &settings.hash_mb,
         .minimum = 1,
         .maximum = HASH_MAX_MB},
        {.name = "shard-games",
         .value = "N",
         .help = "games in a file (256)",
         .number = &settings.shard_games,
         .minimum = 1,
         .maximum = 1000000},
        {.name = "random-plies",
         .value = "N",
         .help = "random moves from a start, or one more (8)",
         .number = &starts.random_plies,
         .maximum = 100},
        {.name = "chess960",
         .value = "PERCENT",
         .help = "of the starts are of Chess960 (10)",
         .number = &starts.chess960_percent,
         .maximum = 100},
        {.name = "book", .value = "FILE", .help = "EPD, or PGN: the last positions", .text = &settings.book},
        {.name = "book-share",
         .value = "PERCENT",
         .help = "of the games start from the book (50)",
         .number = &starts.book_percent,
         .maximum = 100},
        {.name = "book-plies",
         .value = "N",
         .help = "random moves from the book, or one more (2)",
         .number = &starts.book_plies,
         .maximum = 100},
    };
    const argument_table table = {
        .command = command,
        .usage = "--out DIR [--positions N] [--nodes N] [--threads N] [--seed N] [--book FILE]",
        .about = "Plays games of the engine with itself, until there are enough or it is interrupted, and keeps them\n"
                 "in shards. Started again, it goes on where it was.\n",
        .arguments = list,
        .count = sizeof list / sizeof list[0],
    };
    int status;
    if (!arguments_read(&table, argc, argv, &status)) {
        return status;
    }
    if (!settings.out) {
        complain(command, "--out DIR is needed");
        return STATUS_USAGE;
    }
    const char *reason;
    size_t skipped;
    if (settings.book && !openings_read_book(&starts, settings.book, &skipped, &reason)) {
        complain(command, "%s: %s", settings.book, reason);
        openings_free(&starts);
        return STATUS_USAGE;
    }
    if (settings.book && skipped > 0) {
        complain(command, "%s: %zu entries are no positions to play from", settings.book, skipped);
    }
    status = generate(&settings, &starts);
    openings_free(&starts);
    return status;
}
