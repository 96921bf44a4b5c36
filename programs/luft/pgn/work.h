/* SPDX-License-Identifier: MIT */
/*
 * What the subcommands of `luft pgn` are built on: files are cut into chunks before
 * lines that begin with `[Event "`, threads read the chunks, and what they make of
 * them is merged in the order of the files. So the result is the same whatever
 * the number of threads, and memory is bounded whatever the size of the files.
 *
 * A subcommand is a pgn_job: a visitor that looks at games, and a merge that is
 * called in order, by one thread at a time.
 */
#ifndef LUFT_PROGRAM_PGN_WORK_H
#define LUFT_PROGRAM_PGN_WORK_H

#include "util/buffer.h"
#include "util/output_file.h"

#include "luft/luft.h"

#include <stdio.h>

#define PGN_MAX_THREADS 64

/* A mistake in a game, kept until it is its turn to be told. Places count from the start of the chunk. */
#define PGN_TOKEN_MAX 40
typedef struct pgn_fault {
    luft_error error;
    luft_pgn_place place;
    const char *reason;
    size_t token_length; /* of the whole token; what is beyond PGN_TOKEN_MAX is not kept */
    char token[PGN_TOKEN_MAX];
} pgn_fault;

typedef struct pgn_worker pgn_worker;

typedef struct pgn_job {
    const char *command; /* "pgn check", for error lines */
    const char *const *paths;
    size_t path_count;
    int threads; /* 1 to PGN_MAX_THREADS */
    bool quiet;  /* no line of progress */

    /* What looks at the games; its payload is a pgn_worker. */
    luft_pgn_visitor visitor;
    /* A game as it stands in the file, up to where the next begins; called after its game_end. NULL if not wanted. */
    void (*text)(pgn_worker *worker, const char *text, size_t length);
    /* Takes what the worker has put into its output, if anything. NULL: it is written to `output`. False to stop all work. */
    bool (*merge)(pgn_worker *worker);
    /* Takes a mistake, with a place that counts from the start of the file. NULL: mistakes are not told. */
    bool (*fault)(const struct pgn_job *job, const char *path,
                  const pgn_fault *fault); /* false if there is no memory */

    size_t state_size;                    /* of a worker's state, which begins as zeros */
    void (*free_state)(void *state);      /* what it holds; NULL if nothing */
    FILE *output;                         /* where text goes */
    output_file file;                     /* of which that is a part */
    struct thinking_interrupt *interrupt; /* so that nothing unfinished is left behind; NULL if not needed */
    void *shared;                         /* the subcommand's own: options, and what merge adds up */
} pgn_job;

/* One thread's view of the work. */
struct pgn_worker {
    const pgn_job *job;
    void *state;
    bytes output;          /* for merge; empty again after it */
    const char *path;      /* the file */
    uint64_t game;         /* the number of the present game in the chunk, from 1 */
    uint64_t first_game;   /* in merge: how many games of the file came before the chunk */
    struct pgn_pool *pool; /* the business of pgn_work.c */
};

typedef struct pgn_totals {
    uint64_t games;
    uint64_t errors; /* games with mistakes, and files that could not be read to their end */
    uint64_t bytes;  /* of text, unpacked */
    double seconds;
    bool gave_up; /* memory ran out, or the output cannot be written: something is missing at the end */
    int status; /* an exit status: of failure if memory ran out or the output or a file failed, not for mistakes in games */
} pgn_totals;

/* Merges now if the output has grown large: for games that write much before they end. */
void pgn_spill(pgn_worker *worker);

/* Tells that the present game is left out, whatever the job tells otherwise, and of a failure by the exit status. Once a game. */
void pgn_leave_out(pgn_worker *worker, const char *reason);

/* Reads all files, with one line on standard error for each that fails. */
pgn_totals pgn_work(const pgn_job *job);

/* The usual way to tell of a mistake: FILE:LINE:COLUMN: game N: reason ("token") on standard error. False if there is no memory. */
bool pgn_print_fault(const pgn_job *job, const char *path, const pgn_fault *fault);

/* How a file is called in messages. */
const char *pgn_path_name(const char *path);

/* Adds a game as it stands, and what it lacks of the empty line after it; it reads there as it did in its file. */
void pgn_append_game(bytes *buffer, const char *text, size_t length);

#endif
