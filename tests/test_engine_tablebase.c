/* SPDX-License-Identifier: MIT */
/*
 * The engine with tablebases: it mates in won endings by the shortest distances, also with few nodes, keeps draws, and
 * works with several variations, chosen moves and limited strength. Tables of three pieces are those of the test data; if
 * LUFT_DATA has the public ones, endings of four pieces are played too.
 */
#include "support/check.h"
#include "support/random_positions.h"
#include "support/table_writer.h"

#include "luft/engine.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { GAME_MAX = 300 };

/* --- Helpers -------------------------------------------------------------------------------- */

static luft_tablebase *open_tables(const char *directory) {
    luft_tablebase *tablebase = NULL;
    assert_int_equal(luft_tablebase_open(&tablebase, directory, LUFT_TABLEBASE_READ), LUFT_OK);
    return tablebase;
}

static luft_tablebase *open_test_tables(void) {
    char path[4096];
    snprintf(path, sizeof path, "%s/syzygy", test_data_directory());
    return open_tables(path);
}

static luft_tablebase *open_public_tables(void) {
    char path[4096];
    fclose(open_optional_data("syzygy/KBNvK.rtbz"));
    snprintf(path, sizeof path, "%s/syzygy", getenv("LUFT_DATA"));
    return open_tables(path);
}

/* The WDL tables of the test data only. */
typedef struct wdl_tables {
    luft_tablebase *tablebase;
    uint8_t *bytes[3];
} wdl_tables;

static wdl_tables open_wdl_tables(void) {
    static const char *const names[] = {"KQvK.rtbw", "KRvK.rtbw", "KPvK.rtbw"};
    wdl_tables tables = {.tablebase = open_tables("")};
    for (int i = 0; i < 3; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/syzygy/%s", test_data_directory(), names[i]);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        tables.bytes[i] = malloc(100000);
        const size_t size = fread(tables.bytes[i], 1, 100000, file);
        fclose(file);
        assert_int_equal(luft_tablebase_add(tables.tablebase, names[i], tables.bytes[i], size), LUFT_OK);
    }
    return tables;
}

static luft_engine *new_engine(const luft_tablebase *tablebase) {
    luft_engine *engine = NULL;
    assert_int_equal(luft_engine_create(&engine), LUFT_OK);
    assert_int_equal(luft_engine_set_hash(engine, 1), LUFT_OK);
    assert_int_equal(luft_engine_set_tablebase(engine, tablebase, 1, LUFT_TABLEBASE_PIECES_MAX, true), LUFT_OK);
    return engine;
}

static const luft_engine_result *search(luft_engine *engine, const luft_position *start, const luft_move *moves,
                                        size_t count, int64_t nodes) {
    const luft_engine_result *result = NULL;
    luft_engine_limits limits = luft_engine_no_limits();
    limits.nodes = nodes;
    assert_int_equal(luft_engine_set_position(engine, start, moves, count, NULL), LUFT_OK);
    assert_int_equal(luft_engine_search(&result, engine, &limits, NULL), LUFT_OK);
    return result;
}

/* A game: the moves so far and the keys of the positions before them. */
typedef struct played_game {
    luft_position start, position;
    luft_move moves[GAME_MAX];
    uint64_t keys[GAME_MAX];
    size_t count;
} played_game;

static played_game game_from(const luft_position *start) {
    return (played_game){.start = *start, .position = *start};
}

static void play(played_game *game, luft_move move) {
    require(luft_is_legal(&game->position, move), &game->position, "a legal move");
    require(game->count < GAME_MAX, &game->start, "an end of the game");
    game->keys[game->count] = luft_key(&game->position);
    game->moves[game->count++] = move;
    luft_make(&game->position, &game->position, move);
}

static luft_move table_move(const luft_tablebase *tablebase, const played_game *game) {
    luft_tablebase_moves moves;
    require_equal(luft_tablebase_probe_root(&moves, tablebase, &game->position, game->keys, game->count, true), LUFT_OK,
                  &game->position, "root moves");
    return moves.moves[0].move;
}

