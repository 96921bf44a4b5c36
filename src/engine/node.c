/* SPDX-License-Identifier: MIT */
/*
 * The parts of a node that are too long to be inlined: limits, draws, threats, and making moves. See node.h.
 */
#include "node.h"

#include "pause.h"

#include "luft/game.h"

#include <assert.h>

enum {
    CHECK_INTERVAL = 1024,     /* nodes between two checks of the limits */
    MATE_STEP_POSITIONS = 4096 /* about as long a time for the mate search */
};

/* --- Limits ---------------------------------------------------------------- */

/* The client and the main thread each set their own flag before they read the other's, so that no stop is lost. */
void search_end_min_search(search_shared *shared) {
    if (!atomic_load_explicit(&shared->min_search_done, memory_order_relaxed)) {
        atomic_store(&shared->min_search_done, true);
        if (atomic_load(&shared->stop_requested)) {
            atomic_store(&shared->stop, true);
        }
    }
}

/* The main thread counts the nodes of all threads, and comes back exactly when the limit is reached. */
static void check_nodes(search_thread *thread, int64_t nodes) {
    search_shared *shared = thread->shared;
    const int64_t left = shared->limits.nodes - search_nodes(shared);
    if (left <= 0) {
        atomic_store_explicit(&shared->stop, true, memory_order_relaxed);
    } else if (left < CHECK_INTERVAL) {
        thread->next_check = nodes + left;
    }
}

/* Is the best root move of this iteration so far a loss? Another one may not have been tried yet. */
static bool is_losing(const search_thread *thread) {
    int best = -SCORE_INFINITE;
    for (int i = 0; i < thread->root_move_count; i++) {
        best = max(best, thread->root_moves[i].score);
    }
    return best != -SCORE_INFINITE && is_loss(best);
}

/*
 * A turn of the mate search. Its positions count as nodes. An answer ends the search, but not while pondering. A refutation
 * does not end an iteration that would answer with a loss.
 */
static void search_for_mate(search_thread *thread) {
    search_shared *shared = thread->shared;
    if (!shared->mate || thread->completed_depth == 0) {
        return;
    }
    if (shared->mate_state == MATE_OPEN) {
        const int64_t before = mate_positions(shared->mate);
        const int64_t left =
            shared->limits.nodes == LIMIT_NONE ? INT64_MAX : shared->limits.nodes - search_nodes(shared);
        shared->mate_state = mate_step(shared->mate, left < MATE_STEP_POSITIONS ? left : MATE_STEP_POSITIONS);
        const int64_t nodes = search_thread_nodes(thread) + mate_positions(shared->mate) - before;
        atomic_store_explicit(&thread->nodes, nodes, memory_order_relaxed);
    }
    const bool is_answered =
        shared->mate_state == MATE_PROVED || (shared->mate_state == MATE_REFUTED && !is_losing(thread));
    if (is_answered && !atomic_load_explicit(&shared->pondering, memory_order_acquire)) {
        atomic_store_explicit(&shared->stop, true, memory_order_relaxed);
    }
}

/*
 * All threads check the clock: with more threads than processors, the main thread may not run for a long time.
 * A clock that counts nodes belongs to the main thread alone.
 */
void search_check_limits(search_thread *thread) {
    search_shared *shared = thread->shared;
    const bool is_main = thread->index == 0;
    if (is_main) {
        search_for_mate(thread);
    }
    const int64_t nodes = search_thread_nodes(thread);
    thread->next_check = nodes + CHECK_INTERVAL;
    engine_pause();
    if (!is_main && shared->clock.node_rate > 0) {
        return;
    }
    if (is_main && shared->limits.nodes != LIMIT_NONE) {
        check_nodes(thread, nodes);
    }
    if (is_main && nodes >= CHECK_INTERVAL) {
        search_end_min_search(shared);
    }
    /* The minimal search takes the main thread about a millisecond, which it gets even without any time left. */
    if (atomic_load_explicit(&shared->min_search_done, memory_order_relaxed) &&
        !atomic_load_explicit(&shared->pondering, memory_order_acquire) &&
        clock_used(&shared->clock, is_main ? search_nodes(shared) : 0) >= shared->clock.hard) {
        atomic_store_explicit(&shared->stop, true, memory_order_relaxed);
    }
}

/* --- Draws ----------------------------------------------------------------- */

/* One repetition since the root is enough: who could avoid it would do so the first time. Before the root, two. */
static bool is_repetition(const search_thread *thread, const search_frame *ss) {
    const size_t ply = (size_t)ss->ply, here = thread->game_key_count + ply;
    const size_t reach = ss->position.halfmove_clock < here ? ss->position.halfmove_clock : here;
    bool seen = false;
    for (size_t back = 4; back <= reach; back += 2) {
        if (thread->keys[here - back] == thread->keys[here]) {
            if (back < ply || seen) {
                return true;
            }
            seen = true;
        }
    }
    return false;
}

