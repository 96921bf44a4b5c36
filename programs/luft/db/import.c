/* SPDX-License-Identifier: MIT */
/*
 * `luft db create` and `luft db append`: PGN files into a database. The threads of `luft pgn` read the games, each into
 * a batch of its own; batches are added in the order of the files, in one transaction.
 */
#include "commands.h"
#include "common.h"

#include "pgn/work.h"

#include "util/clock.h"
#include "util/input.h"
#include "util/output.h"
#include "util/output_file.h"
#include "util/processors.h"
#include "util/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BATCH_MAX ((size_t)4 << 20) /* bytes of a batch that is added in the middle of a chunk */
#define DEFAULT_THREADS_MAX 4

typedef struct import {
    const char *command;
    const char *path; /* of the database */
    luft_database *database;
    luft_pgn_visitor visitor; /* of the batch */
    luft_database_counts counts;
    uint64_t left_out; /* games that are too large */
    db_work work;
    bool keep_broken, keep_duplicates, no_statistics, quiet, force;
    uint64_t threads;
} import;

/* The state of a worker. */
typedef struct import_state {
    luft_database_batch *batch;
    bool has_error;
    size_t before; /* games in the batch before this one */
    uint64_t left_out;
} import_state;

static void free_state(void *state) {
    luft_database_batch_free(((import_state *)state)->batch);
}

/* --- Visiting --------------------------------------------------------------- */

static import_state *state_of(void *payload) {
    return ((pgn_worker *)payload)->state;
}

static const luft_pgn_visitor *visitor_of(void *payload) {
    return &((const import *)((pgn_worker *)payload)->job->shared)->visitor;
}

static luft_pgn_action on_game_start(void *payload, const luft_pgn_place *place) {
    pgn_worker *worker = payload;
    import_state *state = worker->state;
    const import *shared = worker->job->shared;
    if (!state->batch &&
        luft_database_batch_create(&state->batch, shared->keep_broken ? LUFT_DATABASE_KEEP_START
                                                                      : LUFT_DATABASE_LEAVE_OUT) != LUFT_OK) {
        worker->output.failed = true;
        return LUFT_PGN_STOP;
    }
    state->has_error = false;
    state->before = luft_database_batch_count(state->batch);
    return visitor_of(payload)->game_start(state->batch, place);
}

static luft_pgn_action on_tag(void *payload, const char *name, size_t name_length, const char *value,
                              size_t value_length) {
    return visitor_of(payload)->tag(state_of(payload)->batch, name, name_length, value, value_length);
}

static luft_pgn_action on_moves_start(void *payload, const luft_position *start) {
    return visitor_of(payload)->moves_start(state_of(payload)->batch, start);
}

static luft_pgn_action on_move(void *payload, const luft_position *before, luft_move move, const luft_position *after) {
    return visitor_of(payload)->move(state_of(payload)->batch, before, move, after);
}

static luft_pgn_action on_nag(void *payload, int nag) {
    return visitor_of(payload)->nag(state_of(payload)->batch, nag);
}

static luft_pgn_action on_comment(void *payload, const char *text, size_t length, bool more) {
    return visitor_of(payload)->comment(state_of(payload)->batch, text, length, more);
}

static luft_pgn_action on_variation_start(void *payload, const luft_position *before) {
    return visitor_of(payload)->variation_start(state_of(payload)->batch, before);
}

static luft_pgn_action on_variation_end(void *payload) {
    return visitor_of(payload)->variation_end(state_of(payload)->batch);
}

static luft_pgn_action on_error(void *payload, const luft_pgn_error *error) {
    state_of(payload)->has_error = true;
    return visitor_of(payload)->error(state_of(payload)->batch, error);
}

static luft_pgn_action on_game_end(void *payload, luft_result result) {
    pgn_worker *worker = payload;
    import_state *state = worker->state;
    const luft_pgn_action action = visitor_of(payload)->game_end(state->batch, result);
    state->left_out += !state->has_error && luft_database_batch_count(state->batch) == state->before;
    worker->output.failed |= luft_database_batch_error(state->batch) != LUFT_OK;
    if (worker->output.length == 0) {
        buffer_append(&worker->output, "", 1); /* there is something to merge */
    }
    if (luft_database_batch_size(state->batch) > BATCH_MAX) {
        pgn_merge_now(worker);
    }
    return action;
}

/* Adds the batch of a worker, in the order of the files. */
static bool merge(pgn_worker *worker) {
    import *shared = worker->job->shared;
    import_state *state = worker->state;
    if (db_work_is_stopped(&shared->work)) {
        return false;
    }
    const luft_error error =
        luft_database_append(shared->database, state->batch, shared->keep_duplicates, &shared->counts);
    luft_database_batch_clear(state->batch);
    shared->left_out += state->left_out;
    state->left_out = 0;
    if (error != LUFT_OK) {
        db_failed(shared->command, shared->path, shared->database);
    }
    return error == LUFT_OK;
}

/* --- The commands ----------------------------------------------------------- */

