/* SPDX-License-Identifier: MIT */
/*
 * The quiescence search. See quiescence.h.
 */
#include "quiescence.h"

#include "move.h"
#include "node.h"
#include "params.h"
#include "picker.h"
#include "see.h"

/* The move of the transposition table, if it is legal and of a kind that is searched here. */
static luft_move usable_tt_move(const search_frame *ss, luft_move move) {
    const bool is_usable =
        move != LUFT_MOVE_NONE && (ss->in_check || !is_quiet(move)) && luft_is_legal(&ss->position, move);
    return is_usable ? move : LUFT_MOVE_NONE;
}

/* Fail highs are averaged with beta: a score far above it is seldom exact. */
static int soften_fail_high(int score, int beta) {
    return is_decisive(score) ? score : (score + beta) / 2;
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than MAX_PLY
int search_quiescence(search_thread *thread, search_frame *ss, int alpha, int beta, bool pv, bool quiet_checks) {
    const luft_position *position = &ss->position;
    tt *const table = thread->shared->tt;

    /* Step 1. Limits and draws. */
    ss->pv.length = 0;
    check_limits(thread);
    thread->seldepth = max(thread->seldepth, ss->ply);
    if (search_stopped(thread)) {
        return 0;
    }
    if (search_is_draw(thread, ss)) {
        return draw_score(thread);
    }
    ss->in_check = luft_in_check(position);
    if (ss->ply >= MAX_PLY - 2) {
        return max_ply_score(thread, ss);
    }

    /* Step 2. Transposition table. */
    tt_entry entry = {.score = SCORE_NONE, .eval = SCORE_NONE};
    const bool tt_hit = tt_probe(table, position, ss->ply, &entry);
    if (!pv && tt_hit && tt_causes_cutoff(&entry, beta) && can_use_tt_score(position)) {
        return entry.score;
    }
    const bool tt_pv = pv || (tt_hit && entry.was_pv);

    /* Step 3. Stand pat: the side to move need not capture. */
    int best_score = -SCORE_INFINITE, raw_eval = SCORE_NONE, futility = -SCORE_INFINITE;
    ss->static_eval = SCORE_NONE;
    if (!ss->in_check) {
        raw_eval = tt_hit && entry.eval != SCORE_NONE ? entry.eval : raw_evaluation(thread, ss);
        ss->static_eval = best_score = history_correct_eval(scale_by_rule50(raw_eval, position), &ss->corrections);
        /* In a PV node a mate score of the tt would end the variation before the mate. */
        if (tt_hit && tt_refines_eval(&entry, best_score) && can_use_tt_score(position) &&
            !(pv && is_decisive(entry.score))) {
            best_score = entry.score;
        }
        if (best_score >= beta) {
            if (!tt_hit) {
                tt_store(table, position, ss->ply,
                         (tt_entry){.score = best_score, .eval = raw_eval, .bound = TT_LOWER, .was_pv = tt_pv});
            }
            return soften_fail_high(best_score, beta);
        }
        alpha = max(alpha, best_score);
        futility = ss->static_eval + quiescence_futility;
    }

    /* Step 4. The moves: evasions in check, else captures. */
    const luft_move tt_move = usable_tt_move(ss, tt_hit ? entry.move : LUFT_MOVE_NONE);
    move_picker picker;
    if (ss->in_check) {
        picker_start(&picker, thread->history, ss, search_threats(position), tt_move, LUFT_MOVE_NONE);
    } else {
        picker_start_captures(&picker, thread->history, ss, tt_move, quiet_checks && quiescence_checks);
    }
    luft_move best_move = LUFT_MOVE_NONE;
    int move_count = 0;
    bool skip_quiets = false;
    for (luft_move move; (move = picker_next(&picker, skip_quiets)) != LUFT_MOVE_NONE;) {
        move_count++;

        /* Step 5. Pruning of captures that do not give check. */
        if (!is_loss(best_score) && !ss->in_check && !is_quiet(move)) {
            /* Move count pruning: the first captures are the most promising. */
            if (move_count > quiescence_captures && !luft_gives_check(position, move)) {
                continue;
            }
            /* Delta pruning: even with the captured piece and a margin the score stays below alpha. */
            const int delta = futility + see_value[captured_type(ss, move)];
            if (delta <= alpha && !luft_move_is_promotion(move) && !luft_gives_check(position, move)) {
                best_score = max(best_score, delta);
                continue;
            }
        }

        search_make_move(thread, ss, move);
        const int score = -search_quiescence(thread, ss + 1, -beta, -alpha, pv, false);
        if (search_stopped(thread)) {
            return 0;
        }
        if (score > best_score) {
            best_score = score;
            if (score > alpha) {
                best_move = move;
                if (pv) {
                    update_pv(ss, move);
                }
                if (score >= beta) {
                    break;
                }
                alpha = score;
            }
        }
        skip_quiets = ss->in_check && !is_loss(best_score); /* one evasion that does not lose is enough */
    }
    if (ss->in_check && move_count == 0) {
        return mated_in(ss->ply);
    }

    /* Step 6. Result. */
    if (best_score >= beta) {
        best_score = soften_fail_high(best_score, beta);
    }
    tt_store(table, position, ss->ply,
             (tt_entry){.move = best_move,
                        .score = best_score,
                        .eval = raw_eval,
                        .bound = best_score >= beta ? TT_LOWER : TT_UPPER,
                        .was_pv = tt_pv});
    return best_score;
}
