/* SPDX-License-Identifier: MIT */
/*
 * luft_database_search, against a recount that feeds every position of every game to the query without facts of the
 * database or summaries; with any number of threads and any limit, and with bad arguments.
 */
#include "luft/database.h"
#include "support/check.h"
#include "support/made_database.h"
#include "support/random_positions.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GAMES 2500 /* more than threads take at once */
#define PLIES_MAX 24

typedef struct test_game {
    luft_move moves[PLIES_MAX];
    int plies;
    int elo;
} test_game;

static bool to_buffer(void *payload, const char *text, size_t length) {
    buffer_append(payload, text, length);
    return true;
}

/* Plays and writes a random game; those of one number are the same in every run. */
static void make_game(test_game *game, buffer *out, int number) {
    random_source source = {(uint64_t)number};
    luft_position position = luft_start_position();
    luft_pgn_writer writer;
    const int plies = random_below(&source, PLIES_MAX + 1);
    game->plies = 0;
    game->elo = 2000 + random_below(&source, 500);
    buffer_printf(
        out, "[Event \"%d\"]\n[White \"Player %d\"]\n[Black \"Other\"]\n[WhiteElo \"%d\"]\n[BlackElo \"2600\"]\n\n",
        number, number % 7, game->elo);
    luft_pgn_writer_init(&writer, to_buffer, out);
    while (game->plies < plies) {
        luft_move_list list;
        if (luft_generate(&list, &position, LUFT_ALL_MOVES) == 0) {
            break;
        }
        const luft_move move = list.moves[random_below(&source, list.count)];
        luft_pgn_write_move(&writer, &position, move);
        luft_make(&position, &position, move);
        game->moves[game->plies++] = move;
    }
    luft_pgn_write_result(&writer, LUFT_RESULT_WHITE);
}

static luft_database *make_database(const char *path, test_game *games) {
    buffer text = {0};
    for (int i = 0; i < GAMES; i++) {
        make_game(&games[i], &text, i);
    }
    luft_database *database = database_of_pgn(path, &text);
    buffer_free(&text);
    return database;
}

/* The first ply of a game that matches, -1 if none does. */
static int recount(luft_query_matcher *matcher, const test_game *game, int number) {
    char name[16];
    snprintf(name, sizeof name, "Player %d", number % 7);
    const luft_query_facts facts = {.player = {{name, strlen(name)}, {"Other", 5}},
                                    .elo = {game->elo, 2600},
                                    .result = LUFT_RESULT_WHITE,
                                    .plies = (uint32_t)game->plies};
    luft_position position = luft_start_position();
    luft_query_begin(matcher, &facts);
    for (int ply = 0;; ply++) {
        if (luft_query_feed(matcher, &position, ply == game->plies)) {
            return ply;
        }
        if (ply == game->plies) {
            return -1;
        }
        luft_make(&position, &position, game->moves[ply]);
    }
}

static void compare(luft_database *database, const test_game *games, const char *text, int threads, uint64_t limit) {
    luft_query *query = NULL;
    luft_query_matcher *matcher = NULL;
    luft_database_matches found = {0};
    const luft_database_search_options options = {.threads = threads, .limit = limit};
    size_t at = 0;
    assert_int_equal(luft_query_compile(&query, text, strlen(text), NULL), LUFT_OK);
    assert_int_equal(luft_query_matcher_create(&matcher, query), LUFT_OK);
    assert_int_equal(luft_database_search(&found, database, query, NULL, &options), LUFT_OK);
    for (int i = 0; i < GAMES && (limit == 0 || at < limit); i++) {
        const int ply = recount(matcher, &games[i], i);
        if (ply >= 0) {
            assert_true(at < found.count);
            assert_int_equal(found.matches[at].game, i + 1);
            assert_int_equal(found.matches[at].ply, luft_query_needs(query) & LUFT_QUERY_POSITIONS ? ply : 0);
            at++;
        }
    }
    assert_int_equal(at, found.count);
    luft_database_matches_free(&found);
    assert_null(found.matches);
    luft_query_matcher_free(matcher);
    luft_query_free(query);
}

static bool stop(void *payload, double done) {
    (*(int *)payload)++;
    assert_true(done >= 0 && done <= 1);
    return false;
}

static void check_arguments(luft_database *database) {
    luft_query *query = NULL;
    luft_database_matches found = {0};
    luft_database_filter last = {.first_game = GAMES};
    int calls = 0;
    const luft_database_search_options stopped = {.progress = stop, .payload = &calls};
    assert_int_equal(luft_query_compile(&query, "ply 0", 5, NULL), LUFT_OK);
    assert_int_equal(luft_database_search(NULL, database, query, NULL, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_database_search(&found, NULL, query, NULL, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_database_search(&found, database, NULL, NULL, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_database_search(&found, database, query, NULL, &stopped), LUFT_ERROR_STOPPED);
    assert_int_equal(calls, 1);
    assert_null(found.matches);
    assert_int_equal(luft_database_search(&found, database, query, &last, NULL), LUFT_OK);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.matches[0].game, GAMES);
    luft_database_matches_free(&found);
    luft_database_matches_free(NULL);
    luft_query_free(query);
}

static void test_search(void **state) {
    (void)state;
    static const char *const queries[] = {
        "check",
        "player \"player 3\"",
        "white-elo 2300.. plies 10..",
        "material Q1R2B2N2P8qr2b2n2p7..8",
        "pawns ////4P3///",
        "flip (pawns ////4P3/// then within 4 balance 1..)",
        "end (not once check) player \"player 5\"",
        "balance 3.. for 3",
        "stalemate",
    };
    char path[64];
    snprintf(path, sizeof path, "/tmp/luft-search-%ld.luftdb", (long)getpid());
    test_game *games = calloc(GAMES, sizeof *games);
    assert_non_null(games);
    luft_database *database = make_database(path, games);
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        compare(database, games, queries[i], 1, 0);
        compare(database, games, queries[i], 3, 0);
        compare(database, games, queries[i], 3, 40);
    }
    check_arguments(database);
    luft_database_free(database);
    unlink(path);
    free(games);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_search)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
