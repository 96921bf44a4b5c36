/* SPDX-License-Identifier: MIT */
/*
 * A search thread as an object: its memory, and how it is set up for a search.
 * What it has learned stays from one search to the next until it is cleared.
 */
#include "search_internal.h"

#include <string.h>

search_thread *search_thread_create(search_shared *shared, int index) {
    search_thread *thread = calloc(1, sizeof *thread);
    if (!thread) {
        return NULL;
    }
    thread->shared = shared;
    thread->index = index;
    thread->history = calloc(1, sizeof *thread->history);
    thread->plies = calloc(MAX_PLY + PLIES_BEFORE + 4, sizeof *thread->plies);
    thread->roots = calloc(LUFT_MAX_MOVES, sizeof *thread->roots);
    if (!thread->history || !thread->plies || !thread->roots) {
        search_thread_free(thread);
        return NULL;
    }
    return thread;
}

void search_thread_free(search_thread *thread) {
    if (thread) {
        nnue_stack_free(thread->nnue);
        free(thread->history);
        free(thread->plies);
        free(thread->roots);
        free(thread->keys);
        free(thread);
    }
}

void search_thread_clear(search_thread *thread) {
    thread->forget = true;
}

int64_t search_nodes(const search_shared *shared) {
    int64_t nodes = 0;
    for (int i = 0; i < shared->thread_count; i++) {
        nodes += atomic_load_explicit(&shared->threads[i]->nodes, memory_order_relaxed);
    }
    return nodes;
}

static bool is_allowed(const search_limits *limits, luft_move move) {
    for (int i = 0; i < limits->search_move_count; i++) {
        if (limits->search_moves[i] == move) {
            return true;
        }
    }
    return limits->search_move_count == 0;
}

bool search_thread_reserve(search_thread *thread, size_t key_count) {
    uint64_t *room = realloc(thread->keys, (key_count + MAX_PLY + 8) * sizeof *room);
    if (!room) {
        return false;
    }
    thread->keys = room;
    atomic_store_explicit(&thread->nodes, 0, memory_order_relaxed);
    thread->roots[0].score = -SCORE_INFINITE;
    thread->completed_depth = 0;
    return true;
}

void search_thread_set_root(search_thread *thread, const luft_position *root, const uint64_t *keys, size_t key_count) {
    if (key_count > 0) {
        memcpy(thread->keys, keys, key_count * sizeof *keys);
    }
    thread->keys[key_count] = luft_key(root);
    thread->game_keys = key_count;

    for (int i = 0; i < MAX_PLY + PLIES_BEFORE + 4; i++) {
        search_ply *ply = &thread->plies[i];
        ply->continuation = &thread->none;
        ply->continuation_correction = &thread->none_correction;
        ply->move = ply->excluded = ply->killer = LUFT_MOVE_NONE;
        ply->eval = SCORE_NONE;
        ply->pv.length = 0;
    }
    thread->plies[PLIES_BEFORE].position = *root;
    nnue_set_root(thread->nnue, root);

    luft_move_list list;
    luft_generate(&list, root, LUFT_ALL_MOVES);
    thread->root_count = 0;
    for (int i = 0; i < list.count; i++) {
        if (is_allowed(&thread->shared->limits, list.moves[i])) {
            root_move *entry = &thread->roots[thread->root_count++];
            *entry = (root_move){.move = list.moves[i],
                                 .score = -SCORE_INFINITE,
                                 .last_score = -SCORE_INFINITE,
                                 .average = SCORE_NONE,
                                 .bound = TT_EXACT};
            entry->pv.length = 1;
            entry->pv.moves[0] = list.moves[i];
        }
    }
    thread->next_check = 0;
    thread->root_depth = thread->seldepth = 0;
    thread->null_move_bar = 0;
}
