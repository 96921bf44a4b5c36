/* SPDX-License-Identifier: MIT */
/* The clock and the line of progress. */
#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void progress_start(progress *line, const char *unit, uint64_t first, uint64_t goal) {
    *line = (progress){
        .unit = unit, .goal = goal, .first = first, .started = clock_seconds(), .terminal = isatty(STDERR_FILENO) != 0};
}

const char *progress_text(const progress *line, uint64_t done, char *buffer, int size) {
    const double elapsed = clock_seconds() - line->started;
    const double rate = elapsed > 0 ? (double)(done - line->first) / elapsed : 0;
    int used = snprintf(buffer, (size_t)size, "%" PRIu64 " %s, %.0f/s", done, line->unit, rate);
    if (line->goal > done && rate > 0 && used < size) {
        const double left = (double)(line->goal - done) / rate;
        const double amount = left < 90 ? left : left < 5400 ? left / 60 : left / 3600;
        snprintf(buffer + used, (size_t)(size - used), ", %.0f %s left", amount,
                 left < 90     ? "s"
                 : left < 5400 ? "min"
                               : "h");
    }
    return buffer;
}

void progress_show(progress *line, uint64_t done) {
    char text[128];
    if (!line->terminal || clock_seconds() - line->last_drawn < 0.1) {
        return;
    }
    line->last_drawn = clock_seconds();
    line->width = fprintf(stderr, "\r%-*s", line->width, progress_text(line, done, text, sizeof text)) - 1;
    fflush(stderr);
}

void progress_end(progress *line) {
    if (line->width > 0) {
        fprintf(stderr, "\r%*s\r", line->width, "");
        line->width = 0;
    }
}
