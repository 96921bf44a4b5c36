/* SPDX-License-Identifier: MIT */
/*
 * The main search: principal variation search of one node. deepening.h calls it for the root.
 */
#ifndef LUFT_ENGINE_SEARCH_H
#define LUFT_ENGINE_SEARCH_H

#include "thread.h"

/*
 * The score of the position of `ss`, searched to `depth`. `pv`: the window is open and the score exact; `cut_node`: the
 * node is expected to fail high. A thread that is stopped returns a score that must not be used.
 */
int search_node(search_thread *thread, search_frame *ss, int alpha, int beta, int depth, bool pv, bool cut_node);

#endif
