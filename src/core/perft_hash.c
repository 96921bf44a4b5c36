/* SPDX-License-Identifier: MIT */
/*
 * Perft with a hash table. Transpositions lead to the same position, whose subtree is
 * counted once.
 *
 * Both Zobrist keys together identify a position, that of the side to move first, so
 * colour-flipped positions share a count. An entry stores 80 of these 128 bits; the high
 * bits of the first key select the cluster. A false match has a chance of 2^-80 per entry:
 * for 2^40 look-ups of four entries each, the chance of any wrong count is 2^-38.
 *
 * The caller owns the memory of the table. Threads share it without locks: an entry is a
 * pair of relaxed atomics, one of them XORed with the other, so an entry torn by a race
 * does not match.
 *
 * The walk makes all children of a node and prefetches their clusters before it looks up
 * the first. Memory latency overlaps with making the boards.
 */
#include <assert.h>
#include <stdatomic.h>

#include "core/perft_internal.h"
#include "core/zobrist.h"
#include "luft/perft.h"

/* --- The table ----------------------------------------------------------- */

/* A count is stored in digits of 44 bits, one entry each. Nearly all counts have one digit. */
enum { DIGIT_BITS = 44, DEPTH_BITS = 4, PRIORITY_BITS = DIGIT_BITS + DEPTH_BITS, MAX_DIGITS = 3, CLUSTER_SIZE = 4 };
#define DIGIT_MASK ((UINT64_C(1) << DIGIT_BITS) - 1)
#define PRIORITY_MASK ((UINT64_C(1) << PRIORITY_BITS) - 1)

/*
 * `data` holds the low 16 bits of the first key, four bits of depth, and the digit. The last two together are
 * the replacement priority: deeper and larger counts save more work. Zero means empty.
 */
typedef struct perft_entry {
    _Atomic uint64_t key_xor_data; /* the second key XOR `data` */
    _Atomic uint64_t data;
} perft_entry;

typedef struct perft_cluster {
    perft_entry entries[CLUSTER_SIZE];
} perft_cluster;

_Static_assert(sizeof(perft_cluster) == LUFT_PERFT_TABLE_ALIGNMENT, "a cluster is a cache line");

/* What identifies an entry: both keys, mixed with the remaining depth and the index of the digit. */
typedef struct signature {
    uint64_t first, second;
} signature;

ALWAYS_INLINE signature make_signature(const uint64_t key[2], const luft_color us, int depth, int digit) {
    const uint64_t salt = (uint64_t)(depth * MAX_DIGITS + digit) * UINT64_C(0x9e3779b97f4a7c15);
    return (signature){key[us] ^ salt, key[us ^ 1] + salt};
}

/* The high bits of the first key select the cluster; the entry stores the low ones. */
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

/* Finds a digit; false if the table does not have it. */
ALWAYS_INLINE bool look_up_digit(uint64_t *digit, const luft_perft_table *table, signature s) {
    perft_cluster *cluster = cluster_of(table, s);
    for (int i = 0; i < CLUSTER_SIZE; i++) {
        const uint64_t data = atomic_load_explicit(&cluster->entries[i].data, memory_order_relaxed);
        const uint64_t key_xor_data = atomic_load_explicit(&cluster->entries[i].key_xor_data, memory_order_relaxed);
        if ((key_xor_data ^ data) == s.second && data >> PRIORITY_BITS == (s.first & 0xffff) && data != 0) {
            *digit = data & DIGIT_MASK;
            return true;
        }
    }
    return false;
}

/*
 * Replaces the entry of the lowest priority, if it is not higher than that of the new one. Otherwise replaces
 * the last entry of the cluster, which accepts everything. So a full table keeps the large counts and still
 * stores new ones.
 */
ALWAYS_INLINE void store_digit(const luft_perft_table *table, signature s, int depth, uint64_t digit) {
    perft_cluster *cluster = cluster_of(table, s);
    perft_entry *victim = &cluster->entries[CLUSTER_SIZE - 1];
    const uint64_t stored_depth = (uint64_t)(depth < (1 << DEPTH_BITS) ? depth : (1 << DEPTH_BITS) - 1);
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): clang 14 takes `stored_depth` for an int here
    const uint64_t priority = stored_depth << DIGIT_BITS | digit;
    uint64_t lowest = priority;
    for (int i = 0; i < CLUSTER_SIZE - 1; i++) {
        const uint64_t other = atomic_load_explicit(&cluster->entries[i].data, memory_order_relaxed) & PRIORITY_MASK;
        if (other <= lowest) {
            lowest = other;
            victim = &cluster->entries[i];
        }
    }
    const uint64_t data = (s.first & 0xffff) << PRIORITY_BITS | priority;
    atomic_store_explicit(&victim->data, data, memory_order_relaxed);
    atomic_store_explicit(&victim->key_xor_data, s.second ^ data, memory_order_relaxed);
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

