/* SPDX-License-Identifier: MIT */
/*
 * Tablebases against an independent solver, every position of three pieces, and the order of root moves. The tables are
 * written by the tests; if LUFT_DATA has the public tables, these are tested too, those of four pieces in the long tests.
 */
#include "support/check.h"
#include "support/endings.h"
#include "support/failing_malloc.h"
#include "support/random_positions.h"
#include "support/table_writer.h"

#include "games/tablebase_internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const luft_piece_type THREE[] = {LUFT_PAWN, LUFT_KNIGHT, LUFT_BISHOP, LUFT_ROOK, LUFT_QUEEN};
enum { THREE_COUNT = sizeof THREE / sizeof *THREE };

/* All tables of three pieces, written once. */
static struct {
    ending_solver *solver;
    written_table tables[THREE_COUNT][2];
} shared;

static int set_up(void **state) {
    (void)state;
    shared.solver = ending_solver_create();
    for (int i = 0; i < THREE_COUNT; i++) {
        for (int kind = 0; kind < 2; kind++) {
            shared.tables[i][kind] = write_table(shared.solver, THREE[i], (luft_tablebase_kind)kind);
        }
    }
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    for (int i = 0; i < THREE_COUNT; i++) {
        free(shared.tables[i][0].bytes);
        free(shared.tables[i][1].bytes);
    }
    ending_solver_free(shared.solver);
    return 0;
}

/* The written tables of these kinds: 1 for WDL, 2 for DTZ, 3 for both. */
static luft_tablebase *open_written(int kinds) {
    luft_tablebase *tablebase = NULL;
    assert_int_equal(luft_tablebase_open(&tablebase, NULL, LUFT_TABLEBASE_READ), LUFT_OK);
    for (int i = 0; i < THREE_COUNT; i++) {
        for (int kind = 0; kind < 2; kind++) {
            char name[16];
            const written_table *table = &shared.tables[i][kind];
            name_written_table(name, THREE[i], (luft_tablebase_kind)kind);
            if (kinds & 1 << kind) {
                assert_int_equal(luft_tablebase_add(tablebase, name, table->bytes, table->size), LUFT_OK);
            }
        }
    }
    return tablebase;
}

/* The public tables; skips the test without them. */
static luft_tablebase *open_public(luft_tablebase_access access) {
    char path[4096];
    fclose(open_optional_data("syzygy/KQvK.rtbw"));
    snprintf(path, sizeof path, "%s/syzygy", getenv("LUFT_DATA"));
    luft_tablebase *tablebase = NULL;
    assert_int_equal(luft_tablebase_open(&tablebase, path, access), LUFT_OK);
    return tablebase;
}

/* --- Every position --------------------------------------------------------------------- */

/* A table that counts moves gives n for n and n + 1 plies. */
static bool is_rounded(int dtz, int plies) {
    return dtz == plies || (plies > 0 && dtz == plies - 1) || (plies < 0 && dtz == plies + 1);
}

static void compare_wdl(const luft_tablebase *tablebase, const luft_position *position, int value) {
    luft_wdl wdl;
    require_equal(luft_tablebase_probe_wdl(&wdl, tablebase, position), LUFT_OK, position, "the WDL probe");
    if (wdl != (value > 0 ? LUFT_WDL_WIN : value < 0 ? LUFT_WDL_LOSS : LUFT_WDL_DRAW)) {
        print_message("# result %d, solved as %d plies\n", wdl, value);
        require(false, position, "the result");
    }
}

static void compare_dtz(const luft_tablebase *tablebase, const luft_position *position, int value, bool is_exact) {
    int dtz;
    require_equal(luft_tablebase_probe_dtz(&dtz, tablebase, position), LUFT_OK, position, "the DTZ probe");
    if (is_exact ? dtz != value : !is_rounded(dtz, value)) {
        print_message("# distance %d, solved as %d plies\n", dtz, value);
        require(false, position, "the distance");
    }
}

