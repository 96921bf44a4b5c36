/* SPDX-License-Identifier: MIT */
/*
 * The choice among the results of several search threads.
 */
#ifndef LUFT_ENGINE_VOTE_H
#define LUFT_ENGINE_VOTE_H

#include "thread.h"

/* The thread whose best move is to be played. The search has ended. */
const search_thread *vote_best_thread(const search_shared *shared);

#endif
