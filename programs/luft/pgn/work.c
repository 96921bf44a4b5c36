/* SPDX-License-Identifier: MIT */
/*
 * Threads that read chunks. No thread only reads: each worker takes the next chunk from the files, under a lock, reads
 * its games, and waits for its turn to merge. Turns go by the numbers of the chunks. A worker with too much output waits
 * for its turn in the middle of a chunk; earlier chunks never wait for later ones, so that wait ends. With one worker no
 * thread is started.
 *
 * A chunk that is a stream keeps the lock on the files until it is read, because only then the next one begins.
 */
#include "work.h"

#include "chunk.h"

#include "util/clock.h"
#include "util/output.h"
#include "util/progress.h"
#include "util/text.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What a worker keeps before it merges in the middle of a chunk. */
#define OUTPUT_MAX ((size_t)2 << 20)
#define FAULTS_MAX ((size_t)4096)
#define GAME_FAULTS_MAX 4 /* one of the reader, one of the job, and two texts too long: of this game and of the last */

/* The longest text of a game that is kept. Only a stream can hold a longer one. */
#define GAME_TEXT_MAX ((size_t)16 << 20)

/* More than a reader reads ahead of its callbacks. */
#define READER_AHEAD ((size_t)2 << 20)

/* What the workers share. */
typedef struct pgn_pool {
    const pgn_job *job;
    luft_pgn_visitor visitor; /* the job's, called by ours */
    atomic_bool stopped;

    pthread_mutex_t source_lock;
    chunk_source source; /* guarded by source_lock, as is */
    uint64_t next_number;

    pthread_mutex_t turn_lock;
    pthread_cond_t turn_changed;
    uint64_t turn; /* the number of the chunk that may merge; guarded by turn_lock */

    /* The worker whose turn it is may use these. */
    progress line;
    uint64_t stored_total; /* bytes of all files; 0 if not known */
    uint64_t file_lines;   /* before the chunk, and so below */
    uint64_t file_games;
    bool has_mark; /* the first file has a byte order mark, which is to be written before its games */
    pgn_totals totals;
} pgn_pool;

/* A worker with its private part. */
typedef struct worker {
    pgn_worker shown; /* first, so that a pointer to it is one to the whole */
    chunk piece;
    uint64_t number; /* of the chunk */
    bool has_turn;
    pgn_fault *faults;
    size_t fault_count;

    /* The text of the current game, if the job wants it. */
    buffer copy;          /* of what a stream returned */
    size_t copy_dead;     /* bytes at its front that are no longer needed */
    bool game_open;       /* a game has begun and the job has not got its text */
    bool game_too_long;   /* it was not kept */
    size_t game_start;    /* where in the text it begins */
    uint64_t line;        /* a line of the text, and … */
    ptrdiff_t line_start; /* … where it begins; before the text if that part is not kept */
    luft_pgn_place place; /* of the game */
} worker;

/* --- Merging --------------------------------------------------------------- */

static void wait_for_turn(worker *self) {
    pgn_pool *pool = self->shown.pool;
    if (!self->has_turn) {
        pthread_mutex_lock(&pool->turn_lock);
        while (pool->turn != self->number) {
            pthread_cond_wait(&pool->turn_changed, &pool->turn_lock);
        }
        pthread_mutex_unlock(&pool->turn_lock);
        self->has_turn = true;
        if (self->number == 0) {
            pool->has_mark = self->piece.has_mark && pool->job->text;
        }
        if (self->piece.first_of_file) {
            pool->file_lines = 0;
            pool->file_games = 0;
        }
    }
}

static void pass_turn(worker *self) {
    pgn_pool *pool = self->shown.pool;
    pthread_mutex_lock(&pool->turn_lock);
    pool->turn++;
    pthread_cond_broadcast(&pool->turn_changed);
    pthread_mutex_unlock(&pool->turn_lock);
    self->has_turn = false;
}

static void fail(pgn_pool *pool, int status) {
    pool->totals.status = status > pool->totals.status ? status : pool->totals.status;
}

static void out_of_memory(pgn_pool *pool) {
    if (!atomic_exchange(&pool->stopped, true)) {
        output_error(pool->job->command, "out of memory");
        fail(pool, STATUS_FAILED);
    }
}

