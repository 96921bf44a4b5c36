/* SPDX-License-Identifier: MIT */
/* The errors of a training, as a picture. */
#ifndef LUFT_TRAIN_LEARN_CURVE_H
#define LUFT_TRAIN_LEARN_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The errors since the point before, and on what is held out. */
typedef struct train_point {
    uint64_t step;
    double training;
    double validation;
} train_point;

/* Writes an SVG with both curves. `title` is plain text. False if it cannot be written. */
bool train_curve_write(const char *path, const char *title, const train_point *points, size_t count, uint64_t steps);

#endif
