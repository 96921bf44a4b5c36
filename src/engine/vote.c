/* SPDX-License-Identifier: MIT */
/*
 * Thread voting: each thread votes for its best move, with a weight that grows with its depth and its score.
 */
#include "vote.h"

#include "minmax.h"

static bool has_result(const search_thread *thread) {
    return thread->completed_depth > 0 && thread->root_moves[0].score != -SCORE_INFINITE;
}

static int min_score(const search_shared *shared) {
    int lowest = SCORE_INFINITE;
    for (int i = 0; i < shared->thread_count; i++) {
        const int score = shared->threads[i]->root_moves[0].score;
        lowest = score != -SCORE_INFINITE ? min(lowest, score) : lowest;
    }
    return lowest;
}

/* The sum of all votes for a move. */
static int64_t count_votes(const search_shared *shared, luft_move move, int lowest) {
    int64_t votes = 0;
    for (int i = 0; i < shared->thread_count; i++) {
        const search_thread *voter = shared->threads[i];
        if (has_result(voter) && voter->root_moves[0].move == move) {
            votes += (int64_t)(voter->root_moves[0].score - lowest + 14) * voter->completed_depth;
        }
    }
    return votes;
}

/* A win is decided: the shortest one counts, whatever the other threads think. Otherwise the votes decide. */
static bool is_better(const search_shared *shared, const search_thread *candidate, const search_thread *best) {
    const int score = candidate->root_moves[0].score, best_score = best->root_moves[0].score;
    if (is_win(score) || is_win(best_score)) {
        return score > best_score;
    }
    const int lowest = min_score(shared);
    const int64_t votes = count_votes(shared, candidate->root_moves[0].move, lowest);
    const int64_t best_votes = count_votes(shared, best->root_moves[0].move, lowest);
    return votes > best_votes || (votes == best_votes && candidate->completed_depth > best->completed_depth);
}

/* With several principal variations or a depth limit the main thread decides: clients expect what it reported. */
const search_thread *vote_best_thread(const search_shared *shared) {
    const search_thread *best = shared->threads[0];
    if (shared->multipv > 1 || shared->limits.depth < MAX_DEPTH || best->root_move_count == 0) {
        return best;
    }
    for (int i = 1; i < shared->thread_count; i++) {
        const search_thread *candidate = shared->threads[i];
        if (has_result(candidate) && (!has_result(best) || is_better(shared, candidate, best))) {
            best = candidate;
        }
    }
    return best;
}
