/* SPDX-License-Identifier: MIT */
/*
 * How long a search may go on: what the caller asked for, and what time makes of it.
 */
#ifndef LUFT_ENGINE_LIMITS_H
#define LUFT_ENGINE_LIMITS_H

#include "luft/movegen.h"

#include <stdatomic.h>

/* What a search may use. Fill it with limits_none, then set what is given. */
typedef struct search_limits {
    int64_t time_ms[2];      /* on the clock of White and of Black; LIMIT_NONE if there is no clock */
    int64_t increment_ms[2]; /* for each move */
    int64_t movetime_ms;     /* exactly this long; or LIMIT_NONE */
    int64_t nodes;           /* or LIMIT_NONE */
    int64_t soft_nodes;      /* no new iteration after this many; or LIMIT_NONE */
    int moves_to_go;         /* until the next time control, 0 if there is none */
    int depth;               /* MAX_DEPTH if there is no limit */
    int mate;                /* stop at a mate in this many moves, 0 for no such wish */
    bool infinite;           /* no best move before stop */
    bool ponder;             /* on the opponent's time: no best move before ponderhit or stop */
    int search_move_count;   /* 0 for all moves */
    luft_move search_moves[LUFT_MAX_MOVES];
} search_limits;

enum { LIMIT_NONE = -1 };

search_limits limits_none(void);

/*
 * Nodes in place of time, so that games do not depend on the speed of the machine: so many nodes are a millisecond.
 * The clocks of the game say nothing then, so the player keeps an account of its own.
 */
typedef struct node_account {
    int64_t rate;    /* nodes a millisecond; 0: time is time */
    int64_t left;    /* nodes for the rest of the time control, LIMIT_NONE before the first move of the game */
    int moves_to_go; /* until the next time control, as of the last move; 0 if there is none */
} node_account;

/*
 * The limits with what is left on the account in place of the clock of `side`. The first clock of a game opens the
 * account, and so does the first of each later time control: there are more moves to go than before, or no more control.
 */
search_limits node_account_limits(node_account *account, const search_limits *limits, luft_color side);

/* A move was made that took so many nodes; its increment comes in. */
void node_account_spend(node_account *account, const search_limits *limits, luft_color side, int64_t nodes);

/* The clock of one search. Times are in microseconds since `start`. */
typedef struct search_clock {
    int64_t began;               /* the search, by clock_now */
    _Atomic int64_t start;       /* the same, but moved to the present by ponderhit */
    _Atomic int64_t start_nodes; /* that were searched before, while pondering */
    int64_t node_rate;           /* nodes that stand for a millisecond, 0: time is time */
    int64_t soft;                /* no new iteration after this, INT64_MAX for never */
    int64_t hard;                /* stop in the midst of one */
    bool scaled;                 /* the soft limit may be stretched and shortened as the search goes */
} search_clock;

int64_t clock_now(void);
void clock_start(search_clock *clock, const search_limits *limits, luft_color side, int64_t overhead_ms, int64_t now);
int64_t clock_elapsed(const search_clock *clock);

/* What a search of so many nodes has used of its limits: the time elapsed, or the nodes that stand for time. */
int64_t clock_used(const search_clock *clock, int64_t nodes);

#endif
