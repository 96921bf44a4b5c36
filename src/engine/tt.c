/* SPDX-License-Identifier: MIT */
/*
 * The transposition table. tt.h describes a slot and why no lock is needed.
 */
#include "tt.h"

#include "minmax.h"
#include "pages.h"
#include "score.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { CLUSTER_SIZE = 4, AGES = 32 };

/*
 * The second word, from the lowest bit: move 16, score 16, evaluation 16,
 * depth 8, bound 2, was-pv 1, age 5.
 */
typedef struct tt_slot {
    _Atomic uint64_t check; /* the key XOR data */
    _Atomic uint64_t data;
} tt_slot;

struct tt_cluster {
    _Alignas(64) tt_slot slots[CLUSTER_SIZE];
};

/* --- The memory ------------------------------------------------------------ */

typedef struct clear_job {
    char *begin;
    size_t length;
} clear_job;

static void *clear_part(void *argument) {
    const clear_job *job = argument;
    memset(job->begin, 0, job->length);
    return NULL;
}

/* Releases the pages of a large table; clears a small one with several threads, each a part. */
void tt_clear(tt *table, int threads) {
    enum { LARGE = 256 << 20 };
    table->age = 0;
    if (table->bytes >= LARGE && pages_clear(table->clusters, table->bytes)) {
        return;
    }
    enum { THREADS_MAX = 64 };
    pthread_t ids[THREADS_MAX];
    clear_job jobs[THREADS_MAX];
    bool started[THREADS_MAX];
    const int count = clamp(threads, 1, THREADS_MAX);
    const size_t bytes = table->count * sizeof(tt_cluster);
    for (int i = 0; i < count; i++) {
        const size_t begin = bytes / (size_t)count * (size_t)i;
        const size_t end = i + 1 == count ? bytes : bytes / (size_t)count * (size_t)(i + 1);
        jobs[i] = (clear_job){(char *)table->clusters + begin, end - begin};
        started[i] = i > 0 && pthread_create(&ids[i], NULL, clear_part, &jobs[i]) == 0;
    }
    for (int i = 0; i < count; i++) {
        if (started[i]) {
            pthread_join(ids[i], NULL);
        } else {
            clear_part(&jobs[i]);
        }
    }
}

bool tt_create(tt *table, size_t megabytes) {
    const size_t bytes = megabytes << 20;
    /* The kernel clears each page at its first use. */
    tt_cluster *clusters = bytes >> 20 == megabytes && bytes > 0 ? pages_map(bytes) : NULL;
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
        pages_unmap(table->clusters, table->bytes);
    }
    *table = (tt){0};
}

void tt_new_search(tt *table) {
    table->age = (uint8_t)((table->age + 1) % AGES);
}

/* --- Slots ----------------------------------------------------------------- */

/* The high half of the key times the number of clusters: an even spread over any number. */
static tt_cluster *cluster_of(const tt *table, uint64_t key) {
#if SIZE_MAX > UINT32_MAX
    return &table->clusters[(size_t)(((unsigned __int128)key * table->count) >> 64)];
#else
    /* The same in two steps: the number has 32 bits, and a product of 128 bits would be a function call. */
    const uint64_t count = table->count, low = (key & UINT32_MAX) * count;
    return &table->clusters[(size_t)(((key >> 32) * count + (low >> 32)) >> 32)];
#endif
}

void tt_prefetch(const tt *table, uint64_t key) {
    __builtin_prefetch(cluster_of(table, key));
}

/* A move from the point of view of the side to move: mirrors the ranks for Black. Its own inverse. */
static luft_move relative_move(luft_move move, const luft_position *position) {
    const unsigned ranks = 56u | 56u << 6;
    return position->side_to_move == LUFT_BLACK && move != LUFT_MOVE_NONE ? (luft_move)(move ^ ranks) : move;
}

/* Stored mate scores count from the position itself, those of the search from the root. */
static int score_to_tt(int score, int ply) {
    return score == SCORE_NONE ? score : is_win(score) ? score + ply : is_loss(score) ? score - ply : score;
}

