/* SPDX-License-Identifier: MIT */
/*
 * The table of opening names, which tools/make_openings.c writes during the build from
 * openings.txt. Entries are sorted by key; an index by the first bits of the key gives
 * each bucket. Most positions have no name: a bit set over key prefixes rejects 19 of 20
 * such positions with one lookup.
 */
#ifndef LUFT_GAMES_OPENING_TABLE_H
#define LUFT_GAMES_OPENING_TABLE_H

#include "luft/position.h"

enum {
    OPENING_BUCKET_BITS = 12,
    OPENING_BUCKET_COUNT = 1 << OPENING_BUCKET_BITS,
    OPENING_FILTER_BITS = 16,
    OPENING_FILTER_WORDS = 1 << (OPENING_FILTER_BITS - 6)
};

/*
 * A named position. Its colour-flipped position has the same key but not the same name, so lookups compare the
 * side to move too.
 */
typedef struct opening_entry {
    uint64_t key;         /* luft_key of the position */
    uint32_t name;        /* offset of its name in luft_opening_names */
    char eco[3];          /* not NUL-terminated */
    uint8_t side_to_move; /* a luft_color */
} opening_entry;

static inline size_t opening_bucket(uint64_t key) {
    return (size_t)(key >> (64 - OPENING_BUCKET_BITS));
}

static inline size_t opening_filter_bit(uint64_t key) {
    return (size_t)(key >> (64 - OPENING_FILTER_BITS));
}

extern const uint64_t luft_opening_filter[OPENING_FILTER_WORDS];
extern const opening_entry luft_opening_entries[];
extern const uint16_t
    luft_opening_first[OPENING_BUCKET_COUNT + 1]; /* first entry of each bucket; the next bucket's first ends it */
extern const char luft_opening_names[];           /* NUL-terminated names, one after the other */
extern const uint16_t luft_opening_longest_line;  /* in plies */

#endif
