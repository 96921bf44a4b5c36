/* SPDX-License-Identifier: MIT */
#include "asking.h"

#include "check.h"

#include <stdlib.h>

/*
 * Requires that every move of a reported variation is legal, and that none follows the end
 * of the game.
 */
static void note_line(void *payload, const engine_line *line) {
    engine_answer *answer = payload;
    luft_position position = answer->root;
    require(line->length >= 1, &position, "a variation has a move");
    for (int i = 0; i < line->length; i++) {
        require(luft_is_legal(&position, line->moves[i]), &position, "a legal move in the variation");
        luft_make(&position, &position, line->moves[i]);
    }
    if (is_decisive(line->score) && !line->is_lower_bound && !line->is_upper_bound) {
        const int plies = SCORE_MATE - abs(line->score);
        require(line->length <= plies, &position, "a mating variation is not longer than the mate");
    }
    answer->lines++;
    answer->last_multipv = line->multipv;
    answer->most_lines = line->multipv > answer->most_lines ? line->multipv : answer->most_lines;
    answer->first_moves[line->multipv] = line->moves[0];
    if (line->multipv == 1) {
        answer->score = line->score;
        answer->depth = line->depth;
        answer->nodes = line->nodes;
        answer->time_ms = line->time_ms;
    }
}

static void note_best(void *payload, luft_move best, luft_move ponder) {
    engine_answer *answer = payload;
    answer->best = best;
    answer->ponder = ponder;
    answer->best_calls++;
}

engine_callbacks answer_callbacks(engine_answer *answer) {
    return (engine_callbacks){.line = note_line, .best_move = note_best, .payload = answer};
}

engine_answer engine_ask(luft_engine *engine, const luft_position *start, const luft_move *moves, size_t count,
                         search_limits limits) {
    assert_int_equal(engine_set_position(engine, start, moves, count, NULL), LUFT_OK);
    engine_answer answer = {.root = *engine_position(engine)};
    const engine_callbacks callbacks = answer_callbacks(&answer);
    assert_true(engine_go(engine, &limits, &callbacks));
    engine_wait(engine);
    assert_false(engine_is_searching(engine));
    assert_int_equal(answer.best_calls, 1);
    if (!luft_has_legal_move(&answer.root)) {
        assert_int_equal(answer.best, LUFT_MOVE_NONE);
        return answer;
    }
    require(luft_is_legal(&answer.root, answer.best), &answer.root, "a legal best move");
    if (answer.ponder != LUFT_MOVE_NONE) {
        luft_position next;
        luft_make(&next, &answer.root, answer.best);
        require(luft_is_legal(&next, answer.ponder), &answer.root, "a legal move to ponder on");
    }
    return answer;
}
