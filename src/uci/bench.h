/* SPDX-License-Identifier: MIT */
/*
 * A fixed set of positions, searched to a fixed depth: how many nodes, how fast.
 */
#ifndef LUFT_UCI_BENCH_H
#define LUFT_UCI_BENCH_H

#include "luft/engine.h"

#include <stdatomic.h>

#define BENCH_DEPTH 12
#define BENCH_FAILED_TEXT "cannot start the search: out of memory or threads"

/* Who runs it. */
typedef struct bench_client {
    void (*print)(void *payload, const char *line); /* gets each line, without its line feed */
    int64_t (*now_us)(void *payload);               /* microseconds of a monotonic clock */
    void *payload;
} bench_client;

typedef enum bench_result {
    BENCH_DONE,
    BENCH_STOPPED,
    BENCH_FAILED, /* a search could not be started: out of memory or threads */
} bench_result;

/*
 * Searches every position with this engine, which must have one thread and is cleared before each. Prints a line for
 * each position and, last, "<n> nodes <m> nps". The nodes are the same with every compiler and on every processor: they
 * are the signature of the search. There is no last line if bench was stopped or has failed.
 *
 * Another thread ends it early by setting *stop (NULL if nobody will), then calling luft_engine_stop.
 */
bench_result bench_run(luft_engine *engine, int depth, const atomic_bool *stop, const bench_client *client);

#endif