/* --- Complete counts ----------------------------------------------------- */

/* Number of digits of a count at this depth: LUFT_MAX_MOVES^5 is below 2^44 and LUFT_MAX_MOVES^10 below 2^88. */
ALWAYS_INLINE int digits_for(int depth) {
    return depth <= 5 ? 1 : depth <= 10 ? 2 : MAX_DIGITS;
}

ALWAYS_INLINE bool look_up(luft_count *count, const luft_perft_table *table, const uint64_t key[2], const luft_color us,
                           int depth) {
    const int digit_count = digits_for(depth);
    uint64_t digits[MAX_DIGITS] = {0};
    for (int i = 0; i < digit_count; i++) {
        if (!look_up_digit(&digits[i], table, make_signature(key, us, depth, i))) {
            return false;
        }
    }
    count->low = digits[0] | digits[1] << DIGIT_BITS;
    count->high = digits[1] >> (64 - DIGIT_BITS) | digits[2] << (2 * DIGIT_BITS - 64);
    return true;
}

ALWAYS_INLINE void store(const luft_perft_table *table, const uint64_t key[2], const luft_color us, int depth,
                         luft_count count) {
    const uint64_t digits[MAX_DIGITS] = {
        count.low & DIGIT_MASK,
        (count.low >> DIGIT_BITS | count.high << (64 - DIGIT_BITS)) & DIGIT_MASK,
        count.high >> (2 * DIGIT_BITS - 64),
    };
    const int digit_count = digits_for(depth);
    assert(digit_count <= MAX_DIGITS);
    for (int i = 0; i < digit_count; i++) {
        store_digit(table, make_signature(key, us, depth, i), depth, digits[i]);
    }
}

/* --- Making children ----------------------------------------------------- */

typedef struct hashed_node {
    luft_board board;
    luft_bitboard ep; /* set only if a capture is legal, as the keys require */
    uint64_t key[2];
} hashed_node;

/* The Zobrist numbers of a count: the library's, or those of a seed. */
typedef struct numbers {
    const zobrist_pair (*piece)[7][64]; /* as luft_zobrist_piece, and so on */
    const zobrist_pair *castling;
    const uint64_t *ep_file;
} numbers;

/* What a count does not change. */
typedef struct hashed_count {
    const luft_perft_table *table;
    numbers numbers;
} hashed_count;

typedef struct children {
    const hashed_count *count;
    uint64_t key[2]; /* of the parent, without its en passant file */
    int depth;       /* remaining after the move being made */
    int length;
    hashed_node nodes[LUFT_MAX_MOVES];
} children;

ALWAYS_INLINE void toggle(uint64_t key[2], const zobrist_pair *pair) {
    key[0] ^= pair->key[0];
    key[1] ^= pair->key[1];
}

/* Type of the piece that moves in a step of this kind. */
ALWAYS_INLINE luft_piece_type moving_type(const luft_board *board, const step_kind kind, luft_bitboard from) {
    switch (kind) {
    case STEP_KNIGHT: return LUFT_KNIGHT;
    case STEP_DIAGONAL: return board->orthogonal & from ? LUFT_QUEEN : LUFT_BISHOP;
    case STEP_ORTHOGONAL: return board->diagonal & from ? LUFT_QUEEN : LUFT_ROOK;
    case STEP_KING:
    case STEP_CASTLE: return LUFT_KING;
    default: return LUFT_PAWN;
    }
}

