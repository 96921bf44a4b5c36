/* SPDX-License-Identifier: MIT */
/*
 * The main search: fail-soft principal variation search with the usual pruning, extensions and reductions.
 * search_node is a list of numbered steps; selectivity.h has the conditions of the rules.
 *
 * Stopping is a flag and a return: a node that sees it returns a score that must not be used.
 */
#include "search.h"

#include "checks.h"
#include "move.h"
#include "node.h"
#include "picker.h"
#include "quiescence.h"
#include "root.h"
#include "selectivity.h"

/* --- Before the moves ------------------------------------------------------ */

/*
 * Mate distance pruning: narrows the window to the mates that are possible from here. If it closes, no score of this
 * node can change the result.
 */
ALWAYS_INLINE bool prune_by_mate_distance(node_state *node) {
    node->alpha = max(node->alpha, mated_in(node->ss->ply));
    node->beta = min(node->beta, mate_in(node->ss->ply + 1));
    return node->alpha >= node->beta;
}

/* Finds nodes whose score is known without a search: stopped, drawn, too deep, or decided by mate distance. */
ALWAYS_INLINE int early_score(node_state *node) {
    if (search_stopped(node->thread)) {
        return 0;
    }
    if (search_is_draw(node->thread, node->ss)) {
        return draw_score(node->thread);
    }
    if (node->ss->ply >= MAX_PLY - 2) {
        return max_ply_score(node->thread, node->ss);
    }
    return prune_by_mate_distance(node) ? node->alpha : SCORE_NONE;
}

/* Reads the transposition table. A singular search must not see the entry, which holds the excluded move. */
ALWAYS_INLINE void probe_tt(node_state *node) {
    search_frame *ss = node->ss;
    tt_entry entry = {.score = SCORE_NONE, .eval = SCORE_NONE};
    node->tt_hit =
        node->excluded == LUFT_MOVE_NONE && tt_probe(node->thread->shared->tt, &ss->position, ss->ply, &entry);
    if (node->root) {
        entry.move = node->thread->root_moves[node->thread->pv_index].move;
    } else if (entry.move != LUFT_MOVE_NONE && !luft_is_legal(&ss->position, entry.move)) {
        entry.move = LUFT_MOVE_NONE;
    }
    node->tt = entry;
    if (node->excluded == LUFT_MOVE_NONE) {
        ss->tt_pv = node->pv || (node->tt_hit && entry.was_pv);
    }
}

/* A result of sufficient depth ends the node. An unexpected fail high must be one ply deeper. */
ALWAYS_INLINE bool can_return_tt_score(const node_state *node) {
    return !node->pv && node->tt_hit &&
           node->tt.depth >= node->depth + (node->tt.score >= node->beta && !node->cut_node) &&
           tt_causes_cutoff(&node->tt, node->beta) && can_use_tt_score(&node->ss->position);
}

/* Computes the static evaluation, adjusted by correction history, and stores it if the position is new. */
ALWAYS_INLINE void evaluate_node(node_state *node) {
    search_frame *ss = node->ss;
    if (node->excluded != LUFT_MOVE_NONE) {
        node->eval = node->raw_eval = ss->static_eval;
    } else {
        node->raw_eval = node->tt_hit && node->tt.eval != SCORE_NONE ? node->tt.eval : raw_evaluation(node->thread, ss);
        ss->static_eval = node->eval =
            history_correct_eval(scale_by_rule50(node->raw_eval, &ss->position), &ss->corrections);
        if (!node->tt_hit) {
            tt_store(node->thread->shared->tt, &ss->position, ss->ply,
                     (tt_entry){.score = SCORE_NONE, .eval = node->raw_eval, .depth = -1, .was_pv = ss->tt_pv});
        } else if (tt_refines_eval(&node->tt, node->eval)) {
            node->eval = node->tt.score;
        }
    }
    const int before = ss[-2].static_eval != SCORE_NONE ? ss[-2].static_eval : ss[-4].static_eval;
    node->improving = before == SCORE_NONE || ss->static_eval > before;
}

/* --- Tablebases ------------------------------------------------------------ */

