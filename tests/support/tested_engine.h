/* SPDX-License-Identifier: MIT */
/*
 * The engine of a test: made before it and freed after it, searched, and watched by callbacks that count.
 */
#ifndef LUFT_TESTS_TESTED_ENGINE_H
#define LUFT_TESTS_TESTED_ENGINE_H

#include "support/check.h"

#include "luft/engine.h"

#include <stdatomic.h>

/* The engine between create_engine and destroy_engine, the setup and the teardown of a test. */
extern luft_engine *engine;

int create_engine(void **state);
int destroy_engine(void **state);

luft_engine_limits to_depth(int depth);
luft_engine_limits forever(void);

void set_fen(const char *fen);

/* Searches and requires that it succeeds. */
const luft_engine_result *search(luft_engine_limits limits);

/* What callbacks were called. */
typedef struct call_log {
    atomic_int lines, moves, ends;
} call_log;

/* Callbacks that count. */
luft_engine_callbacks counting(call_log *log);

#endif