/* One line about what was done. */
static int report(import *shared, const pgn_totals *totals, double seconds) {
    char added[TEXT_COUNT_SIZE], positions[TEXT_COUNT_SIZE];
    luft_database_info info;
    if (luft_database_get_info(&info, shared->database) != LUFT_OK) {
        return db_failed(shared->command, shared->path, shared->database);
    }
    if (!shared->quiet) {
        fprintf(stderr, "%s games added", db_count(added, shared->counts.added));
        if (shared->counts.duplicates > 0) {
            fprintf(stderr, ", %" PRIu64 " duplicates left out", shared->counts.duplicates);
        }
        if (totals->errors > 0) {
            fprintf(stderr, ", %" PRIu64 " games with errors%s", totals->errors,
                    shared->keep_broken ? "" : " left out");
        }
        if (shared->left_out > 0) {
            fprintf(stderr, ", %" PRIu64 " too large", shared->left_out);
        }
        fprintf(stderr, "; %s positions, %.1f MB, %.1f s, %.1f MB/s\n", db_count(positions, info.positions),
                (double)info.bytes / 1e6, seconds, (double)totals->bytes / 1e6 / (seconds > 0 ? seconds : 1));
    }
    return totals->status;
}

static int run(import *shared, const char *const *paths, size_t path_count) {
    const double started = clock_seconds();
    const pgn_job job = {.command = shared->command,
                         .paths = paths,
                         .path_count = path_count,
                         .threads = (int)shared->threads,
                         .quiet = shared->quiet,
                         .output = stdout,
                         .output_path = "-",
                         .visitor = {on_game_start, on_tag, on_moves_start, on_move, on_nag, on_comment,
                                     on_variation_start, on_variation_end, on_error, on_game_end},
                         .merge = merge,
                         .fault = pgn_print_fault,
                         .state_size = sizeof(import_state),
                         .free_state = free_state,
                         .shared = shared};
    if (luft_database_begin(shared->database) != LUFT_OK) {
        return db_failed(shared->command, shared->path, shared->database);
    }
    const pgn_totals totals = pgn_work(&job);
    if (totals.gave_up || totals.status != STATUS_OK || db_work_is_stopped(&shared->work)) {
        luft_database_rollback(shared->database);
        return totals.status != STATUS_OK ? totals.status : STATUS_FAILED;
    }
    db_work_goal(&shared->work, "statistics", shared->counts.added);
    const luft_database_build build = {.threads = (int)shared->threads,
                                       .skip = shared->no_statistics,
                                       .progress = db_work_progress,
                                       .payload = &shared->work};
    if (luft_database_commit(shared->database, &build) != LUFT_OK) {
        return db_work_is_stopped(&shared->work) ? STATUS_FAILED
                                                 : db_failed(shared->command, shared->path, shared->database);
    }
    progress_clear(&shared->work.line);
    return report(shared, &totals, clock_seconds() - started);
}

static int import_games(import *shared, luft_database_mode mode, const char *about, int argc, char **argv) {
    static const char *const standard_input[] = {"-"};
    const char *const *paths = NULL;
    size_t path_count = 0;
    int status;
    const bool creates = mode == LUFT_DATABASE_CREATE;
    shared->threads = processors_count(DEFAULT_THREADS_MAX);
    shared->visitor = luft_database_batch_visitor();
    const option options[] = {
        option_flag("keep-broken", "keep a game with an error up to the error", &shared->keep_broken),
        option_flag("keep-duplicates", "add games that the database has already", &shared->keep_duplicates),
        option_flag("no-statistics", "do not build the statistics of positions", &shared->no_statistics),
        option_number("threads", "N", "read with N threads, 1 to 64 (default: one for each processor, at most 4)",
                      &shared->threads, 1, PGN_MAX_THREADS),
        option_flag("quiet", "print no progress line and no summary", &shared->quiet),
        option_flag("force", "replace DATABASE if it exists", &shared->force), /* the last: append has it not */
    };
    const option operands[] = {{.name = "DATABASE",
                                .help = creates ? "the file to make" : "the file to add to",
                                .text = &shared->path,
                                .required = true}};
    const option_table table = {.command = shared->command,
                                .usage = "[options] DATABASE [FILE...]",
                                .about = about,
                                .options = options,
                                .option_count = sizeof options / sizeof options[0] - !creates,
                                .operands = operands,
                                .operand_count = 1,
                                .rest = &paths,
                                .rest_count = &path_count};
    if (!options_read(&table, argc, argv, &status)) {
        return status;
    }
    if (path_count == 0) {
        paths = standard_input;
        path_count = 1;
    }
    if (input_is_among(shared->path, paths, path_count)) {
        output_error(shared->command, "the database is also a file to read");
        return STATUS_USAGE;
    }
    if (creates && !output_file_may_create(shared->path, shared->force, shared->command)) {
        return STATUS_USAGE;
    }
    db_work_start(&shared->work, shared->quiet);
    shared->database = db_open(shared->command, shared->path, mode);
    status = shared->database ? run(shared, paths, path_count) : STATUS_USAGE;
    luft_database_free(shared->database);
    db_work_stop(&shared->work);
    return status;
}

int db_create(int argc, char **argv) {
import shared = {.command = "luft db create" };
    return import_games(
        &shared, LUFT_DATABASE_CREATE,
        "Makes a database from PGN files, plain or compressed, with statistics of their positions. Reads\n"
        "standard input without files. Errors in games are printed with file and line. The database\n"
        "appears when it is complete.\n",
        argc, argv);
}

int db_append(int argc, char **argv) {
import shared = {.command = "luft db append" };
    return import_games(
        &shared, LUFT_DATABASE_WRITE,
        "Adds the games of PGN files, plain or compressed, to a database. Reads standard input without\n"
        "files. Others can read the database meanwhile. If the run is interrupted, the database stays as\n"
        "it was.\n",
        argc, argv);
}
