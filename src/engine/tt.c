/* SPDX-License-Identifier: MIT */
/*
 * The transposition table. See tt.h for the form of an entry and for why no
 * lock is needed.
 */
#define _GNU_SOURCE /* madvise */

#include "tt.h"
#include "score.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#ifndef __wasm__
#include <sys/mman.h>
#endif

enum { CLUSTER_SIZE = 4, AGES = 32 };

/*
 * The second word, from the lowest bit: move 16, score 16, evaluation 16,
 * depth 8, bound 2, was-pv 1, age 5.
 */
typedef struct tt_entry {
    _Atomic uint64_t check; /* the key XOR data */
    _Atomic uint64_t data;
} tt_entry;

struct tt_cluster {
    _Alignas(64) tt_entry entries[CLUSTER_SIZE];
};

/* --- The memory ------------------------------------------------------------ */

#ifdef __wasm__

/* There are no pages to ask for; memory that was freed is not clear. */
static tt_cluster *map(size_t bytes) {
    void *memory = aligned_alloc(sizeof(tt_cluster), bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

static void unmap(tt_cluster *memory, size_t bytes) {
    (void)bytes;
    free(memory);
}

static bool give_back(tt_cluster *memory, size_t bytes) {
    (void)memory;
    (void)bytes;
    return false;
}

#else

static tt_cluster *map(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
#ifdef MADV_HUGEPAGE
    madvise(memory, bytes, MADV_HUGEPAGE); /* fewer misses in the page tables; no loss if refused */
#endif
    return memory;
}

static void unmap(tt_cluster *memory, size_t bytes) {
    munmap(memory, bytes);
}

/* To the system, which gives it out clear again. */
static bool give_back(tt_cluster *memory, size_t bytes) {
    return madvise(memory, bytes, MADV_DONTNEED) == 0;
}

#endif

typedef struct clearing {
    char *begin;
    size_t length;
} clearing;

static void *clear_part(void *argument) {
    const clearing *part = argument;
    memset(part->begin, 0, part->length);
    return NULL;
}

/* A large table is given back; of a small one every thread writes a part. */
void tt_clear(tt *table, int threads) {
    enum { LARGE = 256 << 20 };
    table->age = 0;
    if (table->bytes >= LARGE && give_back(table->clusters, table->bytes)) {
        return;
    }
    enum { MOST = 64 };
    pthread_t ids[MOST];
    clearing parts[MOST];
    bool started[MOST];
    const int count = threads < 1 ? 1 : threads > MOST ? MOST : threads;
    const size_t bytes = table->count * sizeof(tt_cluster);
    for (int i = 0; i < count; i++) {
        const size_t begin = bytes / (size_t)count * (size_t)i;
        const size_t end = i + 1 == count ? bytes : bytes / (size_t)count * (size_t)(i + 1);
        parts[i] = (clearing){(char *)table->clusters + begin, end - begin};
        started[i] = i > 0 && pthread_create(&ids[i], NULL, clear_part, &parts[i]) == 0;
    }
    for (int i = 0; i < count; i++) {
        if (started[i]) {
            pthread_join(ids[i], NULL);
        } else {
            clear_part(&parts[i]);
        }
    }
}

bool tt_create(tt *table, size_t megabytes) {
    const size_t bytes = megabytes << 20;
    /* Clear, and given out page by page when it is first used. */
    tt_cluster *clusters = bytes >> 20 == megabytes && bytes > 0 ? map(bytes) : NULL;
    *table = (tt){.clusters = clusters};
    if (clusters) {
        table->count = bytes / sizeof(tt_cluster);
        table->bytes = bytes;
    }
    return clusters != NULL;
}

size_t tt_megabytes(const tt *table) {
    return table->bytes >> 20;
}

void tt_free(tt *table) {
    if (table->clusters) {
        unmap(table->clusters, table->bytes);
    }
    *table = (tt){0};
}

void tt_new_search(tt *table) {
    table->age = (uint8_t)((table->age + 1) % AGES);
}

/* --- Entries --------------------------------------------------------------- */

/* The key times the number of clusters, the high half: spreads evenly for any number. */
static tt_cluster *cluster_of(const tt *table, uint64_t key) {
#if SIZE_MAX > UINT32_MAX
    return &table->clusters[(size_t)(((unsigned __int128)key * table->count) >> 64)];
#else
    /* The same in two steps, where the number has 32 bits and a product of 128 would be a call. */
    const uint64_t count = table->count, low = (key & UINT32_MAX) * count;
    return &table->clusters[(size_t)(((key >> 32) * count + (low >> 32)) >> 32)];
#endif
}

void tt_prefetch(const tt *table, uint64_t key) {
    __builtin_prefetch(cluster_of(table, key));
}

/* A move as the player to move sees it: Black's with the ranks reversed. Its own inverse. */
static luft_move turn(luft_move move, const luft_position *position) {
    const unsigned ranks = 56u | 56u << 6;
    return position->side_to_move == LUFT_BLACK && move != LUFT_MOVE_NONE ? (luft_move)(move ^ ranks) : move;
}

/* Mates are kept by their distance from the position itself, and read by that from the root. */
static int score_to_table(int score, int ply) {
    return score == SCORE_NONE ? score : is_win(score) ? score + ply : is_loss(score) ? score - ply : score;
}

/* A mate that takes longer than the fifty moves leave was found with fewer of them gone: no score. */
static int score_from_table(int score, int ply, int halfmove_clock) {
    if (score == SCORE_NONE || !is_decisive(score)) {
        return score;
    }
    const int plies = SCORE_MATE - (is_win(score) ? score : -score);
    return plies > 100 - halfmove_clock ? SCORE_NONE : is_win(score) ? score - ply : score + ply;
}

static uint64_t pack(const tt_data *data, luft_move move, int score, uint8_t age) {
    return (uint64_t)move | (uint64_t)(uint16_t)score << 16 | (uint64_t)(uint16_t)data->eval << 32 |
           (uint64_t)(uint8_t)(data->depth + 1) << 48 | (uint64_t)data->bound << 56 | (uint64_t)data->was_pv << 58 |
           (uint64_t)age << 59;
}

static int word_depth(uint64_t word) {
    return (int)(uint8_t)(word >> 48) - 1; /* from -1 on: kept one higher */
}

static tt_bound word_bound(uint64_t word) {
    return (tt_bound)(word >> 56 & 3);
}

static int word_age(uint64_t word) {
    return (int)(word >> 59);
}

bool tt_probe(const tt *table, const luft_position *position, int ply, tt_data *data) {
    const uint64_t key = luft_key(position);
    const tt_entry *entries = cluster_of(table, key)->entries;
    for (int i = 0; i < CLUSTER_SIZE; i++) {
        const uint64_t word = atomic_load_explicit(&entries[i].data, memory_order_relaxed);
        const uint64_t check = atomic_load_explicit(&entries[i].check, memory_order_relaxed);
        if ((check ^ word) == key && word) {
            *data = (tt_data){
                .move = turn((luft_move)word, position),
                .score = score_from_table((int16_t)(word >> 16), ply, position->halfmove_clock),
                .eval = (int16_t)(word >> 32),
                .depth = word_depth(word),
                .bound = word_bound(word),
                .was_pv = (word >> 58 & 1) != 0,
            };
            return true;
        }
    }
    return false;
}

void tt_store(tt *table, const luft_position *position, int ply, tt_data data) {
    const uint64_t key = luft_key(position);
    tt_entry *entries = cluster_of(table, key)->entries;
    luft_move move = turn(data.move, position);
    tt_entry *chosen = &entries[0];
    int least = 1 << 20;
    for (int i = 0; i < CLUSTER_SIZE; i++) {
        const uint64_t word = atomic_load_explicit(&entries[i].data, memory_order_relaxed);
        const uint64_t check = atomic_load_explicit(&entries[i].check, memory_order_relaxed);
        const int years = (table->age - word_age(word) + AGES) % AGES;
        if ((check ^ word) == key && word) {
            if (move == LUFT_MOVE_NONE) {
                move = (luft_move)word; /* a move that was good once is better than none */
            }
            /* A deeper result of this search stays, unless the new one is exact. */
            if (data.bound != TT_EXACT && years == 0 && data.depth + 4 + 2 * data.was_pv <= word_depth(word)) {
                return;
            }
            chosen = &entries[i];
            break;
        }
        /* Else the one that is the least worth: shallow and old. */
        const int worth = word ? word_depth(word) - 8 * years : -1000;
        if (worth < least) {
            least = worth;
            chosen = &entries[i];
        }
    }
    const uint64_t word = pack(&data, move, score_to_table(data.score, ply), table->age);
    atomic_store_explicit(&chosen->data, word, memory_order_relaxed);
    atomic_store_explicit(&chosen->check, key ^ word, memory_order_relaxed);
}

int tt_full(const tt *table) {
    const size_t sample = table->count < 250 ? table->count : 250;
    int used = 0;
    for (size_t i = 0; i < sample; i++) {
        for (int j = 0; j < CLUSTER_SIZE; j++) {
            const uint64_t word = atomic_load_explicit(&table->clusters[i].entries[j].data, memory_order_relaxed);
            used += word != 0 && word_age(word) == table->age;
        }
    }
    return sample ? (int)((size_t)used * 1000 / (sample * CLUSTER_SIZE)) : 0;
}
