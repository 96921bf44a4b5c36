/* SPDX-License-Identifier: MIT */
/*
 * How far a long work has come: a line that rewrites itself where standard error is a terminal, and nothing in a
 * pipe or a file. What is worth keeping goes to a log, which the caller writes.
 */
#ifndef LUFT_TRAIN_PROGRESS_H
#define LUFT_TRAIN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    const char *unit;  /* "positions" */
    uint64_t goal;     /* 0 if it is not known */
    uint64_t first;    /* what was done before the start, and does not count for the rate */
    double started;    /* seconds */
    double last_drawn; /* seconds */
    int width;         /* of the line on the screen */
    bool terminal;
} progress;

/* Seconds of a clock that only goes forward. */
double clock_seconds(void);

void progress_start(progress *line, const char *unit, uint64_t first, uint64_t goal);

/* So much is done now; draws at most ten times a second. */
void progress_show(progress *line, uint64_t done);

/* "1,234,567 positions, 890/s, 12 min left" into a buffer; returns it. */
const char *progress_text(const progress *line, uint64_t done, char *buffer, int size);

/* Takes the line off the screen. */
void progress_end(progress *line);

#endif
