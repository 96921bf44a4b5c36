/* SPDX-License-Identifier: MIT */
/*
 * The form of the table of opening names, which tools/make_openings.c writes during
 * the build from openings.txt. The entries are sorted by key, and a second table says where
 * the keys with the same first bits begin. Most positions have no name: a set of bits, one
 * for each beginning of a key, tells that of nineteen in twenty of them, in one look.
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
 * A position that has a name. The colour-flipped twin of a position has the same key
 * but not the same name, so the side to move belongs to what is looked for.
 */
typedef struct opening_entry {
    uint64_t key;         /* luft_key of the position */
    uint32_t name;        /* where its name begins in luft_opening_names */
    char eco[3];          /* not terminated */
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
    luft_opening_first[OPENING_BUCKET_COUNT + 1]; /* of each bucket; its end is the next one's first */
extern const char luft_opening_names[];           /* one after the other, each with its NUL */
extern const uint16_t luft_opening_longest_line;  /* in moves of both sides */

#endif
