/* SPDX-License-Identifier: MIT */
/*
 * The quiescence search: captures until the position is quiet, so that the evaluation is not asked in the middle of an
 * exchange. In check it searches all evasions.
 */
#ifndef LUFT_ENGINE_QUIESCENCE_H
#define LUFT_ENGINE_QUIESCENCE_H

#include "thread.h"

/* The score of the position of `ss`. `quiet_checks` also searches quiet checks, at this ply only. */
int search_quiescence(search_thread *thread, search_frame *ss, int alpha, int beta, bool pv, bool quiet_checks);

#endif
