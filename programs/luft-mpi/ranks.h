/* SPDX-License-Identifier: MIT */
/*
 * Units (util/units.h) done by the ranks of an MPI program. Rank 0 is the coordinator: it runs the command, has threads of
 * its own that work too, and hands out units to the other ranks as they ask for them, the largest first. The others run the
 * same command up to the point where the work begins, and then serve.
 *
 * Nobody waits inside MPI, whose waiting uses a whole core: messages are polled once in a millisecond, and a rank asks for
 * more units before it has finished the last. If a rank dies, MPI ends all others; the journal has what was finished.
 */
#ifndef LUFT_MPI_RANKS_H
#define LUFT_MPI_RANKS_H

#include "util/units.h"

typedef struct ranks ranks;

/* After MPI_Init_thread with MPI_THREAD_SERIALIZED. NULL if out of memory. */
ranks *ranks_create(void);

/* The runner of this rank, for the commands. */
const unit_runner *ranks_runner(const ranks *it);

int ranks_number(const ranks *it);

/* Tells the coordinator that this rank will not serve, if it has not served; waits for the end. Then frees everything. */
void ranks_free(ranks *it);

#endif