/*
 * Looks up a position after a capture or a pawn move. A result that decides the node is returned and stored as if it came
 * from a deeper search; a win or loss inside the window of a PV node only bounds its score: *cap is the upper bound.
 */
static int probe_tables(node_state *node, int *cap) {
    search_thread *thread = node->thread;
    search_frame *ss = node->ss;
    const int score = tables_score(&thread->shared->tables, &ss->position, ss->ply);
    if (score == SCORE_NONE) {
        return SCORE_NONE;
    }
    atomic_store_explicit(&thread->table_hits, atomic_load_explicit(&thread->table_hits, memory_order_relaxed) + 1,
                          memory_order_relaxed);
    const tt_bound bound = is_win(score) ? TT_LOWER : is_loss(score) ? TT_UPPER : TT_EXACT;
    if (bound == TT_EXACT || (bound == TT_LOWER ? score >= node->beta : score <= node->alpha)) {
        tt_store(thread->shared->tt, &ss->position, ss->ply,
                 (tt_entry){.score = score,
                            .eval = SCORE_NONE,
                            .depth = min(node->depth + 6, MAX_DEPTH),
                            .bound = bound,
                            .was_pv = ss->tt_pv});
        return score;
    }
    if (node->pv && bound == TT_LOWER) {
        node->best_score = score;
        node->alpha = max(node->alpha, score);
    } else if (node->pv) {
        *cap = score;
    }
    return SCORE_NONE;
}

/* --- Pruning of nodes ------------------------------------------------------ */

/*
 * Null-move pruning: if passing fails high, a real move does so too. Returns the score, or SCORE_NONE if there is no
 * cutoff. At high depths, or where zugzwang is likely, a search without null moves verifies the cutoff.
 */
// NOLINTNEXTLINE(misc-no-recursion): no deeper than MAX_PLY
static int search_null_move(search_thread *thread, search_frame *ss, int beta, int depth, bool cut_node) {
    const int reduction = null_base + depth / null_divisor + min((ss->static_eval - beta) / null_eval_divisor, 3);
    search_make_null_move(thread, ss);
    int score = -search_node(thread, ss + 1, -beta, -beta + 1, depth - reduction, false, !cut_node);
    if (score < beta || search_stopped(thread)) {
        return SCORE_NONE;
    }
    if (is_win(score)) {
        score = beta; /* a mate after a null move is not proved */
    }
    if (thread->null_move_min_ply > 0 || (depth < 14 && !is_zugzwang_likely(&ss->position))) {
        return score;
    }
    thread->null_move_min_ply = ss->ply + 3 * (depth - reduction) / 4;
    const int verified = search_node(thread, ss, beta - 1, beta, max(depth - reduction, 1), false, false);
    thread->null_move_min_ply = 0;
    return verified >= beta && !search_stopped(thread) ? score : SCORE_NONE;
}

/* Returns a score if the node needs no search of its moves, else SCORE_NONE. */
// NOLINTNEXTLINE(misc-no-recursion): no deeper than MAX_PLY
ALWAYS_INLINE int prune_node(const node_state *node) {
    if (can_razor(node)) {
        const int score = search_quiescence(node->thread, node->ss, node->alpha, node->alpha + 1, false, true);
        if (score <= node->alpha || search_stopped(node->thread)) {
            return score;
        }
    }
    if (can_prune_by_reverse_futility(node)) {
        return node->beta + (node->eval - node->beta) / 3;
    }
    if (can_try_null_move(node)) {
        const int score = search_null_move(node->thread, node->ss, node->beta, node->depth, node->cut_node);
        return score == SCORE_NONE && search_stopped(node->thread) ? 0 : score;
    }
    return SCORE_NONE;
}

/* --- Extensions ------------------------------------------------------------ */

/*
 * Singular extension: searches the other moves to a reduced depth. If all of them fail low, the move of the
 * transposition table is extended, by two plies if they fail low by far. Multi-cut: if another move fails high too,
 * *cut is set to a score to return. Negative extension: if others are nearly as good, the move is reduced.
 */
