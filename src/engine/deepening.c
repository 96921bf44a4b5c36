/* SPDX-License-Identifier: MIT */
/*
 * Iterative deepening: the root is searched to depth 1, 2, 3 …, each time with a
 * narrow window around the score that is expected, until a limit is reached. What one depth finds
 * orders the moves of the next.
 */
#include "search_internal.h"

#include "params.h"

#include <string.h>

/* Sorts the moves of the root from `begin` on, the best first; equal ones keep their order. */
static void sort_roots(search_thread *thread, int begin) {
    for (int i = begin + 1; i < thread->root_count; i++) {
        const root_move entry = thread->roots[i];
        int place = i;
        for (; place > begin; place--) {
            const root_move *other = &thread->roots[place - 1];
            if (other->score > entry.score || (other->score == entry.score && other->last_score >= entry.last_score)) {
                break;
            }
            thread->roots[place] = *other;
        }
        if (place != i) {
            thread->roots[place] = entry;
        }
    }
}

static void report(search_thread *thread, int index) {
    search_shared *shared = thread->shared;
    const root_move *root = &thread->roots[index];
    if (thread->index != 0 || !shared->report) {
        return;
    }
    const bool searched = root->score != -SCORE_INFINITE;
    int score = searched ? root->score : root->last_score;
    if (score == -SCORE_INFINITE) {
        if (index > 0 || thread->root_depth > 1) {
            return;
        }
        /* Stopped before anything was found: whoever waits for a score gets what the position looks like. */
        score = nnue_evaluate(thread->nnue, 0, &thread->plies[PLIES_BEFORE].position);
    }
    const search_report text = {.depth = searched ? thread->root_depth : most(thread->root_depth - 1, 1),
                                .seldepth = root->seldepth,
                                .multipv = index + 1,
                                .score = score,
                                .bound = searched ? root->bound : TT_EXACT,
                                .pv = &root->pv};
    shared->report(shared->payload, &text);
}

/* One line of MultiPV at the present depth, with a window around the score that is expected. */
static void search_window(search_thread *thread) {
    search_ply *ply = &thread->plies[PLIES_BEFORE];
    const root_move *expected = &thread->roots[thread->pv_index];
    int delta = aspiration_delta, lowered = 0;
    int alpha = -SCORE_INFINITE, beta = SCORE_INFINITE;
    if (thread->root_depth >= 4 && expected->average != SCORE_NONE) {
        delta += abs(expected->average) / 128;
        alpha = most(expected->average - delta, -SCORE_INFINITE);
        beta = least(expected->average + delta, SCORE_INFINITE);
    }
    for (;;) {
        const int score = search_node(thread, ply, 0, alpha, beta, most(thread->root_depth - lowered, 1), true, false);
        sort_roots(thread, thread->pv_index);
        if (stopped(thread)) {
            return;
        }
        if (score <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = most(score - delta, -SCORE_INFINITE);
            lowered = 0;
        } else if (score >= beta) {
            beta = least(score + delta, SCORE_INFINITE);
            lowered = least(lowered + 1, 3);
        } else {
            return;
        }
        if (thread->index == 0 && thread->shared->multipv == 1 &&
            clock_elapsed(&thread->shared->clock) > CURRENT_MOVE_AFTER) {
            report(thread, thread->pv_index);
        }
        delta += delta / 2;
        if (delta > 1500) {
            alpha = -SCORE_INFINITE;
            beta = SCORE_INFINITE;
        }
    }
}

/* How much of the soft limit to use: more when the best move is in doubt, less when it is clear. In hundredths. */
static int64_t effort(const search_thread *thread, int stability, int score_before) {
    const root_move *best = &thread->roots[0];
    const int64_t nodes = atomic_load_explicit(&thread->nodes, memory_order_relaxed);
    const int64_t share = nodes > 0 ? best->nodes * 100 / nodes : 50;
    int64_t scale = 240 - share * 2; /* few nodes on other moves: nothing else to find */
    scale = scale * (150 - 9 * least(stability, 8)) / 100;
    if (score_before != SCORE_NONE) {
        scale = scale * (100 + clamp((score_before - best->score) * 2 / 3, -20, 50)) / 100;
    }
    return clamp((int)scale, 25, 280);
}

/* A mate as short as was asked for. */
static bool mate_found(const search_shared *shared, int score) {
    return shared->limits.mate > 0 && is_win(score) && (SCORE_MATE - score + 1) / 2 <= shared->limits.mate;
}

static void forget(search_thread *thread) {
    memset(thread->history, 0, sizeof *thread->history);
    memset(thread->none_correction, 0, sizeof thread->none_correction);
    thread->forget = false;
}

void search_run(search_thread *thread) {
    search_shared *shared = thread->shared;
    if (thread->forget) {
        forget(thread);
    }
    const int lines = least(shared->multipv, thread->root_count);
    int stability = 0, score_before = SCORE_NONE;
    luft_move last_best = LUFT_MOVE_NONE;
    for (int depth = 1; depth <= MAX_DEPTH && thread->root_count > 0; depth++) {
        if (thread->index == 0 && depth > shared->limits.depth) {
            break;
        }
        thread->root_depth = depth;
        for (int i = 0; i < thread->root_count; i++) {
            thread->roots[i].last_score = thread->roots[i].score;
            thread->roots[i].score = -SCORE_INFINITE;
        }
        for (thread->pv_index = 0; thread->pv_index < lines; thread->pv_index++) {
            thread->seldepth = 0;
            search_window(thread);
            sort_roots(thread, 0);
            if (stopped(thread)) {
                break;
            }
        }
        if (!stopped(thread)) {
            thread->completed_depth = depth;
        }
        for (int i = 0; i < lines; i++) {
            report(thread, i);
        }
        if (thread->index == 0) {
            end_first_look(shared);
        }
        if (stopped(thread)) {
            break;
        }
        if (thread->index != 0) {
            continue;
        }
        const root_move *best = &thread->roots[0];
        stability = best->move == last_best ? stability + 1 : 0;
        last_best = best->move;
        const bool may_end = !atomic_load_explicit(&shared->pondering, memory_order_acquire);
        if (may_end && mate_found(shared, best->score)) {
            break;
        }
        if (may_end && shared->limits.soft_nodes != LIMIT_NONE && search_nodes(shared) >= shared->limits.soft_nodes) {
            break;
        }
        if (shared->clock.soft != INT64_MAX) {
            const int64_t elapsed = clock_used(&shared->clock, search_nodes(shared));
            int64_t soft = shared->clock.soft;
            if (shared->clock.scaled) {
                soft = thread->root_count == 1 ? soft / 10 : soft / 100 * effort(thread, stability, score_before);
            }
            const bool is_enough = elapsed >= soft || elapsed >= shared->clock.hard;
            /* A fixed time for the move begins with ponderhit, whatever was done before. */
            atomic_store_explicit(&shared->is_enough, is_enough && shared->clock.scaled, memory_order_relaxed);
            if (is_enough && may_end) {
                break;
            }
        }
        score_before = best->score;
    }
    /* Lines that the last iteration did not reach count as they were before. */
    for (int i = 0; i < lines; i++) {
        root_move *root = &thread->roots[i];
        if (root->score == -SCORE_INFINITE) {
            root->score = root->last_score;
        }
    }
}
