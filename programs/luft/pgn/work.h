/* SPDX-License-Identifier: MIT */
/*
 * Reads files of games with threads. The files are cut into chunks where luft_pgn_can_cut, threads read the
 * chunks, and their results are merged in the order of the files. So the output does not depend on the number of
 * threads, and memory is bounded whatever the size of the files.
 *
 * A pgn_job describes the work: a visitor that sees the games, and a merge that is called in order, by one thread at a
 * time.
 */
#ifndef LUFT_PROGRAM_PGN_WORK_H
#define LUFT_PROGRAM_PGN_WORK_H

#include "fault.h"

#include "util/buffer.h"

#include "luft/luft.h"

#include <stdio.h>

#define PGN_MAX_THREADS 64

typedef struct pgn_worker pgn_worker;

typedef struct pgn_job {
    const char *command; /* "luft pgn check", for error lines */
    const char *const *paths;
    size_t path_count;
    int threads;             /* 1 to PGN_MAX_THREADS */
    bool quiet;              /* no progress line */
    FILE *output;            /* where text goes */
    const char *output_path; /* its name; "-" for standard output */

    /* Sees the games; its payload is a pgn_worker. */
    luft_pgn_visitor visitor;
    /* Gets a game as it stands in the file, up to where the next begins, after its game_end. NULL if not wanted. */
    void (*text)(pgn_worker *worker, const char *text, size_t length);
    /* Takes the output of the worker, if there is any. False to stop all work. NULL: the output is written to `output`. */
    bool (*merge)(pgn_worker *worker);
    /* Takes an error; its place counts from the start of the file. False if out of memory. NULL: errors are counted only. */
    bool (*fault)(const struct pgn_job *job, const char *path, const pgn_fault *fault);

    size_t state_size;               /* of the state of a worker, which begins as zeros */
    void (*free_state)(void *state); /* frees what the state holds; NULL if nothing */
    void *shared;                    /* the subcommand's: its options, and what merge adds up */
} pgn_job;

/* One thread's view of the work. */
struct pgn_worker {
    const pgn_job *job;
    void *state;
    buffer output;         /* for merge; empty again after it */
    const char *path;      /* the file */
    uint64_t game;         /* the number of the current game in the chunk, from 1 */
    uint64_t first_game;   /* in merge: games of the file before the chunk */
    struct pgn_pool *pool; /* private to work.c */
};

typedef struct pgn_totals {
    uint64_t games;
    uint64_t errors; /* errors in games, and files that could not be read to their end */
    uint64_t bytes;  /* of text, decompressed */
    double seconds;
    bool gave_up; /* out of memory, or the output cannot be written: the end is missing */
    int status; /* the exit status: STATUS_FAILED if memory, the output or a file failed; errors in games do not count */
} pgn_totals;

/* Merges now, whatever the size of the output: for jobs that keep their results elsewhere. */
void pgn_merge_now(pgn_worker *worker);

/* Merges now if the output has grown large: for games that write much before they end. */
void pgn_spill(pgn_worker *worker);

/* Reports that the current game is left out, even if the job ignores errors; the exit status is STATUS_FAILED. Once a game. */
void pgn_leave_out(pgn_worker *worker, const char *reason);

/* Reads all files, with an error line for each that fails. */
pgn_totals pgn_work(const pgn_job *job);

/* A job's `fault` that prints the error. */
bool pgn_print_fault(const pgn_job *job, const char *path, const pgn_fault *fault);

/* Appends a game as it stands, and the rest of the empty line after it; it reads there as it did in its file. */
void pgn_append_game(buffer *out, const char *text, size_t length);

#endif
