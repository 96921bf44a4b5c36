/* SPDX-License-Identifier: MIT */
/*
 * Perft with threads and progress. The library counts a whole tree in one call; here the tree is cut into subtrees,
 * which the threads count one after the other, and each moves the progress line.
 */
#ifndef LUFT_PROGRAM_PERFT_COUNTING_H
#define LUFT_PROGRAM_PERFT_COUNTING_H

#include "util/progress.h"

#include "luft/luft.h"

#define COUNTING_MAX_THREADS 256

/* How to count. */
typedef struct counting {
    luft_perft_method method;
    int threads;                   /* 1 to COUNTING_MAX_THREADS */
    const luft_perft_table *table; /* of finished counts, for the two-ply method; NULL for none */
    progress *line;
    int *threads_started; /* set to the number of threads that counted; may be NULL */
} counting;

typedef enum counting_result {
    COUNTING_DONE,
    COUNTING_NO_MEMORY,
    COUNTING_OVERFLOW /* a count does not fit in 128 bits */
} counting_result;

/* Counts each of these positions to `depth`. Together they are this share of the whole work. */
counting_result counting_run(luft_count *counts, const counting *how, const luft_position *positions,
                             int position_count, int depth, double share);

/* luft_perft_count_details with progress; adds to `*details`. */
void counting_details(luft_perft_details *details, progress *line, const luft_position *position, int depth,
                      double share);

#endif
