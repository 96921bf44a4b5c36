/* SPDX-License-Identifier: MIT */
/*
 * What `luft-train info` counts, and its two forms: text and a drawing.
 */
#ifndef LUFT_TRAIN_DATA_INFO_H
#define LUFT_TRAIN_DATA_INFO_H

#include "games.h"

#include <stdio.h>

enum {
    SCORE_BINS = 30, /* of SCORE_BIN centipawns, from -3000 to 3000; what lies outside is in the first or last */
    SCORE_BIN = 200,
    LENGTH_BINS = 20, /* of LENGTH_BIN plies */
    LENGTH_BIN = 20,
    MEN_MAX = 32
};

typedef struct info_counts {
    uint64_t files;
    uint64_t bytes;
    uint64_t games; /* 0 for records, which know only their numbers */
    uint64_t detours;
    uint64_t plies; /* searched ones, of games */
    uint64_t positions;
    uint64_t scores[SCORE_BINS];
    uint64_t men[MEN_MAX + 1];
    uint64_t results[4];           /* of positions, for the mover: lost, drawn, won, not known */
    uint64_t endings[GAME_DETOUR]; /* of games */
    uint64_t lengths[LENGTH_BINS];
} info_counts;

/* A report as a page of SVG. */
void info_write_svg(FILE *stream, const info_counts *counts);

#endif
