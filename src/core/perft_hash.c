/* SPDX-License-Identifier: MIT */
/*
 * Perft with a table of finished counts. Different orders of the same moves lead to
 * the same position, and what lies below it is counted once.
 *
 * A position is known by its two Zobrist keys together, the mover's first, so that
 * colour-flipped twins share their count. Of these 128 bits an entry holds 80; the
 * high bits of the first key are told by its place in the table. So a look-up takes
 * one entry for another once in 2^80: in 2^40 look-ups at four entries each, the odds
 * of any wrong count are 1 in 2^38. The table is the caller's memory; entries are pairs of relaxed atomics, one of them disguised by the other,
 * so that threads share it without locks and a torn entry is no entry.
 *
 * All children of a node are made and their places in the table fetched before the
 * first is looked up: the memory works while the boards are being made.
 */
#include <assert.h>
#include <stdatomic.h>

#include "core/perft_internal.h"
#include "core/zobrist.h"
#include "luft/perft.h"

/* --- The table ----------------------------------------------------------- */

/* A count is stored in digits of 44 bits, each an entry of its own; nearly every count is one digit. */
enum { DIGIT_BITS = 44, RANK_BITS = 4, WORTH_BITS = DIGIT_BITS + RANK_BITS, MAX_DIGITS = 3, CLUSTER_SIZE = 4 };
#define DIGIT_MASK ((UINT64_C(1) << DIGIT_BITS) - 1)
#define WORTH_MASK ((UINT64_C(1) << WORTH_BITS) - 1)

/*
 * The data are the low 16 bits of the first key, four bits for the depth, and the
 * digit. The last two, read as one number, tell what the entry is worth: the deeper
 * and the larger a count, the more work it saves. No data at all is an empty entry.
 */
typedef struct perft_entry {
    _Atomic uint64_t disguised; /* the second key, exclusive-or `data` */
    _Atomic uint64_t data;
} perft_entry;

typedef struct perft_cluster {
    perft_entry entries[CLUSTER_SIZE];
} perft_cluster;

_Static_assert(sizeof(perft_cluster) == LUFT_PERFT_TABLE_ALIGNMENT, "a cluster is a cache line");

/* What an entry is known by: both keys, changed by the depth that is left and by the digit. */
typedef struct signature {
    uint64_t first, second;
} signature;

ALWAYS_INLINE signature sign(const uint64_t key[2], const luft_color mover, int depth, int digit) {
    const uint64_t salt = (uint64_t)(depth * MAX_DIGITS + digit) * UINT64_C(0x9e3779b97f4a7c15);
    return (signature){key[mover] ^ salt, key[mover ^ 1] + salt};
}

/* The high bits of the first key choose the cluster; the low ones go into the entry. */
ALWAYS_INLINE perft_cluster *cluster_of(const luft_perft_table *table, signature s) {
    return (perft_cluster *)table->memory + ((s.first >> 32) * table->clusters >> 32);
}

ALWAYS_INLINE void prefetch(const void *address) {
#if LUFT_HAS_BUILTINS
    __builtin_prefetch(address);
#else
    (void)address;
#endif
}

/* True and the digit, if the table knows it. */
ALWAYS_INLINE bool look_up_digit(uint64_t *digit, const luft_perft_table *table, signature s) {
    perft_cluster *cluster = cluster_of(table, s);
    for (int i = 0; i < CLUSTER_SIZE; i++) {
        const uint64_t data = atomic_load_explicit(&cluster->entries[i].data, memory_order_relaxed);
        const uint64_t disguised = atomic_load_explicit(&cluster->entries[i].disguised, memory_order_relaxed);
        if ((disguised ^ data) == s.second && data >> WORTH_BITS == (s.first & 0xffff) && data != 0) {
            *digit = data & DIGIT_MASK;
            return true;
        }
    }
    return false;
}

/*
 * Puts a digit in the place of the one that is worth least, if that is not worth
 * more; else in the last place, which takes what comes. So a full table keeps the
 * great counts and still learns.
 */
ALWAYS_INLINE void store_digit(const luft_perft_table *table, signature s, int depth, uint64_t digit) {
    perft_cluster *cluster = cluster_of(table, s);
    perft_entry *victim = &cluster->entries[CLUSTER_SIZE - 1];
    const uint64_t rank = (uint64_t)(depth < (1 << RANK_BITS) ? depth : (1 << RANK_BITS) - 1);
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): clang 14 takes `rank` for an int here
    const uint64_t worth = rank << DIGIT_BITS | digit;
    uint64_t least = worth;
    for (int i = 0; i < CLUSTER_SIZE - 1; i++) {
        const uint64_t held = atomic_load_explicit(&cluster->entries[i].data, memory_order_relaxed) & WORTH_MASK;
        if (held <= least) {
            least = held;
            victim = &cluster->entries[i];
        }
    }
    const uint64_t data = (s.first & 0xffff) << WORTH_BITS | worth;
    atomic_store_explicit(&victim->data, data, memory_order_relaxed);
    atomic_store_explicit(&victim->disguised, s.second ^ data, memory_order_relaxed);
}

