/* SPDX-License-Identifier: MIT */
/*
 * Time management: the limits that the client sets for a search, and the clock that follows from them.
 */
#ifndef LUFT_ENGINE_LIMITS_H
#define LUFT_ENGINE_LIMITS_H

#include "luft/movegen.h"

#include <stdatomic.h>

/* The limits of a search. Start from limits_none, then set those that are given. */
typedef struct search_limits {
    int64_t time_ms[2];      /* left on the clock of White and of Black; LIMIT_NONE without a clock */
    int64_t increment_ms[2]; /* for each move */
    int64_t movetime_ms;     /* exact time for the move; or LIMIT_NONE */
    int64_t nodes;           /* or LIMIT_NONE */
    int64_t soft_nodes;      /* no new iteration after so many; or LIMIT_NONE */
    int moves_to_go;         /* until the next time control, 0 if there is none */
    int depth;               /* MAX_DEPTH for no limit */
    int mate;                /* stop at a mate in so many moves; 0 for no such limit */
    bool infinite;           /* until the client stops the search */
    bool ponder;             /* on the opponent's time, until a ponderhit or stop */
    int search_move_count;   /* 0 for all legal moves */
    luft_move search_moves[LUFT_MAX_MOVES];
} search_limits;

enum { LIMIT_NONE = -1 };

search_limits limits_none(void);

/*
 * Nodes in place of time, so that games do not depend on the speed of the machine: `rate` nodes count as a millisecond.
 * The clocks of the game do not tell how many nodes are left, so the engine keeps an account.
 */
typedef struct node_account {
    int64_t rate;    /* nodes per millisecond; 0 for real time */
    int64_t left;    /* nodes until the next time control, LIMIT_NONE before the first move of a game */
    int moves_to_go; /* until the next time control, at the last move; 0 if there is none */
} node_account;

/*
 * The limits with the account in place of the clock of `side`. The first move of a game fills the account from the
 * clock, and so does the first move of each later time control, which has more moves to go than the move before or none.
 */
search_limits node_account_limits(node_account *account, const search_limits *limits, luft_color side);

/* Charges a move that took so many nodes, and adds the increment. */
void node_account_spend(node_account *account, const search_limits *limits, luft_color side, int64_t nodes);

/* The clock of one search. Durations are in microseconds. */
typedef struct search_clock {
    int64_t began;               /* start of the search, by clock_now */
    _Atomic int64_t start;       /* of the time for the move: a ponderhit moves it to the present */
    _Atomic int64_t start_nodes; /* nodes searched before `start`, while pondering */
    int64_t node_rate;           /* nodes per millisecond; 0 for real time */
    int64_t soft;                /* no new iteration after this; INT64_MAX for no limit */
    int64_t hard;                /* stops the search within an iteration; INT64_MAX for no limit */
    bool scaled;                 /* the soft limit is scaled by how stable the best move is */
} search_clock;

/* Microseconds of a monotonic clock. */
int64_t clock_now(void);

/* Sets the soft and hard limits for a search of `side` that began at `now`. */
void clock_start(search_clock *clock, const search_limits *limits, luft_color side, int64_t overhead_ms, int64_t now);

/* Microseconds since `start`. */
int64_t clock_elapsed(const search_clock *clock);

/* Microseconds used by a search of so many nodes: real time, or nodes converted to time. */
int64_t clock_used(const search_clock *clock, int64_t nodes);

#endif
