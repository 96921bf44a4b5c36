/* SPDX-License-Identifier: MIT */
/*
 * Finds the name of a position in the table built from openings.txt. Board, side to move,
 * castling rights and en passant square must match; the counters and the move order do not
 * matter.
 */
#include "luft/opening.h"
#include "games/opening_table.h"

#include <string.h>

static const opening_entry *find_entry(const luft_position *position) {
    const uint64_t key = luft_key(position);
    const size_t bit = opening_filter_bit(key);
    if (!(luft_opening_filter[bit / 64] >> bit % 64 & 1)) {
        return NULL;
    }
    const size_t bucket = opening_bucket(key);
    for (size_t i = luft_opening_first[bucket]; i < luft_opening_first[bucket + 1]; i++) {
        const opening_entry *entry = &luft_opening_entries[i];
        if (entry->key == key && entry->side_to_move == position->side_to_move) {
            return entry;
        }
    }
    return NULL;
}

bool luft_opening_of_position(luft_opening *opening, const luft_position *position) {
    const opening_entry *entry = opening && position ? find_entry(position) : NULL;
    if (!entry) {
        return false;
    }
    memcpy(opening->eco, entry->eco, sizeof entry->eco);
    opening->eco[sizeof entry->eco] = '\0';
    opening->name = luft_opening_names + entry->name;
    return true;
}

/* Searches from the end: a game may leave the named positions and transpose back into one later. */
bool luft_opening_of_game(luft_opening *opening, const luft_game *game) {
    if (!opening || !game) {
        return false;
    }
    for (size_t ply = luft_game_ply(game) + 1; ply-- > 0;) {
        if (luft_opening_of_position(opening, luft_game_position_at(game, ply))) {
            return true;
        }
    }
    return false;
}

size_t luft_opening_count(void) {
    return luft_opening_first[OPENING_BUCKET_COUNT];
}

size_t luft_opening_longest(void) {
    return luft_opening_longest_line;
}
