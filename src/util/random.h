/* SPDX-License-Identifier: MIT */
/*
 * Repeatable random numbers: a stream from a seed, the same on every machine. The generator is SplitMix64, a counter
 * whose bits are mixed, so every seed is as good as any other. The state is one number, which the caller owns.
 */
#ifndef LUFT_UTIL_RANDOM_H
#define LUFT_UTIL_RANDOM_H

#include <stdint.h>

/* Mixes the bits of a number, so that near numbers become unlike; different numbers stay different. */
static inline uint64_t random_mix(uint64_t number) {
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9ull;
    number = (number ^ number >> 27) * 0x94d049bb133111ebull;
    return number ^ number >> 31;
}

static inline uint64_t random_next(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15ull;
    return random_mix(*state);
}

/* A number from 0 to limit - 1. */
static inline uint64_t random_below(uint64_t *state, uint64_t limit) {
    return (uint64_t)((unsigned __int128)random_next(state) * limit >> 64);
}

#endif
