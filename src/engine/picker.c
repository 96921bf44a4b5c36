/* SPDX-License-Identifier: MIT */
/*
 * The order of moves: the table's move; captures that do not lose material, by
 * victim and history; the killer; quiet moves by their histories; the other captures.
 */
#include "picker.h"
#include "see.h"

static void score_captures(move_picker *picker) {
    const luft_move_list *list = &picker->moves->captures;
    for (int i = 0; i < list->count; i++) {
        const luft_move move = list->moves[i];
        const luft_piece man = luft_piece_at(&picker->position->board, luft_move_from(move));
        const luft_piece_type victim = victim_of(picker->position, move);
        int score = 16 * see_value[victim] + picker->history->capture[man][luft_move_to(move)][victim];
        if (luft_move_is_promotion(move)) {
            score += luft_move_promotion(move) == LUFT_QUEEN ? 20000 : -20000;
        }
        picker->moves->capture_scores[i] = score;
    }
}

static void score_quiets(move_picker *picker) {
    const luft_move_list *list = &picker->moves->quiets;
    const luft_position *position = picker->position;
    const search_history *history = picker->history;
    const piece_to_history *pawns = &history->pawns[position->pawn_key % PAWN_HISTORY_SIZE];
    for (int i = 0; i < list->count; i++) {
        const luft_move move = list->moves[i];
        const luft_square from = luft_move_from(move), to = luft_move_to(move);
        const luft_piece man = luft_piece_at(&position->board, from);
        int score = 2 * history->quiet[position->side_to_move][threat_index(picker->threats, move)][from][to];
        score += 2 * (*pawns)[man][to];
        score += 2 * (*picker->continuation[0])[man][to];
        score += 2 * (*picker->continuation[1])[man][to];
        score += (*picker->continuation[3])[man][to];
        score += (*picker->continuation[5])[man][to];
        picker->moves->quiet_scores[i] = score;
    }
}

/* Brings the best of the moves from `index` on to the front and returns it. */
static luft_move best_of(luft_move_list *list, int *scores, int index) {
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

void picker_start(move_picker *picker, const luft_position *position, const search_history *history,
                  piece_to_history *const *continuation, picker_moves *moves, luft_bitboard threats,
                  luft_move table_move, luft_move killer) {
    picker->position = position;
    picker->history = history;
    picker->continuation = continuation;
    picker->moves = moves;
    picker->threats = threats;
    picker->table_move = table_move;
    picker->killer = killer == table_move ? LUFT_MOVE_NONE : killer;
    picker->stage = PICK_TABLE_MOVE;
    picker->index = picker->bad_count = 0;
    picker->captures_only = picker->quiet_checks = false;
}

void picker_start_captures(move_picker *picker, const luft_position *position, const search_history *history,
                           picker_moves *moves, luft_move table_move, bool quiet_checks) {
    picker_start(picker, position, history, NULL, moves, 0, table_move, LUFT_MOVE_NONE);
    picker->captures_only = true;
    picker->quiet_checks = quiet_checks;
}

/* Captures that gain enough, the best first; the others move to the front of the list, to be tried at the end. */
static luft_move next_good_capture(move_picker *picker) {
    luft_move_list *list = &picker->moves->captures;
    int *scores = picker->moves->capture_scores;
    while (picker->index < list->count) {
        const luft_move move = best_of(list, scores, picker->index);
        const int score = scores[picker->index];
        picker->index++;
        if (move == picker->table_move) {
            continue;
        }
        const int threshold = picker->captures_only ? 0 : -score / 64;
        if ((!luft_move_is_promotion(move) || luft_move_promotion(move) == LUFT_QUEEN) &&
            see_at_least(picker->position, move, threshold)) {
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
    case PICK_TABLE_MOVE:
        picker->stage++;
        if (picker->table_move != LUFT_MOVE_NONE) {
            return picker->table_move;
        }
        /* fall through */
    case PICK_MAKE_CAPTURES:
        luft_generate(&picker->moves->captures, picker->position, LUFT_CAPTURES);
        score_captures(picker);
        picker->stage++;
        /* fall through */
    case PICK_GOOD_CAPTURES:
        move = next_good_capture(picker);
        if (move != LUFT_MOVE_NONE) {
            return move;
        }
        if (picker->captures_only) {
            picker->stage = picker->quiet_checks ? PICK_MAKE_CHECKS : PICK_DONE;
            return picker_next(picker, false);
        }
        picker->stage++;
        /* fall through */
    case PICK_KILLER:
        picker->stage++;
        if (!skip_quiets && picker->killer != LUFT_MOVE_NONE && is_quiet(picker->killer) &&
            luft_is_legal(picker->position, picker->killer)) {
            return picker->killer;
        }
        picker->killer = LUFT_MOVE_NONE;
        /* fall through */
    case PICK_MAKE_QUIETS:
        if (!skip_quiets) {
            luft_generate(&picker->moves->quiets, picker->position, LUFT_QUIETS);
            score_quiets(picker);
        }
        picker->index = 0;
        picker->stage = skip_quiets ? PICK_BAD_CAPTURES : PICK_QUIETS;
        return picker_next(picker, skip_quiets);
    case PICK_QUIETS:
        while (!skip_quiets && picker->index < picker->moves->quiets.count) {
            move = best_of(&picker->moves->quiets, picker->moves->quiet_scores, picker->index++);
            if (move != picker->table_move && move != picker->killer) {
                return move;
            }
        }
        picker->index = 0;
        picker->stage++;
        /* fall through */
    case PICK_BAD_CAPTURES:
        if (picker->index < picker->bad_count) {
            return picker->moves->captures.moves[picker->index++];
        }
        picker->stage = PICK_DONE;
        return LUFT_MOVE_NONE;
    case PICK_MAKE_CHECKS:
        luft_generate(&picker->moves->quiets, picker->position, LUFT_QUIETS);
        picker->index = 0;
        picker->stage++;
        /* fall through */
    case PICK_CHECKS:
        while (picker->index < picker->moves->quiets.count) {
            move = picker->moves->quiets.moves[picker->index++];
            if (luft_gives_check(picker->position, move) && see_at_least(picker->position, move, 0)) {
                return move;
            }
        }
        picker->stage = PICK_DONE;
        /* fall through */
    case PICK_DONE: break;
    }
    return LUFT_MOVE_NONE;
}
