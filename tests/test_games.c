/* SPDX-License-Identifier: MIT */
/*
 * Encoded training games: random games round-trip, the bytes are those of docs/network.md,
 * bytes that are not a game are refused, and cut or changed shards are detected.
 */
#define _POSIX_C_SOURCE 200809L

#include "support/check.h"
#include "support/random_positions.h"

#include "luft-train/data/games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint8_t *bytes_of(const buffer *coded) {
    return (uint8_t *)coded->data;
}

static game_data *game, *back;

static int set_up(void **state) {
    (void)state;
    game = calloc(1, sizeof *game);
    back = calloc(1, sizeof *back);
    return game && back ? 0 : 1;
}

static int tear_down(void **state) {
    (void)state;
    free(game);
    free(back);
    return 0;
}

static void start_game(const luft_position *start, int number) {
    memset(game, 0, sizeof *game);
    game->start_number = number;
    game->positions[0] = *start;
}

static void add_move(luft_move move, int score, bool kept) {
    game->ply[game->plies] = (game_ply){.move = move, .score = (int16_t)score, .kept = kept};
    luft_make(&game->positions[game->plies + 1], &game->positions[game->plies], move);
    game->plies++;
}

/* A game of random moves and scores, some far from the one before. */
static void random_play(random_source *random, int plies) {
    static const int spans[] = {1, 20, 300, 2000, 2 * GAME_SCORE_MAX};
    int score = 0;
    game->opening = random_below(random, 12);
    game->result = random_below(random, 3);
    game->ending = (game_ending)random_below(random, GAME_DETOUR);
    while (game->plies < plies) {
        luft_move_list list;
        if (luft_generate(&list, &game->positions[game->plies], LUFT_ALL_MOVES) == 0) {
            break;
        }
        const int span = spans[random_below(random, 5)];
        score = -score + random_below(random, 2 * span + 1) - span;
        score = score > GAME_SCORE_MAX ? GAME_SCORE_MAX : score < -GAME_SCORE_MAX ? -GAME_SCORE_MAX : score;
        const bool opening = game->plies < game->opening;
        score = opening ? 0 : score;
        add_move(list.moves[random_below(random, list.count)], score, !opening && random_below(random, 2));
    }
    game->opening = game->opening > game->plies ? game->plies : game->opening;
    game->has_last = random_below(random, 2);
    game->ply[game->plies] = (game_ply){.score = (int16_t)(game->has_last ? -77 : 0), .kept = game->has_last};
}

static void assert_same(const game_data *a, const game_data *b) {
    assert_int_equal(a->start_number, b->start_number);
    assert_int_equal(a->opening, b->opening);
    assert_int_equal(a->plies, b->plies);
    assert_int_equal(a->has_last, b->has_last);
    assert_int_equal(a->result, b->result);
    assert_int_equal(a->ending, b->ending);
    for (int i = 0; i <= a->plies; i++) {
        assert_memory_equal(&a->positions[i], &b->positions[i], sizeof a->positions[i]);
        assert_int_equal(a->ply[i].move, b->ply[i].move);
        assert_int_equal(a->ply[i].score, b->ply[i].score);
        assert_int_equal(a->ply[i].kept, b->ply[i].kept);
    }
}

static void games_survive(void **state) {
    (void)state;
    random_source random = {5};
    buffer coded = {0};
    for (int round = 0; round < test_rounds(400); round++) {
        luft_position start;
        const int number = round % 3 == 0 ? -1 : random_below(&random, 960);
        if (number < 0) {
            start = fantastic_position((uint64_t)round);
        } else {
            assert_int_equal(luft_chess960_position(&start, number), LUFT_OK);
        }
        start_game(&start, number);
        random_play(&random, random_below(&random, 150));
        coded.length = 0;
        assert_true(game_encode(&coded, game));
        const uint8_t *cursor = bytes_of(&coded);
        assert_true(game_decode(back, &cursor, bytes_of(&coded) + coded.length));
        assert_ptr_equal(cursor, bytes_of(&coded) + coded.length);
        assert_same(game, back);
        assert_int_equal(game_kept(game), game_kept(back));
        for (size_t length = 0; length < coded.length; length++) { /* every prefix is refused */
            cursor = bytes_of(&coded);
            assert_false(game_decode(back, &cursor, bytes_of(&coded) + length));
        }
    }
    buffer_free(&coded);
}

