/* SPDX-License-Identifier: MIT */
/* Plots the errors of a training. */
#ifndef LUFT_TRAIN_LEARN_CURVE_H
#define LUFT_TRAIN_LEARN_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The error since the point before, and on the held-out positions. */
typedef struct train_point {
    uint64_t step;
    double training;
    double validation;
} train_point;

/* Writes an SVG with both curves. `title` is plain text. False if it cannot be written. */
bool train_curve_write(const char *path, const char *title, const train_point *points, size_t count, uint64_t steps);

#endif
