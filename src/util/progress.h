/* SPDX-License-Identifier: MIT */
/*
 * The clock, and one line of progress that rewrites itself on standard error.
 * The line appears only where standard error is a terminal and only after a
 * second of work; in a pipe or a file nothing is ever written.
 */
#ifndef LUFT_UTIL_PROGRESS_H
#define LUFT_UTIL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Seconds of a clock that only goes forward; differences alone mean something. */
double clock_seconds(void);

typedef struct progress {
    char label[32];    /* what is being done */
    bool terminal;     /* standard error is one */
    bool has_share;    /* `share` is known */
    double share;      /* of the work that is done, 0 to 1 */
    const char *unit;  /* of what is counted: "nodes" unless set otherwise after the start */
    const char *rate;  /* the unit of the rate, a million of what `worked` counts: "Mnps" unless set otherwise */
    uint64_t nodes;    /* counted so far, or whatever the unit is; stays at the greatest value */
    uint64_t worked;   /* what the rate is of: nodes, bytes */
    double started;    /* clock_seconds at the start */
    double last_drawn; /* clock_seconds when the line was last written; 0 for never */
    int width;         /* of the line on the screen; 0 for none */
} progress;

/* `label` may be changed later; a long one is cut. */
void progress_start(progress *line, const char *label, bool has_share);

/* More of the work is done: this share of the whole, and these nodes. */
void progress_add(progress *line, double share, uint64_t nodes);

/* The same where the rate is of something else than what is counted: bytes a second, and games. */
void progress_add_work(progress *line, double share, uint64_t nodes, uint64_t worked);

/* Takes the line off the screen, so that other output can be printed; it comes back by itself. */
void progress_clear(progress *line);

#endif
