/* SPDX-License-Identifier: MIT */
/*
 * The games of a PGN in flat arrays. The games of a small file, written down here by hand,
 * arrive complete in arrays of every size. Games that do not fit are cut and marked. A
 * source that fails does not lose the games before.
 */
#include "support/check.h"
#include "support/failing_malloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Five games: a plain one; one with everything allowed between moves; one from a FEN; one with an illegal move;
 * one without moves.
 */
static const char FILE_TEXT[] = "[Event \"One\"]\n"
                                "[White \"A \\\"quoted\\\" name\"]\n"
                                "\n"
                                "1. e4 e5 2. Nf3 1-0\n"
                                "\n"
                                "[Event \"Two\"]\n"
                                "\n"
                                "1. d4 {a comment} (1. c4 c5 (1... e5 2. Zz9) "
                                "2. Nf3) 1... d5 $1 2. -- Nf6 1/2-1/2\n"
                                "\n"
                                "[Event \"Three\"]\n"
                                "[SetUp \"1\"]\n"
                                "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n"
                                "\n"
                                "1. a8=Q+ *\n"
                                "\n"
                                "[Event \"Four\"]\n"
                                "\n"
                                "1. e4 e5\n"
                                "2. Ke3 Ke7 0-1\n"
                                "\n"
                                "[Event \"Five\"]\n"
                                "\n"
                                "0-1\n";

typedef struct expected_game {
    const char *fen;
    const char *tags[6]; /* names and values */
    const char *moves;   /* in UCI */
    size_t tag_count, move_count, line;
    luft_result result;
    luft_error error;
    size_t error_line, error_column;
    const char *token;
} expected_game;