/* The rank of a move, less its distance: moves of one rank differ in it if they win. */
static int rank_of(const luft_tablebase *tablebase, const played_game *game, luft_move move) {
    luft_tablebase_moves moves;
    require_equal(luft_tablebase_probe_root(&moves, tablebase, &game->position, game->keys, game->count, true), LUFT_OK,
                  &game->position, "root moves");
    for (int i = 0; i < moves.count; i++) {
        if (moves.moves[i].move == move) {
            return moves.moves[i].rank - (moves.moves[i].rank > 0 ? moves.moves[i].dtz : 0);
        }
    }
    return INT_MIN;
}

/* A game to mate in which `engine` plays the winning side, or the tables do if it is NULL. Tables defend. */
static played_game play_to_mate(luft_engine *engine, const luft_tablebase *tablebase, const luft_position *start,
                                int64_t nodes) {
    played_game game = game_from(start);
    while (luft_has_legal_move(&game.position)) {
        const bool is_winner = game.position.side_to_move == start->side_to_move;
        play(&game, engine && is_winner ? search(engine, start, game.moves, game.count, nodes)->best
                                        : table_move(tablebase, &game));
    }
    require(luft_in_check(&game.position), start, "a mate at the end");
    return game;
}

static luft_position random_position(random_source *random, const luft_piece *others, int count) {
    ending_position ending = {.count = 2 + count, .pieces = {LUFT_WHITE_KING, LUFT_BLACK_KING}};
    memcpy(ending.pieces + 2, others, (size_t)count * sizeof *others);
    luft_position position;
    do {
        for (int i = 0; i < ending.count; i++) {
            ending.squares[i] = random_below(random, 64);
        }
        ending.side = (luft_color)random_below(random, 2);
    } while (!to_luft_position(&position, &ending) || luft_position_status(&position) != LUFT_STATUS_VALID);
    return position;
}

/* --- Wins -------------------------------------------------------------------------------------- */

/*
 * The distance of the tables is to the next capture, pawn move or mate: the winning side never takes longer. Tables that
 * count moves can mean one ply more. Returns how many captures and pawn moves there are.
 */
static int count_phases(const luft_tablebase *tablebase, const played_game *game) {
    luft_position position = game->start;
    size_t end = 0;
    int phases = 0;
    for (size_t ply = 0; ply < game->count; ply++) {
        if (position.side_to_move == game->start.side_to_move) {
            int dtz;
            assert_int_equal(luft_tablebase_probe_dtz(&dtz, tablebase, &position), LUFT_OK);
            require(dtz > 0, &position, "a won position");
            if (position.halfmove_clock < 2) { /* a new phase */
                end = ply + (size_t)dtz + 1;
            }
            if (ply + (size_t)dtz > end) {
                print_message("# distance %d at ply %zu, %zu expected\n", dtz, ply, end - ply);
                require(false, &game->start, "as fast as the distances");
            }
        }
        luft_make(&position, &position, game->moves[ply]);
        phases += position.halfmove_clock == 0;
    }
    return phases;
}

/* Plies of several games, by the engine and by the tables. */
typedef struct comparison {
    size_t by_engine;
    size_t by_tables;
    int games;
} comparison;

/*
 * The engine mates by the shortest distances, as the tables do. Among moves of equal distance both choose: the tables the
 * first, the engine the one that looks best. This matters for what comes after the next capture or pawn move; without any,
 * the engine mates at least as fast.
 */
static void compare_games(comparison *sum, luft_engine *engine, const luft_tablebase *tablebase,
                          const luft_position *start, int64_t nodes) {
    const played_game by_tables = play_to_mate(NULL, tablebase, start, 0);
    const played_game by_engine = play_to_mate(engine, tablebase, start, nodes);
    const int phases = count_phases(tablebase, &by_engine);
    if (phases == 0 && by_engine.count > by_tables.count) {
        print_message("# %zu plies, by the tables %zu\n", by_engine.count, by_tables.count);
        require(false, start, "as fast as the tables");
    }
    sum->by_engine += by_engine.count;
    sum->by_tables += by_tables.count;
    sum->games++;
}

