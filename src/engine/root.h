/* SPDX-License-Identifier: MIT */
/*
 * The root moves of a thread: finding, updating, sorting and reporting them.
 */
#ifndef LUFT_ENGINE_ROOT_H
#define LUFT_ENGINE_ROOT_H

#include "thread.h"

/*
 * The entry of a root move; NULL if it is not to be searched: the limits exclude it, a better principal variation begins
 * with it, or the tablebases rank it lower than another move.
 */
root_move *root_find(search_thread *thread, luft_move move);

/* How many root moves the search can choose from: all, or those that the tablebases rank highest. */
int root_choices(const search_thread *thread);

/* A search of the root move with this window gave `score`; its principal variation is that of ss[1]. */
void root_update(const search_thread *thread, const search_frame *ss, root_move *root, int score, int alpha, int beta,
                 bool is_first, int64_t nodes_before);

/* Sorts the root moves from `begin` on, the best first. The sort is stable. */
void root_sort(search_thread *thread, int begin);

/* Reports principal variation `index`, counted from 0. Only the main thread reports. */
void root_report(const search_thread *thread, int index);

/* Does the search run long enough to report root moves and fail highs one by one? */
bool root_reports_details(const search_thread *thread);

/* Reports that the search of a root move begins. */
void root_report_current(const search_thread *thread, luft_move move, int number);

#endif
