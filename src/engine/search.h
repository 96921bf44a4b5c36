/* SPDX-License-Identifier: MIT */
/*
 * One thread of a search: iterative deepening over alpha-beta. Everything that a
 * thread needs is in its struct; what threads share is in search_shared.
 */
#ifndef LUFT_ENGINE_SEARCH_H
#define LUFT_ENGINE_SEARCH_H

#include "history.h"
#include "limits.h"
#include "nnue.h"
#include "picker.h"
#include "score.h"
#include "tt.h"

enum { SEARCH_PLIES = MAX_PLY + 4 }; /* the root and all that can come behind it */

/* A line of play. */
typedef struct search_line {
    int length;
    luft_move moves[MAX_PLY + 1];
} search_line;

/* What one ply of the tree keeps, apart from local variables; in the heap, so that thread stacks stay small. */
typedef struct search_ply {
    luft_position position;
    picker_moves moves;
    search_line pv;
    piece_to_history *continuation;            /* of the move made here; a table of zeros if there is none */
    piece_to_history *continuation_correction; /* likewise */
    luft_move move;                            /* being tried here, LUFT_MOVE_NONE for a null move */
    luft_move excluded;                        /* left out while it is tested whether it is the only good one */
    luft_move killer;                          /* the last quiet move that failed high at this ply */
    int eval;                                  /* corrected static evaluation, SCORE_NONE in check */
    bool in_check;
    bool was_pv;
} search_ply;

/* A move of the root and what is known of it. */
typedef struct root_move {
    luft_move move;
    int score;      /* of the iteration in progress; -SCORE_INFINITE if not yet searched or not better */
    int last_score; /* of the last iteration finished */
    int average;    /* of its scores so far; SCORE_NONE at first */
    int seldepth;
    int64_t nodes;
    tt_bound bound; /* of the score: exact, or the side on which it lies outside the window */
    search_line pv;
} root_move;

/* What the main thread reports after an iteration; see engine.h. */
typedef struct search_report {
    int depth, seldepth, multipv; /* multipv counts from 1 */
    int score;
    tt_bound bound;
    const search_line *pv;
} search_report;

typedef struct search_thread search_thread;

/* Shared by the threads of a search, and constant while it runs except for the atomics. */
typedef struct search_shared {
    tt *table;
    search_thread **threads;
    int thread_count;
    search_limits limits;
    search_clock clock;
    int multipv;
    atomic_bool stop;
    atomic_bool stop_wanted; /* by the client; a limit that is reached ends the search, but not the waiting */
    atomic_bool has_looked;  /* there is a move to answer with, so that the client's stop is heeded */
    atomic_bool pondering;   /* or infinite: the clock does not end the search */
    atomic_bool is_enough;   /* but for pondering it would have ended: a ponderhit is answered at once */
    void (*report)(void *payload, const search_report *report);                 /* may be NULL */
    void (*current_move)(void *payload, int depth, luft_move move, int number); /* may be NULL */
    void *payload;
} search_shared;

struct search_thread {
    search_shared *shared;
    int index; /* 0 is the main thread: it looks at the clock and reports */
    _Atomic int64_t nodes;
    int seldepth;
    int root_depth;
    int completed_depth;
    int null_move_bar; /* no null move above this ply: set while one is verified */
    root_move *roots;
    int root_count;
    int pv_index;       /* of the line that is being searched, counted from 0 */
    int64_t next_check; /* of the clock, in nodes */
    /* The keys of the game since the last capture or pawn move, the root's last, then of the line being searched. */
    uint64_t *keys;
    size_t game_keys; /* how many come before the root */
    search_history *history;
    bool forget;                      /* what was learned, when the next search begins: each thread clears its own */
    search_ply *plies;                /* MAX_PLY + some, with six before the root */
    nnue_stack *nnue;                 /* what the network knows of SEARCH_PLIES plies. Set by its owner */
    piece_to_history none;            /* zeros: the history after no move */
    piece_to_history none_correction; /* the errors of the evaluation after no move */
};

/* NULL if there is no memory. */
search_thread *search_thread_create(search_shared *shared, int index);
void search_thread_free(search_thread *thread);

/* Forgets what was learned. */
void search_thread_clear(search_thread *thread);

/* Makes room for a search from a root with so many keys before it; nothing is found yet. False if there is no memory. */
bool search_thread_reserve(search_thread *thread, size_t key_count);

/*
 * Sets the root: the position, and the keys of those before it, the oldest first; there must be room for them.
 * The moves are the legal ones, or those of them that the limits name.
 */
void search_thread_set_root(search_thread *thread, const luft_position *root, const uint64_t *keys, size_t key_count);

/* Searches until a limit is reached or `stop` is set. The best move is roots[0] then. */
void search_run(search_thread *thread);

/* The nodes of all threads. */
int64_t search_nodes(const search_shared *shared);

#endif
