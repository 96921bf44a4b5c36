/* SPDX-License-Identifier: MIT */
/*
 * A thread pool that does the same work on different parts. The caller is one of the threads.
 */
#ifndef LUFT_TRAIN_LEARN_POOL_H
#define LUFT_TRAIN_LEARN_POOL_H

enum { TRAIN_THREADS_MAX = 256 };

typedef struct train_pool train_pool;

/* Part `index` of `count` of the work. */
typedef void (*train_work)(void *payload, int index, int count);

/* NULL if out of memory or a thread cannot be started. */
train_pool *train_pool_create(int threads);
void train_pool_free(train_pool *pool);

int train_pool_size(const train_pool *pool);

/* Runs all parts and returns when they are done. */
void train_pool_run(train_pool *pool, train_work work, void *payload);

#endif
