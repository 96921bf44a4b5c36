/* SPDX-License-Identifier: MIT */
/*
 * The part of POSIX threads that Luft uses, for WebAssembly, which has none. bindings/wasm/threads.c runs the threads
 * that are created here. In the module whose memory Workers share, a mutex is a lock; in the other nothing else can
 * run between two calls that pause, so a mutex does nothing.
 */
#ifndef LUFT_WASM_POSIX_PTHREAD_H
#define LUFT_WASM_POSIX_PTHREAD_H

#include <stddef.h>

typedef int pthread_t;
typedef struct pthread_attr_t {
    char unused;
} pthread_attr_t;
typedef struct pthread_mutex_t {
    _Atomic int locked;
} pthread_mutex_t;
typedef struct pthread_cond_t {
    char unused;
} pthread_cond_t;

/* Asked only while a callback of a search runs, which no other thread interrupts: so all callers are one thread. */
static inline pthread_t pthread_self(void) {
    return 0;
}
static inline int pthread_equal(pthread_t a, pthread_t b) {
    return a == b;
}

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *), void *argument);
int pthread_join(pthread_t id, void **result);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);

static inline int pthread_attr_init(pthread_attr_t *attributes) {
    (void)attributes;
    return 0;
}
static inline int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size) {
    (void)attributes;
    (void)size;
    return 0;
}
static inline int pthread_attr_destroy(pthread_attr_t *attributes) {
    (void)attributes;
    return 0;
}
static inline int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes) {
    (void)attributes;
    mutex->locked = 0;
    return 0;
}
static inline int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}
static inline int pthread_mutex_lock(pthread_mutex_t *mutex) {
#ifdef __wasm_atomics__
    while (__c11_atomic_exchange(&mutex->locked, 1, __ATOMIC_ACQUIRE)) {
        __builtin_wasm_memory_atomic_wait32((int *)&mutex->locked, 1, -1);
    }
#else
    (void)mutex;
#endif
    return 0;
}
static inline int pthread_mutex_unlock(pthread_mutex_t *mutex) {
#ifdef __wasm_atomics__
    __c11_atomic_store(&mutex->locked, 0, __ATOMIC_RELEASE);
    __builtin_wasm_memory_atomic_notify((int *)&mutex->locked, 1);
#else
    (void)mutex;
#endif
    return 0;
}
static inline int pthread_cond_init(pthread_cond_t *condition, const void *attributes) {
    (void)condition;
    (void)attributes;
    return 0;
}
static inline int pthread_cond_destroy(pthread_cond_t *condition) {
    (void)condition;
    return 0;
}
/* A waiting thread checks its condition after every line of UCI. */
static inline int pthread_cond_broadcast(pthread_cond_t *condition) {
    (void)condition;
    return 0;
}

#endif
