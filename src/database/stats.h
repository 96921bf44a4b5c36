/* SPDX-License-Identifier: MIT */
/*
 * The statistics of positions: building them from the games, keeping them up to date. A position has statistics if at
 * least two games have it, or one within its first 20 plies.
 */
#ifndef LUFT_DATABASE_STATS_H
#define LUFT_DATABASE_STATS_H

#include "database/database.h"

#include "util/buffer.h"

#define STATS_EARLY_PLIES 20 /* positions after fewer plies have statistics in any case; so has the one after 20 */

/* So many games may be missing from the statistics: they are counted when a position is explored. */
#define STATS_MISSING_MAX 8192

/* Takes the statistics of a position, in the order of keys as signed numbers. */
typedef luft_error (*stats_sink)(void *payload, int64_t key, const uint8_t *bytes, size_t length, uint32_t moves);

/* Counts the first `games` games, and passes all positions that have statistics to the sink, from one thread at a time. */
luft_error stats_build(luft_database *database, uint64_t games, const luft_database_build *build, stats_sink sink,
                       void *payload);

/* Brings the statistics up to date if many games are missing, or if the caller wants it. `failure` is the text of an error. */
luft_error stats_update(luft_database *database, const luft_database_build *build, const char *failure);

#endif