/* Over several games the engine's choice among moves of equal distance is not worse than the first one. */
static void check_comparison(const comparison *sum) {
    print_message("# %d games, %zu plies, by the tables %zu\n", sum->games, sum->by_engine, sum->by_tables);
    assert_true(sum->by_engine <= sum->by_tables);
}

static void won_endings_of_three_pieces(void **state) {
    (void)state;
    static const luft_piece pieces[] = {LUFT_WHITE_QUEEN, LUFT_BLACK_ROOK, LUFT_WHITE_PAWN};
    luft_tablebase *tablebase = open_test_tables();
    luft_engine *engine = new_engine(tablebase);
    random_source random = {3};
    comparison sum = {0};
    while (sum.games < test_rounds(30)) {
        const luft_position position = random_position(&random, &pieces[sum.games % 3], 1);
        luft_wdl wdl;
        assert_int_equal(luft_tablebase_probe_wdl(&wdl, tablebase, &position), LUFT_OK);
        if (wdl == LUFT_WDL_WIN) {
            compare_games(&sum, engine, tablebase, &position, 500);
        }
    }
    check_comparison(&sum);
    luft_engine_free(engine);
    luft_tablebase_free(tablebase);
}

/* Without distances the search must find its way: within the fifty-move rule, with no repetition that draws. */
static void won_endings_without_distances(void **state) {
    (void)state;
    static const luft_piece pieces[] = {LUFT_WHITE_QUEEN, LUFT_WHITE_ROOK, LUFT_WHITE_PAWN};
    luft_tablebase *complete = open_test_tables();
    wdl_tables wdl_only = open_wdl_tables();
    luft_engine *engine = new_engine(wdl_only.tablebase);
    random_source random = {4};
    for (int games = 0; games < test_rounds(10);) {
        const luft_position position = random_position(&random, &pieces[games % 3], 1);
        luft_wdl wdl;
        assert_int_equal(luft_tablebase_probe_wdl(&wdl, complete, &position), LUFT_OK);
        if (wdl == LUFT_WDL_WIN && position.side_to_move == LUFT_WHITE) {
            require(play_to_mate(engine, complete, &position, 5000).count < 100, &position, "mate in fifty moves");
            games++;
        }
    }
    luft_engine_free(engine);
    luft_tablebase_free(complete);
    luft_tablebase_free(wdl_only.tablebase);
    for (int i = 0; i < 3; i++) {
        free(wdl_only.bytes[i]);
    }
}

/* The won positions of python-chess's suites that have at most four pieces. */
static void won_endings_of_the_suites(void **state) {
    (void)state;
    static const char *const names[] = {"syzygy/endgame.epd", "syzygy/endgame-dm-4.epd"};
    luft_tablebase *tablebase = open_public_tables();
    luft_engine *engine = new_engine(tablebase);
    comparison sum = {0};
    int number = 0;
    for (int i = 0; i < 2; i++) {
        FILE *file = open_optional_data(names[i]);
        char line[512];
        while (fgets(line, sizeof line, file)) {
            luft_position position;
            luft_epd_cursor cursor;
            luft_wdl wdl;
            if (luft_epd_read(&position, &cursor, line, strcspn(line, "\n"), NULL) == LUFT_OK &&
                luft_popcount(luft_occupied(&position.board)) <= 4 &&
                luft_tablebase_probe_wdl(&wdl, tablebase, &position) == LUFT_OK && wdl == LUFT_WDL_WIN &&
                (test_is_long() || number++ % (test_is_quick() ? 20 : 4) == 0)) {
                compare_games(&sum, engine, tablebase, &position, 500);
            }
        }
        fclose(file);
    }
    assert_true(sum.games > (test_is_quick() ? 1 : 10));
    check_comparison(&sum);
    luft_engine_free(engine);
    luft_tablebase_free(tablebase);
}

