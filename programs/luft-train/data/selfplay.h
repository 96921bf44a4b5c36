/* SPDX-License-Identifier: MIT */
/*
 * One game of the engine against itself. Knows nothing of threads and files.
 */
#ifndef LUFT_TRAIN_DATA_SELFPLAY_H
#define LUFT_TRAIN_DATA_SELFPLAY_H

#include "games.h"
#include "openings.h"

#include "luft/engine.h"

/* Who plays a game: an engine for each colour, which may be the same one. */
typedef struct selfplay_players {
    luft_engine *engines[2];
    void (*turn)(void *payload, luft_color side); /* called before each search; NULL for none */
    void *payload;
} selfplay_players;

/*
 * Sets up the start of a game: an opening that the engine, which is cleared, judges to be balanced. Tries others until
 * one is. False if none is, or if out of memory.
 */
bool selfplay_start(luft_engine *engine, const openings *starts, uint64_t *random, game_data *game);

/*
 * Plays a game on from its start to its end, each move with these limits. With tablebases, which may be NULL, the game
 * ends where they know its result. False if out of memory.
 */
bool selfplay_continue(const selfplay_players *players, const luft_tablebase *tablebase,
                       const luft_engine_limits *limits, game_data *game);

/* Both with one engine and a soft limit, so that each score comes from a complete depth and all depends on `random`. */
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
