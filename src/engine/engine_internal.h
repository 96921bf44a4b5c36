/* SPDX-License-Identifier: MIT */
/*
 * The engine's struct, which engine.c (settings) and engine_search.c (searches) share.
 */
#ifndef LUFT_ENGINE_ENGINE_INTERNAL_H
#define LUFT_ENGINE_ENGINE_INTERNAL_H

#include "engine.h"
#include "nnue.h"
#include "strength.h"
#include "thread.h"

#include <pthread.h>

struct luft_engine {
    tt tt;
    search_shared shared;
    search_thread **threads;
    int thread_count;
    nnue_network *network;
    nnue_stack *evaluation; /* of one ply, for engine_eval and limited strength */
    int multipv;
    int overhead_ms;
    node_account account; /* nodes in place of time */
    strength_limit strength;
    luft_position position;
    luft_move last_move; /* that led to the position, or none */
    uint64_t *keys;      /* of the positions since the last irreversible move, the oldest first; not the current one */
    size_t key_count;
    engine_callbacks callbacks;
    pthread_t main;
    bool started;             /* `main` is to be joined */
    atomic_bool searching;    /* best_move was not called yet */
    pthread_mutex_t mutex;    /* guards waiting for stop and ponderhit */
    pthread_mutex_t starting; /* held while threads start: running ones must not delay the start of the others */
    pthread_cond_t changed;
};

/* Stops a running search and joins its thread. */
void engine_finish(luft_engine *engine);

#endif
