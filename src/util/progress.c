/* SPDX-License-Identifier: MIT */
/*
 * Draws the progress line. It is overwritten with blanks rather than erased by an escape sequence, so it works on any
 * terminal that knows a carriage return, and it is kept shorter than the 80 columns that every terminal has.
 */
#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include "clock.h"
#include "text.h"

#include <stdio.h>
#include <unistd.h>

#define SECONDS_BEFORE_FIRST 1.0
#define SECONDS_BETWEEN 0.1
#define SHARE_NOT_KNOWN (-1.0)

void progress_start_units(progress *line, const char *label, bool has_share, const char *unit, const char *rate,
                          double rate_factor) {
    *line = (progress){.unit = unit,
                       .rate = rate,
                       .rate_factor = rate_factor,
                       .share = has_share ? 0 : SHARE_NOT_KNOWN,
                       .started = clock_seconds(),
                       .terminal = isatty(STDERR_FILENO) != 0};
    snprintf(line->label, sizeof line->label, "%s", label);
}

void progress_start(progress *line, const char *label, bool has_share) {
    progress_start_units(line, label, has_share, "nodes", " Mnps", 1e-6);
}

void progress_start_goal(progress *line, const char *unit, uint64_t first, uint64_t goal) {
    progress_start_units(line, "", goal > first, unit, "/s", 1);
    line->count = line->first = first;
    line->count_max = goal;
}

static void append_remaining(char *text, size_t size, double seconds) {
    if (seconds < 90) {
        snprintf(text, size, ", %.0f s left", seconds);
    } else if (seconds < 5400) {
        snprintf(text, size, ", %.0f min left", seconds / 60);
    } else if (seconds < 360000) {
        snprintf(text, size, ", %.0f h left", seconds / 3600);
    } /* else too far away for an estimate */
}

const char *progress_text(const progress *line, char text[PROGRESS_TEXT_SIZE]) {
    const double elapsed = clock_seconds() - line->started;
    const double rate = elapsed > 0 ? (double)line->work / elapsed * line->rate_factor : 0;
    char count[TEXT_COUNT_SIZE], share[16] = "", remaining[24] = "";
    if (line->share >= 0) {
        snprintf(share, sizeof share, "%.1f %%, ", 100 * line->share);
        if (line->share > 0.01 && line->share < 1) {
            append_remaining(remaining, sizeof remaining, elapsed * (1 - line->share) / line->share);
        }
    }
    snprintf(text, PROGRESS_TEXT_SIZE, "%s%s%s%s %s, %.1f%s%s", line->label, line->label[0] ? ": " : "", share,
             text_count(count, (luft_count){line->count, 0}, true), line->unit, rate, line->rate, remaining);
    return text;
}

static void draw(progress *line) {
    const double now = clock_seconds();
    if (line->terminal && now - line->started >= SECONDS_BEFORE_FIRST && now - line->last_drawn >= SECONDS_BETWEEN) {
        char text[PROGRESS_TEXT_SIZE];
        line->width = fprintf(stderr, "\r%-*s", line->width, progress_text(line, text)) - 1;
        line->last_drawn = now;
        fflush(stderr);
    }
}

static uint64_t add(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

void progress_add(progress *line, double share, uint64_t count, uint64_t work) {
    if (line->share >= 0) {
        line->share = line->share + share < 1 ? line->share + share : 1; /* the sum of the shares is rounded */
    }
    line->count = add(line->count, count);
    line->work = add(line->work, work);
    draw(line);
}

void progress_set(progress *line, uint64_t count) {
    line->count = count;
    line->work = count - line->first;
    if (line->share >= 0) {
        line->share = count < line->count_max ? (double)line->work / (double)(line->count_max - line->first) : 1;
    }
    draw(line);
}

void progress_clear(progress *line) {
    if (line->width > 0) {
        fprintf(stderr, "\r%*s\r", line->width, "");
        fflush(stderr);
        line->width = 0;
    }
}
