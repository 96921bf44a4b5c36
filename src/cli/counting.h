/* SPDX-License-Identifier: MIT */
/*
 * Perft that reports how far it has come. The library counts a whole tree in one
 * call and says nothing meanwhile; here the tree is cut into small ones, and the
 * progress line is told after each.
 */
#ifndef LUFT_CLI_COUNTING_H
#define LUFT_CLI_COUNTING_H

#include "progress.h"

#include "luft/luft.h"

/* luft_perft, in pieces. `share` is the part of the whole work that this position is. */
uint64_t counting_nodes(progress *line, const luft_position *position, int depth, luft_perft_method method,
                        double share);

/* luft_perft_count_details, in pieces; adds to `*details`. */
void counting_details(luft_perft_details *details, progress *line, const luft_position *position, int depth,
                      double share);

#endif