luft_error luft_perft_table_init(luft_perft_table *table, void *memory, size_t bytes) {
    if (!table || !memory || (uintptr_t)memory % LUFT_PERFT_TABLE_ALIGNMENT != 0 || bytes < sizeof(perft_cluster)) {
        return LUFT_ERROR_ARGUMENT;
    }
    const uint64_t clusters = bytes / sizeof(perft_cluster);
    table->memory = memory;
    table->clusters = clusters < UINT32_MAX ? clusters : UINT32_MAX; /* 256 GiB */
    return LUFT_OK;
}

/* --- Whole counts -------------------------------------------------------- */

/* How many digits a count of this depth may need: LUFT_MAX_MOVES to the fifth power is below 2^44, to the tenth below 2^88. */
ALWAYS_INLINE int digits_for(int depth) {
    return depth <= 5 ? 1 : depth <= 10 ? 2 : MAX_DIGITS;
}

ALWAYS_INLINE bool look_up(luft_count *count, const luft_perft_table *table, const uint64_t key[2],
                           const luft_color mover, int depth) {
    const int digit_count = digits_for(depth);
    uint64_t digits[MAX_DIGITS] = {0};
    for (int i = 0; i < digit_count; i++) {
        if (!look_up_digit(&digits[i], table, sign(key, mover, depth, i))) {
            return false;
        }
    }
    count->low = digits[0] | digits[1] << DIGIT_BITS;
    count->high = digits[1] >> (64 - DIGIT_BITS) | digits[2] << (2 * DIGIT_BITS - 64);
    return true;
}

ALWAYS_INLINE void store(const luft_perft_table *table, const uint64_t key[2], const luft_color mover, int depth,
                         luft_count count) {
    const uint64_t digits[MAX_DIGITS] = {
        count.low & DIGIT_MASK,
        (count.low >> DIGIT_BITS | count.high << (64 - DIGIT_BITS)) & DIGIT_MASK,
        count.high >> (2 * DIGIT_BITS - 64),
    };
    const int digit_count = digits_for(depth);
    assert(digit_count <= MAX_DIGITS);
    for (int i = 0; i < digit_count; i++) {
        store_digit(table, sign(key, mover, depth, i), depth, digits[i]);
    }
}

/* --- Making children ----------------------------------------------------- */

typedef struct hashed_node {
    luft_board board;
    luft_bitboard ep; /* only where a capture is legal, as the keys want it */
    uint64_t key[2];
} hashed_node;

typedef struct children {
    const luft_perft_table *table;
    uint64_t key[2]; /* of the parent, without its en passant square */
    int depth;       /* left after the moves that are being made */
    int count;
    hashed_node nodes[LUFT_MAX_MOVES];
} children;

ALWAYS_INLINE void toggle(uint64_t key[2], const zobrist_pair *pair) {
    key[0] ^= pair->key[0];
    key[1] ^= pair->key[1];
}

/* What moves in a step of this kind. */
ALWAYS_INLINE luft_piece_type moving_type(const luft_board *board, const step_kind kind, luft_bitboard from) {
    switch (kind) {
    case STEP_KNIGHT: return LUFT_KNIGHT;
    case STEP_DIAGONAL: return board->straights & from ? LUFT_QUEEN : LUFT_BISHOP;
    case STEP_STRAIGHT: return board->diagonals & from ? LUFT_QUEEN : LUFT_ROOK;
    case STEP_KING:
    case STEP_CASTLE: return LUFT_KING;
    default: return LUFT_PAWN;
    }
}

/* The keys of the child, from the parent's and what the step changes. */
ALWAYS_INLINE void update_keys(hashed_node *child, const luft_board *board, const luft_color us, const step_kind kind,
                               luft_bitboard from, luft_bitboard to, const luft_piece_type promotion) {
    const luft_color them = luft_opposite(us);
    const luft_piece_type type = moving_type(board, kind, from);
    const luft_square from_square = luft_lsb(from), to_square = luft_lsb(to);
    toggle(child->key, &luft_zobrist_piece[us][type][from_square]);
    if (kind == STEP_CASTLE) {
        toggle(child->key, &luft_zobrist_piece[us][LUFT_ROOK][to_square]);
        toggle(child->key, &luft_zobrist_piece[us][LUFT_KING][castled_king(from_square, to_square)]);
        toggle(child->key, &luft_zobrist_piece[us][LUFT_ROOK][castled_rook(from_square, to_square)]);
    } else {
        toggle(child->key, &luft_zobrist_piece[us][step_is_promotion(kind) ? promotion : type][to_square]);
    }
    if (kind == STEP_EN_PASSANT) {
        toggle(child->key, &luft_zobrist_piece[them][LUFT_PAWN][luft_lsb(backward(us, to))]);
    } else if (to & board->color[them]) {
        toggle(child->key, &luft_zobrist_piece[them][luft_piece_type_of(luft_piece_at(board, to_square))][to_square]);
    }
    for (luft_bitboard lost = board->castling & ~child->board.castling; lost;) {
        toggle(child->key, &luft_zobrist_castling[luft_pop(&lost)]);
    }
    if (kind == STEP_DOUBLE_PUSH && child->ep) {
        const uint64_t ep_key = luft_zobrist_ep_file[luft_file_of(to_square)];
        child->key[0] ^= ep_key;
        child->key[1] ^= ep_key;
    }
}