static void bishop_and_knight(void **state) {
    (void)state;
    static const luft_piece pieces[] = {LUFT_WHITE_BISHOP, LUFT_WHITE_KNIGHT};
    luft_tablebase *tablebase = open_public_tables();
    luft_engine *engine = new_engine(tablebase);
    random_source random = {5};
    comparison sum = {0};
    while (sum.games < (test_is_long() ? 50 : test_is_quick() ? 1 : 2)) {
        const luft_position position = random_position(&random, pieces, 2);
        luft_wdl wdl;
        assert_int_equal(luft_tablebase_probe_wdl(&wdl, tablebase, &position), LUFT_OK);
        if (wdl == LUFT_WDL_WIN) {
            compare_games(&sum, engine, tablebase, &position, 10000);
        }
    }
    check_comparison(&sum);
    luft_engine_free(engine);
    luft_tablebase_free(tablebase);
}

/* --- Draws --------------------------------------------------------------------------------------- */

/* The engine defends against random moves that keep the draw, so that it meets many positions. */
static void drawn_endings_are_held(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_public_tables();
    luft_engine *engine = new_engine(tablebase);
    random_source random = {6};
    for (int games = 0; games < test_rounds(20);) {
        const luft_piece pieces[2] = {
            luft_make_piece(LUFT_WHITE, (luft_piece_type)(LUFT_PAWN + random_below(&random, 5))),
            luft_make_piece((luft_color)random_below(&random, 2),
                            (luft_piece_type)(LUFT_PAWN + random_below(&random, 5)))};
        const luft_position start = random_position(&random, pieces, 2);
        luft_wdl wdl;
        assert_int_equal(luft_tablebase_probe_wdl(&wdl, tablebase, &start), LUFT_OK);
        if (wdl != LUFT_WDL_DRAW) {
            continue;
        }
        played_game game = game_from(&start);
        while (game.count < 20 && luft_has_legal_move(&game.position)) {
            luft_tablebase_moves moves;
            assert_int_equal(luft_tablebase_probe_root(&moves, tablebase, &game.position, game.keys, game.count, true),
                             LUFT_OK);
            if (game.position.side_to_move == start.side_to_move) {
                const luft_engine_result *result = search(engine, &start, game.moves, game.count, 200);
                require_equal((uint64_t)result->score.value, 0, &game.position, "the score of a draw");
                play(&game, result->best);
                assert_int_equal(luft_tablebase_probe_wdl(&wdl, tablebase, &game.position), LUFT_OK);
                require(wdl == LUFT_WDL_DRAW, &game.start, "a draw after each move");
            } else {
                int best = 0;
                while (best < moves.count && moves.moves[best].rank == moves.moves[0].rank) {
                    best++;
                }
                play(&game, moves.moves[random_below(&random, best)].move);
            }
        }
        games++;
    }
    luft_engine_free(engine);
    luft_tablebase_free(tablebase);
}

/* --- Options of a search ---------------------------------------------------------------------------- */

static void scores_and_hits(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_test_tables();
    luft_engine *engine = new_engine(tablebase);
    const luft_position won = position_from("8/8/8/8/8/5k2/3P4/K7 w - - 0 1");
    const luft_engine_result *result = search(engine, &won, NULL, 0, 1000);
    assert_int_equal(result->best, move_from(&won, "a1b2")); /* the only winning move */
    assert_int_equal(result->score.kind, LUFT_ENGINE_CENTIPAWNS);
    assert_int_equal(result->score.value, LUFT_ENGINE_TABLEBASE_SCORE);
    assert_int_equal(result->tbhits, 5);
    assert_int_equal(result->wdl.win, 1000);
    /* With one piece more the tables are probed below the root, after captures. */
    const luft_position four = position_from("8/8/8/3k4/3p4/8/3P4/K7 w - - 0 1");
    result = search(engine, &four, NULL, 0, 2000);
    assert_true(result->tbhits > 0);
    assert_int_equal(luft_engine_set_tablebase(engine, tablebase, 1, 2, true), LUFT_OK);
    assert_int_equal(luft_engine_clear(engine), LUFT_OK);
    assert_int_equal(search(engine, &four, NULL, 0, 2000)->tbhits, 0);
    assert_int_equal(luft_engine_set_tablebase(engine, NULL, 1, 7, true), LUFT_OK);
    assert_int_equal(search(engine, &won, NULL, 0, 2000)->tbhits, 0);
    assert_int_equal(luft_engine_set_tablebase(engine, tablebase, 0, 7, true), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_tablebase(engine, tablebase, 1, 8, true), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_tablebase(NULL, tablebase, 1, 7, true), LUFT_ERROR_ARGUMENT);
    luft_engine_free(engine);
    luft_tablebase_free(tablebase);
}