/* Updates the keys of the child, which start as those of the parent. */
ALWAYS_INLINE void update_keys(hashed_node *child, const numbers *random, const luft_board *board, const luft_color us,
                               const step_kind kind, luft_bitboard from, luft_bitboard to,
                               const luft_piece_type promotion) {
    const luft_color them = luft_opposite(us);
    const luft_piece_type type = moving_type(board, kind, from);
    const luft_square from_square = luft_lsb(from), to_square = luft_lsb(to);
    toggle(child->key, &random->piece[us][type][from_square]);
    if (kind == STEP_CASTLE) {
        toggle(child->key, &random->piece[us][LUFT_ROOK][to_square]);
        toggle(child->key, &random->piece[us][LUFT_KING][castled_king(from_square, to_square)]);
        toggle(child->key, &random->piece[us][LUFT_ROOK][castled_rook(from_square, to_square)]);
    } else {
        toggle(child->key, &random->piece[us][step_is_promotion(kind) ? promotion : type][to_square]);
    }
    if (kind == STEP_EN_PASSANT) {
        toggle(child->key, &random->piece[them][LUFT_PAWN][luft_lsb(backward(us, to))]);
    } else if (to & board->color[them]) {
        toggle(child->key, &random->piece[them][luft_piece_type_of(luft_piece_at(board, to_square))][to_square]);
    }
    for (luft_bitboard lost = board->castling & ~child->board.castling; lost;) {
        toggle(child->key, &random->castling[luft_pop(&lost)]);
    }
    if (kind == STEP_DOUBLE_PUSH && child->ep) {
        const uint64_t ep_key = random->ep_file[luft_file_of(to_square)];
        child->key[0] ^= ep_key;
        child->key[1] ^= ep_key;
    }
}

/* A sink that makes each child and prefetches its cluster. */
ALWAYS_INLINE void collect_sink(void *context, const luft_board *board, const luft_color us, const step_kind kind,
                                luft_square from, luft_bitboard targets) {
    children *const all = context;
    const luft_color them = luft_opposite(us);
    for (; targets; targets &= targets - 1) {
        const luft_bitboard to = targets & (0 - targets), origin = step_origin(us, kind, from, to);
        for (int type = LUFT_KNIGHT; type <= (step_is_promotion(kind) ? LUFT_QUEEN : LUFT_KNIGHT); type++) {
            hashed_node *child = &all->nodes[all->length++];
            child->board = *board;
            make_step(&child->board, us, kind, origin, to, (luft_piece_type)type, step_may_capture(kind));
            child->ep = kind == STEP_DOUBLE_PUSH ? ep_after_double_push(&child->board, them, to) : 0;
            child->key[0] = all->key[0];
            child->key[1] = all->key[1];
            update_keys(child, &all->count->numbers, board, us, kind, origin, to, (luft_piece_type)type);
            prefetch(cluster_of(all->count->table, make_signature(child->key, them, all->depth, 0)));
        }
    }
}

/* --- The walk ------------------------------------------------------------ */

static luft_count walk_white(const hashed_count *how, const hashed_node *node, int depth);
static luft_count walk_black(const hashed_count *how, const hashed_node *node, int depth);

/* Counts the nodes below a node with `us` to move. Depth is at lowest 3. */
// NOLINTNEXTLINE(misc-no-recursion): depth is limited
ALWAYS_INLINE luft_count walk(const hashed_count *how, const hashed_node *node, const luft_color us, int depth) {
    const luft_color them = luft_opposite(us);
    children all;
    all.count = how;
    all.depth = depth - 1;
    all.length = 0;
    all.key[0] = node->key[0];
    all.key[1] = node->key[1];
    if (node->ep) {
        const uint64_t ep_key = how->numbers.ep_file[luft_file_of(luft_lsb(node->ep))];
        all.key[0] ^= ep_key;
        all.key[1] ^= ep_key;
    }
    enumerate(&node->board, us, node->ep, LUFT_ALL_MOVES, collect_sink, &all);

    luft_count sum = {0, 0};
    for (int i = 0; i < all.length; i++) {
        const hashed_node *child = &all.nodes[i];
        luft_count count = {0, 0};
        if (!look_up(&count, how->table, child->key, them, depth - 1)) {
            if (depth == 3) {
                count.low = us == LUFT_WHITE ? luft_perft_pairs_black(&child->board, child->ep)
                                             : luft_perft_pairs_white(&child->board, child->ep);
            } else {
                count = us == LUFT_WHITE ? walk_black(how, child, depth - 1) : walk_white(how, child, depth - 1);
            }
            store(how->table, child->key, them, depth - 1, count);
        }
        luft_count_add(&sum, count); /* saturates; luft_perft_hashed reports the overflow */
    }
    return sum;
}

// NOLINTNEXTLINE(misc-no-recursion): see walk
static luft_count walk_white(const hashed_count *how, const hashed_node *node, int depth) {
    return walk(how, node, LUFT_WHITE, depth);
}

