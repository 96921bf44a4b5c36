/* SPDX-License-Identifier: MIT */
/*
 * Perft: how many sequences of legal moves of a given length there are. It has
 * no use in play; it is how move generators are proved right and compared.
 */
#ifndef LUFT_PERFT_H
#define LUFT_PERFT_H

#include "movegen.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum luft_perft_method {
    LUFT_PERFT_TWO_PLY = 0, /* the last two plies are counted together; most of their moves are not made */
    LUFT_PERFT_ONE_PLY = 1, /* the last ply is counted, its moves are not made */
    LUFT_PERFT_PLAIN = 2    /* every move is made with luft_make, the last ones too */
} luft_perft_method;

/* The greatest depth. Without a table, counts stay below 2^64 far beyond what can be waited for. */
#define LUFT_PERFT_MAX_DEPTH 64

/* The count of a valid position to this depth; 1 at depth 0, 0 for a bad argument. */
LUFT_API uint64_t luft_perft(const luft_position *position, int depth, luft_perft_method method);

/* --- With a table of finished counts --------------------------------------- */

/* A count of 128 bits: high * 2^64 + low. */
typedef struct luft_count {
    uint64_t low, high;
} luft_count;

/* Adds. False, and the sum stays at the greatest count, if it does not fit in 128 bits. */
static inline bool luft_count_add(luft_count *sum, luft_count more) {
    const uint64_t low = sum->low + more.low, carry = low < more.low, high = sum->high + more.high;
    const bool fits = high >= more.high && !(high == UINT64_MAX && carry);
    sum->low = fits ? low : UINT64_MAX;
    sum->high = fits ? high + carry : UINT64_MAX;
    return fits;
}

#define LUFT_PERFT_TABLE_ALIGNMENT 64

/*
 * A table in memory of the caller's. Any number of threads may count with one
 * table at the same time: they write to its memory, never to this struct.
 */
typedef struct luft_perft_table {
    void *memory;
    uint64_t clusters; /* of 64 bytes */
} luft_perft_table;

/*
 * Makes a table of memory that is aligned to LUFT_PERFT_TABLE_ALIGNMENT and filled
 * with zeros: an empty table. One that was in use before keeps what it knows. The memory
 * stays the caller's, who frees it after the last count. LUFT_ERROR_ARGUMENT for less than 64 bytes.
 */
LUFT_API luft_error luft_perft_table_init(luft_perft_table *table, void *memory, size_t bytes);

/*
 * The count of a valid position with the help of a table, the last two plies
 * counted together. LUFT_ERROR_OVERFLOW if it does not fit in 128 bits. Needs about
 * 40 KB of stack for each ply.
 */
LUFT_API LUFT_NODISCARD luft_error luft_perft_hashed(luft_count *count, const luft_position *position, int depth,
                                                     const luft_perft_table *table);

/*
 * Zobrist keys from a seed, in place of the library's. A collision of keys that makes a count wrong does not come again
 * with the keys of another seed. The fields are private.
 */
typedef struct luft_perft_keys {
    uint64_t piece[2][7][64][2];
    uint64_t castling[64][2];
    uint64_t ep_file[8];
} luft_perft_keys;

/* Equal seeds give equal keys, on every machine. */
LUFT_API luft_error luft_perft_keys_init(luft_perft_keys *keys, uint64_t seed);

/* luft_perft_hashed with other keys. Counts of several keys may share a table: they do not find each other's. */
LUFT_API LUFT_NODISCARD luft_error luft_perft_hashed_with(luft_count *count, const luft_position *position, int depth,
                                                          const luft_perft_table *table, const luft_perft_keys *keys);

/* --- Details --------------------------------------------------------------- */

/* What the moves of the last ply are, as perft tables publish it. */
typedef struct luft_perft_details {
    uint64_t nodes;
    uint64_t captures; /* en passant included */
    uint64_t en_passant;
    uint64_t castles;
    uint64_t promotions;
    uint64_t checks;            /* of any kind */
    uint64_t discovered_checks; /* given by a piece that did not move, and by it alone */
    uint64_t double_checks;     /* given by two pieces */
    uint64_t mates;
} luft_perft_details;

/* Adds the details of a valid position to `*details`. At depth 0 only the node is counted. */
LUFT_API luft_error luft_perft_count_details(luft_perft_details *details, const luft_position *position, int depth);

#ifdef __cplusplus
}
#endif

#endif