// NOLINTNEXTLINE(misc-no-recursion): no deeper than MAX_PLY
static int singular_extension(search_thread *thread, search_frame *ss, luft_move tt_move, int tt_score, int beta,
                              int depth, bool pv, bool cut_node, int *cut) {
    const int singular_beta = tt_score - depth * singular_margin / 16 - (ss->tt_pv && !pv ? depth : 0);
    ss->excluded = tt_move;
    const int score = search_node(thread, ss, singular_beta - 1, singular_beta, (depth - 1) / 2, false, cut_node);
    ss->excluded = LUFT_MOVE_NONE;
    if (search_stopped(thread)) {
        return 0;
    }
    if (score < singular_beta) {
        return !pv && score < singular_beta - double_margin ? 2 : 1;
    }
    if (score >= beta && !is_decisive(score)) {
        *cut = score;
        return 0;
    }
    if (tt_score >= beta) {
        return -2 + pv;
    }
    return cut_node ? -2 : 0;
}

/* --- Reductions ------------------------------------------------------------ */

/* A null-window search of the move: does it beat alpha? */
// NOLINTNEXTLINE(misc-no-recursion): no deeper than MAX_PLY
ALWAYS_INLINE int search_null_window(const node_state *node, int depth, bool cut_node) {
    return -search_node(node->thread, node->ss + 1, -node->alpha - 1, -node->alpha, depth, false, cut_node);
}

/* Searches a late move to a reduced depth. If it beats alpha, searches it again, deeper the more it does so. */
// NOLINTNEXTLINE(misc-no-recursion): no deeper than MAX_PLY
ALWAYS_INLINE int search_late_move(const node_state *node, const candidate_move *candidate, int new_depth) {
    const int reduced = clamp(new_depth - late_move_reduction(node, candidate) / 1024, 1, new_depth + 1);
    int score = search_null_window(node, reduced, true);
    if (score > node->alpha && reduced < new_depth) {
        const int deeper = new_depth + (score > node->best_score + deeper_margin + 2 * new_depth) -
                           (score < node->best_score + new_depth);
        if (deeper > reduced) {
            score = search_null_window(node, deeper, !node->cut_node);
        }
        if (candidate->quiet && (score <= node->alpha || score >= node->beta)) {
            const int bonus = history_depth_bonus(new_depth);
            history_update_continuation(node->ss, moving_piece(node->ss, candidate->move),
                                        luft_move_to(candidate->move), score <= node->alpha ? -bonus : bonus);
        }
    }
    return score;
}

/* Principal variation search: the first move of a PV node gets the full window, the others a null window first. */
// NOLINTNEXTLINE(misc-no-recursion): no deeper than MAX_PLY
ALWAYS_INLINE int search_move(const node_state *node, const candidate_move *candidate, int new_depth) {
    int score = -SCORE_INFINITE;
    if (node->depth >= lmr_depth && node->move_count > 1 + node->root) {
        score = search_late_move(node, candidate, new_depth);
    } else if (!node->pv || node->move_count > 1) {
        score = search_null_window(node, new_depth, !node->cut_node);
    }
    if (node->pv && (node->move_count == 1 || score > node->alpha)) {
        score = -search_node(node->thread, node->ss + 1, -node->beta, -node->alpha, new_depth, true, false);
    }
    return score;
}

/* --- After the moves ------------------------------------------------------- */

/* Updates the best score and the window. True if the move fails high, which ends the node. */
ALWAYS_INLINE bool update_best(node_state *node, luft_move move, int score) {
    if (score <= node->best_score) {
        return false;
    }
    node->best_score = score;
    if (score <= node->alpha) {
        return false;
    }
    node->best_move = move;
    if (node->pv) {
        update_pv(node->ss, move);
    }
    if (score >= node->beta) {
        return true;
    }
    node->alpha = score;
    if (node->depth > 4 && node->depth < raised_alpha_depth && !is_decisive(score)) {
        node->depth--; /* alpha was raised: the remaining moves have to be clearly better */
    }
    return false;
}

ALWAYS_INLINE void add_searched(searched_moves *searched, luft_move move, bool quiet) {
    if (quiet && searched->quiet_count < SEARCHED_QUIETS_MAX) {
        searched->quiets[searched->quiet_count++] = move;
    } else if (!quiet && searched->capture_count < SEARCHED_CAPTURES_MAX) {
        searched->captures[searched->capture_count++] = move;
    }
}

