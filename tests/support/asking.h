/* SPDX-License-Identifier: MIT */
/*
 * Asks an engine for a move, as a client does, and checks all its answers: every move of
 * every variation is legal, there is one best move, and the ponder move is legal after it.
 */
#ifndef LUFT_TESTS_ASKING_H
#define LUFT_TESTS_ASKING_H

#include "luft/engine.h"

typedef struct engine_answer {
    luft_position root; /* set before the search; engine_ask does it */
    luft_move best;
    luft_move ponder;
    int best_calls;
    int lines;
    int last_multipv;
    int most_lines;
    luft_engine_score score; /* of the last report of the first variation, as the three below */
    int depth;
    int64_t nodes;
    int64_t time_ms;
    luft_move first_moves[LUFT_ENGINE_MAX_LINES + 1]; /* from the last report of each variation */
} engine_answer;

/* Creates an engine; fails the test if out of memory. */
luft_engine *engine_new(void);

/* luft_engine_set_threads, luft_engine_set_lines and luft_engine_start, which must succeed. */
void engine_use_threads(luft_engine *engine, int threads);
void engine_use_lines(luft_engine *engine, int lines);
void engine_go(luft_engine *engine, const luft_engine_limits *limits, const luft_engine_callbacks *callbacks);

/* Callbacks that fill the answer. */
luft_engine_callbacks answer_callbacks(engine_answer *answer);

/* The answer in the position after the moves. The engine keeps its state from earlier searches. */
engine_answer engine_ask(luft_engine *engine, const luft_position *start, const luft_move *moves, size_t count,
                         luft_engine_limits limits);

#endif
