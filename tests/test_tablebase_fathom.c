/* SPDX-License-Identifier: MIT */
/*
 * Tablebases against Fathom, the prober that most engines use, as Debian's libfathom1 has it: random positions, and all root
 * moves with their results and distances. The library is loaded at run time; the test is skipped if it or the public tables
 * are missing. Luft itself never uses it.
 */
#include "support/check.h"
#include "support/random_positions.h"
#include "support/table_writer.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* How Fathom packs the result of a root move. */
enum {
    FATHOM_RESULTS = 193,
    FATHOM_TO = 4,
    FATHOM_FROM = 10,
    FATHOM_PROMOTES = 16, /* 1 for a queen to 4 for a knight */
    FATHOM_DTZ = 20,
};
#define FATHOM_FAILED 0xFFFFFFFFu

typedef bool (*fathom_init)(const char *path);
typedef unsigned (*fathom_wdl)(uint64_t white, uint64_t black, uint64_t kings, uint64_t queens, uint64_t rooks,
                               uint64_t bishops, uint64_t knights, uint64_t pawns, unsigned ep, bool white_to_move);
typedef unsigned (*fathom_root)(uint64_t white, uint64_t black, uint64_t kings, uint64_t queens, uint64_t rooks,
                                uint64_t bishops, uint64_t knights, uint64_t pawns, unsigned clock, unsigned ep,
                                bool white_to_move, unsigned *results);

static struct {
    void *library;
    fathom_wdl probe_wdl;
    fathom_root probe_root;
    luft_tablebase *tablebase;
} shared;

/* ISO C has no cast from an object pointer to a function pointer. */
static void find(void *function, const char *name) {
    void *symbol = dlsym(shared.library, name);
    assert_non_null(symbol);
    memcpy(function, &symbol, sizeof symbol);
}

static void open_all(void) {
    char path[4096];
    fathom_init init;
    if (shared.tablebase) {
        return;
    }
    fclose(open_optional_data("syzygy/KQvK.rtbw"));
    snprintf(path, sizeof path, "%s/syzygy", getenv("LUFT_DATA"));
    shared.library = dlopen("libfathom.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!shared.library) {
        print_message("# skipped: libfathom1 is not installed\n");
        skip();
    }
    find(&init, "tb_init");
    find(&shared.probe_wdl, "tb_probe_wdl_impl");
    find(&shared.probe_root, "tb_probe_root_impl");
    assert_true(init(path));
    assert_int_equal(luft_tablebase_open(&shared.tablebase, path, LUFT_TABLEBASE_READ), LUFT_OK);
}

/* Fathom stays open: its tb_free prints an error for each table. */
static int close_tablebase(void **state) {
    (void)state;
    luft_tablebase_free(shared.tablebase);
    return 0;
}

/* Fathom numbers squares from A1 = 0. */
static uint64_t turned(luft_bitboard set) {
    return __builtin_bswap64(set);
}

static unsigned ep_of(const luft_position *position) {
    return position->ep_square < 64 ? (unsigned)luft_square_to_a1((luft_square)position->ep_square) : 0;
}

static unsigned ask_wdl(const luft_position *position) {
    const luft_board *board = &position->board;
    return shared.probe_wdl(turned(board->color[0]), turned(board->color[1]), turned(board->kings),
                            turned(luft_queens(board)), turned(luft_rooks(board)), turned(luft_bishops(board)),
                            turned(board->knights), turned(board->pawns), ep_of(position),
                            position->side_to_move == LUFT_WHITE);
}

static unsigned ask_root(const luft_position *position, unsigned *results) {
    const luft_board *board = &position->board;
    return shared.probe_root(turned(board->color[0]), turned(board->color[1]), turned(board->kings),
                             turned(luft_queens(board)), turned(luft_rooks(board)), turned(luft_bishops(board)),
                             turned(board->knights), turned(board->pawns), position->halfmove_clock, ep_of(position),
                             position->side_to_move == LUFT_WHITE, results);
}

/* A valid random position of two to `most` pieces; with pawns of both sides sometimes one that can be captured en passant. */
static luft_position random_ending(random_source *random, int most) {
    for (;;) {
        ending_position ending = {.count = 2, .pieces = {LUFT_WHITE_KING, LUFT_BLACK_KING}};
        const int count = 2 + random_below(random, most - 1);
        while (ending.count < count) {
            ending.pieces[ending.count++] = luft_make_piece((luft_color)random_below(random, 2),
                                                            (luft_piece_type)(LUFT_PAWN + random_below(random, 5)));
        }
        for (int i = 0; i < count; i++) {
            ending.squares[i] = random_below(random, 64);
        }
        ending.side = (luft_color)random_below(random, 2);
        luft_position position;
        if (!to_luft_position(&position, &ending) || luft_position_status(&position) != LUFT_STATUS_VALID) {
            continue;
        }
        for (int square = LUFT_A6; square <= LUFT_H3; square++) {
            luft_position with_ep = position;
            with_ep.ep_square = (uint8_t)square;
            if (luft_position_compute_keys(&with_ep) == LUFT_OK &&
                luft_position_status(&with_ep) == LUFT_STATUS_VALID) {
                return with_ep;
            }
        }
        return position;
    }
}

