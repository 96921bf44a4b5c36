/* SPDX-License-Identifier: MIT */
/*
 * What `luft-train info` counts. It is printed as text and drawn as SVG.
 */
#ifndef LUFT_TRAIN_DATA_INFO_H
#define LUFT_TRAIN_DATA_INFO_H

#include "games.h"

#include <stdio.h>

enum {
    SCORE_BINS = 30, /* of SCORE_BIN centipawns, from -3000 to 3000; greater scores are in the first and last */
    SCORE_BIN = 200,
    LENGTH_BINS = 20, /* of LENGTH_BIN plies */
    LENGTH_BIN = 20,
    PIECES_MAX = 32
};

typedef struct info_counts {
    uint64_t files;
    uint64_t bytes;
    uint64_t games; /* 0 for records */
    uint64_t detours;
    uint64_t plies; /* of games, searched ones only */
    uint64_t positions;
    uint64_t scores[SCORE_BINS];
    uint64_t pieces[PIECES_MAX + 1];
    uint64_t results[4];                 /* of positions, for the side to move: lost, drawn, won, unknown */
    uint64_t endings[GAME_ENDING_COUNT]; /* of games */
    uint64_t lengths[LENGTH_BINS];
} info_counts;

/* Draws the histograms as SVG. */
void info_write_svg(FILE *stream, const info_counts *counts);

#endif
