/* SPDX-License-Identifier: MIT */
/* Counts results by name, of players or openings: a hash table whose names may hold any bytes. */
#ifndef LUFT_PROGRAM_PGN_TALLY_H
#define LUFT_PROGRAM_PGN_TALLY_H

#include "util/buffer.h"

#include <stdint.h>

/* Which of the counts a game goes to. */
typedef enum tally_result { TALLY_WIN, TALLY_DRAW, TALLY_LOSS, TALLY_OPEN, TALLY_RESULTS } tally_result;

typedef struct tally_entry {
    size_t name; /* where it begins in `names` */
    size_t length;
    uint64_t hash;
    uint64_t games;
    uint64_t results[TALLY_RESULTS];
} tally_entry;

typedef struct tally {
    tally_entry *entries; /* in the order of their first games */
    size_t count;
    size_t room;
    uint32_t *slots; /* places in `entries`, plus 1; 0 is free */
    size_t slot_count;
    buffer names;
} tally;

/* Adds a game of this name. False if out of memory. */
bool tally_add(tally *table, const char *name, size_t length, tally_result result);

/* Sorts by games, most first, then by name. Only reading is allowed afterwards. False if out of memory. */
bool tally_sort(tally *table);

static inline const char *tally_name(const tally *table, const tally_entry *entry) {
    return table->names.data + entry->name;
}

void tally_free(tally *table);

#endif
