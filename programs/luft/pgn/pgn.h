/* SPDX-License-Identifier: MIT */
/*
 * The subcommands of `luft pgn`, one file each, and the arguments that they have in
 * common: files, the output, threads.
 */
#ifndef LUFT_PROGRAM_PGN_PGN_H
#define LUFT_PROGRAM_PGN_PGN_H

#include "util/options.h"
#include "work.h"

/* Each is given its arguments, the first its own name, and returns an exit status. */
int pgn_check(int argc, char **argv);
int pgn_convert(int argc, char **argv);
int pgn_stats(int argc, char **argv);
int pgn_filter(int argc, char **argv);
int pgn_dedup(int argc, char **argv);

/* The arguments that all have. */
typedef struct pgn_arguments {
    const char *command; /* "pgn check" */
    const char **paths;
    size_t path_count;
    const char *output_path; /* NULL or "-" for standard output */
    uint64_t threads;
    bool quiet;
} pgn_arguments;

/*
 * Reads the arguments of a subcommand: its own options and the common ones. True to go
 * on; false with the exit status set. The end is pgn_arguments_free whatever it returns.
 */
bool pgn_arguments_read(pgn_arguments *arguments, int *status, const char *command, const char *about,
                        const option *options, size_t option_count, int argc, char **argv);
void pgn_arguments_free(pgn_arguments *arguments);

/* A job for these arguments, with its output opened. False after an error line. */
bool pgn_job_start(pgn_job *job, const pgn_arguments *arguments);

/*
 * Closes the output; what was given up before its end replaces no file. Returns `status`, or after an error line that of
 * failure if the output could not be written.
 */
int pgn_job_finish(pgn_job *job, const pgn_arguments *arguments, const pgn_totals *totals, int status);

#endif