/*
 * By hand: moves are sorted by from square + 64 * to square + 4096 * kind. a2a3 goes to a3, the lowest target of
 * the quiet moves, and a2 is a lower number than the knight's b1: it is move 0. e7e5 is a double push, the fifth
 * of eight after the twelve quiet moves of Black. Then a3a4 goes to a4, again the lowest target: it is move 0.
 */
static void the_bytes_are_as_documented(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    start_game(&start, 518);
    add_move(move_from(&game->positions[0], "a2a3"), 0, false);
    add_move(move_from(&game->positions[1], "e7e5"), 25, true);   /* difference to 0: 25 */
    add_move(move_from(&game->positions[2], "a3a4"), -60, false); /* difference to -25: -35 */
    game->opening = 1;
    game->has_last = true;
    game->ply[3] = (game_ply){.score = 60, .kept = true}; /* as expected */
    game->result = 2;
    game->ending = GAME_BY_MATE;
    buffer coded = {0};
    assert_true(game_encode(&coded, game));
    assert_int_equal(bytes_of(&coded)[0], 2 | 3 << 2 | 1 << 5);
    assert_int_equal(bytes_of(&coded)[1] | bytes_of(&coded)[2] << 8, 518);
    assert_int_equal(bytes_of(&coded)[3], 1); /* random moves */
    assert_int_equal(bytes_of(&coded)[4], 2); /* searched ones */
    assert_int_equal(bytes_of(&coded)[5], 0); /* a2a3 */
    assert_int_equal(bytes_of(&coded)[6], 12 + 4);
    assert_int_equal(bytes_of(&coded)[7], (25 * 2) * 2 + 1);
    assert_int_equal(bytes_of(&coded)[8], 0); /* a3a4 */
    assert_int_equal(bytes_of(&coded)[9], ((35 * 2 - 1) * 2 & 127) | 128);
    assert_int_equal(bytes_of(&coded)[10], (35 * 2 - 1) * 2 >> 7);
    assert_int_equal(bytes_of(&coded)[11], 1);
    assert_int_equal(coded.length, 12);
    buffer_free(&coded);
}

/* A position with a score only: a game without moves. */
static void a_game_may_have_no_moves(void **state) {
    (void)state;
    const luft_position start = position_from(KIWIPETE_FEN);
    start_game(&start, -1);
    game->has_last = true;
    game->ply[0] = (game_ply){.score = -31999, .kept = true};
    game->ending = GAME_DETOUR;
    game->result = RESULT_UNKNOWN;
    buffer coded = {0};
    assert_true(game_encode(&coded, game));
    const uint8_t *cursor = bytes_of(&coded);
    assert_true(game_decode(back, &cursor, bytes_of(&coded) + coded.length));
    assert_same(game, back);
    assert_int_equal(game_kept(back), 1);
    assert_int_equal(game_result_for(back, LUFT_WHITE), RESULT_UNKNOWN);
    assert_int_equal(game_result_for(back, LUFT_BLACK), RESULT_UNKNOWN);
    /* A detour never has a result, and every other game has one. */
    static const uint8_t wrong[] = {2 | GAME_DETOUR << 2, RESULT_UNKNOWN | GAME_BY_MATE << 2};
    for (size_t i = 0; i < sizeof wrong; i++) {
        bytes_of(&coded)[0] = (uint8_t)((bytes_of(&coded)[0] & ~31) | wrong[i]);
        cursor = bytes_of(&coded);
        assert_false(game_decode(back, &cursor, bytes_of(&coded) + coded.length));
    }
    buffer_free(&coded);
}

