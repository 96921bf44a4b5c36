/* SPDX-License-Identifier: MIT */
/*
 * Threads for a module that has only one: a thread that was created is a coroutine, which
 * the page's side (web/package/engine.js) lets run for some milliseconds at a time. Where the work calls
 * engine_pause it may be set aside: binaryen's asyncify keeps what is on the stack of WebAssembly, and the
 * stack of C is one of its own. So lines of UCI can be obeyed between two slices.
 *
 * At most one such thread runs beside the caller. More, which that one creates, are Workers where memory can be
 * shared (crew.c). Where there are none, the only thread that it creates is the search of bench, with nobody to run beside:
 * it runs when it is waited for.
 */
#include <pthread.h>

#include "crew.h"
#include "host.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

typedef struct thread {
    void *(*function)(void *); /* NULL: the slot is free */
    void *argument;
    bool is_done;
} thread;

enum { BESIDE, WITHIN, SLOTS, CREW = SLOTS, STACK_SIZE = 512 * 1024, KEPT_SIZE = 1024 * 1024 };

/* The only state of the module that C keeps outside of a session: where its threads are. */
static thread threads[SLOTS];
static _Alignas(16) char stack[STACK_SIZE];
static _Alignas(16) char kept[KEPT_SIZE];

/* --- What the page's side calls ----------------------------------------------------- */

bool web_thread_is_alive(void) {
    return threads[BESIDE].function && !threads[BESIDE].is_done;
}

static void run(thread *thread) {
    thread->function(thread->argument);
    thread->is_done = true;
}

void web_thread_run(void) {
    run(&threads[BESIDE]);
}

char *web_thread_stack(void) {
    return stack + STACK_SIZE;
}

/* It begins with two pointers: to the rest of it, and to its end. */
void *web_thread_kept(void) {
    const uintptr_t bounds[2] = {(uintptr_t)(kept + sizeof bounds), (uintptr_t)(kept + KEPT_SIZE)};
    memcpy(kept, bounds, sizeof bounds);
    return kept;
}

/* --- What C calls --------------------------------------------------------------------- */

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
    (void)attributes;
    *id = threads[BESIDE].function ? WITHIN : BESIDE;
    if (*id == WITHIN && crew_size() > 0) {
        const int number = crew_start(function, argument);
        *id = CREW + number;
        return number >= 0 ? 0 : EAGAIN;
    }
    if (threads[*id].function) {
        return EAGAIN;
    }
    threads[*id] = (thread){.function = function, .argument = argument};
    return 0;
}

int pthread_join(pthread_t id, void **result) {
    (void)result;
    if (id >= CREW) {
        crew_wait(id - CREW);
        return 0;
    }
    if (id == WITHIN) {
        run(&threads[id]);
    } else if (!threads[id].is_done) {
        host_finish();
    }
    threads[id].function = NULL;
    return 0;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    (void)condition;
    pthread_mutex_unlock(mutex);
    host_wait();
    pthread_mutex_lock(mutex);
    return 0;
}
