/* SPDX-License-Identifier: MIT */
/*
 * The frame of the subcommands of `luft pgn`: reads the arguments that all of them have (files, the output, threads),
 * opens the output, lets threads read the games (work.h), and closes the output.
 */
#ifndef LUFT_PROGRAM_PGN_FRAME_H
#define LUFT_PROGRAM_PGN_FRAME_H

#include "work.h"

#include "util/options.h"

/* A subcommand: its options, and the job that they describe. */
typedef struct pgn_frame {
    const char *about;     /* for the help */
    const option *options; /* its own; the common ones follow them */
    size_t option_count;
    /* Standard output does not do: --output is required, and a file that exists is replaced only with --force. The file
       is kept only if the exit status is STATUS_OK. */
    bool makes_file;
    /* Checks the options and completes the job. False after an error line. NULL if there is nothing to do. */
    bool (*prepare)(pgn_job *job);
    /* Writes what follows the games. Returns the exit status. NULL: that of the totals. */
    int (*finish)(const pgn_job *job, const pgn_totals *totals);
} pgn_frame;

/*
 * Runs the job, of which the caller has set the command, the callbacks and what is shared. Returns an exit status. A file
 * is replaced only by complete output: not after memory ran out, and not if a signal ends the program.
 */
int pgn_frame_run(const pgn_frame *frame, pgn_job *job, int argc, char **argv);

#endif
