/* SPDX-License-Identifier: MIT */
/*
 * The engine as its clients see it: UCI, analysis, play, self-play and the browser.
 *
 * An engine belongs to one thread of the client. It prints nothing; it calls back
 * from a thread of its own while it searches. There can be many engines in one process.
 */
#ifndef LUFT_ENGINE_ENGINE_H
#define LUFT_ENGINE_ENGINE_H

#include "limits.h"
#include "score.h"

typedef struct luft_engine luft_engine;

/* A line of play that the search reports. Moves and score are for the player to move at the root. */
typedef struct engine_line {
    int depth;
    int seldepth; /* the deepest ply that was looked at */
    int multipv;  /* 1 for the best line */
    int score;    /* see score.h */
    bool is_lower_bound;
    bool is_upper_bound;
    int64_t nodes;
    int64_t time_ms;
    int hashfull; /* in thousandths */
    int length;   /* of the line */
    const luft_move *moves;
} engine_line;

/* What to call while a search runs; each may be NULL. All come from one thread. */
typedef struct engine_callbacks {
    void (*line)(void *payload, const engine_line *line);
    void (*current_move)(void *payload, int depth, luft_move move, int number);
    void (*fewer_threads)(void *payload, int running, int wanted); /* if some could not be started */
    /* Exactly once for each engine_go: LUFT_MOVE_NONE if there is no legal move; `ponder` may be none. */
    void (*best_move)(void *payload, luft_move best, luft_move ponder);
    void *payload;
} engine_callbacks;

enum {
    ENGINE_HASH_DEFAULT_MB = 16,
    ENGINE_HASH_ANYWHERE_MB = 33554432, /* the most that a machine can have */
    ENGINE_THREADS_ANYWHERE = 256,
#ifdef __wasm__
    ENGINE_HASH_MAX_MB = 1024, /* a quarter of all memory: the old table stays until the new one is there */
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

/* NULL if there is no memory. The start position is set up. */
luft_engine *engine_create(void);

/* Stops a search that runs. NULL is fine. */
void engine_free(luft_engine *engine);

/* --- Settings; each stops a search that runs ------------------------------- */

/* False if there is no memory: what was before stays. */
bool engine_set_hash(luft_engine *engine, size_t megabytes);

/* How many threads there are now: fewer than wanted if there is no memory. */
int engine_set_threads(luft_engine *engine, int threads);
int engine_threads(const luft_engine *engine);
void engine_set_multipv(luft_engine *engine, int lines);
void engine_set_overhead(luft_engine *engine, int milliseconds);

/* So many nodes stand for a millisecond, and searches go by nodes in place of time; 0 for time. See limits.h. */
void engine_set_node_rate(luft_engine *engine, int nodes);

/* Plays no better than this (see level.h); 0 is full strength. */
void engine_set_elo(luft_engine *engine, int elo);

/* The same in steps from 0 to ENGINE_SKILL_MAX, which is full strength. Where an Elo is set, that counts. */
void engine_set_skill(luft_engine *engine, int skill);

/* Where the chance of limited strength comes from, for tests; 0, as at first: from the time of each new game. */
void engine_set_seed(luft_engine *engine, uint64_t seed);

/*
 * Evaluates by the network of these bytes, those of a file that may hold anything, and forgets what was learned. False
 * if they cannot be used, and `reason`, of NNUE_REASON_SIZE, says why: what was in force stays in force.
 */
bool engine_load_network(luft_engine *engine, const void *bytes, size_t length, char *reason);

/* Evaluates as a new engine does: by the network that is part of the program. False if there is no memory. */
bool engine_reset_network(luft_engine *engine);

/* What the network in force says of itself. */
const char *engine_network_text(const luft_engine *engine);

/* Forgets everything: a new game. */
void engine_clear(luft_engine *engine);

/*
 * The position to search: `start` and the moves from there, all of which are checked. On an error nothing changes
 * and *bad is the number of the first move that is not legal.
 */
luft_error engine_set_position(luft_engine *engine, const luft_position *start, const luft_move *moves, size_t count,
                               size_t *bad);

const luft_position *engine_position(const luft_engine *engine);

/* --- Searching ------------------------------------------------------------- */

/* Starts a search and returns at once; one that still runs is stopped first. False if no thread could be started. */
bool engine_go(luft_engine *engine, const search_limits *limits, const engine_callbacks *callbacks);

/*
 * The same on the thread of the caller: returns when best_move was called, and all callbacks come from this thread. For
 * many short searches, which a thread for each would cost. False if there is no memory.
 */
bool engine_search(luft_engine *engine, const search_limits *limits, const engine_callbacks *callbacks);

/* The opponent played the expected move: the search goes on with the clock running from now. */
void engine_ponderhit(luft_engine *engine);

/* Asks the search to end, not before a first look of about a millisecond; it calls best_move. Returns at once. */
void engine_stop(luft_engine *engine);

/* Waits until the search has called best_move; if it is infinite, until it is stopped by another thread. */
void engine_wait(luft_engine *engine);

/* Does a search run? */
bool engine_is_searching(const luft_engine *engine);

/* The static evaluation of a position, any with both kings on the board, in centipawns for White. */
int engine_eval(const luft_engine *engine, const luft_position *position);

#endif
