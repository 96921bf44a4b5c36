/* SPDX-License-Identifier: MIT */
/* The threads wait for a round of work and do their parts; the last one done wakes the caller. */
#define _POSIX_C_SOURCE 200809L

#include "pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct pool_thread {
    train_pool *pool;
    int index;
    pthread_t id;
} pool_thread;

struct train_pool {
    pthread_mutex_t mutex; /* guards all that follows */
    pthread_cond_t begun;  /* a round, or the end of the pool */
    pthread_cond_t done;   /* all parts of the round */
    unsigned long round;
    int busy; /* threads that still work on it */
    bool over;
    train_work work;
    void *payload;
    int size;    /* the caller included */
    int started; /* threads that run, the caller not included */
    pool_thread threads[TRAIN_THREADS_MAX];
};

static void *thread_main(void *argument) {
    const pool_thread *self = argument;
    train_pool *pool = self->pool;
    unsigned long last = 0;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (pool->round == last && !pool->over) {
            pthread_cond_wait(&pool->begun, &pool->mutex);
        }
        if (pool->over) {
            break;
        }
        last = pool->round;
        pthread_mutex_unlock(&pool->mutex);
        pool->work(pool->payload, self->index, pool->size);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->busy == 0) {
            pthread_cond_signal(&pool->done);
        }
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

train_pool *train_pool_create(int threads) {
    train_pool *pool = calloc(1, sizeof *pool);
    if (!pool) {
        return NULL;
    }
    pool->size = threads < 1 ? 1 : threads > TRAIN_THREADS_MAX ? TRAIN_THREADS_MAX : threads;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->begun, NULL);
    pthread_cond_init(&pool->done, NULL);
    for (int i = 1; i < pool->size; i++) {
        pool_thread *thread = &pool->threads[i];
        *thread = (pool_thread){.pool = pool, .index = i};
        if (pthread_create(&thread->id, NULL, thread_main, thread) != 0) {
            train_pool_free(pool);
            return NULL;
        }
        pool->started = i;
    }
    return pool;
}

void train_pool_free(train_pool *pool) {
    if (!pool) {
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    pool->over = true;
    pthread_cond_broadcast(&pool->begun);
    pthread_mutex_unlock(&pool->mutex);
    for (int i = 1; i <= pool->started; i++) {
        pthread_join(pool->threads[i].id, NULL);
    }
    pthread_mutex_destroy(&pool->mutex);
    pthread_cond_destroy(&pool->begun);
    pthread_cond_destroy(&pool->done);
    free(pool);
}

int train_pool_size(const train_pool *pool) {
    return pool->size;
}

void train_pool_run(train_pool *pool, train_work work, void *payload) {
    pthread_mutex_lock(&pool->mutex);
    pool->work = work;
    pool->payload = payload;
    pool->busy = pool->size - 1;
    pool->round++;
    pthread_cond_broadcast(&pool->begun);
    pthread_mutex_unlock(&pool->mutex);
    work(payload, 0, pool->size);
    pthread_mutex_lock(&pool->mutex);
    while (pool->busy > 0) {
        pthread_cond_wait(&pool->done, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
}
