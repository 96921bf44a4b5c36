/* SPDX-License-Identifier: MIT */
/*
 * The thread pool: Workers that share the module's memory and run the threads of a search except its first one. It
 * exists in cross-origin isolated pages and in Node; elsewhere it is empty.
 */
#ifndef LUFT_WASM_POOL_H
#define LUFT_WASM_POOL_H

#include <pthread.h>

#ifdef __wasm_atomics__

/* How many threads it has, busy or not. */
int pool_size(void);

/* Runs the function in a free thread. Returns the number of the thread; -1 if none is free. */
int pool_start(void *(*function)(void *), void *argument);

/* Waits until the thread has finished. A search that waits pauses meanwhile. */
void pool_wait(int number);

#else

static inline int pool_size(void) {
    return 0;
}
static inline int pool_start(void *(*function)(void *), void *argument) {
    (void)function;
    (void)argument;
    return -1;
}
static inline void pool_wait(int number) {
    (void)number;
}

#endif

#endif