bool search_is_draw(const search_thread *thread, const search_frame *ss) {
    const luft_position *position = &ss->position;
    if (position->halfmove_clock >= 100 && (!luft_in_check(position) || luft_has_legal_move(position))) {
        return true;
    }
    return is_repetition(thread, ss) || luft_has_insufficient_material(position);
}

/* --- Threats --------------------------------------------------------------- */

luft_bitboard search_threats(const luft_position *position) {
    const luft_board *board = &position->board;
    const luft_color them = luft_opposite((luft_color)position->side_to_move);
    const luft_bitboard theirs = board->color[them], occupied = luft_occupied(board);
    const luft_bitboard pawns = board->pawns & theirs;
    const luft_bitboard forward = them == LUFT_WHITE ? luft_north(pawns) : luft_south(pawns);
    luft_bitboard attacked = luft_east(forward) | luft_west(forward) | luft_king_attacks(luft_king_square(board, them));
    for (luft_bitboard set = board->knights & theirs; set;) {
        attacked |= luft_knight_attacks(luft_pop(&set));
    }
    for (luft_bitboard set = board->diagonal & theirs; set;) {
        attacked |= luft_bishop_attacks(luft_pop(&set), occupied);
    }
    for (luft_bitboard set = board->orthogonal & theirs; set;) {
        attacked |= luft_rook_attacks(luft_pop(&set), occupied);
    }
    return attacked;
}

/* --- Making moves ---------------------------------------------------------- */

/* Only this thread writes the count, so that it needs no locked addition. */
static void count_node(search_thread *thread) {
    atomic_store_explicit(&thread->nodes, search_thread_nodes(thread) + 1, memory_order_relaxed);
}

/* Notes the key of the new position. Starts to load what the child reads first, which is seldom in a cache. */
static void push_key(search_thread *thread, search_frame *ss) {
    const uint64_t key = luft_key(&ss[1].position);
    tt_prefetch(thread->shared->tt, key);
    thread->keys[thread->game_key_count + (size_t)ss->ply + 1] = key;
    history_find_corrections(thread->history, &ss[1]);
}

/* The pieces by square of the position after a move. */
static void update_pieces(search_frame *ss, luft_move move) {
    const luft_square from = luft_move_from(move), to = luft_move_to(move);
    const luft_move_kind kind = luft_move_kind_of(move);
    uint8_t *pieces = ss[1].pieces;
    memcpy(pieces, ss->pieces, sizeof ss->pieces);
    const uint8_t piece = pieces[from];
    pieces[from] = LUFT_NO_PIECE;
    if (kind == LUFT_CASTLING) {
        const uint8_t rook = pieces[to]; /* castling moves the king to the square of its rook */
        const bool short_side = to > from;
        const int rank = luft_rank_of(from);
        pieces[to] = LUFT_NO_PIECE;
        pieces[luft_square_at(short_side ? 6 : 2, rank)] = piece;
        pieces[luft_square_at(short_side ? 5 : 3, rank)] = rook;
        return;
    }
    if (kind == LUFT_EN_PASSANT) {
        pieces[to ^ 8] = LUFT_NO_PIECE;
    }
    pieces[to] = luft_move_is_promotion(move) ? (uint8_t)((piece & 8) | (uint8_t)luft_move_promotion(move)) : piece;
}

void search_make_move(search_thread *thread, search_frame *ss, luft_move move) {
    const luft_piece piece = moving_piece(ss, move);
    luft_make(&ss[1].position, &ss->position, move);
    ss->move = move;
    push_key(thread, ss);
    update_pieces(ss, move);
    nnue_push(thread->nnue, ss->ply, &ss->position, move);
    ss->continuation = &thread->history->continuation[piece][luft_move_to(move)];
    ss->continuation_correction = &thread->history->continuation_correction[piece][luft_move_to(move)];
    count_node(thread);
}

void search_make_null_move(search_thread *thread, search_frame *ss) {
    const luft_error error = luft_make_null(&ss[1].position, &ss->position);
    assert(error == LUFT_OK); /* the search tries no null move in check */
    (void)error;
    ss->move = LUFT_MOVE_NONE;
    push_key(thread, ss);
    memcpy(ss[1].pieces, ss->pieces, sizeof ss->pieces);
    nnue_push_null(thread->nnue, ss->ply);
    ss->continuation = &thread->no_continuation;
    ss->continuation_correction = &thread->no_move_correction;
    count_node(thread);
}
