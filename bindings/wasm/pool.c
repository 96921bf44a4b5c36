/* SPDX-License-Identifier: MIT */
/*
 * The thread pool, and the memory that all its threads share. A pool thread is an instance of this module in a Worker
 * of its own, which web/package starts. It sleeps in C until there is work, so starting it takes no message and no turn
 * of an event loop.
 */
#include "pool.h"

#include "host.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { POOL_MAX = 31 /* one less than the threads of the engine */, STACK_SIZE = 512 * 1024, LOOK_AGAIN_NS = 2000000 };

enum { FREE, TAKEN, BUSY, DONE }; /* states of a pool thread */

typedef struct pool_thread {
    void *(*function)(void *);
    void *argument;
    _Atomic int state;
} pool_thread;

static pool_thread threads[POOL_MAX];
static _Atomic int thread_count;

static void sleep_while(_Atomic int *state, int value, int64_t nanoseconds) {
    __builtin_wasm_memory_atomic_wait32((int *)state, value, nanoseconds);
}

static void set(_Atomic int *state, int value) {
    atomic_store(state, value);
    __builtin_wasm_memory_atomic_notify((int *)state, 1);
}

/* --- What JavaScript calls ------------------------------------------------------------ */

char *web_pool_stack(void) {
    char *stack = aligned_alloc(16, STACK_SIZE);
    // cppcheck-suppress memleak ; the stack is used from its end, as long as the module exists
    return stack ? stack + STACK_SIZE : NULL;
}

int web_pool_enter(void) {
    int number = atomic_load(&thread_count);
    do {
        if (number == POOL_MAX) {
            return -1;
        }
    } while (!atomic_compare_exchange_weak(&thread_count, &number, number + 1));
    return number;
}

void web_pool_serve(int number) {
    pool_thread *thread = &threads[number];
    for (;;) {
        for (int state; (state = atomic_load(&thread->state)) != BUSY;) {
            sleep_while(&thread->state, state, -1);
        }
        thread->function(thread->argument);
        set(&thread->state, DONE);
    }
}

/* --- What C calls --------------------------------------------------------------------- */

int pool_size(void) {
    return atomic_load(&thread_count);
}

int pool_start(void *(*function)(void *), void *argument) {
    for (int i = 0; i < pool_size(); i++) {
        pool_thread *thread = &threads[i];
        int expected = FREE;
        if (atomic_compare_exchange_strong(&thread->state, &expected, TAKEN)) {
            thread->function = function;
            thread->argument = argument;
            set(&thread->state, BUSY);
            return i;
        }
    }
    return -1;
}

void pool_wait(int number) {
    _Atomic int *state = &threads[number].state;
    while (atomic_load(state) != DONE) {
        sleep_while(state, BUSY, LOOK_AGAIN_NS);
        host_pause(); /* does nothing unless the search waits */
    }
    set(state, FREE);
}

/* --- Memory ------------------------------------------------------------------------------ */

/* The C library is not thread-safe here: the linker's --wrap replaces its functions by these, which hold a lock. */
static pthread_mutex_t memory;

#define IN_PLACE_OF(name) __asm__("__wrap_" name)
#define OF_THE_LIBRARY(name) __asm__("__real_" name)

void *locked_malloc(size_t size) IN_PLACE_OF("malloc");
void *locked_calloc(size_t count, size_t size) IN_PLACE_OF("calloc");
void *locked_realloc(void *old, size_t size) IN_PLACE_OF("realloc");
void *locked_aligned_alloc(size_t alignment, size_t size) IN_PLACE_OF("aligned_alloc");
void locked_free(void *room) IN_PLACE_OF("free");

void *library_malloc(size_t size) OF_THE_LIBRARY("malloc");
void *library_calloc(size_t count, size_t size) OF_THE_LIBRARY("calloc");
void *library_realloc(void *old, size_t size) OF_THE_LIBRARY("realloc");
void *library_aligned_alloc(size_t alignment, size_t size) OF_THE_LIBRARY("aligned_alloc");
void library_free(void *room) OF_THE_LIBRARY("free");

void *locked_malloc(size_t size) {
    pthread_mutex_lock(&memory);
    void *room = library_malloc(size);
    pthread_mutex_unlock(&memory);
    return room;
}

void *locked_calloc(size_t count, size_t size) {
    pthread_mutex_lock(&memory);
    void *room = library_calloc(count, size);
    pthread_mutex_unlock(&memory);
    return room;
}

void *locked_realloc(void *old, size_t size) {
    pthread_mutex_lock(&memory);
    void *room = library_realloc(old, size);
    pthread_mutex_unlock(&memory);
    return room;
}

void *locked_aligned_alloc(size_t alignment, size_t size) {
    pthread_mutex_lock(&memory);
    void *room = library_aligned_alloc(alignment, size);
    pthread_mutex_unlock(&memory);
    return room;
}

void locked_free(void *room) {
    pthread_mutex_lock(&memory);
    library_free(room);
    pthread_mutex_unlock(&memory);
}