/* Every move of a position with 241 moves, more than a signed byte can number. */
static void every_move_has_a_number(void **state) {
    (void)state;
    const luft_position start = position_from("knQ4Q/pp2Q3/1Q4Q1/3Q4/Q4Q1Q/Q1Q4Q/4Q3/KQ4Q1 w - - 0 1");
    luft_move_list list;
    assert_int_equal(luft_generate(&list, &start, LUFT_ALL_MOVES), 241);
    buffer coded = {0};
    for (int i = 0; i < list.count; i++) {
        start_game(&start, -1);
        add_move(list.moves[i], 5, false);
        coded.length = 0;
        assert_true(game_encode(&coded, game));
        const uint8_t *cursor = bytes_of(&coded);
        assert_true(game_decode(back, &cursor, bytes_of(&coded) + coded.length));
        assert_same(game, back);
    }
    buffer_free(&coded);
}

/* Decoding never reads beyond the bytes, and an accepted game has legal moves only. */
static void changed_bytes_are_refused_or_a_game(void **state) {
    (void)state;
    random_source random = {9};
    const luft_position start = luft_start_position();
    start_game(&start, 518);
    random_play(&random, 60);
    buffer coded = {0};
    assert_true(game_encode(&coded, game));
    for (int round = 0; round < test_rounds(4000); round++) {
        uint8_t *bytes = malloc(coded.length); /* so that a sanitizer detects reads beyond the end */
        memcpy(bytes, bytes_of(&coded), coded.length);
        bytes[random_below(&random, (int)coded.length)] ^= (uint8_t)(1 + random_below(&random, 255));
        const uint8_t *cursor = bytes;
        if (game_decode(back, &cursor, bytes + coded.length)) {
            for (int i = 0; i <= back->plies; i++) {
                assert_int_equal(luft_position_status(&back->positions[i]), LUFT_STATUS_VALID);
                assert_in_range(back->ply[i].score + GAME_SCORE_MAX, 0, 2 * GAME_SCORE_MAX);
            }
        }
        free(bytes);
    }
    buffer_free(&coded);
}

static void damaged_shards_are_detected(void **state) {
    (void)state;
    char path[] = "/tmp/luft-games-XXXXXX";
    const char *reason;
    buffer coded = {0};
    random_source random = {3};
    file_header header = file_header_of(FILE_KIND_GAMES);
    const luft_position start = luft_start_position();
    for (; header.count < 5; header.count++) {
        start_game(&start, 518);
        random_play(&random, 40);
        assert_true(game_encode(&coded, game));
    }
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    assert_true(game_file_write(path, &header, &coded));
    game_file file;
    assert_true(game_file_open(&file, path, &reason));
    for (int i = 0; i < 5; i++) {
        assert_int_equal(game_file_next(&file, back), GAME_READ);
    }
    assert_same(game, back);
    assert_int_equal(game_file_next(&file, back), GAME_NO_MORE);
    const size_t length = (size_t)(file.end - file.bytes);
    uint8_t *bytes = malloc(length);
    memcpy(bytes, file.bytes, length);
    game_file_close(&file);

    for (size_t i = 0; i < length; i++) { /* one byte changed, or the file cut there */
        for (int cut = 0; cut < 2; cut++) {
            FILE *stream = fopen(path, "wb");
            bytes[i] ^= 16;
            fwrite(bytes, 1, cut ? i : length, stream);
            bytes[i] ^= 16;
            fclose(stream);
            assert_false(game_file_open(&file, path, &reason));
            assert_non_null(reason);
        }
    }
    /* A header with too high a count of games, and a matching checksum. */
    header.count++;
    assert_true(game_file_write(path, &header, &coded));
    assert_true(game_file_open(&file, path, &reason));
    for (int i = 0; i < 5; i++) {
        assert_int_equal(game_file_next(&file, back), GAME_READ);
    }
    assert_int_equal(game_file_next(&file, back), GAME_DAMAGED);
    game_file_close(&file);
    unlink(path);
    assert_false(game_file_open(&file, path, &reason));
    free(bytes);
    buffer_free(&coded);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_survive),
        cmocka_unit_test(the_bytes_are_as_documented),
        cmocka_unit_test(a_game_may_have_no_moves),
        cmocka_unit_test(every_move_has_a_number),
        cmocka_unit_test(changed_bytes_are_refused_or_a_game),
        cmocka_unit_test(damaged_shards_are_detected),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
