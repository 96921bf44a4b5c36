/* SPDX-License-Identifier: MIT */
/*
 * Self-play games: how they begin, that they depend on the seed alone, that kept positions
 * are quiet, and that the result matches the end of the game.
 */
#include "support/check.h"

#include "luft-train/data/selfplay.h"
#include "util/random.h"

#include <stdlib.h>
#include <string.h>

static game_data *game, *other;
static luft_engine *engine;

static int set_up(void **state) {
    (void)state;
    game = calloc(1, sizeof *game);
    other = calloc(1, sizeof *other);
    return game && other && luft_engine_create(&engine) == LUFT_OK && luft_engine_set_hash(engine, 1) == LUFT_OK ? 0
                                                                                                                 : 1;
}

static int tear_down(void **state) {
    (void)state;
    free(game);
    free(other);
    luft_engine_free(engine);
    return 0;
}

/* --- Openings ---------------------------------------------------------------- */

static void openings_are_a_start_and_random_moves(void **state) {
    (void)state;
    const openings starts = {.random_plies = 8, .chess960_percent = 30};
    uint64_t random = 1;
    int longer = 0, chess960 = 0;
    for (int i = 0; i < 300; i++) {
        if (!openings_choose(&starts, game, &random)) {
            continue;
        }
        assert_in_range(game->opening, 8, 9);
        assert_int_equal(game->plies, game->opening);
        longer += game->opening == 9;
        chess960 += game->start_number != 518;
        luft_position position;
        assert_int_equal(luft_chess960_position(&position, game->start_number), LUFT_OK);
        for (int ply = 0; ply < game->plies; ply++) {
            assert_int_equal(luft_play(&position, &position, game->ply[ply].move), LUFT_OK);
            assert_false(game->ply[ply].kept);
        }
        assert_memory_equal(&position, &game->positions[game->plies], sizeof position);
    }
    assert_in_range(longer, 100, 200);
    assert_in_range(chess960, 50, 130);
}

static void openings_come_from_the_book(void **state) {
    (void)state;
    luft_compact book[2];
    const luft_position first = position_from(KIWIPETE_FEN), second = position_after(START_FEN, "e2e4 e7e5");
    assert_int_equal(luft_compact_pack(&book[0], &first), LUFT_OK);
    assert_int_equal(luft_compact_pack(&book[1], &second), LUFT_OK);
    const openings starts = {.book = book, .book_count = 2, .book_percent = 50, .book_plies = 3, .random_plies = 8};
    uint64_t random = 1;
    int from[3] = {0};
    for (int i = 0; i < 300; i++) {
        openings_choose(&starts, game, &random);
        const bool is_first = luft_position_equal(&game->positions[0], &first);
        const bool is_second = luft_position_equal(&game->positions[0], &second);
        assert_true(is_first || is_second || game->start_number == 518);
        assert_int_equal(is_first || is_second, game->start_number == -1);
        assert_in_range(game->plies, is_first || is_second ? 3 : 8, is_first || is_second ? 4 : 9);
        from[is_first ? 0 : is_second ? 1 : 2]++;
    }
    assert_true(from[0] > 40 && from[1] > 40 && from[2] > 90);
}

/* --- Games ------------------------------------------------------------------- */

static const openings standard = {.random_plies = 8, .chess960_percent = 20};

static bool is_repeated_thrice(void) {
    int count = 0;
    for (int i = 0; i <= game->plies; i++) {
        count += luft_key(&game->positions[i]) == luft_key(&game->positions[game->plies]);
    }
    return count >= 3;
}

static void check_end(void) {
    const luft_position *last = &game->positions[game->plies];
    const luft_outcome outcome = luft_position_outcome(last);
    const int score = game->ply[game->plies].score;
    const int better = (score > 0) == (last->side_to_move == LUFT_WHITE) ? 2 : 0;
    /* The rules and claims end a game before a search; all other endings follow one and have its score. */
    assert_int_equal(game->has_last, game->ending >= GAME_BY_SCORE && game->ending <= GAME_LIFELESS);
    switch (game->ending) {
    case GAME_BY_RULES:
        assert_int_not_equal(outcome.termination, LUFT_NOT_OVER);
        assert_int_equal(game->result, outcome.winner == LUFT_NO_WINNER ? 1 : outcome.winner == LUFT_WHITE ? 2 : 0);
        break;
    case GAME_BY_CLAIM:
        assert_true(last->halfmove_clock >= 100 || is_repeated_thrice());
        assert_int_equal(game->result, 1);
        break;
    case GAME_BY_MATE:
        assert_true(abs(score) > GAME_SCORE_MAX - 1000);
        assert_int_equal(game->result, better);
        break;
    case GAME_BY_SCORE: assert_int_equal(game->result, better); break;
    default: assert_int_equal(game->result, 1); break;
    }
}

/* With tables of three pieces games end where they know the result, and it is theirs. */
static void games_end_by_tables(void **state) {
    (void)state;
    luft_tablebase *tablebase = NULL;
    char path[4096];
    int ended = 0;
    snprintf(path, sizeof path, "%s/syzygy", test_data_directory());
    assert_int_equal(luft_tablebase_open(&tablebase, path, LUFT_TABLEBASE_READ), LUFT_OK);
    openings ending = standard;
    const luft_position start = position_from("8/3p1k2/8/2P5/8/8/3K4/8 w - - 0 1");
    luft_compact compact;
    assert_int_equal(luft_compact_pack(&compact, &start), LUFT_OK);
    ending.book = &compact;
    ending.book_count = 1;
    ending.book_percent = 100;
    ending.book_plies = 0;
    for (uint64_t number = 0; number < 10; number++) {
        uint64_t random = random_mix(number);
        if (selfplay_game(engine, &ending, tablebase, 60, &random, game) && game->ending == GAME_BY_TABLES) {
            const luft_position *last = &game->positions[game->plies];
            luft_wdl wdl;
            assert_int_equal(luft_tablebase_probe_wdl(&wdl, tablebase, last), LUFT_OK);
            assert_int_equal(game_result_for(game, (luft_color)last->side_to_move), 1 + wdl / 2);
            assert_false(game->has_last);
            ended++;
        }
    }
    assert_true(ended > 0);
    luft_tablebase_free(tablebase);
}

