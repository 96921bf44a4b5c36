/* SPDX-License-Identifier: MIT */
/*
 * The mate search: proves that a side mates within so many moves, or that it cannot. Depth-first proof-number search,
 * beside the normal search of `go mate`.
 *
 * The proof number of a position is the least number of positions that still have to be proved mates; the disproof number
 * is the same for the opposite. The search always expands where the fewest proofs are missing, so it follows checks and
 * moves that leave few replies, however deep they lead, without an evaluation.
 */
#ifndef LUFT_ENGINE_MATE_H
#define LUFT_ENGINE_MATE_H

#include "frame.h"

enum { MATE_MOVES_MAX = 60 };

typedef struct mate_search mate_search;

typedef enum mate_state {
    MATE_OPEN,
    MATE_PROVED,  /* a side mates: mate_variation says how */
    MATE_REFUTED, /* neither side has a mate in so many moves */
    MATE_BEYOND   /* no mate in MATE_MOVES_MAX moves, but more were asked for: no answer */
} mate_state;

/* A search with a table of about so many bytes. NULL if out of memory. */
mate_search *mate_create(size_t bytes);

/* NULL is fine. */
void mate_free(mate_search *search);

/*
 * Sets the question: does the side to move, or its opponent, mate within `moves` moves? Mates of more than MATE_MOVES_MAX
 * moves are not looked for. `keys` are those of the positions before the root since the last irreversible move. With `first_count` above 0 the side to move
 * plays one of these legal moves first.
 */
void mate_begin(mate_search *search, const luft_position *root, const uint64_t *keys, size_t key_count, int moves,
                const luft_move *first_moves, int first_count);

/* Looks at about so many more positions. */
mate_state mate_step(mate_search *search, int64_t positions);

/* Is it proved that the side to move has no such mate? The answer may still be open: its opponent may have one. */
bool mate_is_refuted(const mate_search *search);

/* How many positions the search has looked at since mate_begin. */
int64_t mate_positions(const mate_search *search);

/* The mate that was proved: sets `pv` to a variation that ends with it, and returns the score. */
int mate_variation(mate_search *search, search_pv *pv);

#endif
