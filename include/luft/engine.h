/* SPDX-License-Identifier: MIT */
/*
 * The engine: searches positions for the best move and evaluates them. It is the interface of libluft-engine, a library
 * beside libluft, which it needs; pkg-config knows it as luft-engine. luft.h does not include this header.
 *
 *     luft_engine *engine;
 *     const luft_engine_result *result;
 *     luft_engine_limits limits = luft_engine_no_limits();
 *     limits.movetime_ms = 1000;
 *     if (luft_engine_create(&engine) == LUFT_OK &&
 *         luft_engine_set_position(engine, &position, NULL, 0, NULL) == LUFT_OK &&
 *         luft_engine_search(&result, engine, &limits, NULL) == LUFT_OK) {
 *         play(result->best);
 *     }
 *     luft_engine_free(engine);
 *
 * Threads: engines share nothing, so a process can have many, in any threads. One engine is used by one thread at a
 * time, with three exceptions: any thread may call luft_engine_stop, luft_engine_ponderhit and luft_engine_is_searching
 * at any time, and a callback may too. Other functions that return a luft_error return LUFT_ERROR_BUSY, and change
 * nothing, if another thread is inside such a function of the same engine, or if a callback of the same engine calls
 * them. Functions that return a value may be called by callbacks and by the thread that uses the engine. No other
 * thread may be using an engine that is freed.
 *
 * A search that luft_engine_start started runs in threads of the engine, and its callbacks come from one of them. A
 * search of luft_engine_search runs in the thread of the caller, and its callbacks come from that thread. The function
 * that changes a setting or the position, or starts another search, first ends a search that runs: it stops it and
 * waits until its last callback has returned.
 *
 * The engine prints nothing and keeps no global state.
 */
#ifndef LUFT_ENGINE_H
#define LUFT_ENGINE_H

#include "tablebase.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Creation ------------------------------------------------------------- */

typedef struct luft_engine luft_engine;

/*
 * An engine in the start position, with one thread, a transposition table of LUFT_ENGINE_DEFAULT_HASH_MB, one variation
 * and full strength. Free it with luft_engine_free.
 */
LUFT_API LUFT_NODISCARD luft_error luft_engine_create(luft_engine **engine);

/* Ends a running search and frees the engine. NULL is fine. Does nothing if a callback of the engine calls it. */
LUFT_API void luft_engine_free(luft_engine *engine);

/* --- Settings --------------------------------------------------------------- */

/*
 * Upper and lower limits of the settings. A build may accept fewer threads and less hash: luft_engine_max_threads,
 * luft_engine_max_hash_mb.
 */
#define LUFT_ENGINE_MAX_THREADS 256
#define LUFT_ENGINE_MAX_HASH_MB 33554432
#define LUFT_ENGINE_MAX_LINES 256
#define LUFT_ENGINE_MAX_OVERHEAD_MS 5000
#define LUFT_ENGINE_MAX_NODE_RATE 10000
#define LUFT_ENGINE_MAX_LEVEL 20
#define LUFT_ENGINE_MAX_PROBE_DEPTH 100
#define LUFT_ENGINE_MAX_NETWORK_SIZE (1 << 23) /* in bytes */
#define LUFT_ENGINE_MIN_ELO 800
#define LUFT_ENGINE_MAX_ELO 2500

/* The settings of a new engine; its other settings are 1, 0 or switched off. */
#define LUFT_ENGINE_DEFAULT_HASH_MB 16
#define LUFT_ENGINE_DEFAULT_OVERHEAD_MS 10

/* The largest number of threads, and of megabytes of the transposition table, that this build accepts. */
LUFT_API int luft_engine_max_threads(void);
LUFT_API size_t luft_engine_max_hash_mb(void);

/* How many threads search, 1 to luft_engine_max_threads. On an error the number stays. */
LUFT_API LUFT_NODISCARD luft_error luft_engine_set_threads(luft_engine *engine, int threads);

/* How many threads are set; 0 for NULL. */
LUFT_API int luft_engine_threads(const luft_engine *engine);

/*
 * The size of the transposition table in megabytes, 1 to luft_engine_max_hash_mb. The table is empty afterwards. Out of
 * memory, the old table stays, and a running search goes on.
 */
LUFT_API LUFT_NODISCARD luft_error luft_engine_set_hash(luft_engine *engine, size_t megabytes);