static void compare_wdl(const luft_position *position, int *counts) {
    luft_wdl wdl;
    const unsigned expected = ask_wdl(position);
    const luft_error error = luft_tablebase_probe_wdl(&wdl, shared.tablebase, position);
    require((error == LUFT_OK) == (expected != FATHOM_FAILED), position, "a result from both or from neither");
    if (error == LUFT_OK) {
        require_equal((uint64_t)(wdl + 2), expected, position, "the result");
        counts[wdl + 2]++;
    }
}

static void results_are_those_of_fathom(void **state) {
    (void)state;
    open_all();
    random_source random = {20};
    int counts[5] = {0}, en_passant = 0;
    for (int i = 0; i < test_rounds(300000); i++) {
        const luft_position position = random_ending(&random, 4);
        en_passant += position.ep_square < 64;
        compare_wdl(&position, counts);
    }
    assert_true(counts[0] > 100 && counts[2] > 100 && counts[4] > 100);
    assert_true(test_is_quick() || en_passant > 0); /* a few in a hundred thousand */
    for (int i = 0; i < test_rounds(20000);) {      /* the table of five pieces */
        const ending_position ending = {
            .count = 5 - 1,
            .pieces = {LUFT_WHITE_KING, LUFT_BLACK_KING, LUFT_WHITE_BISHOP, LUFT_WHITE_KNIGHT},
            .squares = {random_below(&random, 64), random_below(&random, 64), random_below(&random, 64),
                        random_below(&random, 64)},
            .side = (luft_color)random_below(&random, 2)};
        const luft_bitboard knight = luft_bit((luft_square)random_below(&random, 64));
        luft_position position;
        if (!to_luft_position(&position, &ending) || luft_occupied(&position.board) & knight) {
            continue;
        }
        position.board.knights |= knight;
        position.board.color[LUFT_BLACK] |= knight;
        if (luft_position_compute_keys(&position) == LUFT_OK && luft_position_status(&position) == LUFT_STATUS_VALID) {
            compare_wdl(&position, counts);
            i++;
        }
    }
    assert_true(test_is_quick() || (counts[1] > 0 && counts[3] > 0)); /* this ending has a few cursed wins */
}

static unsigned fathom_move(luft_move move) {
    const unsigned promotes = luft_move_is_promotion(move) ? (unsigned)(LUFT_QUEEN - luft_move_promotion(move) + 1) : 0;
    return (unsigned)luft_square_to_a1(luft_move_from(move)) << FATHOM_FROM |
           (unsigned)luft_square_to_a1(luft_move_to(move)) << FATHOM_TO | promotes << FATHOM_PROMOTES;
}

static void compare_root(const luft_position *position) {
    unsigned results[FATHOM_RESULTS];
    luft_tablebase_moves moves;
    const unsigned expected = ask_root(position, results);
    const luft_error error = luft_tablebase_probe_root(&moves, shared.tablebase, position, NULL, 0, true);
    require((error == LUFT_OK && moves.has_dtz) == (expected != FATHOM_FAILED), position, "an answer from both");
    for (int i = 0; i < moves.count && error == LUFT_OK; i++) {
        const unsigned move = fathom_move(moves.moves[i].move), mask = 7u << FATHOM_PROMOTES | 0xFFF0;
        int j = 0;
        while ((results[j] & mask) != move) {
            require(results[j] != FATHOM_FAILED && j < FATHOM_RESULTS - 1, position, "the same moves");
            j++;
        }
        require_equal((uint64_t)(moves.moves[i].wdl + 2), results[j] & 15, position, "the result of a move");
        require_equal((uint64_t)abs(moves.moves[i].dtz), results[j] >> FATHOM_DTZ, position, "the distance of a move");
    }
}

static void root_moves_are_those_of_fathom(void **state) {
    (void)state;
    open_all();
    random_source random = {21};
    for (int i = 0; i < test_rounds(10000); i++) {
        luft_position position = random_ending(&random, 4);
        if (luft_has_legal_move(&position)) {
            position.halfmove_clock = (uint16_t)(i % 2 ? random_below(&random, 100) : 0);
            compare_root(&position);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_those_of_fathom),
        cmocka_unit_test(root_moves_are_those_of_fathom),
    };
    return cmocka_run_group_tests(tests, NULL, close_tablebase);
}
