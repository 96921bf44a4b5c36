/* SPDX-License-Identifier: MIT */
/*
 * The data of a search: what one thread owns (search_thread) and what all threads share (search_shared).
 * The search itself is in deepening.h, search.h and quiescence.h.
 */
#ifndef LUFT_ENGINE_THREAD_H
#define LUFT_ENGINE_THREAD_H

#include "frame.h"
#include "history.h"
#include "limits.h"
#include "mate.h"
#include "nnue.h"
#include "tables.h"
#include "tt.h"

enum { SEARCH_PLIES = MAX_PLY + 4 }; /* the root and all plies after it */

/* A move of the root and its results. */
typedef struct root_move {
    luft_move move;
    int rank;           /* by the tablebases: moves of a lower rank are searched only after all others; 0 without */
    int score;          /* in the current iteration; -SCORE_INFINITE if not searched yet or not above alpha */
    int previous_score; /* in the last finished iteration */
    int average_score;  /* over the iterations; SCORE_NONE before the first */
    int seldepth;       /* the deepest ply that was reached */
    int64_t nodes;
    tt_bound bound; /* of `score`: exact, or the side on which it lies outside the window */
    search_pv pv;
} root_move;

/* What the main thread reports after an iteration. */
typedef struct search_report {
    int depth, seldepth, multipv; /* multipv counts from 1 */
    int score;
    tt_bound bound;
    const search_pv *pv;
} search_report;

typedef struct search_thread search_thread;

/* Shared by the threads of a search. Constant while the search runs, except for the atomics. */
typedef struct search_shared {
    tt *tt;
    search_thread **threads;
    int thread_count;
    search_limits limits;
    search_clock clock;
    search_tables tables;
    mate_search *mate;             /* of `go mate`, run by the main thread beside its own search; NULL without */
    mate_state mate_state;         /* its answer */
    int multipv;                   /* how many principal variations to search */
    atomic_bool stop;              /* threads return as soon as they see it */
    atomic_bool stop_requested;    /* by the client; it takes effect when min_search_done is set */
    atomic_bool min_search_done;   /* the main thread has searched enough to answer with a move and a score */
    atomic_bool pondering;         /* or infinite: the clock does not end the search */
    atomic_bool stop_on_ponderhit; /* the time for the move is used up already: a ponderhit is answered at once */
    void (*report)(void *payload, const search_report *report);                 /* may be NULL */
    void (*current_move)(void *payload, int depth, luft_move move, int number); /* may be NULL */
    void *payload;
} search_shared;

struct search_thread {
    search_shared *shared;
    int index; /* 0 is the main thread, which reports and checks the limits */
    _Atomic int64_t nodes;
    _Atomic int64_t table_hits; /* positions found in the tablebases */
    int seldepth;
    int root_depth; /* of the current iteration */
    int completed_depth;
    int null_move_min_ply; /* no null moves above this ply: set while a null-move cutoff is verified */
    root_move *root_moves;
    int root_move_count;
    int pv_index;       /* the principal variation that is searched, counted from 0 */
    int64_t next_check; /* of the limits, in nodes */
    /* Keys for repetitions: the game since the last irreversible move, the root, then the current variation. */
    uint64_t *keys;
    size_t game_key_count; /* keys before that of the root */
    history_tables *history;
    bool clear_history;                  /* when the next search begins: each thread clears its own tables */
    search_frame *stack;                 /* FRAMES of them; the root is at FRAMES_BEFORE_ROOT */
    nnue_stack *nnue;                    /* accumulators of SEARCH_PLIES plies. The creator of the thread sets it */
    piece_to_history no_continuation;    /* zeros: the continuation history after a null move */
    piece_to_history no_move_correction; /* the continuation correction history after a null move */
};

/* NULL if out of memory. */
search_thread *search_thread_create(search_shared *shared, int index);

/* NULL is fine. */
void search_thread_free(search_thread *thread);

/* Clears the histories when the next search begins. */
void search_thread_clear(search_thread *thread);

/* Reserves memory for a root with `key_count` keys before it, and resets the results. False if out of memory. */
bool search_thread_reserve(search_thread *thread, size_t key_count);

/*
 * Sets the root position, and the keys of the positions before it, the oldest first, for which search_thread_reserve
 * made room. The root moves are the legal moves, or those of them that the limits name.
 */
void search_thread_set_root(search_thread *thread, const luft_position *root, const uint64_t *keys, size_t key_count);

/* The nodes of all threads. */
int64_t search_nodes(const search_shared *shared);

/* How often the tablebases gave a result: for the moves of the root, and in all threads. */
int64_t search_table_hits(const search_shared *shared);

static inline int64_t search_thread_nodes(const search_thread *thread) {
    return atomic_load_explicit(&thread->nodes, memory_order_relaxed);
}

static inline bool search_stopped(const search_thread *thread) {
    return atomic_load_explicit(&thread->shared->stop, memory_order_relaxed);
}

#endif
