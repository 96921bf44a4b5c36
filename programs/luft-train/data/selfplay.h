/* SPDX-License-Identifier: MIT */
/*
 * One game of the engine with itself. It knows nothing of threads and files.
 */
#ifndef LUFT_TRAIN_DATA_SELFPLAY_H
#define LUFT_TRAIN_DATA_SELFPLAY_H

#include "games.h"
#include "openings.h"

#include "engine/engine.h"

/*
 * Plays a game whose every choice comes from `random`; the engine is cleared before it, so that the game depends on
 * nothing else. Openings that are lopsided, or over, are thrown away until one is fair. False if
 * none is, or if there is no memory.
 */
bool selfplay_game(luft_engine *engine, const openings *starts, int64_t nodes, uint64_t *random, game_data *game);

/*
 * A position beside a game, as a search meets them by the thousand and games never do: one or two random moves from
 * `from`, then the best ones by searches of so many nodes until it is quiet, with the score of the last
 * search. It is made a game without moves. False if it comes to none.
 */
bool selfplay_detour(luft_engine *engine, const luft_position *from, int64_t nodes, uint64_t *random,
                     game_data *detour);

/*
 * A number that tells engines apart: it comes from what they find in a few positions, so it changes with the
 * search, the evaluation and the network, and with nothing else. 0 if there is no memory.
 */
uint64_t selfplay_signature(void);

#endif