static void games_end_as_they_say(void **state) {
    (void)state;
    int searched = 0, kept = 0;
    for (uint64_t number = 0; number < (uint64_t)test_rounds(20); number++) {
        uint64_t random = random_mix(number);
        assert_true(selfplay_game(engine, &standard, NULL, 60, &random, game));
        check_end();
        for (int i = game->opening; i < game->plies + game->has_last; i++) {
            const game_ply *ply = &game->ply[i];
            const luft_position *position = &game->positions[i];
            require(i == game->plies || luft_is_legal(position, ply->move), position, "a legal move");
            if (ply->kept) {
                require(!luft_in_check(position), position, "not in check");
                require(!luft_move_is_capture(ply->move) && !luft_move_is_promotion(ply->move), position, "quiet");
                require(abs(ply->score) < 3000, position, "a score below 3,000");
            }
        }
        searched += game->plies - game->opening;
        kept += game_kept(game);
    }
    assert_true(kept > searched / 3 && kept < searched);
}

/* The same seed gives the same game, whatever the engine searched before. */
static void games_depend_on_the_seed_alone(void **state) {
    (void)state;
    for (uint64_t number = 50; number < 53; number++) {
        uint64_t random = number, between = 999;
        assert_true(selfplay_game(engine, &standard, NULL, 60, &random, other));
        assert_true(selfplay_game(engine, &standard, NULL, 90, &between, game));
        random = number;
        assert_true(selfplay_game(engine, &standard, NULL, 60, &random, game));
        assert_int_equal(game->plies, other->plies);
        for (int i = 0; i < game->plies; i++) {
            assert_int_equal(game->ply[i].move, other->ply[i].move);
            assert_int_equal(game->ply[i].score, other->ply[i].score);
        }
    }
}

/* Detours are quiet, not far from the game, and depend on the seed alone. */
static void detours_are_quiet_positions(void **state) {
    (void)state;
    const luft_position from = position_from(KIWIPETE_FEN);
    const int rounds =
        test_is_long() ? 600 : 60; /* detours are fast, and with fewer the number kept would vary too much */
    int found = 0, lopsided = 0;
    for (uint64_t number = 0; number < (uint64_t)rounds; number++) {
        uint64_t random = random_mix(number);
        luft_engine_clear(engine);
        if (!selfplay_detour(engine, &from, 60, &random, game)) {
            continue;
        }
        const luft_position *position = &game->positions[0];
        assert_int_equal(game->ending, GAME_DETOUR);
        assert_int_equal(game->result, RESULT_UNKNOWN);
        assert_int_equal(game->plies, 0);
        assert_int_equal(game_kept(game), 1);
        require(!luft_position_equal(position, &from), position, "another position");
        require(!luft_in_check(position), position, "not in check");
        assert_true(abs(game->ply[0].score) < 3000);
        lopsided += abs(game->ply[0].score) > 200;
        found++;
        random = random_mix(number);
        luft_engine_clear(engine);
        assert_true(selfplay_detour(engine, &from, 60, &random, other));
        assert_true(luft_position_equal(position, &other->positions[0]));
        assert_int_equal(game->ply[0].score, other->ply[0].score);
    }
    assert_true(found > rounds / 3 && lopsided > 0);
}

/* Without a legal move, or with a game that ends after it, there is nothing to keep. */
static void detours_end_where_the_game_does(void **state) {
    (void)state;
    uint64_t random = 1;
    const luft_position mate = position_from("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    const luft_position bare = position_from("8/8/8/8/8/8/5k2/7K w - - 0 1");
    assert_false(selfplay_detour(engine, &mate, 60, &random, game));
    assert_false(selfplay_detour(engine, &bare, 60, &random, game));
}

static void a_start_that_is_never_fair_is_an_error(void **state) {
    (void)state;
    luft_compact book;
    const luft_position lost = position_from("4k3/8/8/8/8/8/QQQ5/4K3 w - - 0 1");
    assert_int_equal(luft_compact_pack(&book, &lost), LUFT_OK);
    const openings starts = {.book = &book, .book_count = 1, .book_percent = 100};
    uint64_t random = 1;
    assert_false(selfplay_game(engine, &starts, NULL, 60, &random, game));
}

static void the_signature_is_always_the_same(void **state) {
    (void)state;
    const uint64_t signature = selfplay_signature();
    assert_true(signature != 0);
    assert_true(selfplay_signature() == signature);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openings_are_a_start_and_random_moves),
        cmocka_unit_test(openings_come_from_the_book),
        cmocka_unit_test(games_end_by_tables),
        cmocka_unit_test(games_end_as_they_say),
        cmocka_unit_test(games_depend_on_the_seed_alone),
        cmocka_unit_test(detours_are_quiet_positions),
        cmocka_unit_test(detours_end_where_the_game_does),
        cmocka_unit_test(a_start_that_is_never_fair_is_an_error),
        cmocka_unit_test(the_signature_is_always_the_same),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
