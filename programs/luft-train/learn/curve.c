/* SPDX-License-Identifier: MIT */
/*
 * A chart of 720 by 400: steps to the right, errors upward from the smallest to the ninth decile, so that the steep
 * beginning does not flatten the rest.
 */
#include "curve.h"

#include "util/atomic_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 720, HEIGHT = 400, LEFT = 70, RIGHT = 20, TOP = 40, BOTTOM = 50 };

typedef struct chart {
    double low, high; /* errors at the bottom and at the top */
    double steps;     /* at the right */
} chart;

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool find_range(chart *frame, const train_point *points, size_t count) {
    double *values = malloc(2 * count * sizeof *values);
    if (!values) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        values[2 * i] = points[i].training;
        values[2 * i + 1] = points[i].validation;
    }
    qsort(values, 2 * count, sizeof *values, compare);
    frame->low = values[0];
    frame->high = values[(2 * count - 1) * 9 / 10];
    const double margin = frame->high > frame->low ? (frame->high - frame->low) * 0.08 : frame->low * 0.05 + 1e-6;
    frame->low -= margin;
    frame->high += margin;
    free(values);
    return true;
}

static double x_of(const chart *frame, double step) {
    return LEFT + (WIDTH - LEFT - RIGHT) * step / frame->steps;
}

static double y_of(const chart *frame, double error) {
    const double share = (error - frame->low) / (frame->high - frame->low);
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - (share > 1 ? 1 : share));
}

static void write_curve(FILE *file, const chart *frame, const train_point *points, size_t count, bool validation,
                        const char *colour) {
    fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour);
    for (size_t i = 0; i < count; i++) {
        const double error = validation ? points[i].validation : points[i].training;
        fprintf(file, "%s%.1f,%.1f", i ? " " : "", x_of(frame, (double)points[i].step), y_of(frame, error));
    }
    fputs("\"/>\n", file);
}

static void write_frame(FILE *file, const chart *frame, const char *title) {
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
            "font-size=\"12\">\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n<text x=\"%d\" y=\"22\" "
            "font-size=\"14\">%s</text>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT, title);
    for (int i = 0; i <= 4; i++) {
        const double error = frame->low + (frame->high - frame->low) * i / 4;
        const double step = frame->steps * i / 4;
        fprintf(file, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", LEFT, WIDTH - RIGHT,
                y_of(frame, error), y_of(frame, error));
        fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.5f</text>\n", LEFT - 8, y_of(frame, error) + 4,
                error);
        fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>\n", x_of(frame, step),
                HEIGHT - BOTTOM + 18, step);
    }
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">batches</text>\n", (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 12);
}

bool train_curve_write(const char *path, const char *title, const train_point *points, size_t count, uint64_t steps) {
    chart frame = {.steps = (double)steps};
    if (count == 0 || !find_range(&frame, points, count)) {
        return false;
    }
    atomic_file written;
    if (!atomic_file_open(&written, path)) {
        return false;
    }
    FILE *file = written.stream;
    write_frame(file, &frame, title);
    write_curve(file, &frame, points, count, false, "#999999");
    write_curve(file, &frame, points, count, true, "#1f5fa8");
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#777\">training</text>\n", WIDTH - RIGHT - 80,
            TOP + 14);
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#1f5fa8\">held out</text>\n</svg>\n",
            WIDTH - RIGHT - 10, TOP + 14);
    return atomic_file_close(&written, true);
}