/* How many principal variations to search, each with another first move: 1 to LUFT_ENGINE_MAX_LINES. */
LUFT_API LUFT_NODISCARD luft_error luft_engine_set_lines(luft_engine *engine, int lines);

/* The time that each move loses between engine and opponent, 0 to LUFT_ENGINE_MAX_OVERHEAD_MS. */
LUFT_API luft_error luft_engine_set_overhead(luft_engine *engine, int milliseconds);

/*
 * Counts this many nodes as one millisecond, so that games do not depend on the speed of the machine; up to
 * LUFT_ENGINE_MAX_NODE_RATE, 0 for real time. The node budget is set from the clock at the first move of a game or time
 * control; the engine then subtracts what it uses.
 */
LUFT_API luft_error luft_engine_set_node_rate(luft_engine *engine, int nodes);

/*
 * Uses these tablebases, which must outlive their use by the engine; NULL uses none. The root is searched only with
 * the moves that keep the best result, in a won position with those that make the most progress. Below the root,
 * positions with at most `pieces` pieces are probed just after a capture or a pawn move; those with exactly so many,
 * or as many as the largest table has, only at a depth of at least `depth`: 1 to LUFT_ENGINE_MAX_PROBE_DEPTH. `pieces`
 * is 0, for no probes, to LUFT_TABLEBASE_PIECES_MAX. With `fifty_move_rule` false, a win that takes too long counts as
 * a win. Limited strength chooses among the same root moves, and probes nothing before the root is in the tables.
 */
LUFT_API luft_error luft_engine_set_tablebase(luft_engine *engine, const luft_tablebase *tablebase, int depth,
                                              int pieces, bool fifty_move_rule);

/*
 * Plays like a person of about this rating, LUFT_ENGINE_MIN_ELO to LUFT_ENGINE_MAX_ELO; 0 for full strength. Limited
 * strength searches with one thread.
 */
LUFT_API luft_error luft_engine_set_elo(luft_engine *engine, int elo);

/* The same in steps from 0, the weakest, to LUFT_ENGINE_MAX_LEVEL, full strength. An Elo overrides the level. */
LUFT_API luft_error luft_engine_set_level(luft_engine *engine, int level);

/*
 * The seed of the random choices of limited strength. 0, the default, takes another one at each luft_engine_clear. With
 * one seed, the same searches after luft_engine_clear give the same moves.
 */
LUFT_API luft_error luft_engine_set_seed(luft_engine *engine, uint64_t seed);

/*
 * Evaluates with the network in these bytes, which are those of a network file, and clears all results of searches. NULL
 * and 0 stand for the network in the library. LUFT_ERROR_NETWORK if the bytes are not a network that this version can
 * use; the network before stays. If `reason` is not NULL, *reason is then a constant text that says why, in one clause.
 */
LUFT_API LUFT_NODISCARD luft_error luft_engine_set_network(luft_engine *engine, const void *bytes, size_t length,
                                                           const char **reason);

/* The same from a file. LUFT_ERROR_READ if it cannot be read. */
LUFT_API LUFT_NODISCARD luft_error luft_engine_load_network(luft_engine *engine, const char *path, const char **reason);

/* The description in the file of the network, up to the next change of the network; NULL for NULL. */
LUFT_API const char *luft_engine_network_text(const luft_engine *engine);

/* Clears the results of all searches, for a new game. */
LUFT_API luft_error luft_engine_clear(luft_engine *engine);

/* --- The position ----------------------------------------------------------- */

/*
 * Sets the position to search: `start`, or the standard start position if that is NULL, and the moves from there, which
 * the engine needs to see repetitions. LUFT_ERROR_POSITION if `start` is not valid, LUFT_ERROR_MOVE_ILLEGAL if a move is
 * not legal; *bad, unless `bad` is NULL, is then its index. On an error the position before stays.
 */
LUFT_API LUFT_NODISCARD luft_error luft_engine_set_position(luft_engine *engine, const luft_position *start,
                                                            const luft_move *moves, size_t count, size_t *bad);

/* The position to search, up to the next change; NULL for NULL. */
LUFT_API const luft_position *luft_engine_position(const luft_engine *engine);

/*
 * The static evaluation of a position in centipawns, for the side to move; a NULL position is that of the engine. Does
 * not end a running search. The position needs one king of each side, and at most 16 pieces and 8 pawns of each; the
 * other rules of luft_position_status need not hold. LUFT_ERROR_POSITION for other positions.
 */