static const expected_game EXPECTED[] = {
    {START_FEN,
     {"Event", "One", "White", "A \"quoted\" name"},
     "e2e4 e7e5 g1f3",
     2,
     3,
     1,
     LUFT_RESULT_WHITE,
     0,
     0,
     0,
     ""},
    {START_FEN, {"Event", "Two"}, "d2d4 d7d5 0000 g8f6", 1, 4, 6, LUFT_RESULT_DRAW, 0, 0, 0, ""},
    {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
     {"Event", "Three", "SetUp", "1", "FEN", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"},
     "a7a8q",
     3,
     1,
     10,
     LUFT_RESULT_UNKNOWN,
     0,
     0,
     0,
     ""},
    {START_FEN, {"Event", "Four"}, "e2e4 e7e5", 1, 2, 16, LUFT_RESULT_NONE, LUFT_ERROR_MOVE_ILLEGAL, 19, 4, "Ke3"},
    {START_FEN, {"Event", "Five"}, "", 1, 0, 21, LUFT_RESULT_BLACK, 0, 0, 0, ""},
};

#define GAMES (sizeof EXPECTED / sizeof EXPECTED[0])

/* --- Arrays of exactly their size ------------------------------------------ */

static luft_batch_games arrays_of(size_t games, size_t moves, size_t text) {
    luft_batch_games arrays = {.game_capacity = games, .move_capacity = moves, .text_capacity = text};
    arrays.games = malloc(games * sizeof arrays.games[0]);
    arrays.moves = malloc(moves * sizeof arrays.moves[0]);
    arrays.text = malloc(text);
    assert_true(arrays.games && arrays.moves && arrays.text);
    return arrays;
}

static void free_arrays(luft_batch_games *arrays) {
    free(arrays->games);
    free(arrays->moves);
    free(arrays->text);
}

typedef struct readers {
    luft_pgn_reader *reader;
    luft_batch_reader *batch;
} readers;

static readers readers_of(const char *text, size_t length) {
    readers both = {NULL, NULL};
    assert_int_equal(luft_pgn_reader_create_text(&both.reader, text, length), LUFT_OK);
    assert_int_equal(luft_batch_reader_create(&both.batch, both.reader), LUFT_OK);
    return both;
}

static void free_readers(readers both) {
    luft_batch_reader_free(both.batch);
    luft_pgn_reader_free(both.reader);
}

/* --- Comparing ------------------------------------------------------------- */

/* Returns string `number` of a game; fails if the strings exceed the text. */
static const char *string_at(const luft_batch_games *arrays, const luft_batch_game *game, size_t number) {
    const char *text = arrays->text + game->first_text, *end = text + game->text_length;
    for (; number > 0; number--) {
        assert_true(text < end);
        text += strlen(text) + 1;
    }
    assert_true(text < end);
    return text;
}

static void assert_moves(const luft_batch_games *arrays, const luft_batch_game *game, const char *expected) {
    char text[256] = "";
    for (size_t i = 0; i < game->move_count; i++) {
        char move[LUFT_UCI_MOVE_SIZE];
        luft_move_to_uci(move, sizeof move, arrays->moves[game->first_move + i], LUFT_CASTLING_STANDARD);
        strcat(text, i > 0 ? " " : "");
        strcat(text, move);
    }
    assert_string_equal(text, expected);
}

static void assert_game(const luft_batch_games *arrays, const luft_batch_game *game, size_t number) {
    const expected_game *expected = &EXPECTED[number];
    assert_int_equal(game->number, number + 1);
    assert_int_equal(game->line, expected->line);
    assert_fen(&game->start, expected->fen);
    assert_int_equal(game->tag_count, expected->tag_count);
    assert_int_equal(game->move_count, expected->move_count);
    assert_moves(arrays, game, expected->moves);
    size_t length = 0;
    for (size_t i = 0; i < 2 * expected->tag_count; i++) {
        assert_string_equal(string_at(arrays, game, i), expected->tags[i]);
        length += strlen(expected->tags[i]) + 1;
    }
    assert_int_equal(game->error, expected->error);
    assert_int_equal(game->error_line, expected->error_line);
    assert_int_equal(game->error_column, expected->error_column);
    if (expected->error == LUFT_OK) {
        assert_int_equal(game->result, expected->result);
        assert_int_equal(game->text_length, length);
    } else {
        assert_true(strlen(string_at(arrays, game, 2 * expected->tag_count)) > 0);
        assert_string_equal(string_at(arrays, game, 2 * expected->tag_count + 1), expected->token);
    }
}

/* --- What arrives ---------------------------------------------------------- */

/* In arrays of any size that hold the longest game: all games, in order, at least one per batch. */
static void games_arrive_complete_in_arrays_of_every_size(void **state) {
    (void)state;
    for (size_t games = 1; games <= GAMES + 1; games++) {
        for (size_t moves = 4; moves <= 11; moves++) {
            for (size_t text = 256 + 64; text < 256 + 64 + 400; text += 23) {
                luft_batch_games arrays = arrays_of(games, moves, text);
                readers both = readers_of(FILE_TEXT, strlen(FILE_TEXT));
                size_t number = 0;
                luft_error error;
                while ((error = luft_batch_read(&arrays, both.batch)) == LUFT_OK) {
                    assert_in_range(arrays.game_count, 1, games);
                    size_t move_count = 0, text_count = 0;
                    for (size_t i = 0; i < arrays.game_count; i++) {
                        assert_true(number < GAMES);
                        assert_game(&arrays, &arrays.games[i], number++);
                        move_count += arrays.games[i].move_count;
                        text_count += arrays.games[i].text_length;
                    }
                    assert_int_equal(arrays.move_count, move_count);
                    assert_int_equal(arrays.text_count, text_count);
                    assert_true(move_count <= moves && text_count <= text);
                }
                assert_int_equal(error, LUFT_ERROR_END);
                assert_int_equal(number, GAMES);
                assert_int_equal(luft_batch_read(&arrays, both.batch), LUFT_ERROR_END);
                free_readers(both);
                free_arrays(&arrays);
            }
        }
    }
}

static void one_batch_is_as_full_as_it_can_be(void **state) {
    (void)state;
    luft_batch_games arrays = arrays_of(10, 7, 2000); /* games of 3, 4, 1, 2 and 0 moves */
    readers both = readers_of(FILE_TEXT, strlen(FILE_TEXT));
    assert_int_equal(luft_batch_read(&arrays, both.batch), LUFT_OK);
    assert_int_equal(arrays.game_count, 2);
    assert_int_equal(luft_batch_read(&arrays, both.batch), LUFT_OK);
    assert_int_equal(arrays.game_count, 3);
    free_readers(both);
    free_arrays(&arrays);
}

/* --- What does not fit ----------------------------------------------------- */

static void a_game_with_too_many_moves_is_cut(void **state) {
    (void)state;
    luft_batch_games arrays = arrays_of(10, 3, 2000);
    readers both = readers_of(FILE_TEXT, strlen(FILE_TEXT));
    assert_int_equal(luft_batch_read(&arrays, both.batch), LUFT_OK);
    assert_int_equal(arrays.game_count, 1);
    assert_game(&arrays, &arrays.games[0], 0);
    assert_int_equal(luft_batch_read(&arrays, both.batch), LUFT_OK);
    assert_int_equal(arrays.game_count, 1);
    assert_int_equal(arrays.games[0].error, LUFT_ERROR_OVERFLOW);
    assert_int_equal(arrays.games[0].error_line, 8);
    assert_moves(&arrays, &arrays.games[0], "d2d4 d7d5 0000");
    assert_true(strstr(string_at(&arrays, &arrays.games[0], 2), "longer than") != NULL);
    assert_string_equal(string_at(&arrays, &arrays.games[0], 3), "");
    assert_int_equal(luft_batch_read(&arrays, both.batch), LUFT_OK);
    assert_int_equal(arrays.game_count, 3);
    assert_game(&arrays, &arrays.games[0], 2);
    free_readers(both);
    free_arrays(&arrays);
}

static void a_game_with_too_much_text_is_cut(void **state) {
    (void)state;
    for (size_t room = 0; room < 12; room++) { /* "Event\0One\0" has ten bytes */
        luft_batch_games arrays = arrays_of(1, 10, LUFT_BATCH_MIN_TEXT + room);
        readers both = readers_of(FILE_TEXT, strlen(FILE_TEXT));
        assert_int_equal(luft_batch_read(&arrays, both.batch), LUFT_OK);
        assert_int_equal(arrays.games[0].error, LUFT_ERROR_OVERFLOW);
        assert_int_equal(arrays.games[0].tag_count, room < 10 ? 0 : 1);
        assert_int_equal(arrays.games[0].move_count, 0);
        assert_int_equal(luft_batch_read(&arrays, both.batch), LUFT_OK);
        assert_int_equal(arrays.games[0].number, 2);
        free_readers(both);
        free_arrays(&arrays);
    }
}

/* Twenty games whose tags fill the text long before there are too many games or moves. */
static void the_text_alone_can_end_a_batch(void **state) {
    (void)state;
    char text[20 * 128 + 1] = "";
    for (int i = 0; i < 20; i++) {
        snprintf(text + strlen(text), 128, "[Event \"%0100d\"]\n\n*\n\n", i);
    }
    luft_batch_games arrays = arrays_of(20, 10, LUFT_BATCH_MIN_TEXT + 107); /* a game has 6 + 101 bytes */
    readers both = readers_of(text, strlen(text));
    for (size_t number = 0; number < 20;) {
        assert_int_equal(luft_batch_read(&arrays, both.batch), LUFT_OK);
        assert_int_equal(arrays.game_count, number < 18 ? 3 : 2);
        for (size_t i = 0; i < arrays.game_count; i++, number++) {
            const char *value = string_at(&arrays, &arrays.games[i], 1);
            assert_int_equal(arrays.games[i].error, LUFT_OK);
            assert_int_equal(strlen(value), 100);
            assert_int_equal(strtol(value, NULL, 10), number);
        }
    }
    assert_int_equal(luft_batch_read(&arrays, both.batch), LUFT_ERROR_END);
    free_readers(both);
    free_arrays(&arrays);
}

static void a_kept_game_waits_for_larger_arrays(void **state) {
    (void)state;
    luft_batch_games large = arrays_of(10, 4, 2000), small = arrays_of(10, 3, 2000);
    readers both = readers_of(FILE_TEXT, strlen(FILE_TEXT));
    assert_int_equal(luft_batch_read(&large, both.batch), LUFT_OK); /* the second game, of four moves, was kept */
    assert_int_equal(large.game_count, 1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(luft_batch_read(&small, both.batch), LUFT_ERROR_OVERFLOW);
        assert_int_equal(small.game_count, 0);
    }
    assert_int_equal(luft_batch_read(&large, both.batch), LUFT_OK);
    assert_game(&large, &large.games[0], 1);
    free_readers(both);
    free_arrays(&large);
    free_arrays(&small);
}

/* A long token, and a value with a NUL in it. */
static void unusual_text_stays_within_bounds(void **state) {
    (void)state;
    char text[4096];
    size_t length = (size_t)snprintf(text, sizeof text, "[Event \"a%cb\"]\n\n1. e4 ", '\0');
    memset(text + length, 'Q', 1000);
    length += 1000;
    luft_batch_games arrays = arrays_of(4, 10, 1000);
    readers both = readers_of(text, length);
    assert_int_equal(luft_batch_read(&arrays, both.batch), LUFT_OK);
    const luft_batch_game *game = &arrays.games[0];
    assert_int_equal(game->move_count, game->tag_count); /* one of each, unless the reader refuses the NUL */
    if (game->tag_count == 1) {
        assert_string_equal(string_at(&arrays, game, 1), "a b");
        assert_in_range(strlen(string_at(&arrays, game, 3)), 1, 127);
    }
    assert_true(game->error != LUFT_OK);
    free_readers(both);
    free_arrays(&arrays);
}

/* --- A source that fails, NULL --------------------------------------------- */

typedef struct failing_source {
    size_t at, end;
} failing_source;

static size_t read_some(void *payload, char *buffer, size_t size) {
    failing_source *source = payload;
    size_t count = source->end - source->at;
    if (count == 0) {
        return LUFT_PGN_READ_FAILED;
    }
    count = count < size ? count : size;
    count = count < 5 ? count : 5;
    memcpy(buffer, FILE_TEXT + source->at, count);
    source->at += count;
    return count;
}

static void games_before_a_failure_are_not_lost(void **state) {
    (void)state;
    for (size_t end = 0; end <= strlen(FILE_TEXT); end++) {
        failing_source source = {0, end};
        readers both = {NULL, NULL};
        luft_batch_games arrays = arrays_of(GAMES, 100, 2000);
        assert_int_equal(luft_pgn_reader_create(&both.reader, read_some, &source), LUFT_OK);
        assert_int_equal(luft_batch_reader_create(&both.batch, both.reader), LUFT_OK);
        size_t complete = 0; /* games that ended before the source failed */
        for (const char *next = FILE_TEXT; (next = strstr(next + 1, "[Event")) && next + 6 < FILE_TEXT + end;) {
            complete++;
        }
        luft_error error = luft_batch_read(&arrays, both.batch);
        if (complete > 0) {
            assert_int_equal(error, LUFT_OK);
        }
        if (error == LUFT_OK) {
            assert_true(arrays.game_count >= complete);
            for (size_t i = 0; i < complete; i++) {
                assert_game(&arrays, &arrays.games[i], i);
            }
            error = luft_batch_read(&arrays, both.batch);
        }
        assert_int_equal(error, LUFT_ERROR_READ);
        assert_int_equal(luft_batch_read(&arrays, both.batch), LUFT_ERROR_READ);
        free_readers(both);
        free_arrays(&arrays);
    }
}

/* Case A5 of the contract on misuse: if memory runs out, a game is cut and marked, or nothing is created. */
static luft_error read_with_failing_malloc(void *payload) {
    luft_batch_games *arrays = payload;
    readers both = {NULL, NULL};
    luft_error error = luft_pgn_reader_create_text(&both.reader, FILE_TEXT, strlen(FILE_TEXT));
    error = error == LUFT_OK ? luft_batch_reader_create(&both.batch, both.reader) : error;
    error = error == LUFT_OK ? luft_batch_read(arrays, both.batch) : error;
    for (size_t i = 0; error == LUFT_OK && i < arrays->game_count; i++) {
        if (arrays->games[i].error == LUFT_ERROR_MEMORY) {
            error = LUFT_ERROR_MEMORY;
        } else {
            assert_game(arrays, &arrays->games[i], i);
        }
    }
    free_readers(both);
    return error;
}

static void memory_that_runs_out_cuts_a_game(void **state) {
    (void)state;
    luft_batch_games arrays = arrays_of(GAMES, 100, 2000);
    assert_true(assert_survives_failing_malloc(read_with_failing_malloc, &arrays) >= 4);
    assert_int_equal(arrays.game_count, GAMES);
    free_arrays(&arrays);
}

static void bad_arguments_are_refused(void **state) {
    (void)state;
    readers both = readers_of(FILE_TEXT, strlen(FILE_TEXT));
    luft_batch_games good = arrays_of(1, 10, 1000), bad;
    luft_batch_reader *untouched = both.batch;
    assert_int_equal(luft_batch_reader_create(NULL, both.reader), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_batch_reader_create(&untouched, NULL), LUFT_ERROR_ARGUMENT);
    assert_ptr_equal(untouched, both.batch);
    luft_batch_reader_free(NULL);
    assert_int_equal(luft_batch_read(NULL, both.batch), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_batch_read(&good, NULL), LUFT_ERROR_ARGUMENT);
    bad = good, bad.games = NULL;
    assert_int_equal(luft_batch_read(&bad, both.batch), LUFT_ERROR_ARGUMENT);
    bad = good, bad.moves = NULL;
    assert_int_equal(luft_batch_read(&bad, both.batch), LUFT_ERROR_ARGUMENT);
    bad = good, bad.text = NULL;
    assert_int_equal(luft_batch_read(&bad, both.batch), LUFT_ERROR_ARGUMENT);
    bad = good, bad.game_capacity = 0;
    assert_int_equal(luft_batch_read(&bad, both.batch), LUFT_ERROR_ARGUMENT);
    bad = good, bad.move_capacity = 0;
    assert_int_equal(luft_batch_read(&bad, both.batch), LUFT_ERROR_ARGUMENT);
    bad = good, bad.text_capacity = LUFT_BATCH_MIN_TEXT - 1;
    assert_int_equal(luft_batch_read(&bad, both.batch), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_batch_read(&good, both.batch), LUFT_OK); /* none of the refused calls consumed a game */
    assert_game(&good, &good.games[0], 0);
    free_readers(both);
    free_arrays(&good);
}

static void a_file_without_games_ends_at_once(void **state) {
    (void)state;
    luft_batch_games arrays = arrays_of(1, 10, 1000);
    readers both = readers_of("\n \n", 3);
    assert_int_equal(luft_batch_read(&arrays, both.batch), LUFT_ERROR_END);
    assert_int_equal(arrays.game_count, 0);
    free_readers(both);
    free_arrays(&arrays);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_arrive_complete_in_arrays_of_every_size),
        cmocka_unit_test(one_batch_is_as_full_as_it_can_be),
        cmocka_unit_test(a_game_with_too_many_moves_is_cut),
        cmocka_unit_test(a_game_with_too_much_text_is_cut),
        cmocka_unit_test(the_text_alone_can_end_a_batch),
        cmocka_unit_test(a_kept_game_waits_for_larger_arrays),
        cmocka_unit_test(unusual_text_stays_within_bounds),
        cmocka_unit_test(games_before_a_failure_are_not_lost),
        cmocka_unit_test(memory_that_runs_out_cuts_a_game),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(a_file_without_games_ends_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