/*
 * Compares every `wdl_step`th legal position of an ending of the kings and these pieces, and of those the distance of
 * every `dtz_step`th one. Of four pieces, those with the white king on the a- to d-file: the others are reflections.
 * Returns the number of legal positions.
 */
static size_t compare_ending(const luft_tablebase *tablebase, const luft_piece *others, int count, size_t wdl_step,
                             size_t dtz_step, bool is_exact) {
    ending_position ending = {.count = 2 + count, .pieces = {LUFT_WHITE_KING, LUFT_BLACK_KING}};
    size_t size = 2 * 64 * 64, legal = 0;
    for (int i = 0; i < count; i++) {
        ending.pieces[2 + i] = others[i];
        size *= 64;
    }
    for (size_t number = 0; number < size; number++) {
        size_t rest = number / 2;
        ending.side = (luft_color)(number % 2);
        for (int i = 0; i < ending.count; i++) {
            ending.squares[i] = (int)(rest % 64);
            rest /= 64;
        }
        luft_position position;
        if ((count > 1 && (ending.squares[0] & 7) > 3) || !to_luft_position(&position, &ending)) {
            continue;
        }
        const int value = ending_value(shared.solver, &ending);
        if (value == ENDING_ILLEGAL || legal++ % wdl_step != 0) {
            continue;
        }
        compare_wdl(tablebase, &position, value);
        if (legal / wdl_step % dtz_step == 0) {
            compare_dtz(tablebase, &position, value, is_exact);
        }
    }
    assert_true(legal > 100000);
    return legal;
}

/* All positions with White's piece; with Black's, a part is enough to show that colours are exchanged. */
static void compare_three_pieces(const luft_tablebase *tablebase, bool is_exact) {
    for (int i = 0; i < THREE_COUNT; i++) {
        const luft_piece white = luft_make_piece(LUFT_WHITE, THREE[i]), black = luft_make_piece(LUFT_BLACK, THREE[i]);
        compare_ending(tablebase, &white, 1, 1, test_is_quick() ? 23 : 1, is_exact);
        compare_ending(tablebase, &black, 1, 11, 1, is_exact);
    }
}

static void positions_of_three_pieces_in_written_tables(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_written(3);
    for (int i = 0; i < THREE_COUNT; i++) {
        const luft_piece white = luft_make_piece(LUFT_WHITE, THREE[i]);
        compare_ending(tablebase, &white, 1, test_is_quick() ? 37 : 3, 2, true);
    }
    luft_tablebase_free(tablebase);
}

static void every_position_of_three_pieces_in_public_tables(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_public(LUFT_TABLEBASE_READ);
    compare_three_pieces(tablebase, false);
    luft_tablebase_free(tablebase);
}

/* Every double push of KPvKP after which a capture en passant is legal. */
static void compare_en_passant(const luft_tablebase *tablebase) {
    ending_position ending = {
        .count = 4, .pieces = {LUFT_WHITE_KING, LUFT_BLACK_KING, LUFT_WHITE_PAWN, LUFT_BLACK_PAWN}, .side = LUFT_BLACK};
    int count = 0;
    for (int number = 0; number < 64 * 64 * 8 * 2; number++) {
        const int file = number / 4096 % 8, pushed = LUFT_A4 + file;
        const int other = pushed + (number / 32768 ? 1 : -1);
        bool is_possible;
        luft_position position;
        ending.squares[0] = number % 64;
        ending.squares[1] = number / 64 % 64;
        ending.squares[2] = pushed;
        ending.squares[3] = other;
        if (other / 8 != pushed / 8 || !to_luft_position(&position, &ending) ||
            ending_value(shared.solver, &ending) == ENDING_ILLEGAL ||
            luft_piece_at(&position.board, (luft_square)(pushed + 8)) != LUFT_NO_PIECE ||
            luft_piece_at(&position.board, (luft_square)(pushed + 16)) != LUFT_NO_PIECE) {
            continue;
        }
        const int value = ending_value_with_en_passant(shared.solver, &ending, pushed, &is_possible);
        if (is_possible) {
            position.ep_square = (uint8_t)(pushed + 8);
            assert_int_equal(luft_position_compute_keys(&position), LUFT_OK);
            assert_int_equal(luft_position_status(&position), LUFT_STATUS_VALID);
            compare_wdl(tablebase, &position, value);
            compare_dtz(tablebase, &position, value, false);
            count++;
        }
    }
    assert_true(count > 10000);
}