/* Drops a mate that the fifty-move rule comes before: it was found with a lower halfmove clock. */
static int score_from_tt(int score, int ply, int halfmove_clock) {
    if (score == SCORE_NONE || !is_decisive(score)) {
        return score;
    }
    const int plies = (is_mate(score) ? SCORE_MATE : SCORE_TABLEBASE) - (is_win(score) ? score : -score);
    return plies > 100 - halfmove_clock ? SCORE_NONE : is_win(score) ? score - ply : score + ply;
}

static uint64_t pack(const tt_entry *entry, luft_move move, int score, uint8_t age) {
    return (uint64_t)move | (uint64_t)(uint16_t)score << 16 | (uint64_t)(uint16_t)entry->eval << 32 |
           (uint64_t)(uint8_t)(entry->depth + 1) << 48 | (uint64_t)entry->bound << 56 | (uint64_t)entry->was_pv << 58 |
           (uint64_t)age << 59;
}

static int word_depth(uint64_t word) {
    return (int)(uint8_t)(word >> 48) - 1; /* stored one higher, for it may be -1 */
}

static tt_bound word_bound(uint64_t word) {
    return (tt_bound)(word >> 56 & 3);
}

static int word_age(uint64_t word) {
    return (int)(word >> 59);
}

bool tt_probe(const tt *table, const luft_position *position, int ply, tt_entry *entry) {
    const uint64_t key = luft_key(position);
    const tt_slot *slots = cluster_of(table, key)->slots;
    for (int i = 0; i < CLUSTER_SIZE; i++) {
        const uint64_t word = atomic_load_explicit(&slots[i].data, memory_order_relaxed);
        const uint64_t check = atomic_load_explicit(&slots[i].check, memory_order_relaxed);
        if ((check ^ word) == key && word) {
            *entry = (tt_entry){
                .move = relative_move((luft_move)word, position),
                .score = score_from_tt((int16_t)(word >> 16), ply, position->halfmove_clock),
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

void tt_store(tt *table, const luft_position *position, int ply, tt_entry entry) {
    const uint64_t key = luft_key(position);
    tt_slot *slots = cluster_of(table, key)->slots;
    luft_move move = relative_move(entry.move, position);
    tt_slot *chosen = &slots[0];
    int min_worth = INT32_MAX;
    for (int i = 0; i < CLUSTER_SIZE; i++) {
        const uint64_t word = atomic_load_explicit(&slots[i].data, memory_order_relaxed);
        const uint64_t check = atomic_load_explicit(&slots[i].check, memory_order_relaxed);
        const int age = (table->age - word_age(word) + AGES) % AGES;
        if ((check ^ word) == key && word) {
            if (move == LUFT_MOVE_NONE) {
                move = (luft_move)word; /* keep the old move: better than none for move ordering */
            }
            /* Keeps a deeper result of the current search, unless the new one is exact. */
            if (entry.bound != TT_EXACT && age == 0 && entry.depth + 4 + 2 * entry.was_pv <= word_depth(word)) {
                return;
            }
            chosen = &slots[i];
            break;
        }
        /* Replaces the slot of the lowest worth: shallow and old. */
        const int worth = word ? word_depth(word) - 8 * age : -1000;
        if (worth < min_worth) {
            min_worth = worth;
            chosen = &slots[i];
        }
    }
    const uint64_t word = pack(&entry, move, score_to_tt(entry.score, ply), table->age);
    atomic_store_explicit(&chosen->data, word, memory_order_relaxed);
    atomic_store_explicit(&chosen->check, key ^ word, memory_order_relaxed);
}

int tt_hashfull(const tt *table) {
    const size_t sample = table->count < 250 ? table->count : 250;
    int used = 0;
    for (size_t i = 0; i < sample; i++) {
        for (int j = 0; j < CLUSTER_SIZE; j++) {
            const uint64_t word = atomic_load_explicit(&table->clusters[i].slots[j].data, memory_order_relaxed);
            used += word != 0 && word_age(word) == table->age;
        }
    }
    return sample ? (int)((size_t)used * 1000 / (sample * CLUSTER_SIZE)) : 0;
}
