/* SPDX-License-Identifier: MIT */
/*
 * Plays a random game to its end, `random_game [SEED]`, and prints its moves as PGN with
 * the reason why it ended. Shows a luft_game: it keeps the moves, counts repetitions, and
 * detects every way in which a game can end.
 */
#include <stdio.h>
#include <stdlib.h>

#include "luft/luft.h"

/* xorshift: random enough to choose moves, and the same on every machine. */
static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void print_move(const luft_position *position, luft_move move) {
    char text[LUFT_SAN_SIZE];
    luft_move_to_san(text, sizeof text, position, move);
    if (position->side_to_move == LUFT_WHITE) {
        printf("%d. ", position->fullmove_number);
    }
    printf("%s%c", text, position->side_to_move == LUFT_WHITE ? ' ' : '\n');
}

static const char *result_of(luft_outcome outcome) {
    if (outcome.winner == LUFT_NO_WINNER) {
        return "1/2-1/2";
    }
    return outcome.winner == LUFT_WHITE ? "1-0" : "0-1";
}

int main(int argc, char **argv) {
    uint64_t random = 0x9e3779b97f4a7c15 ^ (argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
    luft_game *game;
    if (luft_game_create(&game, NULL) != LUFT_OK) { /* NULL: the standard start position */
        printf("out of memory\n");
        return 1;
    }

    luft_outcome outcome;
    while ((outcome = luft_game_outcome(game)).termination == LUFT_NOT_OVER) {
        const luft_position *position = luft_game_position(game); /* valid until the next move is played */
        luft_move_list list;
        const int count = luft_generate(&list, position, LUFT_ALL_MOVES);
        const luft_move move = list.moves[next_random(&random) % (uint64_t)count];
        print_move(position, move);
        if (luft_game_play(game, move) != LUFT_OK) {
            printf("out of memory\n");
            luft_game_free(game);
            return 1;
        }
    }
    printf("{%s after %zu moves of one side} %s\n", luft_termination_string(outcome.termination), luft_game_ply(game),
           result_of(outcome));
    luft_game_free(game);
    return 0;
}
