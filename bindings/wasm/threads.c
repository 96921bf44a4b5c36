/* SPDX-License-Identifier: MIT */
/*
 * POSIX threads for a module that has only one thread: a created thread is a coroutine, which JavaScript
 * (web/package/engine.js) runs for some milliseconds at a time. Where the work calls host_pause or engine_pause it can be suspended:
 * binaryen's asyncify saves the stack of WebAssembly, and the coroutine has a C stack of its own. So the session
 * receives lines of UCI between two slices.
 *
 * At most one coroutine exists. The threads that it creates run in the thread pool (pool.c), where memory can be
 * shared. Without a pool it creates only the search of bench, which runs when it is joined.
 */
#include <pthread.h>

#include "host.h"
#include "pool.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

typedef struct thread {
    void *(*function)(void *); /* NULL: the slot is free */
    void *argument;
    bool is_done;
} thread;

enum { BESIDE, WITHIN, SLOTS, POOL = SLOTS, STACK_SIZE = 512 * 1024, KEPT_SIZE = 1024 * 1024 };

/* With the session, the only mutable state of the module. */
static thread threads[SLOTS];
static _Alignas(16) char stack[STACK_SIZE];
static _Alignas(16) char kept[KEPT_SIZE];

/* --- What JavaScript calls ------------------------------------------------------------ */

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

/* It begins with two pointers, to its free part and to its end, as asyncify expects. */
void *web_thread_kept(void) {
    const uintptr_t bounds[2] = {(uintptr_t)(kept + sizeof bounds), (uintptr_t)(kept + KEPT_SIZE)};
    memcpy(kept, bounds, sizeof bounds);
    return kept;
}

/* --- What C calls --------------------------------------------------------------------- */

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
    (void)attributes;
    *id = threads[BESIDE].function ? WITHIN : BESIDE;
    if (*id == WITHIN && pool_size() > 0) {
        const int number = pool_start(function, argument);
        *id = POOL + number;
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
    if (id >= POOL) {
        pool_wait(id - POOL);
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
