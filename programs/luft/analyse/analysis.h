/* SPDX-License-Identifier: MIT */
/* A run over files: the units with their workers, the output, and the progress line; shared by lists and games. */
#ifndef LUFT_PROGRAM_ANALYSE_ANALYSIS_H
#define LUFT_PROGRAM_ANALYSE_ANALYSIS_H

#include "searches.h"

#include "util/input.h"
#include "util/output_file.h"

/* All zeros before analysis_open. */
typedef struct analysis {
    const analyse_settings *settings;
    units *units;
    unit_work work;
    progress line;
    output_file output;
    uint64_t total_size; /* of the files, 0 if it is not known */
    buffer text;         /* to be written */
    buffer request;      /* being written */
    buffer result;       /* being read */
} analysis;

/*
 * Opens the output and the units, and starts the workers; `what` names the work in the manifest. False with an exit
 * status, after an error line, or after serving another process as a worker. End with analysis_close in any case.
 */
bool analysis_open(analysis *run, const analyse_settings *settings, const char *what, int *status);

/* Ends the workers, and replaces the output file if `keep`. False after an error line. */
bool analysis_close(analysis *run, bool keep);

/* Waits for the result of a request, which is "" if the game is over. False if there is none: analysis_report_stop. */
bool analysis_wait(analysis *run, searched *out, const luft_position *position, const char *request);

/* Prints an error line unless there was one: "interrupted in game 3". */
void analysis_report_stop(analysis *run, const char *what, uint64_t number);

/* The share of the work that so many bytes of the files are. */
double analysis_share(const analysis *run, uint64_t bytes);

/* Two fields of CSV, of which one is empty: centipawns and moves to mate, from White's view. */
void analysis_append_csv_score(buffer *out, int score_white);

#endif
