/* SPDX-License-Identifier: MIT */
/*
 * A fixed set of positions, searched to a fixed depth: how many nodes, how fast.
 */
#ifndef LUFT_UCI_BENCH_H
#define LUFT_UCI_BENCH_H

#include "engine/engine.h"

#include <stdatomic.h>

#define BENCH_DEPTH 12
#define BENCH_REFUSED_TEXT "the system gives no memory or no thread for the search"

/* Where the lines go; each comes without its line feed. */
typedef struct bench_printer {
    void (*print)(void *payload, const char *line);
    void *payload;
} bench_printer;

typedef enum bench_result {
    BENCH_DONE,
    BENCH_STOPPED,
    BENCH_REFUSED, /* the system gives no memory or no thread for a search */
} bench_result;

/*
 * Searches every position with this engine, which is to have one thread and is cleared before each; prints a line for
 * each and, last, "<n> nodes <m> nps". The nodes are the same with every compiler and on every processor: they are the
 * signature of the search. There is no last line if it did not come to the end.
 *
 * Another thread ends it early by setting *stop (NULL if nobody will), then calling engine_stop.
 */
bench_result bench_run(luft_engine *engine, int depth, const atomic_bool *stop, const bench_printer *printer);

#endif