/* The sink that makes the children and fetches what the table may know of them. */
ALWAYS_INLINE void collect_sink(void *context, const luft_board *board, const luft_color us, const step_kind kind,
                                luft_square from, luft_bitboard targets) {
    children *const all = context;
    const luft_color them = luft_opposite(us);
    for (; targets; targets &= targets - 1) {
        const luft_bitboard to = targets & (0 - targets), origin = step_origin(us, kind, from, to);
        for (int type = LUFT_KNIGHT; type <= (step_is_promotion(kind) ? LUFT_QUEEN : LUFT_KNIGHT); type++) {
            hashed_node *child = &all->nodes[all->count++];
            child->board = *board;
            make_step(&child->board, us, kind, origin, to, (luft_piece_type)type, step_may_capture(kind));
            child->ep = kind == STEP_DOUBLE_PUSH ? ep_after_double_push(&child->board, them, to) : 0;
            child->key[0] = all->key[0];
            child->key[1] = all->key[1];
            update_keys(child, board, us, kind, origin, to, (luft_piece_type)type);
            prefetch(cluster_of(all->table, sign(child->key, them, all->depth, 0)));
        }
    }
}

/* --- The walk ------------------------------------------------------------ */

static luft_count walk_white(const luft_perft_table *table, const hashed_node *node, int depth);
static luft_count walk_black(const luft_perft_table *table, const hashed_node *node, int depth);

/* Counts below a node in which `us` is to move; depth 3 or more. */
// NOLINTNEXTLINE(misc-no-recursion): as deep as was asked for, which is limited
ALWAYS_INLINE luft_count walk(const luft_perft_table *table, const hashed_node *node, const luft_color us, int depth) {
    const luft_color them = luft_opposite(us);
    children all;
    all.table = table;
    all.depth = depth - 1;
    all.count = 0;
    all.key[0] = node->key[0];
    all.key[1] = node->key[1];
    if (node->ep) {
        const uint64_t ep_key = luft_zobrist_ep_file[luft_file_of(luft_lsb(node->ep))];
        all.key[0] ^= ep_key;
        all.key[1] ^= ep_key;
    }
    enumerate(&node->board, us, node->ep, LUFT_ALL_MOVES, collect_sink, &all);

    luft_count sum = {0, 0};
    for (int i = 0; i < all.count; i++) {
        const hashed_node *child = &all.nodes[i];
        luft_count count = {0, 0};
        if (!look_up(&count, table, child->key, them, depth - 1)) {
            if (depth == 3) {
                count.low = us == LUFT_WHITE ? luft_perft_pairs_black(&child->board, child->ep)
                                             : luft_perft_pairs_white(&child->board, child->ep);
            } else {
                count = us == LUFT_WHITE ? walk_black(table, child, depth - 1) : walk_white(table, child, depth - 1);
            }
            store(table, child->key, them, depth - 1, count);
        }
        luft_count_add(&sum, count); /* an overflow shows in the sum */
    }
    return sum;
}

// NOLINTNEXTLINE(misc-no-recursion): see walk
static luft_count walk_white(const luft_perft_table *table, const hashed_node *node, int depth) {
    return walk(table, node, LUFT_WHITE, depth);
}

// NOLINTNEXTLINE(misc-no-recursion): see walk
static luft_count walk_black(const luft_perft_table *table, const hashed_node *node, int depth) {
    return walk(table, node, LUFT_BLACK, depth);
}

luft_error luft_perft_hashed(luft_count *count, const luft_position *position, int depth,
                             const luft_perft_table *table) {
    if (!count || !position || !table || !table->memory || depth < 0 || depth > LUFT_PERFT_MAX_DEPTH) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_count sum = {0, 0};
    if (depth < 3) {
        sum.low = luft_perft(position, depth, LUFT_PERFT_TWO_PLY);
    } else {
        const luft_color us = (luft_color)position->side_to_move;
        const hashed_node root = {
            .board = position->board,
            .ep = position->ep_square < LUFT_NO_SQUARE ? luft_bit((luft_square)position->ep_square) : 0,
            .key = {position->key[0], position->key[1]},
        };
        if (!look_up(&sum, table, root.key, us, depth)) {
            sum = us == LUFT_WHITE ? walk_white(table, &root, depth) : walk_black(table, &root, depth);
            store(table, root.key, us, depth, sum);
        }
    }
    if (sum.low == UINT64_MAX && sum.high == UINT64_MAX) {
        return LUFT_ERROR_OVERFLOW;
    }
    *count = sum;
    return LUFT_OK;
}
