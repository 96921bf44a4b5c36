/* SPDX-License-Identifier: MIT */
/*
 * A match of two ratings, each an engine of its own: level_match ELO ELO [GAMES [SEED]]
 * The colours change after each game. One seed gives the same games on every machine.
 */
#include <stdio.h>
#include <stdlib.h>

#include "luft/engine.h"
#include "luft/luft.h"

enum { MAX_PLIES = 300 };

/* The move of an engine in the current position of a game; LUFT_MOVE_NONE on an error. */
static luft_move choose(luft_engine *engine, const luft_game *game, const luft_move *moves) {
    const luft_engine_result *result;
    luft_engine_limits limits = luft_engine_no_limits();
    limits.nodes = 20000; /* weaker players look at fewer */
    if (luft_engine_set_position(engine, luft_game_position_at(game, 0), moves, luft_game_ply(game), NULL) != LUFT_OK ||
        luft_engine_search(&result, engine, &limits, NULL) != LUFT_OK) {
        return LUFT_MOVE_NONE;
    }
    return result->best;
}

/* The points of White in halves: 2, 1 or 0; -1 on an error. Games that do not end are drawn. */
static int play(luft_engine *white, luft_engine *black) {
    luft_game *game;
    luft_move moves[MAX_PLIES];
    if (luft_game_create(&game, NULL) != LUFT_OK) {
        return -1;
    }
    int points = 1;
    for (int ply = 0; ply < MAX_PLIES && luft_game_outcome(game).termination == LUFT_NOT_OVER; ply++) {
        moves[ply] = choose(ply % 2 == 0 ? white : black, game, moves);
        if (luft_game_play(game, moves[ply]) != LUFT_OK) {
            points = -1;
            break;
        }
    }
    const luft_outcome outcome = luft_game_outcome(game);
    if (points >= 0 && outcome.termination != LUFT_NOT_OVER && outcome.winner != LUFT_NO_WINNER) {
        points = outcome.winner == LUFT_WHITE ? 2 : 0;
    }
    luft_game_free(game);
    return points;
}

int main(int argc, char **argv) {
    luft_engine *players[2] = {NULL, NULL};
    const int games = argc > 3 ? atoi(argv[3]) : 4;
    int halves = 0;
    if (argc < 3) {
        printf("usage: level_match ELO ELO [GAMES [SEED]]\n");
        return 1;
    }
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        good =
            luft_engine_create(&players[i]) == LUFT_OK && luft_engine_set_elo(players[i], atoi(argv[1 + i])) == LUFT_OK;
    }
    for (int game = 0; game < games && good; game++) {
        for (int i = 0; i < 2; i++) {
            luft_engine_set_seed(players[i], (argc > 4 ? strtoull(argv[4], NULL, 10) : 1) + (unsigned)game);
            luft_engine_clear(players[i]);
        }
        const int points = play(players[game % 2], players[1 - game % 2]);
        good = points >= 0;
        halves += game % 2 == 0 ? points : 2 - points;
    }
    if (good) {
        printf("%s - %s: %.1f - %.1f\n", argv[1], argv[2], halves / 2.0, games - halves / 2.0);
    }
    luft_engine_free(players[0]);
    luft_engine_free(players[1]);
    return good ? 0 : 1;
}
