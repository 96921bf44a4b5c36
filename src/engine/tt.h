/* SPDX-License-Identifier: MIT */
/*
 * The transposition table: what earlier searches found out about a position.
 *
 * Four entries of 16 bytes share a cache line. An entry is two words, read and
 * written by relaxed atomic operations; the first holds the key XOR the second,
 * so that two halves of different entries do not look like one. No thread waits.
 *
 * The key is that of the player to move, which a position shares with its
 * colour-flipped twin; so moves are kept as that player sees them.
 */
#ifndef LUFT_ENGINE_TT_H
#define LUFT_ENGINE_TT_H

#include "luft/movegen.h"

#include <stdatomic.h>

typedef struct tt_cluster tt_cluster;

typedef struct tt {
    tt_cluster *clusters;
    size_t count; /* of clusters */
    size_t bytes; /* of the mapping */
    uint8_t age;  /* of the present search, 0 to 31 */
} tt;

typedef enum tt_bound {
    TT_NONE = 0,  /* no score, only an evaluation */
    TT_UPPER = 1, /* the true score is at most this */
    TT_LOWER = 2, /* at least this */
    TT_EXACT = 3
} tt_bound;

typedef struct tt_data {
    luft_move move; /* not checked: it may be no legal move here */
    int score;      /* mates counted from this position, not from the root; SCORE_NONE if there is none */
    int eval;       /* static evaluation, SCORE_NONE if it was not made */
    int depth;
    tt_bound bound;
    bool was_pv; /* the position was once on a principal variation */
} tt_data;

/* A table of this many megabytes, all clear; false if there is no memory. */
bool tt_create(tt *table, size_t megabytes);
size_t tt_megabytes(const tt *table);
void tt_free(tt *table);
void tt_clear(tt *table, int threads);

/* A new search begins: what is there becomes older. */
void tt_new_search(tt *table);

void tt_prefetch(const tt *table, uint64_t key);

/* What is known of a position; false if nothing. */
bool tt_probe(const tt *table, const luft_position *position, int ply, tt_data *data);

/* Keeps what was found, perhaps in place of something older or shallower. */
void tt_store(tt *table, const luft_position *position, int ply, tt_data data);

/* How full of entries of the present search it is, in thousandths. */
int tt_full(const tt *table);

#endif