LUFT_API LUFT_NODISCARD luft_error luft_engine_evaluate(int *centipawns, luft_engine *engine,
                                                        const luft_position *position);

/* --- Limits ----------------------------------------------------------------- */

#define LUFT_ENGINE_NO_LIMIT (-1)
#define LUFT_ENGINE_MAX_DEPTH 245
#define LUFT_ENGINE_MAX_PLY 250 /* a variation has at most LUFT_ENGINE_MAX_PLY + 1 moves */

/*
 * When a search ends: at the first limit that is reached. Start with luft_engine_no_limits and set some. Without any, a
 * search ends at LUFT_ENGINE_MAX_DEPTH, which may take for ever, or when it is stopped.
 */
typedef struct luft_engine_limits {
    size_t size;             /* sizeof(luft_engine_limits), so that later versions can add fields */
    int64_t time_ms[2];      /* left on the clock of White and of Black; LUFT_ENGINE_NO_LIMIT without a clock */
    int64_t increment_ms[2]; /* for each move */
    int64_t movetime_ms;     /* for this move; or LUFT_ENGINE_NO_LIMIT */
    int64_t nodes; /* or LUFT_ENGINE_NO_LIMIT; may be exceeded by a few thousand with several threads, or with `mate` */
    int64_t soft_nodes;            /* no new iteration after so many; or LUFT_ENGINE_NO_LIMIT */
    int moves_to_go;               /* until the next time control; 0 if there is none */
    int depth;                     /* in plies; 0 for no limit */
    int mate;                      /* ends when a mate in so many moves is proved or refuted; 0 for no such limit */
    bool infinite;                 /* ends only when it is stopped, even if there is nothing left to search */
    bool ponder;                   /* the opponent's time: the limits hold from luft_engine_ponderhit on */
    const luft_move *search_moves; /* searches only these moves of the position */
    size_t search_move_count;      /* 0 for all legal moves */
} luft_engine_limits;

/* Limits of which none is set. */
static inline luft_engine_limits luft_engine_no_limits(void) {
    luft_engine_limits limits;
    limits.size = sizeof limits;
    limits.time_ms[0] = limits.time_ms[1] = LUFT_ENGINE_NO_LIMIT;
    limits.increment_ms[0] = limits.increment_ms[1] = 0;
    limits.movetime_ms = limits.nodes = limits.soft_nodes = LUFT_ENGINE_NO_LIMIT;
    limits.moves_to_go = limits.depth = limits.mate = 0;
    limits.infinite = limits.ponder = false;
    limits.search_moves = NULL;
    limits.search_move_count = 0;
    return limits;
}

/* --- Results ---------------------------------------------------------------- */

#define LUFT_ENGINE_TABLEBASE_SCORE 20000 /* in centipawns; evaluations are smaller */

/* What the value of a score means. */
typedef enum luft_engine_score_kind {
    LUFT_ENGINE_NO_SCORE = 0,   /* limited strength chose a move without a reported score; the value is 0 */
    LUFT_ENGINE_CENTIPAWNS = 1, /* hundredths of a pawn; positive is good for the side to move. A position that the
                                   tablebases call won, n plies from the root, is LUFT_ENGINE_TABLEBASE_SCORE - n */
    LUFT_ENGINE_MATE = 2        /* moves to mate: 2 mates in two, -2 is mated in two, 0 is mated already */
} luft_engine_score_kind;

/* How the true score relates to the value. */
typedef enum luft_engine_bound {
    LUFT_ENGINE_EXACT = 0,
    LUFT_ENGINE_LOWER = 1, /* it is at least the value: the iteration is not complete */
    LUFT_ENGINE_UPPER = 2  /* it is at most the value */
} luft_engine_bound;

/* A score for the side to move at the root. */
typedef struct luft_engine_score {
    luft_engine_score_kind kind;
    int value;
    luft_engine_bound bound;
} luft_engine_score;

/*
 * How often the engine, playing itself, wins, draws and loses with this score, in thousandths that add up to 1000; all 0
 * without a score. For the side to move at the root.
 */
typedef struct luft_engine_wdl {
    int win, draw, loss;
} luft_engine_wdl;

/* A principal variation. Only the library makes such structs: later versions may add fields at the end. */
typedef struct luft_engine_line {
    int number; /* 1 for the best variation, 2 for the next best */
    int depth;
    int seldepth; /* the deepest ply that was reached, counted from 1 */
    luft_engine_score score;
    luft_engine_wdl wdl;
    int64_t nodes;   /* of the whole search up to here */
    int64_t time_ms; /* since the search began */
    int hashfull;    /* how full the transposition table is, in thousandths */
    int move_count;  /* at least 1 */
    const luft_move *moves;
    int64_t tbhits; /* positions found in the tablebases up to here */
} luft_engine_line;

