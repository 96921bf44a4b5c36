/* SPDX-License-Identifier: MIT */
/*
 * Selectivity: the rules by which the main search prunes nodes, prunes moves, extends and reduces. Each rule has the
 * name that the field gives it. The rules only decide; search.c acts on them.
 *
 * They share a struct and are always inlined, so that the compiler keeps its members in registers.
 */
#ifndef LUFT_ENGINE_SELECTIVITY_H
#define LUFT_ENGINE_SELECTIVITY_H

#include "minmax.h"
#include "move.h"
#include "params.h"
#include "see.h"
#include "thread.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* A node in progress. */
typedef struct node_state {
    search_thread *thread;
    search_frame *ss;
    int alpha, beta, depth;
    bool root;
    bool pv;
    bool cut_node;         /* expected to fail high */
    bool tt_hit;           /* `tt` was found in the transposition table */
    bool improving;        /* the static evaluation is better than at our last move */
    luft_move excluded;    /* of a singular search, or none */
    tt_entry tt;           /* its move is legal or none; at the root, the best move so far */
    luft_bitboard threats; /* squares that the opponent attacks */
    int raw_eval;          /* static evaluation before any adjustment, as the transposition table keeps it */
    int eval;              /* the best estimate of the score: static evaluation or tt score */
    int best_score;
    luft_move best_move; /* none unless it raised alpha */
    int move_count;      /* moves so far, pruned ones included */
} node_state;

/* A move of the node. */
typedef struct candidate_move {
    luft_move move;
    bool quiet;
    bool gives_check;
    int history;   /* its history score */
    int reduction; /* of its depth, in 1024ths of a ply */
} candidate_move;

/* --- Material -------------------------------------------------------------- */

/* The pieces of the side to move other than pawns and king. */
static inline luft_bitboard own_pieces(const luft_position *position) {
    const luft_board *board = &position->board;
    return board->color[position->side_to_move] & ~board->pawns & ~board->kings;
}

/* Zugzwang is likely with at most one knight or bishop beside the pawns. */
static inline bool is_zugzwang_likely(const luft_position *position) {
    const luft_bitboard pieces = own_pieces(position);
    return (pieces & position->board.orthogonal) == 0 && !luft_more_than_one(pieces);
}

/* --- Pruning of nodes ------------------------------------------------------ */

/* Razoring: far below alpha at a low depth, only captures can help. */
ALWAYS_INLINE bool can_razor(const node_state *node) {
    return node->depth <= razor_depth &&
           node->eval + razor_base + razor_margin * node->depth * node->depth < node->alpha;
}

/* Reverse futility pruning: so far above beta that a shallow search will not change it, unless by zugzwang. */
ALWAYS_INLINE bool can_prune_by_reverse_futility(const node_state *node) {
    return node->depth <= reverse_futility_depth && !is_decisive(node->eval) && !is_loss(node->beta) &&
           !is_zugzwang_likely(&node->ss->position) &&
           node->eval - reverse_futility_margin * (node->depth - node->improving) >= node->beta;
}

/* Null-move pruning: above beta, after a real move, and with a piece, for pawn endgames are full of zugzwang. */
ALWAYS_INLINE bool can_try_null_move(const node_state *node) {
    const search_frame *ss = node->ss;
    return node->depth >= null_depth && node->eval >= node->beta &&
           ss->static_eval >= node->beta - 20 * node->depth + 150 && ss[-1].move != LUFT_MOVE_NONE &&
           own_pieces(&ss->position) != 0 && ss->ply >= node->thread->null_move_min_ply && !is_loss(node->beta);
}

/* --- Pruning of moves ------------------------------------------------------ */

/* Late move pruning: after so many moves the remaining quiet ones are skipped. */
ALWAYS_INLINE bool is_late(const node_state *node) {
    return node->move_count >= (late_base + node->depth * node->depth) / (2 - node->improving);
}

