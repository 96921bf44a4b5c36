/* SPDX-License-Identifier: MIT */
/*
 * Asking an engine for a move, as a client does, with checks of all that it answers: every move of every line
 * is legal, there is one best move, and a move to ponder on can be played after it.
 */
#ifndef LUFT_TESTS_ASKING_H
#define LUFT_TESTS_ASKING_H

#include "engine/engine.h"

typedef struct engine_answer {
    luft_position root; /* to be set before the search, which engine_ask does */
    luft_move best;
    luft_move ponder;
    int best_calls;
    int lines;
    int last_multipv;
    int most_lines;
    int score; /* of the last first line, as the three below */
    int depth;
    int64_t nodes;
    int64_t time_ms;
    luft_move first_moves[ENGINE_MULTIPV_MAX + 1]; /* of the last report of each line */
} engine_answer;

/* Callbacks that fill the answer. */
engine_callbacks answer_callbacks(engine_answer *answer);

/* The answer in the position after the moves. The engine keeps what it has learned before. */
engine_answer engine_ask(luft_engine *engine, const luft_position *start, const luft_move *moves, size_t count,
                         search_limits limits);

#endif
