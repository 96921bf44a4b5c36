/* SPDX-License-Identifier: MIT */
/*
 * Cuts perft trees into subtrees, which threads count. There are enough of them that no thread waits long for the last
 * and that the progress line moves, and few enough that cutting costs nothing measurable. Progress assumes that all
 * subtrees of a tree are equally large.
 */
#include "counting.h"

#include <pthread.h>
#include <stdlib.h>

/* A subtree has at least three plies. */
#define MIN_PIECE_DEPTH 3
#define WANTED_PIECES 2000

/* Counting with a table needs about 40 KB of stack for each ply, more than some systems give a thread. */
#define STACK_SIZE ((size_t)512 << 10)
#define STACK_PER_PLY ((size_t)48 << 10)

/* Details cost far more per node. */
#define DETAILS_PIECE_DEPTH 3

/* --- Pieces ---------------------------------------------------------------- */

typedef struct piece {
    luft_position position;
    int owner; /* the index in `positions` of its tree */
} piece;

typedef struct piece_list {
    piece *pieces;
    size_t count;
    int depth; /* of all of them */
} piece_list;

/* Replaces the subtrees by those one ply deeper. False, with no change, if out of memory. */
static bool cut_once(piece_list *list) {
    size_t total = 0;
    for (size_t i = 0; i < list->count; i++) {
        total += (size_t)luft_count_moves(&list->pieces[i].position);
    }
    piece *next = malloc((total ? total : 1) * sizeof *next);
    if (!next) {
        return false;
    }
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        luft_move_list moves;
        luft_generate(&moves, &list->pieces[i].position, LUFT_ALL_MOVES);
        for (int j = 0; j < moves.count; j++) {
            next[count].owner = list->pieces[i].owner;
            luft_make(&next[count++].position, &list->pieces[i].position, moves.moves[j]);
        }
    }
    free(list->pieces);
    *list = (piece_list){next, count, list->depth - 1};
    return true;
}

static bool cut(piece_list *list, const luft_position *positions, int position_count, int depth) {
    *list = (piece_list){malloc((size_t)(position_count ? position_count : 1) * sizeof(piece)), 0, depth};
    if (!list->pieces) {
        return false;
    }
    for (; list->count < (size_t)position_count; list->count++) {
        list->pieces[list->count] = (piece){positions[list->count], (int)list->count};
    }
    while (list->count > 0 && list->count < WANTED_PIECES && list->depth > MIN_PIECE_DEPTH) {
        if (!cut_once(list)) {
            free(list->pieces);
            return false;
        }
    }
    return true;
}

/* --- Threads --------------------------------------------------------------- */

/* What the threads share; the lock guards all but the list. */
typedef struct work {
    const counting *how;
    const piece_list *list;
    double piece_share;
    pthread_mutex_t lock;
    size_t next; /* the first subtree that no thread has taken */
    luft_count *counts;
    counting_result result;
} work;

static void *count_pieces(void *argument) {
    work *shared = argument;
    const counting *how = shared->how;
    pthread_mutex_lock(&shared->lock);
    while (shared->next < shared->list->count && shared->result == COUNTING_DONE) {
        const piece *taken = &shared->list->pieces[shared->next++];
        pthread_mutex_unlock(&shared->lock);

        luft_count count = {0, 0};
        luft_error error = LUFT_OK;
        if (how->table) {
            error = luft_perft_hashed(&count, &taken->position, shared->list->depth, how->table);
        } else {
            count.low = luft_perft(&taken->position, shared->list->depth, how->method);
        }

        pthread_mutex_lock(&shared->lock);
        if (error == LUFT_OK && luft_count_add(&shared->counts[taken->owner], count)) {
            const uint64_t nodes = count.high ? UINT64_MAX : count.low;
            progress_add(how->line, shared->piece_share, nodes, nodes);
        } else {
            shared->result = COUNTING_OVERFLOW;
        }
    }
    pthread_mutex_unlock(&shared->lock);
    return NULL;
}

/* Starts at most one thread for each subtree. If one cannot be started, the others count its subtrees. */
static int start_threads(pthread_t *threads, int wanted, work *shared) {
    pthread_attr_t attributes;
    int started = 0;
    if (pthread_attr_init(&attributes) != 0) {
        return 0;
    }
    pthread_attr_setstacksize(&attributes, STACK_SIZE + (size_t)shared->list->depth * STACK_PER_PLY);
    while (started < wanted && (size_t)started < shared->list->count &&
           pthread_create(&threads[started], &attributes, count_pieces, shared) == 0) {
        started++;
    }
    pthread_attr_destroy(&attributes);
    return started;
}

counting_result counting_run(luft_count *counts, const counting *how, const luft_position *positions,
                             int position_count, int depth, double share) {
    piece_list list;
    if (!cut(&list, positions, position_count, depth)) {
        return COUNTING_NO_MEMORY;
    }
    for (int i = 0; i < position_count; i++) {
        counts[i] = (luft_count){0, 0};
    }
    work shared = {.how = how,
                   .list = &list,
                   .piece_share = list.count ? share / (double)list.count : 0,
                   .lock = PTHREAD_MUTEX_INITIALIZER,
                   .counts = counts,
                   .result = COUNTING_DONE};
    pthread_t threads[COUNTING_MAX_THREADS];
    const int started = start_threads(threads, how->threads, &shared);
    if (started == 0) {
        count_pieces(&shared); /* no thread could be started */
    }
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    if (how->threads_started) {
        *how->threads_started = started > 0 ? started : 1;
    }
    free(list.pieces);
    return shared.result;
}

/* --- Details --------------------------------------------------------------- */

// NOLINTNEXTLINE(misc-no-recursion): as deep as was asked for, which is limited
void counting_details(luft_perft_details *details, progress *line, const luft_position *position, int depth,
                      double share) {
    if (depth <= DETAILS_PIECE_DEPTH) {
        const uint64_t before = details->nodes;
        luft_perft_count_details(details, position, depth);
        const uint64_t nodes = details->nodes - before;
        progress_add(line, share, nodes, nodes);
        return;
    }
    luft_move_list list;
    const int count = luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < count; i++) {
        luft_position next;
        luft_make(&next, position, list.moves[i]);
        counting_details(details, line, &next, depth - 1, share / count);
    }
    if (count == 0) {
        progress_add(line, share, 0, 0);
    }
}
