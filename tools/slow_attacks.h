/* SPDX-License-Identifier: MIT */
/*
 * Sliding attacks by walking the rays square by square: slow and plain. Both tools use it;
 * the library does not, and the tests have a ray walk of their own. Needs only the C
 * library, so that the tools build on any host.
 *
 * Squares run from a8 = 0 to h1 = 63; row 0 is the eighth rank.
 */
#ifndef LUFT_TOOLS_SLOW_ATTACKS_H
#define LUFT_TOOLS_SLOW_ATTACKS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum slider { ROOK = 0, BISHOP = 1 } slider;

/* Directions of each slider as {file step, row step}; opposite directions are neighbours. */
static const int slider_steps[2][4][2] = {
    {{1, 0}, {-1, 0}, {0, 1}, {0, -1}},
    {{1, 1}, {-1, -1}, {1, -1}, {-1, 1}},
};

static inline bool on_board(int file, int row) {
    return file >= 0 && file < 8 && row >= 0 && row < 8;
}

/* The squares from `square` along one direction, up to and including the first blocker. */
static inline uint64_t slow_ray(int square, const int step[2], uint64_t occupied) {
    uint64_t ray = 0;
    int file = square % 8 + step[0];
    int row = square / 8 + step[1];
    while (on_board(file, row)) {
        const uint64_t bit = UINT64_C(1) << (row * 8 + file);
        ray |= bit;
        if (occupied & bit) {
            break;
        }
        file += step[0];
        row += step[1];
    }
    return ray;
}

static inline uint64_t slow_attacks(slider piece, int square, uint64_t occupied) {
    uint64_t attacks = 0;
    for (int direction = 0; direction < 4; direction++) {
        attacks |= slow_ray(square, slider_steps[piece][direction], occupied);
    }
    return attacks;
}

/* The squares whose occupation matters: each ray without its last square, since a blocker there hides nothing. */
static inline uint64_t slider_mask(slider piece, int square) {
    uint64_t mask = 0;
    for (int direction = 0; direction < 4; direction++) {
        const int *step = slider_steps[piece][direction];
        const uint64_t ray = slow_ray(square, step, 0);
        for (int target = 0; target < 64; target++) {
            if (ray >> target & 1 && on_board(target % 8 + step[0], target / 8 + step[1])) {
                mask |= UINT64_C(1) << target;
            }
        }
    }
    return mask;
}

static inline int count_bits(uint64_t set) {
    int count = 0;
    for (; set; set &= set - 1) {
        count++;
    }
    return count;
}

/* Subset `index` of the mask: bit k of the index stands for the k-th lowest square of the mask. */
static inline uint64_t subset_of_mask(uint64_t mask, unsigned index) {
    uint64_t subset = 0;
    for (; mask; mask &= mask - 1, index >>= 1) {
        if (index & 1) {
            subset |= mask & (0 - mask);
        }
    }
    return subset;
}

/* Pseudo-random words: Vigna's splitmix64. */
static inline uint64_t next_random(uint64_t *state) {
    uint64_t word = *state += UINT64_C(0x9e3779b97f4a7c15);
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
    return word ^ word >> 31;
}

#endif
