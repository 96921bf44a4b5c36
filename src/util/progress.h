/* SPDX-License-Identifier: MIT */
/*
 * One line of progress that rewrites itself on standard error. It appears only where standard error is a terminal,
 * after a second of work, at most ten times a second; a pipe or a file never gets it.
 *
 *     perft 7: 42.0 %, 1,234,567 nodes, 210.5 Mnps, 12 s left
 */
#ifndef LUFT_UTIL_PROGRESS_H
#define LUFT_UTIL_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct progress {
    char label[32];     /* before the counts; "" for none */
    const char *unit;   /* of what is counted: "nodes" */
    const char *rate;   /* behind the rate: " Mnps", "/s" */
    double rate_factor; /* from work done in a second to the rate shown: 1e-6 for millions */
    double share;       /* done, 0 to 1; negative if not known */
    uint64_t count;     /* done, in units; stays at the greatest value */
    uint64_t work;      /* what the rate is computed from: nodes, bytes */
    uint64_t count_max; /* the goal of progress_set, 0 for none */
    uint64_t first;     /* count at the start, which does not enter the rate of progress_set */
    double started;     /* clock_seconds at the start */
    double last_drawn;  /* clock_seconds when the line was last written; 0 for never */
    int width;          /* of the line on the screen; 0 for none */
    bool terminal;      /* standard error is one */
} progress;

/* Counts nodes and shows millions of them a second. `label` may be changed later; a long one is cut. */
void progress_start(progress *line, const char *label, bool has_share);

/* The same with other units: `unit` for the counts, `rate` and its factor for the work. */
void progress_start_units(progress *line, const char *label, bool has_share, const char *unit, const char *rate,
                          double rate_factor);

/* Counts from `first` to `goal`, 0 if there is none, and shows how many a second. */
void progress_start_goal(progress *line, const char *unit, uint64_t first, uint64_t goal);

/* More is done: this share of the whole, so many units, and work for the rate. */
void progress_add(progress *line, double share, uint64_t count, uint64_t work);

/* So much is done in all; after progress_start_goal. */
void progress_set(progress *line, uint64_t count);

/* The text of the line. Returns `text`. */
#define PROGRESS_TEXT_SIZE 160
const char *progress_text(const progress *line, char text[PROGRESS_TEXT_SIZE]);

/* Removes the line from the screen, so that other output can be printed; the next change draws it again. */
void progress_clear(progress *line);

#endif