/* A best move gets a bonus. Without one, the previous move of the opponent was good and gets it. */
ALWAYS_INLINE void update_histories(const node_state *node, const searched_moves *searched) {
    search_frame *ss = node->ss;
    if (node->best_move != LUFT_MOVE_NONE) {
        history_update(node->thread->history, ss, node->threats, node->best_move,
                       node->depth + (node->best_score > node->beta + 60), searched);
    } else if (ss[-1].move != LUFT_MOVE_NONE && !node->root && is_quiet(ss[-1].move)) {
        history_update_continuation(ss - 1, moving_piece(&ss[-1], ss[-1].move), luft_move_to(ss[-1].move),
                                    history_depth_bonus(node->depth) / 2);
    }
}

/* Stores the result; not that of a part of the root moves, which says nothing about the position. */
ALWAYS_INLINE void store_result(const node_state *node, bool raised_alpha) {
    const search_thread *thread = node->thread;
    if (node->root && (thread->pv_index > 0 || thread->shared->limits.search_move_count > 0)) {
        return;
    }
    tt_store(thread->shared->tt, &node->ss->position, node->ss->ply,
             (tt_entry){.move = node->best_move,
                        .score = node->best_score,
                        .eval = node->raw_eval,
                        .depth = node->depth,
                        .bound = node->best_score >= node->beta ? TT_LOWER
                                 : node->pv && raised_alpha     ? TT_EXACT
                                                                : TT_UPPER,
                        .was_pv = node->ss->tt_pv});
}

/*
 * Does the result say that the static evaluation was wrong? Not in check, after a capture, with a mate, or if the score
 * is only a bound on the wrong side of the evaluation.
 */
ALWAYS_INLINE bool corrects_eval(const node_state *node) {
    const int static_eval = node->ss->static_eval;
    const bool has_best = node->best_move != LUFT_MOVE_NONE;
    return !node->ss->in_check && !is_decisive(node->best_score) && (!has_best || is_quiet(node->best_move)) &&
           !(node->best_score >= node->beta && node->best_score <= static_eval) &&
           !(!has_best && node->best_score >= static_eval);
}

/* --- The search of a node -------------------------------------------------- */