static void merge_faults(worker *self) {
    pgn_pool *pool = self->shown.pool;
    const pgn_job *job = pool->job;
    bool reported = true;
    for (size_t i = 0; i < self->fault_count; i++) {
        pgn_fault *fault = &self->faults[i];
        const bool left_out =
            fault->error == LUFT_ERROR_OVERFLOW; /* of pgn_leave_out: reported whatever the job wants */
        fault->place.line += pool->file_lines;
        fault->place.game += pool->file_games;
        if (left_out) {
            fail(pool, STATUS_FAILED);
        }
        if (reported && (left_out || job->fault)) {
            reported = (job->fault ? job->fault : pgn_print_fault)(job, self->shown.path, fault);
        }
    }
    if (!reported) {
        out_of_memory(pool);
    }
    pool->totals.errors += self->fault_count;
    self->fault_count = 0;
}

/* Merges the output and the errors so far, in the order of the chunks. */
static void merge(worker *self) {
    pgn_pool *pool = self->shown.pool;
    const pgn_job *job = pool->job;
    buffer *output = &self->shown.output;
    wait_for_turn(self);
    if (self->fault_count > 0 || output->length > 0) {
        progress_clear(&pool->line);
    }
    merge_faults(self);
    if (output->failed || self->copy.failed) {
        out_of_memory(pool);
    } else if (ferror(job->output)) { /* an error line could not be written: the reader is gone */
        atomic_store(&pool->stopped, true);
    } else if (output->length > 0 && !atomic_load(&pool->stopped)) {
        self->shown.first_game = pool->file_games;
        if (pool->has_mark) {
            fputs(CHUNK_MARK, job->output); /* the next write fails too if this does */
            pool->has_mark = false;
        }
        const bool good = job->merge ? job->merge(&self->shown)
                                     : fwrite(output->data, 1, output->length, job->output) == output->length;
        if (!good) {
            atomic_store(&pool->stopped, true);
            fail(pool, STATUS_FAILED);
        }
    }
    buffer_clear(output);
}

void pgn_merge_now(pgn_worker *shown) {
    merge((worker *)shown);
}

void pgn_spill(pgn_worker *shown) {
    if (shown->output.length > OUTPUT_MAX) {
        merge((worker *)shown);
    }
}

/* After the last game of a chunk. */
static void finish_chunk(worker *self) {
    pgn_pool *pool = self->shown.pool;
    const chunk *piece = &self->piece;
    merge(self);
    pool->file_lines += piece->lines;
    pool->file_games += self->shown.game;
    pool->totals.games += self->shown.game;
    pool->totals.bytes += piece->bytes;
    if (piece->result == INPUT_NOT_USABLE || piece->result == INPUT_BROKEN) {
        const char *path = pool->job->paths[piece->path];
        char quoted[TEXT_QUOTED_SIZE];
        progress_clear(&pool->line);
        output_error(pool->job->command, "%s: %s",
                     strcmp(path, "-") == 0 ? pgn_path_name(path) : text_quote(quoted, path, strlen(path)),
                     piece->reason);
        pool->totals.errors++;
        if (strcmp(piece->reason, INPUT_NO_MEMORY) == 0) {
            atomic_store(&pool->stopped, true); /* the file is not at fault */
        }
        fail(pool, piece->result == INPUT_BROKEN ? STATUS_FAILED : STATUS_USAGE);
    }
    const double share = pool->stored_total ? (double)piece->stored / (double)pool->stored_total : 0;
    if (!pool->job->quiet) {
        progress_add(&pool->line, share, self->shown.game, piece->bytes);
    }
    pass_turn(self);
}

/* --- The text of a game ---------------------------------------------------- */

static const char *chunk_text(const worker *self, size_t *length) {
    if (!self->piece.is_stream) {
        *length = self->piece.length;
        return self->piece.text;
    }
    *length = self->copy.length - self->copy_dead;
    return *length > 0 ? self->copy.data + self->copy_dead : "";
}

/* Gives the job the text of the game, which ends before `end`. */
static void give_text(worker *self, size_t end) {
    size_t length;
    const char *text = chunk_text(self, &length);
    if (self->game_open && !self->game_too_long) {
        self->shown.job->text(&self->shown, text + self->game_start, end - self->game_start);
    }
    self->game_open = false;
}

/* The offset of a place in the text. Places only move forward. */
static size_t find_place(worker *self, const luft_pgn_place *place) {
    size_t length;
    const char *text = chunk_text(self, &length);
    while (self->line < place->line) {
        const size_t next = chunk_next_line(text, self->line_start > 0 ? (size_t)self->line_start : 0, length);
        if (next == SIZE_MAX) {
            break;
        }
        self->line_start = (ptrdiff_t)next;
        self->line++;
    }
    const ptrdiff_t at = self->line_start + (ptrdiff_t)place->column - 1;
    return at < 0 ? 0 : (size_t)at < length ? (size_t)at : length;
}

