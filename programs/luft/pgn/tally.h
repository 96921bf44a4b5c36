/* SPDX-License-Identifier: MIT */
/*
 * Counts of results by name: of players, of openings. A hash table over names of
 * any bytes, which grows with the number of different names and with nothing else.
 */
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
    tally_entry *entries; /* in the order in which they came */
    size_t count;
    size_t room;
    uint32_t *slots; /* places in `entries`, plus 1; 0 is free */
    size_t slot_count;
    bytes names;
} tally;

/* One more game of this name. False if there is no memory. */
bool tally_add(tally *table, const char *name, size_t length, tally_result result);

/* Most games first, and by name where those are equal. The table can only be read after that. */
bool tally_sort(tally *table);

static inline const char *tally_name(const tally *table, const tally_entry *entry) {
    return table->names.data + entry->name;
}

void tally_free(tally *table);

#endif
