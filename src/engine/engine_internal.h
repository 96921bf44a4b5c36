/* SPDX-License-Identifier: MIT */
/*
 * The engine's struct, which the files behind luft/engine.h share:
 *
 *     engine.c          creation, settings, position
 *     engine_network.c  networks from memory and from files
 *     engine_search.c   searches: threads, start, stop, wait
 *     engine_limits.c   the limits of a client, checked
 *     engine_result.c   lines and results as clients see them
 */
#ifndef LUFT_ENGINE_ENGINE_INTERNAL_H
#define LUFT_ENGINE_ENGINE_INTERNAL_H

#include "nnue.h"
#include "strength.h"
#include "thread.h"

#include "luft/engine.h"

#include <pthread.h>

/* What this machine can have at most. WebAssembly has 4 GB of memory, and no threads unless Workers share memory. */
enum {
#ifdef __wasm__
    MAX_HASH_MB_HERE = 1024, /* a quarter of all memory: the old table is freed after the new one is allocated */
#ifdef __wasm_atomics__
    MAX_THREADS_HERE = 32,
#else
    MAX_THREADS_HERE = 1,
#endif
#else
    MAX_HASH_MB_HERE = LUFT_ENGINE_MAX_HASH_MB,
    MAX_THREADS_HERE = LUFT_ENGINE_MAX_THREADS,
#endif
};

/* A line with its moves, which the result points to. */
typedef struct kept_line {
    luft_engine_line line;
    luft_move moves[MAX_PLY + 1];
} kept_line;

struct luft_engine {
    tt tt;
    search_shared shared;
    search_thread *threads[MAX_THREADS_HERE]; /* NULL from `thread_count` on */
    int thread_count;
    nnue_network *network;
    nnue_stack *evaluation; /* of one ply, for luft_engine_evaluate and limited strength */
    int multipv;
    int overhead_ms;
    tables_settings tables;
    node_account account; /* nodes in place of time */
    strength_limit strength;
    luft_position position;
    luft_move last_move; /* that led to the position, or none */
    uint64_t *keys;      /* of the positions since the last irreversible move, the oldest first; not the current one */
    size_t key_count;
    luft_engine_callbacks callbacks;
    luft_engine_result result;
    kept_line *kept;                /* `multipv` of them; the first result.line_count are in use */
    const luft_engine_line **lines; /* points to the lines of `kept` */
    bool has_result;
    atomic_bool is_entered;    /* a thread is inside a function that uses the engine alone */
    atomic_bool is_calling;    /* a callback runs … */
    _Atomic(pthread_t) caller; /* … in this thread */
    pthread_t main;
    bool started;             /* `main` is to be joined */
    atomic_bool searching;    /* `done` was not called yet; becomes false with the mutex held */
    pthread_mutex_t mutex;    /* guards waiting for stop and ponderhit */
    pthread_mutex_t starting; /* held while threads start: running ones must not delay the start of the others */
    pthread_cond_t changed;
};

/* --- Access: engine.c --------------------------------------------------------- */

/*
 * Begins the use of the engine by one thread: LUFT_ERROR_ARGUMENT for NULL, LUFT_ERROR_BUSY if another thread uses it or
 * one of its callbacks is the caller.
 */
luft_error engine_enter(luft_engine *engine);

/* Ends it. Returns `error`. */
luft_error engine_leave(luft_engine *engine, luft_error error);

/* Is the caller a callback of this engine? */
bool engine_is_in_callback(const luft_engine *engine);

/* Clears all search results. No search runs. */
void engine_clear(luft_engine *engine);

/* --- Searches: engine_search.c -------------------------------------------------- */

/* Stops a running search and joins its thread. */
void engine_finish(luft_engine *engine);

/* --- Limits: engine_limits.c ------------------------------------------------------ */

/* Checks the limits of a client and converts them. */
luft_error engine_read_limits(search_limits *limits, const luft_engine *engine, const luft_engine_limits *given);

/* Checks and copies the callbacks of a client, which may be NULL. */
luft_error engine_read_callbacks(luft_engine_callbacks *callbacks, const luft_engine_callbacks *given);

/* --- Results: engine_result.c ------------------------------------------------------ */

/* Ends a running search and makes room for so many lines. False if out of memory: nothing changes. */
bool engine_reserve_lines(luft_engine *engine, int count);

/* Empties the result before a search. */
void engine_reset_result(luft_engine *engine);

/* A report of the search as a line. Its moves are those of the report. */
luft_engine_line engine_make_line(const luft_engine *engine, const search_report *report);

/* Keeps a line for the result. */
void engine_keep_line(luft_engine *engine, const luft_engine_line *line);

/* Completes the result after a search. */
void engine_complete_result(luft_engine *engine, luft_move best, luft_move ponder);

/* --- Networks: engine_network.c ------------------------------------------------------ */

/* Evaluates with the default network. */
luft_error engine_reset_network(luft_engine *engine);

#endif
