/* SPDX-License-Identifier: MIT */
/*
 * The engine as its clients see it: a handle that searches positions and reports by callbacks.
 *
 * An engine belongs to one thread of the client, except for the functions that say otherwise. It prints nothing. While
 * it searches, it calls back from a thread of its own. A process can have many engines.
 */
#ifndef LUFT_ENGINE_ENGINE_H
#define LUFT_ENGINE_ENGINE_H

#include "limits.h"
#include "score.h"

typedef struct luft_engine luft_engine;

/* A principal variation that the search reports. The score is for the side to move at the root. */
typedef struct engine_line {
    int depth;
    int seldepth; /* the deepest ply that was reached, counted from 1 */
    int multipv;  /* 1 for the best variation */
    int score;    /* see score.h */
    bool is_lower_bound;
    bool is_upper_bound;
    int64_t nodes;
    int64_t time_ms;
    int hashfull; /* how full the transposition table is, in thousandths */
    int length;   /* of the variation */
    const luft_move *moves;
} engine_line;

/* Called while a search runs, all from one thread. Each may be NULL. */
typedef struct engine_callbacks {
    void (*line)(void *payload, const engine_line *line);
    void (*current_move)(void *payload, int depth, luft_move move, int number);
    void (*fewer_threads)(void *payload, int running, int wanted); /* if the system could not start all */
    /* Called once for each search. `best` is LUFT_MOVE_NONE if there is no legal move; `ponder`, the expected reply, may be. */
    void (*best_move)(void *payload, luft_move best, luft_move ponder);
    void *payload;
} engine_callbacks;

enum {
    ENGINE_HASH_DEFAULT_MB = 16,
    ENGINE_HASH_ANYWHERE_MB = 33554432, /* the maximum of all platforms */
    ENGINE_THREADS_ANYWHERE = 256,
#ifdef __wasm__
    ENGINE_HASH_MAX_MB = 1024, /* a quarter of all memory: the old table is freed after the new one is allocated */
#ifdef __wasm_atomics__
    ENGINE_THREADS_MAX = 32, /* Workers that share memory */
#else
    ENGINE_THREADS_MAX = 1,
#endif
#else
    ENGINE_HASH_MAX_MB = ENGINE_HASH_ANYWHERE_MB,
    ENGINE_THREADS_MAX = ENGINE_THREADS_ANYWHERE,
#endif
    ENGINE_MULTIPV_MAX = 256,
    ENGINE_OVERHEAD_DEFAULT_MS = 10,
    ENGINE_OVERHEAD_MAX_MS = 5000,
    ENGINE_NODE_RATE_MAX = 10000,
    ENGINE_ELO_MIN = 800,
    ENGINE_ELO_MAX = 2500,
    ENGINE_SKILL_MAX = 20
};

/* NULL if out of memory. The start position is set up. */
luft_engine *engine_create(void);

/* Stops a running search. NULL is fine. */
void engine_free(luft_engine *engine);

/* --- Settings; each stops a running search --------------------------------- */

/* The size of the transposition table. False if out of memory: the old table stays. */
bool engine_set_hash(luft_engine *engine, size_t megabytes);

/* Returns how many threads there are now: fewer than wanted if out of memory. */
int engine_set_threads(luft_engine *engine, int threads);
int engine_threads(const luft_engine *engine);

/* How many principal variations to report. */
void engine_set_multipv(luft_engine *engine, int count);

/* The time that each move loses between engine and opponent. */
void engine_set_overhead(luft_engine *engine, int milliseconds);

/* Nodes in place of time: so many count as a millisecond, 0 for real time. See node_account in limits.h. */
void engine_set_node_rate(luft_engine *engine, int nodes);

/* Plays at this Elo (see level.h); 0 is full strength. */
void engine_set_elo(luft_engine *engine, int elo);

/* The same in steps from 0 to ENGINE_SKILL_MAX, which is full strength. An Elo overrides it. */
void engine_set_skill(luft_engine *engine, int skill);

/* The random seed of limited strength, for tests; 0, the default, takes one from the time at each new game. */
void engine_set_seed(luft_engine *engine, uint64_t seed);

/*
 * Evaluates with the network in these bytes, which are checked, and clears all search results. False if they cannot be
 * used: `reason`, of NNUE_REASON_SIZE, says why, and the old network stays.
 */
bool engine_load_network(luft_engine *engine, const void *bytes, size_t length, char *reason);

/* Evaluates with the default network. False if out of memory. */
bool engine_reset_network(luft_engine *engine);

/* The description in the file of the current network. */
const char *engine_network_text(const luft_engine *engine);

/* Clears all search results, for a new game. */
void engine_clear(luft_engine *engine);

/*
 * Sets the position to search: `start` and the moves from there, all of which are checked. On an error nothing changes,
 * and *bad is the index of the first illegal move.
 */
luft_error engine_set_position(luft_engine *engine, const luft_position *start, const luft_move *moves, size_t count,
                               size_t *bad);

const luft_position *engine_position(const luft_engine *engine);

/* --- Searching ------------------------------------------------------------- */

/* Starts a search and returns at once; stops a running one first. False if out of memory or threads. */
bool engine_go(luft_engine *engine, const search_limits *limits, const engine_callbacks *callbacks);

/*
 * The same on the thread of the caller: returns after best_move, and all callbacks come from this thread. For many short
 * searches, where starting a thread costs too much. False if out of memory.
 */
bool engine_search(luft_engine *engine, const search_limits *limits, const engine_callbacks *callbacks);

/* The opponent played the expected move: the search goes on, and its clock starts now. */
void engine_ponderhit(luft_engine *engine);

/* Asks the search to end, after its first millisecond or so; it calls best_move. Returns at once. From any thread. */
void engine_stop(luft_engine *engine);

/* Waits until the search has called best_move. An infinite search must be stopped by another thread. */
void engine_wait(luft_engine *engine);

/* Is a search running? */
bool engine_is_searching(const luft_engine *engine);

/* The static evaluation of a position with both kings on the board, in centipawns for White. */
int engine_eval(const luft_engine *engine, const luft_position *position);

#endif
