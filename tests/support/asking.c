/* SPDX-License-Identifier: MIT */
#include "asking.h"

#include "check.h"

/*
 * Requires that every move of a reported variation is legal, and that none follows the end
 * of the game.
 */
static void note_line(void *payload, const luft_engine_line *line) {
    engine_answer *answer = payload;
    luft_position position = answer->root;
    require(line->move_count >= 1, &position, "a variation has a move");
    for (int i = 0; i < line->move_count; i++) {
        require(luft_is_legal(&position, line->moves[i]), &position, "a legal move in the variation");
        luft_make(&position, &position, line->moves[i]);
    }
    if (line->score.kind == LUFT_ENGINE_MATE && line->score.bound == LUFT_ENGINE_EXACT) {
        const int plies = line->score.value > 0 ? 2 * line->score.value - 1 : -2 * line->score.value;
        require(line->move_count <= plies, &position, "a mating variation is not longer than the mate");
    }
    require(line->wdl.win + line->wdl.draw + line->wdl.loss == 1000, &position, "chances add up");
    answer->lines++;
    answer->last_multipv = line->number;
    answer->most_lines = line->number > answer->most_lines ? line->number : answer->most_lines;
    answer->first_moves[line->number] = line->moves[0];
    if (line->number == 1) {
        answer->score = line->score;
        answer->depth = line->depth;
        answer->nodes = line->nodes;
        answer->time_ms = line->time_ms;
    }
}

/* Requires that the result agrees with the lines before it. */
static void note_result(void *payload, const luft_engine_result *result) {
    engine_answer *answer = payload;
    answer->best = result->best;
    answer->ponder = result->ponder;
    answer->best_calls++;
    require(result->line_count == 0 || result->lines[0]->moves[0] == result->best, &answer->root,
            "the first line begins with the best move");
    require(result->nodes >= answer->nodes && result->time_ms >= answer->time_ms, &answer->root,
            "the result counts all nodes and all time");
    for (int i = 0; i < result->line_count; i++) {
        luft_position position = answer->root;
        require(result->lines[i]->number == i + 1 && result->lines[i]->move_count >= 1, &position, "a line");
        for (int j = 0; j < result->lines[i]->move_count; j++) {
            require(luft_is_legal(&position, result->lines[i]->moves[j]), &position, "a legal move in a line");
            luft_make(&position, &position, result->lines[i]->moves[j]);
        }
    }
}

luft_engine *engine_new(void) {
    luft_engine *engine = NULL;
    assert_int_equal(luft_engine_create(&engine), LUFT_OK);
    assert_non_null(engine);
    return engine;
}

void engine_use_threads(luft_engine *engine, int threads) {
    assert_int_equal(luft_engine_set_threads(engine, threads), LUFT_OK);
    assert_int_equal(luft_engine_threads(engine), threads);
}

void engine_use_lines(luft_engine *engine, int lines) {
    assert_int_equal(luft_engine_set_lines(engine, lines), LUFT_OK);
}

void engine_go(luft_engine *engine, const luft_engine_limits *limits, const luft_engine_callbacks *callbacks) {
    assert_int_equal(luft_engine_start(engine, limits, callbacks), LUFT_OK);
}

luft_engine_callbacks answer_callbacks(engine_answer *answer) {
    return (luft_engine_callbacks){
        .size = sizeof(luft_engine_callbacks), .line = note_line, .done = note_result, .payload = answer};
}

engine_answer engine_ask(luft_engine *engine, const luft_position *start, const luft_move *moves, size_t count,
                         luft_engine_limits limits) {
    assert_int_equal(luft_engine_set_position(engine, start, moves, count, NULL), LUFT_OK);
    engine_answer answer = {.root = *luft_engine_position(engine)};
    const luft_engine_callbacks callbacks = answer_callbacks(&answer);
    engine_go(engine, &limits, &callbacks);
    luft_engine_wait(engine);
    assert_false(luft_engine_is_searching(engine));
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