/* Near the fifty-move rule a win that takes too long is a draw, unless the rule is switched off. */
static void fifty_move_rule(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_test_tables();
    luft_engine *engine = new_engine(tablebase);
    luft_position position = position_from("8/8/8/8/3k4/8/1K6/4R3 w - - 90 100"); /* mate takes longer than ten plies */
    const luft_engine_result *result = search(engine, &position, NULL, 0, 500);
    assert_in_range(result->score.value + 10, 0, 20);
    assert_int_equal(luft_engine_set_tablebase(engine, tablebase, 1, 7, false), LUFT_OK);
    result = search(engine, &position, NULL, 0, 500);
    assert_int_equal(result->score.value, LUFT_ENGINE_TABLEBASE_SCORE);
    luft_engine_free(engine);
    luft_tablebase_free(tablebase);
}

static void several_variations(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_test_tables();
    luft_engine *engine = new_engine(tablebase);
    const luft_position won = position_from("8/8/8/8/8/5k2/3P4/K7 w - - 0 1");
    assert_int_equal(luft_engine_set_lines(engine, 256), LUFT_OK);
    const luft_engine_result *result = search(engine, &won, NULL, 0, 20000);
    assert_int_equal(result->line_count, 5); /* all moves, the winning one first, then the draws */
    assert_int_equal(result->lines[0]->moves[0], move_from(&won, "a1b2"));
    assert_int_equal(result->lines[0]->score.value, LUFT_ENGINE_TABLEBASE_SCORE);
    for (int i = 1; i < result->line_count; i++) {
        assert_int_equal(result->lines[i]->score.value, 0);
    }
    luft_engine_free(engine);
    luft_tablebase_free(tablebase);
}

/* Of two moves that give the win away, one is played, and the score is that of the tables. */
static void search_two_moves(luft_engine *engine) {
    const luft_position won = position_from("8/8/8/8/8/5k2/3P4/K7 w - - 0 1");
    const luft_move moves[] = {move_from(&won, "a1a2"), move_from(&won, "d2d4")};
    luft_engine_limits limits = luft_engine_no_limits();
    const luft_engine_result *result = NULL;
    limits.nodes = 500;
    limits.search_moves = moves;
    limits.search_move_count = 2;
    assert_int_equal(luft_engine_set_position(engine, &won, NULL, 0, NULL), LUFT_OK);
    assert_int_equal(luft_engine_search(&result, engine, &limits, NULL), LUFT_OK);
    assert_true(result->best == moves[0] || result->best == moves[1]);
    assert_int_equal(result->score.value, 0);
}

static void chosen_moves(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_test_tables();
    luft_engine *engine = new_engine(tablebase);
    search_two_moves(engine);
    luft_engine_free(engine);
    luft_tablebase_free(tablebase);
}

/* Four threads vote, and the line of another thread than the first can be the last: its score is that of the tables. */
static void several_threads(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_test_tables();
    luft_engine *engine = new_engine(tablebase);
    assert_int_equal(luft_engine_set_threads(engine, 4), LUFT_OK);
    const luft_position drawn = position_from("8/8/4k3/8/4PK2/8/8/8 b - - 0 1");
    for (int i = 0; i < test_rounds(100); i++) {
        assert_int_equal(luft_engine_clear(engine), LUFT_OK);
        assert_int_equal(search(engine, &drawn, NULL, 0, 5000)->score.value, 0);
    }
    luft_engine_free(engine);
    luft_tablebase_free(tablebase);
}

