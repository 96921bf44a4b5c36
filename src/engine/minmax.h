/* SPDX-License-Identifier: MIT */
/*
 * Minimum, maximum and clamp of integers. int64_t has functions of its own: times and node counts do not fit in an int.
 */
#ifndef LUFT_ENGINE_MINMAX_H
#define LUFT_ENGINE_MINMAX_H

#include <stdint.h>

static inline int min(int a, int b) {
    return a < b ? a : b;
}

static inline int max(int a, int b) {
    return a > b ? a : b;
}

static inline int clamp(int value, int low, int high) {
    return max(low, min(value, high));
}

static inline int64_t min64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static inline int64_t max64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

#endif
