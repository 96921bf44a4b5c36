/* SPDX-License-Identifier: MIT */
/* The engine of a test: see tested_engine.h. */
#include "support/tested_engine.h"

luft_engine *engine;

int create_engine(void **state) {
    (void)state;
    return luft_engine_create(&engine) == LUFT_OK && luft_engine_set_hash(engine, 1) == LUFT_OK ? 0 : -1;
}

int destroy_engine(void **state) {
    (void)state;
    luft_engine_free(engine);
    engine = NULL;
    return 0;
}

luft_engine_limits to_depth(int depth) {
    luft_engine_limits limits = luft_engine_no_limits();
    limits.depth = depth;
    return limits;
}

luft_engine_limits forever(void) {
    luft_engine_limits limits = luft_engine_no_limits();
    limits.infinite = true;
    return limits;
}

void set_fen(const char *fen) {
    const luft_position position = position_from(fen);
    assert_int_equal(luft_engine_set_position(engine, &position, NULL, 0, NULL), LUFT_OK);
}

const luft_engine_result *search(luft_engine_limits limits) {
    const luft_engine_result *result = NULL;
    assert_int_equal(luft_engine_search(&result, engine, &limits, NULL), LUFT_OK);
    assert_ptr_equal(result, luft_engine_last_result(engine));
    return result;
}

static void count_line(void *payload, const luft_engine_line *line) {
    (void)line;
    atomic_fetch_add(&((call_log *)payload)->lines, 1);
}

static void count_move(void *payload, int depth, luft_move move, int number) {
    assert_true(depth >= 1 && move != LUFT_MOVE_NONE && number >= 1);
    atomic_fetch_add(&((call_log *)payload)->moves, 1);
}

static void count_end(void *payload, const luft_engine_result *result) {
    assert_non_null(result);
    atomic_fetch_add(&((call_log *)payload)->ends, 1);
}

luft_engine_callbacks counting(call_log *log) {
    return (luft_engine_callbacks){.size = sizeof(luft_engine_callbacks),
                                   .line = count_line,
                                   .current_move = count_move,
                                   .done = count_end,
                                   .payload = log};
}
