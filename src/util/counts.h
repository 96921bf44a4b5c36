/* SPDX-License-Identifier: MIT */
/*
 * Counts the games in which a move was played in a position, in bounded memory, whatever the number of games.
 *
 * A hash table adds up. When it is full, its records go to a temporary file, sorted: a run. At the end all runs are
 * merged. Temporary files have no name and are gone when the program ends.
 */
#ifndef LUFT_UTIL_COUNTS_H
#define LUFT_UTIL_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A result as the side that made the move sees it; the index of its count. */
enum { COUNT_LOST, COUNT_DRAWN, COUNT_WON, COUNT_RESULTS };

typedef struct count_record {
    uint64_t key;                  /* of the position, in Polyglot's form */
    uint32_t games[COUNT_RESULTS]; /* all 0 in a free place of the table */
    uint16_t move;                 /* in Polyglot's form */
    uint16_t unused;               /* 0 */
} count_record;

#define COUNTS_RUNS_MAX 256 /* more are merged into one */

typedef struct counts {
    count_record *table;                     /* while runs are merged: the blocks in which they are read */
    size_t capacity;                         /* places in the table */
    size_t used;                             /* of them */
    FILE *scratch;                           /* the runs one after the other; NULL if there are none */
    uint64_t run_start[COUNTS_RUNS_MAX + 1]; /* in records; each run ends where the next one begins */
    int run_count;
    const char *path;   /* temporary files are made on the disk of this file */
    const char *reason; /* why adding failed; NULL if it did not */
} counts;

/*
 * Prepares to count in this many bytes; 12 kB is the least, and a few megabytes are needed to be fast. False if out of
 * memory. End with counts_free in any case.
 */
bool counts_init(counts *it, size_t memory, const char *path);
void counts_free(counts *it);

/* Adds a game. False with a `reason` if memory runs out or the temporary file cannot be written. */
bool counts_add(counts *it, uint64_t key, uint16_t move, int result);

/* Calls `visit` with each record once, in the order of keys and moves, until it returns false. False with a `reason`. */
bool counts_visit(counts *it, bool (*visit)(void *payload, const count_record *record), void *payload);

#endif