// NOLINTNEXTLINE(misc-no-recursion): no deeper than MAX_PLY
int search_node(search_thread *thread, search_frame *ss, int alpha, int beta, int depth, bool pv, bool cut_node) {
    if (depth <= 0) {
        return search_quiescence(thread, ss, alpha, beta, pv, true);
    }
    const luft_position *position = &ss->position;
    node_state node = {.thread = thread,
                       .ss = ss,
                       .alpha = alpha,
                       .beta = beta,
                       .depth = depth,
                       .root = ss->ply == 0,
                       .pv = pv,
                       .cut_node = cut_node,
                       .excluded = ss->excluded,
                       .raw_eval = SCORE_NONE,
                       .eval = SCORE_NONE,
                       .best_score = -SCORE_INFINITE};

    /* Step 1. Limits, draws, mate distance pruning. */
    ss->pv.length = 0;
    check_limits(thread);
    thread->seldepth = max(thread->seldepth, ss->ply);
    ss->in_check = luft_in_check(position);
    if (!node.root) {
        const int score = early_score(&node);
        if (score != SCORE_NONE) {
            return score;
        }
    }

    /* Step 2. Transposition table. */
    probe_tt(&node);
    if (can_return_tt_score(&node)) {
        return node.tt.score;
    }

    /* Step 3. Tablebases. */
    int cap = SCORE_INFINITE;
    if (!node.root && node.excluded == LUFT_MOVE_NONE &&
        tables_may_have(&thread->shared->tables, position, node.depth)) {
        const int score = probe_tables(&node, &cap);
        if (score != SCORE_NONE) {
            return score;
        }
    }

    /* Step 4. Static evaluation, adjusted by correction history; internal iterative reduction. */
    if (!ss->in_check) {
        evaluate_node(&node);
    } else {
        ss->static_eval = SCORE_NONE;
    }

    if (can_reduce_unknown(&node)) {
        node.depth--;
    }

    /* Step 5. Razoring, reverse futility pruning, null-move pruning. */
    if (!node.pv && !ss->in_check && node.excluded == LUFT_MOVE_NONE) {
        const int score = prune_node(&node);
        if (score != SCORE_NONE) {
            return score;
        }
    }

    /* Step 6. The moves, one by one. */
    node.threats = search_threats(position);
    move_picker picker;
    picker_start(&picker, thread->history, ss, node.threats, node.tt.move, ss->killer);
    const check_squares checks = compute_check_squares(position);
    searched_moves searched;
    searched.quiet_count = searched.capture_count = 0;
    const int original_alpha = node.alpha;
    bool skip_quiets = false;
    for (luft_move move; (move = picker_next(&picker, skip_quiets)) != LUFT_MOVE_NONE;) {
        root_move *root = node.root ? root_find(thread, move) : NULL;
        if (move == node.excluded || (node.root && !root)) {
            continue;
        }
        node.move_count++;
        if (node.root) {
            root_report_current(thread, move, node.move_count + thread->pv_index);
        }
        const int64_t nodes_before = search_thread_nodes(thread);
        candidate_move candidate = {.move = move,
                                    .quiet = is_quiet(move),
                                    .gives_check = gives_check(&checks, ss, move),
                                    .reduction = base_reduction(node.depth, node.move_count)};
        candidate.history = candidate.quiet ? history_quiet_score(thread->history, ss, node.threats, move)
                                            : history_capture_score(thread->history, ss, move);

        /* Step 7. Late move pruning, futility pruning, history pruning, SEE pruning. */
        if (!node.root && own_pieces(position) != 0 && !is_loss(node.best_score)) {
            skip_quiets = skip_quiets || is_late(&node);
            if (prune_move(&node, &candidate)) {
                continue;
            }
        }

        /* Step 8. Singular extension, check extension. */
        int extension = 0;
        if (can_test_singularity(&node, move)) {
            int cut = SCORE_NONE;
            extension = singular_extension(thread, ss, move, node.tt.score, node.beta, node.depth, node.pv,
                                           node.cut_node, &cut);
            if (search_stopped(thread)) {
                return 0;
            }
            if (cut != SCORE_NONE) {
                return cut;
            }
            /* The test used the lists and the variation of this frame: start again after the first move. */
            picker_start(&picker, thread->history, ss, node.threats, node.tt.move, ss->killer);
            picker_next(&picker, false);
            ss->pv.length = 0;
        } else if (can_extend_check(&node, &candidate)) {
            extension = 1;
        }

        /* Step 9. Search, with late move reductions. */
        search_make_move(thread, ss, move);
        const int score = search_move(&node, &candidate, node.depth - 1 + extension);
        if (search_stopped(thread)) {
            return 0;
        }
        if (node.root) {
            root_update(thread, ss, root, score, node.alpha, node.beta, node.move_count == 1, nodes_before);
        }

        /* Step 10. Best move, cutoff. */
        if (update_best(&node, move, score)) {
            break;
        }
        if (move != node.best_move) {
            add_searched(&searched, move, candidate.quiet);
        }
    }

    /* Step 11. Mate and stalemate; a singular search without another move fails low. */
    if (node.move_count == 0) {
        return node.excluded != LUFT_MOVE_NONE ? node.alpha : ss->in_check ? mated_in(ss->ply) : SCORE_DRAW;
    }

    /* Step 12. Histories, transposition table, correction history. */
    update_histories(&node, &searched);
    /* A fail high is averaged with beta: a score far above it is seldom exact, the less so at a low depth. */
    if (node.best_score >= node.beta && !is_decisive(node.best_score) && !is_decisive(node.alpha) && !node.pv) {
        node.best_score = (node.best_score * node.depth + node.beta) / (node.depth + 1);
    }
    node.best_score = min(node.best_score, cap);
    if (node.excluded == LUFT_MOVE_NONE) {
        store_result(&node, node.best_move != LUFT_MOVE_NONE && node.best_score > original_alpha);
        if (corrects_eval(&node)) {
            history_update_corrections(&ss->corrections, node.best_score - ss->static_eval, node.depth);
        }
    }
    return node.best_score;
}
