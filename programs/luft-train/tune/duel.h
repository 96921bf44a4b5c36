/* SPDX-License-Identifier: MIT */
/*
 * Games between two settings of the search's parameters, in processes of their own: the parameters are global variables
 * of a tuning build, so a process plays one game at a time and sets them before each move.
 */
#ifndef LUFT_TRAIN_TUNE_DUEL_H
#define LUFT_TRAIN_TUNE_DUEL_H

#include "data/openings.h"

#include <sys/types.h>

enum { DUEL_PARAMS_MAX = 256 };

/* What all pairs of games have in common. */
typedef struct duel_settings {
    const openings *starts;
    uint64_t nodes; /* for each move */
    uint64_t hash_mb;
    size_t param_count;
    size_t params[DUEL_PARAMS_MAX]; /* indices in search_params */
} duel_settings;

/* A pair of games from one opening, with colours reversed. */
typedef struct duel_pair {
    uint64_t number; /* returned with the result */
    uint64_t seed;   /* of the opening */
    int values[2][DUEL_PARAMS_MAX];
} duel_pair;

typedef struct duel_result {
    uint64_t number;
    int points; /* of the first less those of the second, -2 to 2 */
} duel_result;

/* A process that plays pairs. */
typedef struct duel_worker {
    pid_t process;
    int pairs;   /* a pipe to it */
    int results; /* a pipe from it */
} duel_worker;

/* Starts a process; call it before any thread is started. False if the system refuses. */
bool duel_worker_start(duel_worker *worker, const duel_settings *settings);

/* Hands out a pair, or waits for the result of one. False if the process has ended. */
bool duel_worker_give(const duel_worker *worker, const duel_pair *pair);
bool duel_worker_take(const duel_worker *worker, duel_result *result);

/* Lets the processes finish their pairs, and waits for their ends. */
void duel_workers_stop(duel_worker *workers, size_t count);

#endif
