/* SPDX-License-Identifier: MIT */
/*
 * The part of POSIX threads that Luft uses, for a WebAssembly module that has one
 * thread. See src/web/threads.c for what becomes of a thread that is created here.
 */
#ifndef LUFT_WEB_POSIX_PTHREAD_H
#define LUFT_WEB_POSIX_PTHREAD_H

#include <stddef.h>

typedef int pthread_t;
typedef struct pthread_attr_t {
    char unused;
} pthread_attr_t;
typedef struct pthread_mutex_t {
    char unused;
} pthread_mutex_t;
typedef struct pthread_cond_t {
    char unused;
} pthread_cond_t;

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *), void *argument);
int pthread_join(pthread_t id, void **result);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);

/* Nobody else can run between two calls that pause, so there is nothing to lock and nobody to wake. */
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
    (void)mutex;
    (void)attributes;
    return 0;
}
static inline int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}
static inline int pthread_mutex_lock(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}
static inline int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    (void)mutex;
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
static inline int pthread_cond_broadcast(pthread_cond_t *condition) {
    (void)condition;
    return 0;
}

#endif
