/* SPDX-License-Identifier: MIT */
/*
 * Time management: computes a soft limit, after which no new iteration begins, and a hard limit, at which the search
 * stops within an iteration.
 */
#define _POSIX_C_SOURCE 200809L

#include "limits.h"

#include "minmax.h"
#include "score.h"

#include <time.h>

search_limits limits_none(void) {
    return (search_limits){.time_ms = {LIMIT_NONE, LIMIT_NONE},
                           .movetime_ms = LIMIT_NONE,
                           .nodes = LIMIT_NONE,
                           .soft_nodes = LIMIT_NONE,
                           .depth = MAX_DEPTH};
}

int64_t clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_elapsed(const search_clock *clock) {
    return clock_now() - atomic_load_explicit(&clock->start, memory_order_relaxed);
}

/* Longer times are cut to a year, so that no product overflows. */
static const int64_t max_time_ms = (int64_t)1000 * 60 * 60 * 24 * 365;

/*
 * Reserve that stays on the clock, or half of the time left if that is less. A busy machine can suspend a process for
 * 100 ms, which must not lose a game that is played on the increment.
 */
static const int64_t reserve_us = 100000;

/* Is this the first move of another time control? 0 moves to go mean the rest of the game. */
static bool control_begins(const node_account *account, const search_limits *limits) {
    return account->moves_to_go > 0 && (limits->moves_to_go <= 0 || limits->moves_to_go > account->moves_to_go);
}

search_limits node_account_limits(node_account *account, const search_limits *limits, luft_color side) {
    search_limits counted = *limits;
    if (account->rate > 0 && limits->time_ms[side] != LIMIT_NONE) {
        if (account->left == LIMIT_NONE || control_begins(account, limits)) {
            account->left = min64(max64(limits->time_ms[side], 0), max_time_ms) * account->rate;
        }
        account->moves_to_go = limits->moves_to_go;
        counted.time_ms[side] = account->left / account->rate;
    }
    return counted;
}

void node_account_spend(node_account *account, const search_limits *limits, luft_color side, int64_t nodes) {
    if (account->rate > 0 && account->left != LIMIT_NONE && limits->time_ms[side] != LIMIT_NONE) {
        const int64_t increment = min64(max64(limits->increment_ms[side], 0), max_time_ms) * account->rate;
        account->left = min64(max64(account->left - nodes, 0) + increment, max_time_ms * account->rate);
    }
}

int64_t clock_used(const search_clock *clock, int64_t nodes) {
    if (clock->node_rate == 0) {
        return clock_elapsed(clock);
    }
    return (nodes - atomic_load_explicit(&clock->start_nodes, memory_order_relaxed)) * 1000 / clock->node_rate;
}

void clock_start(search_clock *clock, const search_limits *limits, luft_color side, int64_t overhead_ms, int64_t now) {
    clock->began = now;
    atomic_store_explicit(&clock->start, now, memory_order_relaxed);
    atomic_store_explicit(&clock->start_nodes, 0, memory_order_relaxed);
    clock->node_rate = 0;
    clock->soft = clock->hard = INT64_MAX;
    clock->scaled = false;
    if (limits->movetime_ms != LIMIT_NONE) {
        const int64_t time = min64(max64(limits->movetime_ms, 0), max_time_ms);
        clock->soft = clock->hard = max64(time - overhead_ms, min64(time, 1)) * 1000;
    }
    if (limits->time_ms[side] == LIMIT_NONE) {
        return;
    }
    const int64_t time = min64(max64(limits->time_ms[side], 0), max_time_ms) * 1000;
    const int64_t increment = min64(max64(limits->increment_ms[side], 0), max_time_ms) * 1000;
    const int64_t overhead = overhead_ms * 1000;
    const int64_t usable = max64(time - overhead - min64(reserve_us, time / 2), time / 10);
    int64_t base;
    int64_t share; /* of the usable time that one move may take, in hundredths */
    if (limits->moves_to_go > 0) {
        /* Equal parts, with one move in reserve, after the overhead of the moves to come. */
        const int64_t moves = min64(limits->moves_to_go, 40);
        const int64_t all = max64(usable + increment * (moves - 1) - overhead * (moves - 1), usable / 10);
        base = all / (moves + (moves > 1));
        share = moves == 1 ? 95 : 60;
    } else {
        /* With less than twice the reserve, part of the increment fills it up. */
        base = usable / 24 + increment * 3 / 4 * min64(time, 2 * reserve_us) / (2 * reserve_us);
        share = 45;
    }
    clock->scaled = true;
    clock->hard = min64(clock->hard, min64(base * 5, usable * share / 100));
    clock->soft = min64(clock->soft, min64(base * 7 / 10, clock->hard));
}