/* A line for each ending, so that a run that takes long shows how far it is. */
static void every_position_of_four_pieces_in_public_tables(void **state) {
    (void)state;
    if (!test_is_long()) {
        print_message("# skipped: only in make test-long\n");
        skip();
    }
    static const char letters[] = " PNBRQ"; /* by luft_piece_type */
    luft_tablebase *tablebase = open_public(LUFT_TABLEBASE_MAP);
    ending_solver *three_pieces = shared.solver;
    shared.solver = ending_solver_create(); /* takes 500 MB for four pieces */
    for (int a = LUFT_PAWN; a <= LUFT_QUEEN; a++) {
        for (int b = LUFT_PAWN; b <= a; b++) {
            for (int color = LUFT_WHITE; color <= LUFT_BLACK; color++) {
                const luft_piece others[2] = {luft_make_piece(LUFT_WHITE, (luft_piece_type)a),
                                              luft_make_piece((luft_color)color, (luft_piece_type)b)};
                const size_t legal = compare_ending(tablebase, others, 2, 1, 16, false);
                print_message(color == LUFT_WHITE ? "# K%c%cvK: %zu positions\n" : "# K%cvK%c: %zu positions\n",
                              letters[a], letters[b], legal);
            }
        }
    }
    compare_en_passant(tablebase);
    luft_tablebase_free(tablebase);
    ending_solver_free(shared.solver);
    shared.solver = three_pieces;
}

/* The tables in tests/data, with which the program is tested, are those that the tests write. */
static void tables_in_the_test_data(void **state) {
    (void)state;
    for (int i = 0; i < THREE_COUNT; i++) {
        for (int kind = 0; kind < 2; kind++) {
            const written_table *table = &shared.tables[i][kind];
            char name[16], path[4096];
            uint8_t *bytes = malloc(table->size + 1);
            assert_non_null(bytes);
            name_written_table(name, THREE[i], (luft_tablebase_kind)kind);
            snprintf(path, sizeof path, "%s/syzygy/%s", test_data_directory(), name);
            FILE *file = fopen(path, getenv("LUFT_WRITE_TABLES") ? "w+b" : "rb");
            assert_non_null(file);
            if (getenv("LUFT_WRITE_TABLES")) { /* to make them again */
                assert_int_equal(fwrite(table->bytes, 1, table->size, file), table->size);
                rewind(file);
            }
            assert_int_equal(fread(bytes, 1, table->size + 1, file), table->size);
            assert_memory_equal(bytes, table->bytes, table->size);
            fclose(file);
            free(bytes);
        }
    }
}

/* The results that python-chess's suite states. */
static void known_results_in_public_tables(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_public(LUFT_TABLEBASE_MAP);
    FILE *file = open_optional_data("syzygy/endgame.epd");
    char line[512];
    int count = 0;
    while (fgets(line, sizeof line, file)) {
        luft_position position;
        luft_epd_cursor cursor;
        const char *expected_wdl = strstr(line, " wdl "), *expected_dtz = strstr(line, " dtz ");
        if (!expected_wdl || !expected_dtz ||
            luft_epd_read(&position, &cursor, line, strcspn(line, "\n"), NULL) != LUFT_OK) {
            continue;
        }
        luft_wdl wdl;
        int dtz;
        require_equal(luft_tablebase_probe_wdl(&wdl, tablebase, &position), LUFT_OK, &position, "the WDL probe");
        require_equal(luft_tablebase_probe_dtz(&dtz, tablebase, &position), LUFT_OK, &position, "the DTZ probe");
        require_equal((uint64_t)wdl, (uint64_t)atoi(expected_wdl + 5), &position, "the result");
        require_equal((uint64_t)dtz, (uint64_t)atoi(expected_dtz + 5), &position, "the distance");
        count++;
    }
    assert_true(count > 150);
    fclose(file);
    luft_tablebase_free(tablebase);
}

