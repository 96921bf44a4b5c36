/* SPDX-License-Identifier: MIT */
/*
 * The options of commands whose work is cut into units (util/units.h): --jobs, --journal, --unit with --out, and --from,
 * which luft merge uses. A directory of parts has a journal for each, and the file `command` with the arguments, one a
 * line.
 */
#ifndef LUFT_PROGRAM_BATCH_H
#define LUFT_PROGRAM_BATCH_H

#include "util/options.h"
#include "util/units.h"

typedef struct batch_options {
    const char *journal;   /* --journal; NULL for none */
    const char *unit;      /* --unit I/N; NULL for none */
    const char *directory; /* --out */
    const char *from;      /* --from */
    uint64_t jobs;         /* --jobs, 0 if not given */
    journal_part part;     /* of --unit; all zeros for none */
    /* The arguments of the command, for luft merge: */
    int argc;
    char **argv;
} batch_options;

enum { BATCH_OPTION_COUNT = 5, BATCH_MAX_JOBS = 256 };

/* Writes the options into a table. --jobs is the last, for commands that have it. */
void batch_add_options(option table[BATCH_OPTION_COUNT], batch_options *batch, const char *jobs_help);

/* Prints an error line if the options contradict each other; sets jobs and part. */
bool batch_check(batch_options *batch, const char *command);

/* Are the results kept in a file? The manifest must then name all that they depend on. */
static inline bool batch_is_kept(const batch_options *batch) {
    return batch->journal || batch->unit || batch->from;
}

/* Opens the units of the work. NULL after an error line, with an exit status. */
units *batch_open(const batch_options *batch, const char *command, const char *manifest, progress *line, int *status);

/* A message on standard error after work that was interrupted: how to resume. */
void batch_report_interrupt(const batch_options *batch, const char *command, units *it);

/* The name of the file with the arguments in a directory of parts. */
#define BATCH_COMMAND_FILE "command"

#endif
