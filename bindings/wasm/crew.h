/* SPDX-License-Identifier: MIT */
/*
 * Workers that share the module's memory and run what they are given: the threads of a search beyond its first,
 * in pages that are cross-origin isolated and in Node. There are none elsewhere.
 */
#ifndef LUFT_WASM_CREW_H
#define LUFT_WASM_CREW_H

#include <pthread.h>

#ifdef __wasm_atomics__

/* How many there are, busy or not. */
int crew_size(void);

/* The number of the one that runs it now; -1 if none is free. */
int crew_start(void *(*function)(void *), void *argument);

/* Returns when it is done. A search that waits pauses meanwhile. */
void crew_wait(int number);

#else

static inline int crew_size(void) {
    return 0;
}
static inline int crew_start(void *(*function)(void *), void *argument) {
    (void)function;
    (void)argument;
    return -1;
}
static inline void crew_wait(int number) {
    (void)number;
}

#endif

#endif