/* --- Root moves ----------------------------------------------------------------------------- */

static luft_tablebase_moves probe_root(const luft_tablebase *tablebase, const luft_position *position,
                                       const uint64_t *keys, size_t count) {
    luft_tablebase_moves moves;
    require_equal(luft_tablebase_probe_root(&moves, tablebase, position, keys, count, true), LUFT_OK, position,
                  "the root probe");
    return moves;
}

static const luft_tablebase_move *find_move(const luft_tablebase_moves *moves, luft_move move) {
    for (int i = 0; i < moves->count; i++) {
        if (moves->moves[i].move == move) {
            return &moves->moves[i];
        }
    }
    return NULL;
}

/* Play by the first root move mates after exactly the distance that the tables state at the start. */
static void play_by_root_moves_mates(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_written(3);
    random_source random = {7};
    for (int games = 0; games < test_rounds(100);) {
        const ending_position ending = {
            .count = 3,
            .pieces = {LUFT_WHITE_KING, LUFT_BLACK_KING, random_below(&random, 2) ? LUFT_WHITE_ROOK : LUFT_WHITE_QUEEN},
            .squares = {random_below(&random, 64), random_below(&random, 64), random_below(&random, 64)},
            .side = LUFT_WHITE};
        luft_position position;
        uint64_t keys[128];
        if (!to_luft_position(&position, &ending) || ending_value(shared.solver, &ending) == ENDING_ILLEGAL) {
            continue;
        }
        const int value = ending_value(shared.solver, &ending);
        assert_true(value > 0);
        int plies = 0;
        while (luft_has_legal_move(&position)) {
            const luft_tablebase_moves moves = probe_root(tablebase, &position, keys, (size_t)plies);
            require_equal((uint64_t)moves.count, (uint64_t)luft_count_moves(&position), &position, "all moves");
            require(moves.has_dtz, &position, "distances");
            keys[plies++] = luft_key(&position);
            luft_make(&position, &position, moves.moves[0].move);
            assert_true(plies <= value);
        }
        require(luft_in_check(&position), &position, "mate");
        assert_int_equal(plies, value);
        games++;
    }
    luft_tablebase_free(tablebase);
}