/* Can the move be skipped at a shallow depth? Uses the depth that late move reduction would leave. */
ALWAYS_INLINE bool prune_move(const node_state *node, const candidate_move *candidate) {
    const search_frame *ss = node->ss;
    const int reduced_depth = max(node->depth - candidate->reduction / 1024, 0);
    if (!candidate->quiet) {
        /* SEE pruning of captures: the exchange loses too much. */
        return !see_at_least(&ss->position, candidate->move,
                             -see_capture_margin * node->depth - candidate->history / 64);
    }
    /* Futility pruning: even with a margin the static evaluation stays below alpha. */
    if (!ss->in_check && reduced_depth <= futility_depth && !candidate->gives_check &&
        ss->static_eval + futility_base + futility_margin * reduced_depth + candidate->history / 64 <= node->alpha) {
        return true;
    }
    /* History pruning: quiet moves with a very low history score. */
    if (reduced_depth <= bad_history_depth && candidate->history < -bad_history_margin * node->depth) {
        return true;
    }
    /* SEE pruning of quiet moves: the piece can be captured. A check may be a sacrifice. */
    return !candidate->gives_check &&
           !see_at_least(&ss->position, candidate->move, -see_quiet_margin * reduced_depth * reduced_depth);
}

/* --- Extensions ------------------------------------------------------------ */

/* Singular extension: only for a move of the transposition table with a reliable lower bound. */
ALWAYS_INLINE bool can_test_singularity(const node_state *node, luft_move move) {
    return !node->root && move == node->tt.move && node->excluded == LUFT_MOVE_NONE && node->depth >= singular_depth &&
           node->tt.depth >= node->depth - 3 && (node->tt.bound & TT_LOWER) && node->tt.score != SCORE_NONE &&
           !is_decisive(node->tt.score) && node->ss->ply < 2 * node->thread->root_depth;
}

/* Check extension: a check that does not lose material. */
ALWAYS_INLINE bool can_extend_check(const node_state *node, const candidate_move *candidate) {
    return candidate->gives_check && node->depth <= check_depth && node->ss->ply < 2 * node->thread->root_depth &&
           see_at_least(&node->ss->position, candidate->move, 0);
}

/* --- Reductions ------------------------------------------------------------ */

/* Internal iterative reduction: without a move to try first, a shallower search finds it for the next iteration. */
ALWAYS_INLINE bool can_reduce_unknown(const node_state *node) {
    return node->depth >= reduce_unknown_depth && (node->pv || node->cut_node) && node->tt.move == LUFT_MOVE_NONE &&
           node->excluded == LUFT_MOVE_NONE;
}

/* The natural logarithm of 0 to 63 in 1024ths. A table, so that all machines compute the same. */
static const int16_t logarithm[64] = {
    0,    0,    710,  1125, 1420, 1648, 1835, 1993, 2129, 2250, 2358, 2455, 2545, 2627, 2702, 2773,
    2839, 2901, 2960, 3015, 3068, 3118, 3165, 3211, 3254, 3296, 3336, 3375, 3412, 3448, 3483, 3516,
    3549, 3580, 3611, 3641, 3670, 3698, 3725, 3751, 3777, 3803, 3827, 3851, 3875, 3898, 3921, 3943,
    3964, 3985, 4006, 4026, 4046, 4066, 4085, 4104, 4122, 4140, 4158, 4175, 4193, 4210, 4226, 4243,
};

/* The reduction by depth and move number alone, in 1024ths of a ply. */
static inline int base_reduction(int depth, int move_count) {
    return lmr_base + logarithm[min(depth, 63)] * logarithm[min(move_count, 63)] / lmr_divisor;
}

/* Late move reduction, in 1024ths of a ply: less for moves and nodes that look good, more for expected fail highs. */
ALWAYS_INLINE int late_move_reduction(const node_state *node, const candidate_move *candidate) {
    int reduction = candidate->reduction;
    reduction -= (candidate->quiet ? 0 : 1024) + candidate->history * 1024 / lmr_history_divisor / 2;
    reduction += node->cut_node ? lmr_cut_node : 0;
    reduction += node->improving ? 0 : lmr_not_improving;
    reduction -= node->ss->tt_pv ? 1024 + (node->pv ? 512 : 0) : 0;
    reduction -= candidate->gives_check ? lmr_check : 0;
    reduction += node->tt.move != LUFT_MOVE_NONE && !is_quiet(node->tt.move) ? 700 : 0;
    return reduction;
}

#endif
