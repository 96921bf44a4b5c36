/* SPDX-License-Identifier: MIT */
/*
 * Makes memory allocation fail on request. The Makefile links every test so that malloc,
 * realloc and free of the library and of the test pass through here (the linker's --wrap).
 * Without a request they behave as usual.
 *
 * To test a function of the library, write a scenario that makes all its allocations,
 * frees them and returns the first error, and pass it on:
 *
 *     static luft_error scenario(void *payload) {
 *         luft_game *game = NULL;
 *         const luft_error error = luft_game_create(&game, NULL);
 *         luft_game_free(game);
 *         return error;
 *     }
 *     …
 *     assert_survives_failing_malloc(scenario, NULL);
 *
 * Assertions inside the scenario say what must hold after a failure.
 */
#ifndef LUFT_TESTS_FAILING_MALLOC_H
#define LUFT_TESTS_FAILING_MALLOC_H

#include "luft/luft.h"

typedef luft_error (*malloc_scenario)(void *payload);

/*
 * Runs the scenario with the first allocation failing, then the second, and so on until a run needs no more
 * allocations. Each run except the last must return LUFT_ERROR_MEMORY, the last LUFT_OK, and none may leak a
 * block. Returns the number of allocations; fails the test if there are none.
 */
int assert_survives_failing_malloc(malloc_scenario scenario, void *payload);

#endif