static void root_moves_respect_the_halfmove_clock(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_written(3);
    /* Mate in 1 with the rook; the clock decides what slower wins are worth. */
    luft_position position = position_from("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    luft_tablebase_moves moves = probe_root(tablebase, &position, NULL, 0);
    assert_int_equal(moves.moves[0].move, move_from(&position, "a1a8"));
    assert_int_equal(moves.moves[0].dtz, 1);
    assert_int_equal(moves.moves[0].rank, LUFT_TABLEBASE_RANK_MAX);
    assert_int_equal(moves.moves[0].wdl, LUFT_WDL_WIN);
    const luft_tablebase_move *slow = find_move(&moves, move_from(&position, "a1a2"));
    assert_int_equal(slow->rank, LUFT_TABLEBASE_RANK_MAX); /* also certain */
    assert_int_equal(slow->dtz, 3);                        /* Kg8 is forced, then the same mate */
    position.halfmove_clock = 98;
    moves = probe_root(tablebase, &position, NULL, 0);
    slow = find_move(&moves, move_from(&position, "a1a2"));
    assert_int_equal(moves.moves[0].rank, LUFT_TABLEBASE_RANK_MAX);
    assert_int_equal(slow->rank, LUFT_TABLEBASE_RANK_MAX - 101);
    assert_int_equal(slow->wdl, LUFT_WDL_CURSED_WIN);
    assert_int_equal(luft_tablebase_probe_root(&moves, tablebase, &position, NULL, 0, false), LUFT_OK);
    assert_int_equal(find_move(&moves, move_from(&position, "a1a2"))->wdl, LUFT_WDL_WIN);
    luft_tablebase_free(tablebase);
}

static void root_moves_respect_repetitions(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_written(3);
    const char *shuffle[] = {"a1a2", "h8g8", "a2a1", "g8h8"};
    luft_position position = position_from("7k/8/5K2/8/8/8/8/R7 w - - 0 1");
    uint64_t keys[16];
    size_t count = 0;
    for (int i = 0; i < 8; i++) {
        if (i == 4) { /* the start has occurred twice: no win is certain any more */
            const luft_tablebase_moves moves = probe_root(tablebase, &position, keys, count);
            assert_int_equal(moves.moves[0].rank,
                             LUFT_TABLEBASE_RANK_MAX - moves.moves[0].dtz - position.halfmove_clock);
            assert_int_equal(find_move(&moves, move_from(&position, "a1a2"))->wdl, LUFT_WDL_WIN);
        }
        keys[count++] = luft_key(&position);
        luft_make(&position, &position, move_from(&position, shuffle[i % 4]));
    }
    const luft_tablebase_moves moves = probe_root(tablebase, &position, keys, count);
    const luft_tablebase_move *third = find_move(&moves, move_from(&position, "a1a2"));
    assert_int_equal(third->wdl, LUFT_WDL_DRAW); /* that position would occur for the third time */
    assert_int_equal(third->rank, 0);
    assert_int_equal(moves.moves[moves.count - 1].wdl, LUFT_WDL_DRAW);
    assert_int_equal(moves.moves[0].wdl, LUFT_WDL_WIN);
    luft_tablebase_free(tablebase);
}

static void root_moves_without_distances(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_written(1);
    const luft_position position = position_from("8/8/8/8/8/2k5/1R6/K7 w - - 0 1");
    luft_tablebase_moves moves;
    int dtz = 77;
    assert_int_equal(luft_tablebase_probe_root(&moves, tablebase, &position, NULL, 0, true), LUFT_OK);
    assert_false(moves.has_dtz);
    assert_int_equal(moves.moves[0].wdl, LUFT_WDL_WIN);
    assert_int_equal(moves.moves[0].rank, LUFT_TABLEBASE_RANK_MAX);
    assert_int_equal(find_move(&moves, move_from(&position, "b2b4"))->wdl, LUFT_WDL_DRAW); /* hangs the rook */
    assert_int_equal(luft_tablebase_probe_dtz(&dtz, tablebase, &position), LUFT_ERROR_MISSING);
    assert_int_equal(dtz, 77);
    luft_tablebase_free(tablebase);
}

/* --- What has no table ------------------------------------------------------------------------ */

static void positions_without_a_table(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_written(3);
    luft_wdl wdl = LUFT_WDL_BLESSED_LOSS;
    int dtz = 77;
    luft_position position = position_from("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_int_equal(luft_tablebase_probe_wdl(&wdl, tablebase, &position), LUFT_ERROR_MISSING);
    assert_int_equal(luft_tablebase_probe_dtz(&dtz, tablebase, &position), LUFT_ERROR_MISSING);
    position = position_from(START_FEN);
    assert_int_equal(luft_tablebase_probe_wdl(&wdl, tablebase, &position), LUFT_ERROR_MISSING);
    position = position_from("4k3/8/8/8/8/8/8/2R1K2R w - - 0 1");
    assert_int_equal(luft_tablebase_probe_wdl(&wdl, tablebase, &position), LUFT_ERROR_MISSING);
    assert_int_equal(wdl, LUFT_WDL_BLESSED_LOSS);
    assert_int_equal(dtz, 77);
    position = position_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_int_equal(luft_tablebase_probe_wdl(&wdl, tablebase, &position), LUFT_OK);
    assert_int_equal(wdl, LUFT_WDL_DRAW);
    luft_tablebase_free(tablebase);
}

static void bad_arguments(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_written(3), *none = NULL;
    const luft_position position = position_from("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    luft_position broken;
    luft_wdl wdl;
    int dtz;
    luft_tablebase_moves moves;
    luft_tablebase_table table;
    memset(&broken, 0, sizeof broken);
    assert_int_equal(luft_tablebase_open(NULL, NULL, LUFT_TABLEBASE_READ), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_tablebase_open(&none, NULL, (luft_tablebase_access)2), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_tablebase_open(&none, "/nowhere/at/all", LUFT_TABLEBASE_READ), LUFT_ERROR_READ);
    assert_null(none);
    assert_int_equal(luft_tablebase_probe_wdl(NULL, tablebase, &position), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_tablebase_probe_wdl(&wdl, NULL, &position), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_tablebase_probe_wdl(&wdl, tablebase, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_tablebase_probe_wdl(&wdl, tablebase, &broken), LUFT_ERROR_MISSING);
    assert_int_equal(luft_tablebase_probe_dtz(NULL, tablebase, &position), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_tablebase_probe_dtz(&dtz, NULL, &position), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_tablebase_probe_dtz(&dtz, tablebase, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_tablebase_probe_dtz(&dtz, tablebase, &broken), LUFT_ERROR_MISSING);
    assert_int_equal(luft_tablebase_probe_root(NULL, tablebase, &position, NULL, 0, true), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_tablebase_probe_root(&moves, NULL, &position, NULL, 0, true), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_tablebase_probe_root(&moves, tablebase, NULL, NULL, 0, true), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_tablebase_probe_root(&moves, tablebase, &position, NULL, 1, true), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_tablebase_probe_root(&moves, tablebase, &broken, NULL, 0, true), LUFT_ERROR_MISSING);
    assert_int_equal(luft_tablebase_get_table(NULL, tablebase, 0), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_tablebase_get_table(&table, NULL, 0), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_tablebase_get_table(&table, tablebase, 10), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_tablebase_check_table(NULL, 0), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_tablebase_check_table(tablebase, 10), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_tablebase_check_sum(tablebase, 10), LUFT_ERROR_ARGUMENT);
    assert_false(luft_tablebase_next_fault(NULL, tablebase));
    assert_false(luft_tablebase_next_fault(&table, NULL));
    assert_int_equal(luft_tablebase_count(NULL), 0);
    assert_int_equal(luft_tablebase_largest(NULL), 0);
    luft_tablebase_free(NULL);
    luft_tablebase_free(tablebase);
}

static void names_of_tables(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",           "K",          "KQvK",       "KQvK.rtb",  "KQvK.rtbx",      "KQvK.rtbww",
        "KvKQ.rtbw",  "KNvKB.rtbw", "KNQvK.rtbw", "QKvK.rtbw", "KQvQ.rtbw",      "KQKvK.rtbw",
        "KvK.rtbw",   "KQK.rtbw",   "kQvK.rtbw",  "KQvK.RTBW", "KQRBNPvKP.rtbw", "KQQQQQQvK.rtbw",
        " KQvK.rtbw", "KQvKx.rtbw", "KBvKB",      "KCvK.rtbw", "KQVK.rtbw",
    };
    static const char *const good[] = {"KQQQQQvK.rtbw", "KQRBvKQP.rtbz", "KBNvKQ.rtbw", "KQNvKQP.rtbw", "KPvKP.rtbz"};
    static const uint8_t byte;
    luft_tablebase *tablebase = NULL;
    luft_tablebase_table table;
    assert_int_equal(luft_tablebase_open(&tablebase, "", LUFT_TABLEBASE_READ), LUFT_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(luft_tablebase_add(tablebase, bad[i], &byte, 1), LUFT_ERROR_ARGUMENT);
    }
    assert_int_equal(luft_tablebase_count(tablebase), 0);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(luft_tablebase_add(tablebase, good[i], &byte, 1), LUFT_OK);
        assert_int_equal(luft_tablebase_add(tablebase, good[i], &byte, 1), LUFT_OK); /* the first is kept */
    }
    assert_int_equal(luft_tablebase_count(tablebase), sizeof good / sizeof *good);
    assert_int_equal(luft_tablebase_largest(tablebase), 0); /* a byte is not a table */
    static const char *const sorted[] = {"KPvKP", "KBNvKQ", "KQNvKQP", "KQQQQQvK", "KQRBvKQP"};
    for (size_t i = 0; i < sizeof sorted / sizeof *sorted; i++) {
        assert_int_equal(luft_tablebase_get_table(&table, tablebase, i), LUFT_OK);
        assert_string_equal(table.name, sorted[i]);
        assert_int_equal(table.error, LUFT_ERROR_DAMAGED);
        assert_non_null(table.reason);
        assert_true(luft_tablebase_next_fault(&table, tablebase));
        assert_string_equal(table.name, sorted[i]);
    }
    assert_false(luft_tablebase_next_fault(&table, tablebase)); /* each once */
    luft_tablebase_free(tablebase);
}

/* --- Checksums ----------------------------------------------------------------------------------- */

/* Sums of the reference implementation, over bytes of a linear congruential generator, in chunks of 4,096 bytes. */
static void checksums(void **state) {
    (void)state;
    static const struct {
        size_t size;
        uint64_t sum[2];
    } known[] = {
        {64, {0x352BBD639A095334, 0x3CB47921CE0CA830}},     {192, {0x6881677AE50030ED, 0x5B8216AAFB9BC5F8}},
        {256, {0x0E728AE922CD6DDB, 0xE7D017CAFE98A992}},    {4096, {0x0E2714F94100BD5E, 0xD09E47EE86B29D68}},
        {8256, {0xDF9DD0981A2D468D, 0xA80A012F03212659}},   {20480, {0xEEDDE53C449687DC, 0x7DCF77165C40B19D}},
        {36992, {0x7503823B000C2491, 0x8F03BF6622196C57}},  {110592, {0xFCAF2F9B23E51F23, 0x14925EB9EE13C934}},
        {114688, {0xEEC4102CD1F05AC2, 0xC9579B640E08FCCB}}, {118848, {0xFD11D7376B04C909, 0xE486E205428BA73A}},
        {245760, {0x4BD8091E6B73B248, 0x1C4D840243A00540}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint8_t *data = malloc(known[i].size + CHECKSUM_SIZE);
        uint64_t number = 1, sum[2];
        assert_non_null(data);
        for (size_t j = 0; j < known[i].size; j++) {
            number = number * 6364136223846793005u + 1442695040888963407u;
            data[j] = (uint8_t)(number >> 56);
        }
        const table_bytes bytes = {.memory = data, .size = known[i].size + CHECKSUM_SIZE, .descriptor = -1};
        assert_int_equal(luft_table_checksum(sum, NULL, NULL, &bytes, 4096), TABLE_SOUND);
        assert_true(sum[0] == known[i].sum[0] && sum[1] == known[i].sum[1]);
        free(data);
    }
}

static void checksums_of_public_tables(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_public(LUFT_TABLEBASE_READ);
    assert_true(luft_tablebase_count(tablebase) > 60);
    for (size_t i = 0; i < luft_tablebase_count(tablebase); i++) {
        assert_int_equal(luft_tablebase_check_sum(tablebase, i), LUFT_OK);
    }
    luft_tablebase_free(tablebase);
}

/* --- Memory and threads ------------------------------------------------------------------------------ */

/* Opens, loads four tables and probes; results must be right or the error that of memory. */
static luft_error memory_scenario(void *payload) {
    const luft_position position = position_from("8/8/8/8/3k4/8/4Q3/K7 b - - 0 1");
    luft_tablebase *tablebase = NULL;
    luft_wdl wdl = LUFT_WDL_CURSED_WIN;
    int dtz = 0;
    (void)payload;
    luft_error error = luft_tablebase_open(&tablebase, NULL, LUFT_TABLEBASE_READ);
    for (int kind = 0; kind < 2 && error == LUFT_OK; kind++) {
        const written_table *table = &shared.tables[THREE_COUNT - 1][kind];
        error = luft_tablebase_add(tablebase, kind ? "KQvK.rtbz" : "KQvK.rtbw", table->bytes, table->size);
    }
    if (error == LUFT_OK) {
        error = luft_tablebase_probe_wdl(&wdl, tablebase, &position);
        assert_int_equal(wdl, error == LUFT_OK ? LUFT_WDL_LOSS : LUFT_WDL_CURSED_WIN);
    }
    if (error == LUFT_OK) {
        error = luft_tablebase_probe_dtz(&dtz, tablebase, &position);
        assert_true(error == LUFT_OK ? dtz < 0 : dtz == 0);
    }
    if (error == LUFT_OK) {
        error = luft_tablebase_check_sum(tablebase, 0);
    }
    luft_tablebase_table fault;
    assert_false(luft_tablebase_next_fault(&fault, tablebase)); /* memory is not the fault of a table */
    luft_tablebase_free(tablebase);
    return error;
}

static void failing_allocations(void **state) {
    (void)state;
    assert_true(assert_survives_failing_malloc(memory_scenario, NULL) > 5);
}

typedef struct thread_work {
    const luft_tablebase *tablebase;
    uint64_t seed;
    int wrong;
} thread_work;

/* Probes random positions and counts the results that are not those of the solver, which is only read. */
static void *probe_in_thread(void *argument) {
    thread_work *work = argument;
    random_source random = {work->seed};
    for (int i = 0; i < test_rounds(20000); i++) {
        const ending_position ending = {
            .count = 3,
            .pieces = {LUFT_WHITE_KING, LUFT_BLACK_KING,
                       luft_make_piece((luft_color)random_below(&random, 2),
                                       THREE[random_below(&random, THREE_COUNT)])},
            .squares = {random_below(&random, 64), random_below(&random, 64), random_below(&random, 64)},
            .side = (luft_color)random_below(&random, 2)};
        luft_position position;
        luft_wdl wdl;
        int dtz;
        if (!to_luft_position(&position, &ending)) {
            continue;
        }
        const int value = ending_value(shared.solver, &ending);
        if (value != ENDING_ILLEGAL) {
            work->wrong += luft_tablebase_probe_wdl(&wdl, work->tablebase, &position) != LUFT_OK ||
                           2 * ((value > 0) - (value < 0)) != (int)wdl;
            work->wrong += i % 8 == 0 && (luft_tablebase_probe_dtz(&dtz, work->tablebase, &position) != LUFT_OK ||
                                          !is_rounded(dtz, value));
        }
    }
    return NULL;
}

static void probe_in_threads(const luft_tablebase *tablebase) {
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    thread_work work[THREADS];
    for (int i = 0; i < THREADS; i++) {
        work[i] = (thread_work){tablebase, 1, 0}; /* the same positions, so that all load the same tables at once */
        assert_int_equal(pthread_create(&threads[i], NULL, probe_in_thread, &work[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(work[i].wrong, 0);
    }
}

static void threads_share_a_tablebase(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_written(3);
    probe_in_threads(tablebase);
    luft_tablebase_free(tablebase);
}

/* Through the cache of pages. */
static void threads_share_public_tables(void **state) {
    (void)state;
    luft_tablebase *tablebase = open_public(LUFT_TABLEBASE_READ);
    probe_in_threads(tablebase);
    luft_tablebase_free(tablebase);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_of_three_pieces_in_written_tables),
        cmocka_unit_test(tables_in_the_test_data),
        cmocka_unit_test(every_position_of_three_pieces_in_public_tables),
        cmocka_unit_test(every_position_of_four_pieces_in_public_tables),
        cmocka_unit_test(known_results_in_public_tables),
        cmocka_unit_test(play_by_root_moves_mates),
        cmocka_unit_test(root_moves_respect_the_halfmove_clock),
        cmocka_unit_test(root_moves_respect_repetitions),
        cmocka_unit_test(root_moves_without_distances),
        cmocka_unit_test(positions_without_a_table),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(names_of_tables),
        cmocka_unit_test(checksums),
        cmocka_unit_test(checksums_of_public_tables),
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(threads_share_a_tablebase),
        cmocka_unit_test(threads_share_public_tables),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
