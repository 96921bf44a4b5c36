/* SPDX-License-Identifier: MIT */
/*
 * A fixed set of positions, searched to a fixed depth: how many nodes, how fast.
 */
#ifndef LUFT_CLI_BENCH_H
#define LUFT_CLI_BENCH_H

#define BENCH_DEPTH 12

/*
 * Searches every position with one thread and a new engine; prints a line for each and, last, "<n> nodes <m> nps". The nodes
 * are the same with every compiler and on every processor: they are the signature of the search.
 */
void bench_run(int depth);

#endif
