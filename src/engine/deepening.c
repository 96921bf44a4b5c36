/* SPDX-License-Identifier: MIT */
/*
 * Iterative deepening: searches the root to depth 1, 2, 3 and so on until a limit is reached. Each iteration orders the
 * moves of the next one, and gives the score around which its aspiration window is opened.
 */
#include "deepening.h"

#include "minmax.h"
#include "node.h"
#include "params.h"
#include "root.h"
#include "search.h"

#include <stdlib.h>
#include <string.h>

/* Aspiration windows: a narrow window around the expected score, which widens on the side where the search fails. */
static void search_with_aspiration(search_thread *thread) {
    search_frame *ss = &thread->stack[FRAMES_BEFORE_ROOT];
    const root_move *expected = &thread->root_moves[thread->pv_index];
    int delta = aspiration_delta, fail_highs = 0;
    int alpha = -SCORE_INFINITE, beta = SCORE_INFINITE;
    if (thread->root_depth >= 4 && expected->average_score != SCORE_NONE) {
        delta += abs(expected->average_score) / 128;
        alpha = max(expected->average_score - delta, -SCORE_INFINITE);
        beta = min(expected->average_score + delta, SCORE_INFINITE);
    }
    for (;;) {
        const int score = search_node(thread, ss, alpha, beta, max(thread->root_depth - fail_highs, 1), true, false);
        root_sort(thread, thread->pv_index);
        if (search_stopped(thread)) {
            return;
        }
        if (score <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = max(score - delta, -SCORE_INFINITE);
            fail_highs = 0;
        } else if (score >= beta) {
            beta = min(score + delta, SCORE_INFINITE);
            fail_highs = min(fail_highs + 1, 3);
        } else {
            return;
        }
        if (thread->shared->multipv == 1 && root_reports_details(thread)) {
            root_report(thread, thread->pv_index);
        }
        delta += delta / 2;
        if (delta > 1500) {
            alpha = -SCORE_INFINITE;
            beta = SCORE_INFINITE;
        }
    }
}

/* One iteration: all principal variations to the same depth. */
static void search_iteration(search_thread *thread, int depth, int pv_count) {
    thread->root_depth = depth;
    for (int i = 0; i < thread->root_move_count; i++) {
        thread->root_moves[i].previous_score = thread->root_moves[i].score;
        thread->root_moves[i].score = -SCORE_INFINITE;
    }
    for (thread->pv_index = 0; thread->pv_index < pv_count; thread->pv_index++) {
        thread->seldepth = 0;
        search_with_aspiration(thread);
        root_sort(thread, 0);
        if (search_stopped(thread)) {
            break;
        }
    }
    if (!search_stopped(thread)) {
        thread->completed_depth = depth;
    }
    for (int i = 0; i < pv_count; i++) {
        root_report(thread, i);
    }
}

enum { MATE_POSITIONS_MIN = 500000 }; /* that the mate search looks at before `go mate` ends without an answer */

/* --- When to end ----------------------------------------------------------- */

/* What the main thread remembers of earlier iterations, to judge how stable the best move is. */
typedef struct stability {
    luft_move best_move;
    int iterations;     /* for which it has been the best */
    int previous_score; /* SCORE_NONE before the second iteration */
} stability;

/* Which part of the soft limit to use, in hundredths: more while the best move changes or its score falls. */
static int64_t time_scale(const search_thread *thread, const stability *stable) {
    const root_move *best = &thread->root_moves[0];
    const int64_t nodes = search_thread_nodes(thread);
    const int64_t share = nodes > 0 ? best->nodes * 100 / nodes : 50;
    int64_t scale = 240 - share * 2; /* few nodes on other moves: no alternative is close */
    scale = scale * (150 - 9 * min(stable->iterations, 8)) / 100;
    if (stable->previous_score != SCORE_NONE) {
        scale = scale * (100 + clamp((stable->previous_score - best->score) * 2 / 3, -20, 50)) / 100;
    }
    return clamp((int)scale, 25, 280);
}