/* Forgets the front of a stream. Moves the rest only when it is the smaller part: there may be many short games. */
static void forget_front(worker *self, size_t count) {
    self->copy_dead += count;
    self->line_start -= (ptrdiff_t)count;
    if (self->copy_dead > self->copy.length / 2) {
        buffer_remove_front(&self->copy, self->copy_dead);
        self->copy_dead = 0;
    }
}

/* --- Visiting -------------------------------------------------------------- */

static void keep_fault(worker *self, const luft_pgn_error *error) {
    if (!self->faults) {
        self->faults = malloc(FAULTS_MAX * sizeof *self->faults);
        if (!self->faults) {
            self->shown.output.failed = true;
            return;
        }
    }
    self->faults[self->fault_count++] = pgn_fault_of(error);
}

void pgn_leave_out(pgn_worker *shown, const char *reason) {
    worker *self = (worker *)shown;
    keep_fault(self,
               &(luft_pgn_error){.error = LUFT_ERROR_OVERFLOW, .place = self->place, .reason = reason, .token = ""});
}

static luft_pgn_action stop_or(const worker *self, luft_pgn_action action) {
    return atomic_load_explicit(&self->shown.pool->stopped, memory_order_relaxed) ? LUFT_PGN_STOP : action;
}

static luft_pgn_action on_game_start(void *payload, const luft_pgn_place *place) {
    worker *self = payload;
    const pgn_job *job = self->shown.job;
    self->shown.game++;
    self->place = *place;
    if (job->text) {
        const size_t start = find_place(self, place);
        give_text(self, start);
        self->game_open = true;
        self->game_too_long = false;
        self->game_start = start;
        if (self->piece.is_stream) {
            forget_front(self, start);
            self->game_start = 0;
        }
    }
    return job->visitor.game_start ? job->visitor.game_start(payload, place) : LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_error(void *payload, const luft_pgn_error *error) {
    worker *self = payload;
    const pgn_job *job = self->shown.job;
    keep_fault(self, error);
    return job->visitor.error ? job->visitor.error(payload, error) : LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_game_end(void *payload, luft_result result) {
    worker *self = payload;
    const pgn_job *job = self->shown.job;
    const luft_pgn_action action = job->visitor.game_end ? job->visitor.game_end(payload, result) : LUFT_PGN_CONTINUE;
    pgn_spill(&self->shown);
    if (self->fault_count + GAME_FAULTS_MAX > FAULTS_MAX) {
        merge(self); /* not earlier: the output of a game with an error may still be removed */
    }
    return stop_or(self, action);
}

/* Keeps what a stream returns for the text of the game, as long as that has a sane length. */
static size_t read_stream(void *payload, char *bytes, size_t size) {
    worker *self = payload;
    size_t length;
    const char *text = chunk_text(self, &length);
    if (length > GAME_TEXT_MAX) {
        if (self->game_open && !self->game_too_long) {
            self->game_too_long = true;
            pgn_leave_out(&self->shown, "the game is left out: its text is longer than 16 MiB");
        }
        const size_t dropped = length - READER_AHEAD;
        for (size_t next; self->line_start < (ptrdiff_t)dropped; self->line_start = (ptrdiff_t)next, self->line++) {
            next = chunk_next_line(text, self->line_start > 0 ? (size_t)self->line_start : 0, dropped);
            if (next >= dropped) {
                break;
            }
        }
        forget_front(self, dropped);
    }
    return atomic_load(&self->shown.pool->stopped) ? 0 : chunk_read(&self->piece, bytes, size);
}

/* --- Working --------------------------------------------------------------- */

/* The games of the chunk, one after the other. */
static void read_games(worker *self) {
    pgn_pool *pool = self->shown.pool;
    luft_pgn_reader *reader = NULL;
    self->game_open = false;
    self->line = 1;
    self->line_start = 0;
    buffer_clear(&self->copy);
    self->copy_dead = 0;
    const luft_error error = self->piece.is_stream
                                 ? luft_pgn_reader_create(&reader, read_stream, self)
                                 : luft_pgn_reader_create_text(&reader, self->piece.text, self->piece.length);
    if (error != LUFT_OK || luft_pgn_read_all(reader, &pool->visitor, self) == LUFT_ERROR_MEMORY) {
        self->shown.output.failed = true;
    }
    luft_pgn_reader_free(reader);
    size_t length;
    chunk_text(self, &length);
    give_text(self, length);
}

static void *work(void *argument) {
    worker *self = argument;
    pgn_pool *pool = self->shown.pool;
    while (true) {
        pthread_mutex_lock(&pool->source_lock);
        const bool taken = !atomic_load(&pool->stopped) && chunk_next(&self->piece);
        self->number = pool->next_number;
        pool->next_number += taken;
        const bool keeps_source = taken && self->piece.is_stream;
        if (!keeps_source) {
            pthread_mutex_unlock(&pool->source_lock);
        }
        if (!taken) {
            return NULL;
        }
        self->shown.path = pool->job->paths[self->piece.path];
        self->shown.game = 0;
        if (self->piece.length > 0) {
            read_games(self);
        }
        if (keeps_source) {
            pthread_mutex_unlock(&pool->source_lock);
        }
        finish_chunk(self);
    }
}

static bool worker_init(worker *self, pgn_pool *pool) {
    *self = (worker){.shown = {.job = pool->job, .pool = pool}};
    self->shown.state = calloc(1, pool->job->state_size ? pool->job->state_size : 1);
    const bool has_chunk = chunk_init(&self->piece, &pool->source);
    self->piece.copy = pool->job->text ? &self->copy : NULL;
    return self->shown.state && has_chunk;
}

static void worker_free(worker *self) {
    const pgn_job *job = self->shown.job;
    if (job->free_state && self->shown.state) {
        job->free_state(self->shown.state);
    }
    free(self->shown.state);
    free(self->faults);
    chunk_free(&self->piece);
    buffer_free(&self->copy);
    buffer_free(&self->shown.output);
}

/* All but the first worker get a thread; the others do the work of one that cannot be started. */
static void run_workers(pgn_pool *pool, worker *workers, int count) {
    pthread_t threads[PGN_MAX_THREADS];
    int ready = 0;
    int started = 0;
    while (ready < count && worker_init(&workers[ready], pool)) {
        ready++;
    }
    if (ready == 0) {
        out_of_memory(pool);
    } else {
        while (started + 1 < ready && pthread_create(&threads[started], NULL, work, &workers[started + 1]) == 0) {
            started++;
        }
        work(&workers[0]);
    }
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < count && i <= ready; i++) {
        worker_free(&workers[i]);
    }
}

pgn_totals pgn_work(const pgn_job *job) {
    pgn_pool pool = {.job = job,
                     .visitor = job->visitor,
                     .source_lock = PTHREAD_MUTEX_INITIALIZER,
                     .turn_lock = PTHREAD_MUTEX_INITIALIZER,
                     .turn_changed = PTHREAD_COND_INITIALIZER,
                     .totals = {.status = STATUS_OK}};
    pool.visitor.game_start = on_game_start;
    pool.visitor.error = on_error;
    pool.visitor.game_end = on_game_end;
    pool.stored_total = input_total_size(job->paths, job->path_count);
    progress_start_units(&pool.line, job->command, pool.stored_total > 0, "games", " MB/s", 1e-6);
    worker *workers = calloc((size_t)job->threads, sizeof *workers);
    if (!chunk_source_init(&pool.source, job->paths, job->path_count) || !workers) {
        out_of_memory(&pool);
    } else {
        run_workers(&pool, workers, job->threads);
    }
    free(workers);
    chunk_source_free(&pool.source);
    progress_clear(&pool.line);
    pool.totals.seconds = clock_seconds() - pool.line.started;
    pool.totals.gave_up = atomic_load(&pool.stopped);
    return pool.totals;
}

/* --- What subcommands share ------------------------------------------------ */

bool pgn_print_fault(const pgn_job *job, const char *path, const pgn_fault *fault) {
    (void)job;
    return pgn_fault_print(path, fault);
}

/* The length of the line end at the end of the text. */
static size_t line_end_length(const char *text, size_t length) {
    if (length >= 2 && text[length - 2] == '\r' && text[length - 1] == '\n') {
        return 2;
    }
    return length >= 1 && (text[length - 1] == '\n' || text[length - 1] == '\r');
}

void pgn_append_game(buffer *out, const char *text, size_t length) {
    const size_t last = line_end_length(text, length);
    const size_t before = last ? line_end_length(text, length - last) : 0;
    const size_t next = chunk_next_line(text, 0, length);
    /* The line ends of the file, if it has any. */
    const size_t end_length = next != SIZE_MAX ? line_end_length(text, next) : 0;
    if (length > 0 && text[0] == '%') {
        buffer_append_text(out, " "); /* it stood within a line: at the start of one the reader would skip it */
    }
    buffer_append(out, text, length);
    for (int missing = (last == 0) + (before == 0); missing > 0; missing--) {
        buffer_append(out, end_length ? text + next - end_length : "\n", end_length ? end_length : 1);
    }
}
