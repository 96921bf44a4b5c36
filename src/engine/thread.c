/* SPDX-License-Identifier: MIT */
/*
 * The memory of a search thread, and its setup for a search. The histories stay from one search to the next until
 * search_thread_clear.
 */
#include "thread.h"

#include "pages.h"

#include <stdlib.h>
#include <string.h>

search_thread *search_thread_create(search_shared *shared, int index) {
    search_thread *thread = calloc(1, sizeof *thread);
    if (!thread) {
        return NULL;
    }
    thread->shared = shared;
    thread->index = index;
    thread->history = pages_map(sizeof *thread->history);
    thread->stack = calloc(FRAMES, sizeof *thread->stack);
    thread->root_moves = calloc(LUFT_MAX_MOVES, sizeof *thread->root_moves);
    if (!thread->history || !thread->stack || !thread->root_moves) {
        search_thread_free(thread);
        return NULL;
    }
    return thread;
}

void search_thread_free(search_thread *thread) {
    if (thread) {
        nnue_stack_free(thread->nnue);
        pages_unmap(thread->history, sizeof *thread->history);
        free(thread->stack);
        free(thread->root_moves);
        free(thread->keys);
        free(thread);
    }
}

void search_thread_clear(search_thread *thread) {
    thread->clear_history = true;
}

int64_t search_nodes(const search_shared *shared) {
    int64_t nodes = 0;
    for (int i = 0; i < shared->thread_count; i++) {
        nodes += search_thread_nodes(shared->threads[i]);
    }
    return nodes;
}

int64_t search_table_hits(const search_shared *shared) {
    int64_t hits = shared->tables.is_ranked ? shared->tables.root.count : 0;
    for (int i = 0; i < shared->thread_count; i++) {
        hits += atomic_load_explicit(&shared->threads[i]->table_hits, memory_order_relaxed);
    }
    return hits;
}

static bool is_wanted(const search_limits *limits, luft_move move) {
    for (int i = 0; i < limits->search_move_count; i++) {
        if (limits->search_moves[i] == move) {
            return true;
        }
    }
    return limits->search_move_count == 0;
}

bool search_thread_reserve(search_thread *thread, size_t key_count) {
    uint64_t *keys = realloc(thread->keys, (key_count + MAX_PLY + 8) * sizeof *keys);
    if (!keys) {
        return false;
    }
    thread->keys = keys;
    atomic_store_explicit(&thread->nodes, 0, memory_order_relaxed);
    atomic_store_explicit(&thread->table_hits, 0, memory_order_relaxed);
    thread->root_moves[0].score = -SCORE_INFINITE;
    thread->completed_depth = 0;
    return true;
}

/* A new root move, after those of the same rank by the tablebases. Without tables all have the same. */
static root_move *insert_root_move(search_thread *thread, int rank) {
    int place = thread->root_move_count++;
    for (; place > 0 && thread->root_moves[place - 1].rank < rank; place--) {
        thread->root_moves[place] = thread->root_moves[place - 1];
    }
    return &thread->root_moves[place];
}

void search_thread_set_root(search_thread *thread, const luft_position *root, const uint64_t *keys, size_t key_count) {
    if (key_count > 0) {
        memcpy(thread->keys, keys, key_count * sizeof *keys);
    }
    thread->keys[key_count] = luft_key(root);
    thread->game_key_count = key_count;

    for (int i = 0; i < FRAMES; i++) {
        search_frame *ss = &thread->stack[i];
        ss->continuation = &thread->no_continuation;
        ss->continuation_correction = &thread->no_move_correction;
        ss->move = ss->excluded = ss->killer = LUFT_MOVE_NONE;
        ss->ply = i - FRAMES_BEFORE_ROOT;
        ss->static_eval = SCORE_NONE;
        ss->pv.length = 0;
    }
    search_frame *first = &thread->stack[FRAMES_BEFORE_ROOT];
    first->position = *root;
    for (int square = 0; square < 64; square++) {
        first->pieces[square] = (uint8_t)luft_piece_at(&root->board, (luft_square)square);
    }
    history_find_corrections(thread->history, first);
    nnue_set_root(thread->nnue, root);

    luft_move_list list;
    luft_generate(&list, root, LUFT_ALL_MOVES);
    thread->root_move_count = 0;
    for (int i = 0; i < list.count; i++) {
        if (is_wanted(&thread->shared->limits, list.moves[i])) {
            const int rank = tables_rank(&thread->shared->tables, list.moves[i]);
            root_move *entry = insert_root_move(thread, rank);
            *entry = (root_move){.move = list.moves[i],
                                 .rank = rank,
                                 .score = -SCORE_INFINITE,
                                 .previous_score = -SCORE_INFINITE,
                                 .average_score = SCORE_NONE,
                                 .bound = TT_EXACT};
            entry->pv.length = 1;
            entry->pv.moves[0] = list.moves[i];
        }
    }
    thread->next_check = 0;
    thread->root_depth = thread->seldepth = 0;
    thread->null_move_min_ply = 0;
}
