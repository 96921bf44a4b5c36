/* SPDX-License-Identifier: MIT */
/*
 * Chance that can be repeated: a stream of numbers from a seed, the same on every machine. It is a counter
 * whose bits are scattered (the method is known as SplitMix64), so any seed is as good as any other.
 */
#ifndef LUFT_UTIL_RANDOM_H
#define LUFT_UTIL_RANDOM_H

#include <stdint.h>

/* Scatters the bits of a number: near ones become unlike. */
static inline uint64_t scatter(uint64_t number) {
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9ull;
    number = (number ^ number >> 27) * 0x94d049bb133111ebull;
    return number ^ number >> 31;
}

static inline uint64_t random_next(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15ull;
    return scatter(*state);
}

/* A number from 0 to limit - 1. */
static inline uint64_t random_below(uint64_t *state, uint64_t limit) {
    return (uint64_t)((unsigned __int128)random_next(state) * limit >> 64);
}

#endif