/* Contract L8: a move in every position, and one that the tables rank highest. */
static void limited_strength(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_test_tables();
    luft_engine *engine = new_engine(tablebase);
    static const luft_piece pieces[] = {LUFT_WHITE_QUEEN, LUFT_BLACK_ROOK, LUFT_WHITE_PAWN};
    random_source random = {8};
    for (int i = 0; i < test_rounds(200); i++) {
        const luft_position position = random_position(&random, &pieces[i % 3], 1);
        const played_game game = game_from(&position);
        assert_int_equal(luft_engine_set_level(engine, i % 20), LUFT_OK);
        assert_int_equal(luft_engine_set_lines(engine, 1 + i % 4), LUFT_OK);
        const luft_engine_result *result = search(engine, &position, NULL, 0, 300);
        require((result->best != LUFT_MOVE_NONE) == luft_has_legal_move(&position), &position, "a move");
        if (result->best != LUFT_MOVE_NONE) {
            require_equal((uint64_t)rank_of(tablebase, &game, result->best),
                          (uint64_t)rank_of(tablebase, &game, table_move(tablebase, &game)), &position, "the rank");
        }
    }
    luft_engine_free(engine);
    luft_tablebase_free(tablebase);
}

/* The weakest player mates too. */
static void wins_of_the_weakest_player(void **state) {
    (void)state;
    static const luft_piece pieces[] = {LUFT_WHITE_QUEEN, LUFT_WHITE_ROOK, LUFT_WHITE_PAWN};
    luft_tablebase *tablebase = open_test_tables();
    luft_engine *engine = new_engine(tablebase);
    assert_int_equal(luft_engine_set_level(engine, 0), LUFT_OK);
    random_source random = {9};
    for (int games = 0; games < test_rounds(10);) {
        const luft_position position = random_position(&random, &pieces[games % 3], 1);
        luft_wdl wdl;
        assert_int_equal(luft_tablebase_probe_wdl(&wdl, tablebase, &position), LUFT_OK);
        if (wdl == LUFT_WDL_WIN) {
            const played_game game = play_to_mate(engine, tablebase, &position, 500);
            count_phases(tablebase, &game);
            games++;
        }
    }
    luft_engine_free(engine);
    luft_tablebase_free(tablebase);
}

/* A weaker player chooses among the moves asked for, and sees no tables ahead of the position on the board. */
static void limits_of_a_weaker_player(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_test_tables();
    luft_engine *engine = new_engine(tablebase);
    assert_int_equal(luft_engine_set_level(engine, 5), LUFT_OK);
    search_two_moves(engine);
    const luft_position four = position_from("8/8/8/3k4/3p4/8/3P4/K7 w - - 0 1");
    const luft_engine_result *result = search(engine, &four, NULL, 0, 2000);
    assert_true(luft_is_legal(&four, result->best));
    assert_int_equal(result->tbhits, 0);
    luft_engine_free(engine);
    luft_tablebase_free(tablebase);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(won_endings_of_three_pieces),
        cmocka_unit_test(won_endings_without_distances),
        cmocka_unit_test(won_endings_of_the_suites),
        cmocka_unit_test(bishop_and_knight),
        cmocka_unit_test(drawn_endings_are_held),
        cmocka_unit_test(scores_and_hits),
        cmocka_unit_test(fifty_move_rule),
        cmocka_unit_test(several_variations),
        cmocka_unit_test(chosen_moves),
        cmocka_unit_test(several_threads),
        cmocka_unit_test(limited_strength),
        cmocka_unit_test(wins_of_the_weakest_player),
        cmocka_unit_test(limits_of_a_weaker_player),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
