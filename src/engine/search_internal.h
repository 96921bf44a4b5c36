/* SPDX-License-Identifier: MIT */
/*
 * What the files of the search share and nobody else needs: the search of a node, and small helpers.
 */
#ifndef LUFT_ENGINE_SEARCH_INTERNAL_H
#define LUFT_ENGINE_SEARCH_INTERNAL_H

#include "search.h"

enum {
    PLIES_BEFORE = 6,            /* the root, that the continuation histories look back to */
    CURRENT_MOVE_AFTER = 3000000 /* microseconds until the moves of the root are announced one by one */
};

/* The score of the position at `ply`, searched to `depth`; search.c tells the steps. */
int search_node(search_thread *thread, search_ply *ply, int from_root, int alpha, int beta, int depth, bool pv,
                bool cut_node);

static inline int least(int a, int b) {
    return a < b ? a : b;
}

static inline int most(int a, int b) {
    return a > b ? a : b;
}

static inline int clamp(int value, int low, int high) {
    return most(low, least(value, high));
}

static inline bool stopped(const search_thread *thread) {
    return atomic_load_explicit(&thread->shared->stop, memory_order_relaxed);
}

/*
 * The main thread has had its first look: depth 1, or the nodes that this may take. A stop that came before waited
 * for it, so that the answer is no blind one. Each side sets its own flag before it reads the other's.
 */
static inline void end_first_look(search_shared *shared) {
    if (!atomic_load_explicit(&shared->has_looked, memory_order_relaxed)) {
        atomic_store(&shared->has_looked, true);
        if (atomic_load(&shared->stop_wanted)) {
            atomic_store(&shared->stop, true);
        }
    }
}

#endif
