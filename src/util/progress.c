/* SPDX-License-Identifier: MIT */
/*
 * Draws the progress line. It is overwritten with blanks rather than erased by
 * an escape sequence, so that it works on any terminal that knows a carriage
 * return, and it is kept shorter than the 80 columns that one can count on.
 */
#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include "text.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define SECONDS_BEFORE_FIRST 1.0
#define SECONDS_BETWEEN 0.1

double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void progress_start(progress *line, const char *label, bool has_share) {
    *line = (progress){.terminal = isatty(STDERR_FILENO) != 0,
                       .has_share = has_share,
                       .unit = "nodes",
                       .rate = "Mnps",
                       .started = clock_seconds()};
    snprintf(line->label, sizeof line->label, "%s", label);
}

static void write_remaining(char *buffer, size_t size, double seconds) {
    if (seconds < 90) {
        snprintf(buffer, size, ", %.0f s left", seconds);
    } else if (seconds < 5400) {
        snprintf(buffer, size, ", %.0f min left", seconds / 60);
    } else if (seconds < 360000) {
        snprintf(buffer, size, ", %.0f h left", seconds / 3600);
    } else {
        buffer[0] = '\0'; /* too far away to be worth a guess */
    }
}

static void draw(progress *line, double now) {
    const double elapsed = now - line->started;
    char nodes[TEXT_COUNT_SIZE];
    char share[16] = "";
    char remaining[24] = "";
    if (line->has_share) {
        snprintf(share, sizeof share, "%.1f %%, ", 100 * line->share);
        if (line->share > 0.01) {
            write_remaining(remaining, sizeof remaining, elapsed * (1 - line->share) / line->share);
        }
    }
    char text[128];
    snprintf(text, sizeof text, "%s: %s%s %s, %.1f %s%s", line->label, share,
             text_count(nodes, (luft_count){line->nodes, 0}, true), line->unit, (double)line->worked / elapsed * 1e-6,
             line->rate, remaining);
    const int width = fprintf(stderr, "\r%-*s", line->width, text) - 1;
    line->width = width;
    line->last_drawn = now;
    fflush(stderr);
}

void progress_add(progress *line, double share, uint64_t nodes) {
    progress_add_work(line, share, nodes, nodes);
}

void progress_add_work(progress *line, double share, uint64_t nodes, uint64_t worked) {
    line->share = line->share + share < 1 ? line->share + share : 1; /* the sum of the shares is rounded */
    line->nodes = nodes > UINT64_MAX - line->nodes ? UINT64_MAX : line->nodes + nodes;
    line->worked = worked > UINT64_MAX - line->worked ? UINT64_MAX : line->worked + worked;
    if (!line->terminal) {
        return;
    }
    const double now = clock_seconds();
    if (now - line->started >= SECONDS_BEFORE_FIRST && now - line->last_drawn >= SECONDS_BETWEEN) {
        draw(line, now);
    }
}

void progress_clear(progress *line) {
    if (line->width > 0) {
        fprintf(stderr, "\r%*s\r", line->width, "");
        fflush(stderr);
        line->width = 0;
    }
}
