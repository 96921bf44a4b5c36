/* SPDX-License-Identifier: MIT */
#include "support/played_games.h"

#include "support/check.h"

#include <string.h>

luft_game *game_from(const char *fen) {
    const luft_position start = position_from(fen);
    luft_game *game = NULL;
    assert_int_equal(luft_game_create(&game, &start), LUFT_OK);
    return game;
}

void play_moves(luft_game *game, const char *uci_moves) {
    while (*uci_moves != '\0') {
        char text[LUFT_UCI_MOVE_SIZE] = "";
        const size_t length = strcspn(uci_moves, " ");
        assert_true(length < sizeof text);
        memcpy(text, uci_moves, length);
        assert_int_equal(luft_game_play(game, move_from(luft_game_position(game), text)), LUFT_OK);
        uci_moves += length + (uci_moves[length] == ' ');
    }
}

luft_game *game_after(const char *fen, const char *uci_moves) {
    luft_game *game = game_from(fen);
    play_moves(game, uci_moves);
    return game;
}

void assert_outcome(const luft_game *game, luft_termination termination, int winner) {
    const luft_outcome outcome = luft_game_outcome(game);
    require(outcome.termination == termination, luft_game_position(game), luft_termination_string(outcome.termination));
    assert_int_equal(outcome.winner, winner);
}

luft_move random_move(random_source *source, const luft_position *position) {
    luft_move_list list;
    return luft_generate(&list, position, LUFT_ALL_MOVES) > 0 ? list.moves[random_below(source, list.count)]
                                                              : LUFT_MOVE_NONE;
}

static const char *const random_starts[] = {
    START_FEN,
    KIWIPETE_FEN,
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "k7/8/8/8/8/8/8/K6R w - - 0 1",
    "7k/p1p1p1p1/8/8/8/8/P1P1P1P1/7K w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 40 60",
    "1r1k2r1/8/8/8/8/8/8/1R1K2R1 b GBgb - 0 1",
    "8/8/8/8/8/1k6/7p/K7 b - - 99 140",
    "kb6/p7/P7/8/8/7p/7P/6BK w - - 0 1",
};

luft_game *random_start(int round) {
    return game_from(random_starts[(size_t)round % (sizeof random_starts / sizeof random_starts[0])]);
}