// NOLINTNEXTLINE(misc-no-recursion): see walk
static luft_count walk_black(const hashed_count *how, const hashed_node *node, int depth) {
    return walk(how, node, LUFT_BLACK, depth);
}

/* Counts with these numbers; `key` is that of the position by them. */
static luft_error count_with(luft_count *count, const luft_position *position, int depth, const hashed_count *how,
                             const uint64_t key[2]) {
    const luft_color us = (luft_color)position->side_to_move;
    const hashed_node root = {
        .board = position->board,
        .ep = position->ep_square < LUFT_NO_SQUARE ? luft_bit((luft_square)position->ep_square) : 0,
        .key = {key[0], key[1]},
    };
    luft_count sum = {0, 0};
    if (depth < 3) {
        sum.low = luft_perft(position, depth, LUFT_PERFT_TWO_PLY);
    } else if (!look_up(&sum, how->table, root.key, us, depth)) {
        sum = us == LUFT_WHITE ? walk_white(how, &root, depth) : walk_black(how, &root, depth);
        store(how->table, root.key, us, depth, sum);
    }
    if (sum.low == UINT64_MAX && sum.high == UINT64_MAX) {
        return LUFT_ERROR_OVERFLOW;
    }
    *count = sum;
    return LUFT_OK;
}

static bool can_count(const luft_count *count, const luft_position *position, int depth,
                      const luft_perft_table *table) {
    return count && position && table && table->memory && depth >= 0 && depth <= LUFT_PERFT_MAX_DEPTH;
}

luft_error luft_perft_hashed(luft_count *count, const luft_position *position, int depth,
                             const luft_perft_table *table) {
    if (!can_count(count, position, depth, table)) {
        return LUFT_ERROR_ARGUMENT;
    }
    const hashed_count how = {table, {luft_zobrist_piece, luft_zobrist_castling, luft_zobrist_ep_file}};
    return count_with(count, position, depth, &how, position->key);
}

/* --- Keys of a seed -------------------------------------------------------- */

/* The next number of SplitMix64. */
static uint64_t next_random(uint64_t *state) {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t word = *state;
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
    return word ^ word >> 31;
}

luft_error luft_perft_keys_init(luft_perft_keys *keys, uint64_t seed) {
    if (!keys) {
        return LUFT_ERROR_ARGUMENT;
    }
    *keys = (luft_perft_keys){0};
    /* White's view is drawn, and Black's is White's of the colour-flipped piece. */
    for (int color = 0; color < 2; color++) {
        for (int type = LUFT_PAWN; type <= LUFT_KING; type++) {
            for (int square = 0; square < 64; square++) {
                const uint64_t word = next_random(&seed);
                keys->piece[color][type][square][0] = word;
                keys->piece[1 - color][type][square ^ 56][1] = word;
            }
        }
    }
    for (int square = 0; square < 64; square++) {
        const uint64_t word = next_random(&seed);
        keys->castling[square][0] = word;
        keys->castling[square ^ 56][1] = word;
    }
    for (int file = 0; file < 8; file++) {
        keys->ep_file[file] = next_random(&seed);
    }
    return LUFT_OK;
}

luft_error luft_perft_hashed_with(luft_count *count, const luft_position *position, int depth,
                                  const luft_perft_table *table, const luft_perft_keys *keys) {
    if (!can_count(count, position, depth, table) || !keys) {
        return LUFT_ERROR_ARGUMENT;
    }
    const hashed_count how = {
        table, {(const zobrist_pair(*)[7][64])keys->piece, (const zobrist_pair *)keys->castling, keys->ep_file}};
    const luft_board *board = &position->board;
    uint64_t key[2] = {0, 0};
    for (luft_bitboard left = board->color[LUFT_WHITE] | board->color[LUFT_BLACK]; left;) {
        const luft_square square = luft_pop(&left);
        const luft_piece piece = luft_piece_at(board, square);
        toggle(key, &how.numbers.piece[luft_piece_color(piece)][luft_piece_type_of(piece)][square]);
    }
    for (luft_bitboard rooks = board->castling; rooks;) {
        toggle(key, &how.numbers.castling[luft_pop(&rooks)]);
    }
    if (position->ep_square < LUFT_NO_SQUARE) {
        const uint64_t ep_key = keys->ep_file[luft_file_of((luft_square)position->ep_square)];
        key[0] ^= ep_key;
        key[1] ^= ep_key;
    }
    return count_with(count, position, depth, &how, key);
}
