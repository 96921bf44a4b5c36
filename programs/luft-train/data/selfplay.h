/* SPDX-License-Identifier: MIT */
/*
 * One game of the engine against itself. Knows nothing of threads and files.
 */
#ifndef LUFT_TRAIN_DATA_SELFPLAY_H
#define LUFT_TRAIN_DATA_SELFPLAY_H

#include "games.h"
#include "openings.h"

#include "luft/engine.h"

/*
 * Plays a game whose every choice comes from `random`; clears the engine first, so that the game depends on nothing
 * else. With tablebases, which may be NULL, the game ends where they know its result. Discards openings that are unbalanced or over until one is balanced. False if none is, or if out of memory.
 */
bool selfplay_game(luft_engine *engine, const openings *starts, const luft_tablebase *tablebase, int64_t nodes,
                   uint64_t *random, game_data *game);

/*
 * A detour: a position beside a game, of the kind that searches visit and games do not. Plays one or two random moves
 * from `from`, then the best ones by searches of so many nodes until the position is quiet, and keeps the score of the
 * last search. It becomes a game without moves. False if no quiet position is reached.
 */
bool selfplay_detour(luft_engine *engine, const luft_position *from, int64_t nodes, uint64_t *random,
                     game_data *detour);

/*
 * The signature of the engine: computed from what it finds in a few positions, so it changes with the search, the
 * evaluation and the network only. 0 if out of memory.
 */
uint64_t selfplay_signature(void);

#endif
