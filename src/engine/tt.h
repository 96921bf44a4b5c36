/* SPDX-License-Identifier: MIT */
/*
 * The transposition table: results of earlier searches by position, shared by all threads.
 *
 * A cluster of four slots of 16 bytes is a cache line. A slot is two words, which threads read and write by relaxed
 * atomic operations; the first is the key XOR the second, so that two halves of different entries do not match any key.
 * No thread waits.
 *
 * The key is that of the side to move, which a position shares with its colour-flipped position. Moves are therefore
 * stored from the point of view of the side to move.
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
    uint8_t age;  /* of the current search, 0 to 31 */
} tt;

typedef enum tt_bound {
    TT_NONE = 0,  /* no score, only an evaluation */
    TT_UPPER = 1, /* the true score is at most this */
    TT_LOWER = 2, /* at least this */
    TT_EXACT = 3
} tt_bound;

typedef struct tt_entry {
    luft_move move; /* may be illegal here, by a collision of keys; or none */
    int score;      /* mates count from the root; SCORE_NONE if there is no score */
    int eval;       /* static evaluation without adjustments, SCORE_NONE if there is none */
    int depth;      /* -1 for an evaluation alone, 0 for the quiescence search */
    tt_bound bound;
    bool was_pv; /* the position was once on a principal variation */
} tt_entry;

/* An empty table of this many megabytes; false if out of memory. */
bool tt_create(tt *table, size_t megabytes);
size_t tt_megabytes(const tt *table);
void tt_free(tt *table);
void tt_clear(tt *table, int threads);

/* Begins a new search: all entries become older. */
void tt_new_search(tt *table);

void tt_prefetch(const tt *table, uint64_t key);

/* Looks a position up that is `ply` plies from the root; false if it is not there. */
bool tt_probe(const tt *table, const luft_position *position, int ply, tt_entry *entry);

/* Stores a result. It may replace an older or shallower one, or be dropped. */
void tt_store(tt *table, const luft_position *position, int ply, tt_entry entry);

/* How full of entries of the current search the table is, in thousandths. */
int tt_hashfull(const tt *table);

#endif