/* Is the score a mate as short as the limits ask for? */
static bool is_mate_found(const search_shared *shared, int score) {
    return shared->limits.mate > 0 && is_win(score) && is_mate(score) &&
           (SCORE_MATE - score + 1) / 2 <= shared->limits.mate;
}

/* Has the search used its time? Notes the answer for a ponderhit. */
static bool is_time_used(const search_thread *thread, const stability *stable) {
    search_shared *shared = thread->shared;
    if (shared->clock.soft == INT64_MAX) {
        return false;
    }
    const int64_t elapsed = clock_used(&shared->clock, search_nodes(shared));
    int64_t soft = shared->clock.soft;
    if (shared->clock.scaled) {
        soft = root_choices(thread) == 1 ? soft / 10 : soft / 100 * time_scale(thread, stable);
    }
    const bool is_used = elapsed >= soft || elapsed >= shared->clock.hard;
    /* A fixed time for the move begins at the ponderhit, however long the search has pondered. */
    atomic_store_explicit(&shared->stop_on_ponderhit, is_used && shared->clock.scaled, memory_order_relaxed);
    return is_used;
}

/* Ends the search after this iteration? For the main thread. While pondering only the client ends it. */
static bool is_finished(const search_thread *thread, stability *stable) {
    const search_shared *shared = thread->shared;
    const root_move *best = &thread->root_moves[0];
    stable->iterations = best->move == stable->best_move ? stable->iterations + 1 : 0;
    stable->best_move = best->move;
    const bool may_end = !atomic_load_explicit(&shared->pondering, memory_order_acquire);
    if (may_end && (is_mate_found(shared, best->score) || shared->mate_state == MATE_REFUTED)) {
        return true;
    }
    if (may_end && shared->limits.soft_nodes != LIMIT_NONE && search_nodes(shared) >= shared->limits.soft_nodes) {
        return true;
    }
    if (is_time_used(thread, stable) && may_end) {
        return true;
    }
    stable->previous_score = best->score;
    return false;
}

/* --- The loop -------------------------------------------------------------- */

static void clear_history(search_thread *thread) {
    memset(thread->history, 0, sizeof *thread->history);
    memset(thread->no_move_correction, 0, sizeof thread->no_move_correction);
    thread->clear_history = false;
}

/*
 * `go mate` asks for a proof, but the normal search has reached its depth: continues the mate search, for some time, or
 * as long as it takes if the depth has no limit.
 */
static void search_for_proof(search_thread *thread) {
    const search_shared *shared = thread->shared;
    while (shared->mate && shared->mate_state == MATE_OPEN && !search_stopped(thread) &&
           (shared->limits.depth == MAX_DEPTH || mate_positions(shared->mate) < MATE_POSITIONS_MIN)) {
        search_check_limits(thread);
    }
}

void search_run(search_thread *thread) {
    search_shared *shared = thread->shared;
    const bool is_main = thread->index == 0;
    if (thread->clear_history) {
        clear_history(thread);
    }
    const int pv_count = min(shared->multipv, thread->root_move_count);
    bool is_over = false;
    stability stable = {.best_move = LUFT_MOVE_NONE, .previous_score = SCORE_NONE};
    for (int depth = 1; depth <= MAX_DEPTH && thread->root_move_count > 0 && !is_over; depth++) {
        if (is_main && depth > shared->limits.depth) {
            break;
        }
        search_iteration(thread, depth, pv_count);
        if (is_main) {
            search_end_min_search(shared);
        }
        is_over = search_stopped(thread) || (is_main && is_finished(thread, &stable));
    }
    if (is_main && !is_over) {
        search_for_proof(thread);
    }
    /* Root moves that a stopped iteration did not reach keep the score of the iteration before. */
    for (int i = 0; i < pv_count; i++) {
        root_move *root = &thread->root_moves[i];
        if (root->score == -SCORE_INFINITE) {
            root->score = root->previous_score;
        }
    }
}
