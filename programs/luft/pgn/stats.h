/* SPDX-License-Identifier: MIT */
/* What `luft pgn stats` adds up: stats.c collects it, stats_print.c writes it. */
#ifndef LUFT_PROGRAM_PGN_STATS_H
#define LUFT_PROGRAM_PGN_STATS_H

#include "tally.h"
#include "work.h"

#define STATS_BINS 16      /* of the lengths; the last one has no upper bound */
#define STATS_BIN_MOVES 10 /* full moves in a bin */
#define STATS_YEARS 10000

/* A game named by its place and players. */
typedef struct stats_game {
    uint32_t plies;
    uint64_t number; /* in the file; 0 for none */
    const char *path;
    buffer white;
    buffer black;
} stats_game;

typedef struct stats {
    uint64_t top; /* how many players and openings to list */
    bool as_json;
    uint64_t results[5];  /* by luft_result */
    uint64_t with_errors; /* games; the lengths are of those without */
    uint64_t plies;       /* of all games that count for the lengths */
    uint64_t measured;    /* those games */
    uint64_t without_moves;
    uint64_t bins[STATS_BINS];
    stats_game longest;
    stats_game shortest; /* of those with moves */
    uint64_t rated;      /* players with an Elo number, once for each game */
    uint64_t elo_sum;
    int elo_min;
    int elo_max;
    uint64_t years[STATS_YEARS]; /* 0 for games that have none */
    tally players;
    tally openings; /* "B90 Sicilian Defense: Najdorf Variation" */
} stats;

void stats_write_text(buffer *out, const stats *sums, const pgn_totals *totals);
void stats_write_json(buffer *out, const stats *sums, const pgn_totals *totals);

#endif
