/* SPDX-License-Identifier: MIT */
/*
 * Memory that runs out when a test wants it to. The Makefile links every test so that
 * malloc, realloc and free of the library and of the test pass through here (the
 * linker's --wrap); as long as nothing is asked for they do what they always do.
 *
 * To test a function of the library, write a scenario that does all its allocations,
 * frees what it got and returns the first error, then hand it over:
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
 * Assertions within the scenario are fine: they say what must hold after a failure.
 */
#ifndef LUFT_TESTS_FAILING_MALLOC_H
#define LUFT_TESTS_FAILING_MALLOC_H

#include "luft/luft.h"

typedef luft_error (*malloc_scenario)(void *payload);

/*
 * Runs the scenario with the first allocation failing, then with the second, and so on until one
 * run needs no more of them. Each run but the last must return LUFT_ERROR_MEMORY, the last LUFT_OK, and
 * none may leave a block allocated. Returns how many allocations there are; fails the test if there are none.
 */
int assert_survives_failing_malloc(malloc_scenario scenario, void *payload);

#endif
