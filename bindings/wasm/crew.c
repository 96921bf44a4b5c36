/* SPDX-License-Identifier: MIT */
/*
 * The crew, and the memory that all of it shares. A member is an instance of this module in a Worker of its own
 * (web/package/crew.js), which sleeps in C until there is work; so starting a thread takes no message and no turn of
 * an event loop.
 */
#include "crew.h"

#include "host.h"

#include "engine/engine.h"
#include "engine/pause.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { CREW_MAX = ENGINE_THREADS_MAX - 1, STACK_SIZE = 512 * 1024, LOOK_AGAIN_NS = 2000000 };

enum { FREE, TAKEN, BUSY, DONE }; /* what a member does */

typedef struct member {
    void *(*function)(void *);
    void *argument;
    _Atomic int state;
} member;

static member members[CREW_MAX];
static _Atomic int member_count;

static void sleep_while(_Atomic int *state, int value, int64_t nanoseconds) {
    __builtin_wasm_memory_atomic_wait32((int *)state, value, nanoseconds);
}

static void set(_Atomic int *state, int value) {
    atomic_store(state, value);
    __builtin_wasm_memory_atomic_notify((int *)state, 1);
}

/* --- What the page's side calls ----------------------------------------------------- */

char *web_crew_stack(void) {
    char *stack = aligned_alloc(16, STACK_SIZE);
    // cppcheck-suppress memleak ; it is used from its end on, as long as the module lives
    return stack ? stack + STACK_SIZE : NULL;
}

int web_crew_enter(void) {
    int number = atomic_load(&member_count);
    do {
        if (number == CREW_MAX) {
            return -1;
        }
    } while (!atomic_compare_exchange_weak(&member_count, &number, number + 1));
    return number;
}

void web_crew_serve(int number) {
    member *member = &members[number];
    for (;;) {
        for (int state; (state = atomic_load(&member->state)) != BUSY;) {
            sleep_while(&member->state, state, -1);
        }
        member->function(member->argument);
        set(&member->state, DONE);
    }
}

/* --- What C calls --------------------------------------------------------------------- */

int crew_size(void) {
    return atomic_load(&member_count);
}

int crew_start(void *(*function)(void *), void *argument) {
    for (int i = 0; i < crew_size(); i++) {
        member *member = &members[i];
        int expected = FREE;
        if (atomic_compare_exchange_strong(&member->state, &expected, TAKEN)) {
            member->function = function;
            member->argument = argument;
            set(&member->state, BUSY);
            return i;
        }
    }
    return -1;
}

void crew_wait(int number) {
    _Atomic int *state = &members[number].state;
    while (atomic_load(state) != DONE) {
        sleep_while(state, BUSY, LOOK_AGAIN_NS);
        engine_pause(); /* nothing, if it is not the search that waits */
    }
    set(state, FREE);
}

/* --- Memory ------------------------------------------------------------------------------ */

/* The C library knows of no threads, so one at a time: the linker's --wrap puts these in its place. */
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
