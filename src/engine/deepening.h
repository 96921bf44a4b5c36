/* SPDX-License-Identifier: MIT */
/*
 * Iterative deepening, the outermost loop of a search thread.
 */
#ifndef LUFT_ENGINE_DEEPENING_H
#define LUFT_ENGINE_DEEPENING_H

#include "thread.h"

/* Searches the root until a limit is reached or the search is stopped. The best move is root_moves[0] then. */
void search_run(search_thread *thread);

#endif
