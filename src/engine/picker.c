/* SPDX-License-Identifier: MIT */
/*
 * Move ordering: the move of the transposition table; captures that do not lose material, by captured piece and
 * capture history (MVV with history); the killer; quiet moves by their histories; captures that lose material.
 */
#include "picker.h"

#include "move.h"
#include "see.h"

static void score_captures(move_picker *picker) {
    const luft_move_list *list = &picker->ss->moves.captures;
    for (int i = 0; i < list->count; i++) {
        const luft_move move = list->moves[i];
        const luft_piece piece = moving_piece(picker->ss, move);
        const luft_piece_type captured = captured_type(picker->ss, move);
        int score = 16 * see_value[captured] + picker->history->capture[piece][luft_move_to(move)][captured];
        if (luft_move_is_promotion(move)) {
            score += luft_move_promotion(move) == LUFT_QUEEN ? 20000 : -20000;
        }
        picker->ss->moves.capture_scores[i] = score;
    }
}

static void score_quiets(move_picker *picker) {
    const luft_move_list *list = &picker->ss->moves.quiets;
    const search_frame *ss = picker->ss;
    const luft_position *position = &ss->position;
    const history_tables *history = picker->history;
    const piece_to_history *pawn = &history->pawn[position->pawn_key % PAWN_HISTORY_SIZE];
    for (int i = 0; i < list->count; i++) {
        const luft_move move = list->moves[i];
        const luft_square from = luft_move_from(move), to = luft_move_to(move);
        const luft_piece piece = moving_piece(ss, move);
        int score = 2 * history->quiet[position->side_to_move][history_threat_index(picker->threats, move)][from][to];
        score += 2 * (*pawn)[piece][to];
        score += 2 * (*ss[-1].continuation)[piece][to];
        score += 2 * (*ss[-2].continuation)[piece][to];
        score += (*ss[-4].continuation)[piece][to];
        score += (*ss[-6].continuation)[piece][to];
        picker->ss->moves.quiet_scores[i] = score;
    }
}

/* One step of selection sort: swaps the best move from `index` on to that place and returns it. */
static luft_move select_best(luft_move_list *list, int *scores, int index) {
    int best = index;
    for (int i = index + 1; i < list->count; i++) {
        if (scores[i] > scores[best]) {
            best = i;
        }
    }
    const luft_move move = list->moves[best];
    const int score = scores[best];
    list->moves[best] = list->moves[index];
    scores[best] = scores[index];
    list->moves[index] = move;
    scores[index] = score;
    return move;
}

void picker_start(move_picker *picker, const history_tables *history, search_frame *ss, luft_bitboard threats,
                  luft_move tt_move, luft_move killer) {
    picker->ss = ss;
    picker->history = history;
    picker->threats = threats;
    picker->tt_move = tt_move;
    picker->killer = killer == tt_move ? LUFT_MOVE_NONE : killer;
    picker->stage = PICK_TT_MOVE;
    picker->index = picker->bad_count = 0;
    picker->captures_only = picker->quiet_checks = false;
}

void picker_start_captures(move_picker *picker, const history_tables *history, search_frame *ss, luft_move tt_move,
                           bool quiet_checks) {
    picker_start(picker, history, ss, 0, tt_move, LUFT_MOVE_NONE);
    picker->captures_only = true;
    picker->quiet_checks = quiet_checks;
}

/* The best capture that does not lose material; the others move to the front of the list, for PICK_BAD_CAPTURES. */
static luft_move next_good_capture(move_picker *picker) {
    luft_move_list *list = &picker->ss->moves.captures;
    int *scores = picker->ss->moves.capture_scores;
    while (picker->index < list->count) {
        const luft_move move = select_best(list, scores, picker->index);
        const int score = scores[picker->index];
        picker->index++;
        if (move == picker->tt_move) {
            continue;
        }
        const int threshold = picker->captures_only ? 0 : -score / 64;
        if ((!luft_move_is_promotion(move) || luft_move_promotion(move) == LUFT_QUEEN) &&
            see_at_least(&picker->ss->position, move, threshold)) {
            return move;
        }
        list->moves[picker->bad_count++] = move;
    }
    return LUFT_MOVE_NONE;
}

// NOLINTNEXTLINE(misc-no-recursion): each call is one stage further
luft_move picker_next(move_picker *picker, bool skip_quiets) {
    luft_move move;
    switch (picker->stage) {
    case PICK_TT_MOVE:
        picker->stage++;
        if (picker->tt_move != LUFT_MOVE_NONE) {
            return picker->tt_move;
        }
        /* fall through */
    case PICK_GENERATE_CAPTURES:
        luft_generate(&picker->ss->moves.captures, &picker->ss->position, LUFT_CAPTURES);
        score_captures(picker);
        picker->stage++;
        /* fall through */
    case PICK_GOOD_CAPTURES:
        move = next_good_capture(picker);
        if (move != LUFT_MOVE_NONE) {
            return move;
        }
        if (picker->captures_only) {
            picker->stage = picker->quiet_checks ? PICK_GENERATE_CHECKS : PICK_DONE;
            return picker_next(picker, false);
        }
        picker->stage++;
        /* fall through */
    case PICK_KILLER:
        picker->stage++;
        if (!skip_quiets && picker->killer != LUFT_MOVE_NONE && is_quiet(picker->killer) &&
            luft_is_legal(&picker->ss->position, picker->killer)) {
            return picker->killer;
        }
        picker->killer = LUFT_MOVE_NONE;
        /* fall through */
    case PICK_GENERATE_QUIETS:
        if (!skip_quiets) {
            luft_generate(&picker->ss->moves.quiets, &picker->ss->position, LUFT_QUIETS);
            score_quiets(picker);
        }
        picker->index = 0;
        picker->stage = skip_quiets ? PICK_BAD_CAPTURES : PICK_QUIETS;
        return picker_next(picker, skip_quiets);
    case PICK_QUIETS:
        while (!skip_quiets && picker->index < picker->ss->moves.quiets.count) {
            move = select_best(&picker->ss->moves.quiets, picker->ss->moves.quiet_scores, picker->index++);
            if (move != picker->tt_move && move != picker->killer) {
                return move;
            }
        }
        picker->index = 0;
        picker->stage++;
        /* fall through */
    case PICK_BAD_CAPTURES:
        if (picker->index < picker->bad_count) {
            return picker->ss->moves.captures.moves[picker->index++];
        }
        picker->stage = PICK_DONE;
        return LUFT_MOVE_NONE;
    case PICK_GENERATE_CHECKS:
        luft_generate(&picker->ss->moves.quiets, &picker->ss->position, LUFT_QUIETS);
        picker->checks = compute_check_squares(&picker->ss->position);
        picker->index = 0;
        picker->stage++;
        /* fall through */
    case PICK_CHECKS:
        while (picker->index < picker->ss->moves.quiets.count) {
            move = picker->ss->moves.quiets.moves[picker->index++];
            if (gives_check(&picker->checks, picker->ss, move) && see_at_least(&picker->ss->position, move, 0)) {
                return move;
            }
        }
        picker->stage = PICK_DONE;
        /* fall through */
    case PICK_DONE: break;
    }
    return LUFT_MOVE_NONE;
}
