/* SPDX-License-Identifier: MIT */
/*
 * The root moves of a thread. See root.h.
 */
#include "root.h"

#include "minmax.h"

#include <string.h>

enum { DETAILS_AFTER_US = 3000000 };

root_move *root_find(search_thread *thread, luft_move move) {
    for (int i = thread->pv_index; i < thread->root_move_count; i++) {
        root_move *root = &thread->root_moves[i];
        if (root->move == move) {
            return root->rank == thread->root_moves[thread->pv_index].rank ? root : NULL;
        }
    }
    return NULL;
}

int root_choices(const search_thread *thread) {
    int count = 0;
    while (count < thread->root_move_count && thread->root_moves[count].rank == thread->root_moves[0].rank) {
        count++;
    }
    return count;
}

void root_update(const search_thread *thread, const search_frame *ss, root_move *root, int score, int alpha, int beta,
                 bool is_first, int64_t nodes_before) {
    root->nodes += search_thread_nodes(thread) - nodes_before;
    root->average_score = root->average_score == SCORE_NONE ? score : (root->average_score + score) / 2;
    if (is_first || score > alpha) {
        root->score = score;
        root->seldepth = thread->seldepth;
        root->bound = score >= beta ? TT_LOWER : score <= alpha ? TT_UPPER : TT_EXACT;
        root->pv.moves[0] = root->move;
        memcpy(root->pv.moves + 1, ss[1].pv.moves, (size_t)ss[1].pv.length * sizeof(luft_move));
        root->pv.length = ss[1].pv.length + 1;
    } else {
        root->score = -SCORE_INFINITE; /* keeps its place after the better moves when they are sorted */
    }
}

/* Is the first one not worse than the second? The rank by the tablebases counts first. */
static bool is_sorted(const root_move *first, const root_move *second) {
    if (first->rank != second->rank) {
        return first->rank > second->rank;
    }
    return first->score > second->score ||
           (first->score == second->score && first->previous_score >= second->previous_score);
}

void root_sort(search_thread *thread, int begin) {
    for (int i = begin + 1; i < thread->root_move_count; i++) {
        const root_move entry = thread->root_moves[i];
        int place = i;
        for (; place > begin; place--) {
            const root_move *other = &thread->root_moves[place - 1];
            if (is_sorted(other, &entry)) {
                break;
            }
            thread->root_moves[place] = *other;
        }
        if (place != i) {
            thread->root_moves[place] = entry;
        }
    }
}

void root_report(const search_thread *thread, int index) {
    const search_shared *shared = thread->shared;
    const root_move *root = &thread->root_moves[index];
    if (thread->index != 0 || !shared->report) {
        return;
    }
    const bool searched = root->score != -SCORE_INFINITE;
    int score = searched ? root->score : root->previous_score;
    if (score == -SCORE_INFINITE) {
        if (index > 0 || thread->root_depth > 1) {
            return;
        }
        /* Stopped before the first result: the static evaluation stands in, so that each search reports a score. */
        score = nnue_evaluate(thread->nnue, 0, &thread->stack[FRAMES_BEFORE_ROOT].position);
    }
    const search_report report = {.depth = searched ? thread->root_depth : max(thread->root_depth - 1, 1),
                                  .seldepth = root->seldepth,
                                  .multipv = index + 1,
                                  .score = score,
                                  .bound = searched ? root->bound : TT_EXACT,
                                  .pv = &root->pv};
    shared->report(shared->payload, &report);
}

bool root_reports_details(const search_thread *thread) {
    return thread->index == 0 && clock_elapsed(&thread->shared->clock) > DETAILS_AFTER_US;
}

void root_report_current(const search_thread *thread, luft_move move, int number) {
    const search_shared *shared = thread->shared;
    if (shared->current_move && root_reports_details(thread)) {
        shared->current_move(shared->payload, thread->root_depth, move, number);
    }
}
