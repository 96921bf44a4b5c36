/* SPDX-License-Identifier: MIT */
/*
 * What the main search and the quiescence search do alike at every node: check the limits, detect draws, evaluate,
 * make a move, and update the principal variation.
 */
#ifndef LUFT_ENGINE_NODE_H
#define LUFT_ENGINE_NODE_H

#include "minmax.h"
#include "thread.h"

#include <string.h>

/* Stops the search if a limit is reached. Use check_limits, which calls this now and then. */
void search_check_limits(search_thread *thread);

/* From now on a stop request takes effect; one that came before stops the search now. For the main thread. */
void search_end_min_search(search_shared *shared);

/* A draw by the fifty-move rule, by repetition or by a dead position? A repetition since the root counts at once. */
bool search_is_draw(const search_thread *thread, const search_frame *ss);

/* Makes a legal move: fills the position of ss[1] and what its children need to know of the move. */
void search_make_move(search_thread *thread, search_frame *ss, luft_move move);
void search_make_null_move(search_thread *thread, search_frame *ss);

/* The squares that the opponent of the side to move attacks. */
luft_bitboard search_threats(const luft_position *position);

static inline void check_limits(search_thread *thread) {
    if (search_thread_nodes(thread) >= thread->next_check) {
        search_check_limits(thread);
    }
}

/* A draw scores 1 or -1, by the node count: avoids blindness to threefold repetition. */
static inline int draw_score(const search_thread *thread) {
    return SCORE_DRAW + 1 - (int)(search_thread_nodes(thread) & 2);
}

/* The evaluation of the network. If the root is won by tables without distances, it also counts progress to mate. */
static inline int raw_evaluation(const search_thread *thread, const search_frame *ss) {
    const int score = nnue_evaluate(thread->nnue, ss->ply, &ss->position);
    const search_tables *tables = &thread->shared->tables;
    return tables->seeks_progress
               ? clamp(score + tables_progress(tables, &ss->position), 1 - SCORE_EVAL_BOUND, SCORE_EVAL_BOUND - 1)
               : score;
}

/* Scales the evaluation down as the fifty-move rule comes near. The transposition table keeps the unscaled value. */
static inline int scale_by_rule50(int eval, const luft_position *position) {
    return eval * (220 - min(position->halfmove_clock, 100)) / 220;
}

/* The score at the maximum ply, where no move can be made any more. */
static inline int max_ply_score(const search_thread *thread, const search_frame *ss) {
    return ss->in_check ? SCORE_DRAW : scale_by_rule50(raw_evaluation(thread, ss), &ss->position);
}

/* Near the fifty-move rule a score of the transposition table may be wrong: the key does not include the counter. */
static inline bool can_use_tt_score(const luft_position *position) {
    return position->halfmove_clock < 90;
}

/* Does the entry prove a score of at least beta, or one below it? */
static inline bool tt_causes_cutoff(const tt_entry *entry, int beta) {
    return entry->score != SCORE_NONE && (entry->bound & (entry->score >= beta ? TT_LOWER : TT_UPPER));
}

/* Does the entry prove that the true score is on the far side of its score, as seen from the evaluation? */
static inline bool tt_refines_eval(const tt_entry *entry, int eval) {
    return entry->score != SCORE_NONE && (entry->bound & (entry->score > eval ? TT_LOWER : TT_UPPER));
}

static inline void update_pv(search_frame *ss, luft_move move) {
    const search_pv *child = &ss[1].pv;
    ss->pv.moves[0] = move;
    memcpy(ss->pv.moves + 1, child->moves, (size_t)child->length * sizeof *child->moves);
    ss->pv.length = child->length + 1;
}

#endif