/*
 * What a search found. Only the library makes such structs: later versions may add fields at the end. lines[0] begins
 * with the best move, and score, wdl, depth and seldepth are those of lines[0]. A score that is only a bound is kept if
 * the line has changed its first move since the last complete iteration, or if there was none.
 *
 * Without a legal move there are no lines; `best` is LUFT_MOVE_NONE, and the score is a mate in 0 or 0 centipawns.
 */
typedef struct luft_engine_result {
    luft_move best;
    luft_move ponder; /* the expected reply; LUFT_MOVE_NONE if there is none */
    luft_engine_score score;
    luft_engine_wdl wdl;
    int depth;
    int seldepth;
    int64_t nodes;   /* of the whole search */
    int64_t time_ms; /* that the search took */
    int line_count;  /* as many as were asked for, or as there are moves; fewer if the search was stopped early */
    const luft_engine_line *const *lines; /* the best first */
    int64_t tbhits;                       /* positions found in the tablebases */
    bool no_mate; /* proved: the side to move has no mate in as many moves as the limits ask for */
} luft_engine_result;

/*
 * What a search calls, one call at a time. Each may be NULL. Pointers are valid during the call. A callback must return
 * soon, since the search waits, and not by longjmp or a C++ exception. The comment at the top says which functions it can
 * call.
 */
typedef struct luft_engine_callbacks {
    size_t size;                                                                /* sizeof(luft_engine_callbacks) */
    void (*line)(void *payload, const luft_engine_line *line);                  /* a variation is new or deeper */
    void (*current_move)(void *payload, int depth, luft_move move, int number); /* of the root; counted from 1 */
    void (*fewer_threads)(void *payload, int running, int wanted);              /* the system could not start all */
    void (*done)(void *payload,
                 const luft_engine_result *result); /* the last call; luft_engine_is_searching is false */
    void *payload;                                  /* the first argument of the callbacks */
} luft_engine_callbacks;

/* --- Searching ---------------------------------------------------------------- */

/*
 * Searches the position and returns when the search has ended; `callbacks` may be NULL. *result belongs to the engine
 * and is valid until the next search starts or a setting changes. LUFT_ERROR_ARGUMENT for limits or callbacks whose size
 * is not that of a known version, and for a negative limit; LUFT_ERROR_MOVE_ILLEGAL for a search move that is not legal.
 *
 * An infinite search, and one that ponders, ends only when another thread or a callback says so.
 */
LUFT_API LUFT_NODISCARD luft_error luft_engine_search(const luft_engine_result **result, luft_engine *engine,
                                                      const luft_engine_limits *limits,
                                                      const luft_engine_callbacks *callbacks);

/*
 * Starts the same search in threads of the engine and returns at once. LUFT_ERROR_THREAD if the system cannot start
 * one. The limits and callbacks are copied; the payload must be valid until the search has ended.
 */
LUFT_API LUFT_NODISCARD luft_error luft_engine_start(luft_engine *engine, const luft_engine_limits *limits,
                                                     const luft_engine_callbacks *callbacks);

/*
 * Asks the search to end and returns at once; the search has a move and a score before it ends, after a millisecond or
 * so. Does nothing if no search runs. For any thread and for callbacks.
 */
LUFT_API void luft_engine_stop(luft_engine *engine);

/*
 * The opponent has played the expected move: a search that ponders goes on, and its limits hold from now on. Does
 * nothing if no search ponders. For any thread and for callbacks.
 */
LUFT_API void luft_engine_ponderhit(luft_engine *engine);

/* True from the start of a search until `done` is called. For any thread and for callbacks. */
LUFT_API bool luft_engine_is_searching(const luft_engine *engine);

/* Waits until the search has ended and its last callback has returned. LUFT_OK at once if no search runs. */
LUFT_API luft_error luft_engine_wait(luft_engine *engine);

/*
 * The result of the last search, valid until the next search starts or a setting changes. NULL before the first, while a
 * search runs, and for NULL.
 */
LUFT_API const luft_engine_result *luft_engine_last_result(const luft_engine *engine);

#ifdef __cplusplus
}
#endif

#endif
