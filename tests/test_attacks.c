/* SPDX-License-Identifier: MIT */
/*
 * The attack tables against attacks computed on coordinates: all 107,648 pairs of a
 * slider's square and its blockers by a ray walk, for both lookup methods; the leapers;
 * the between and line tables for all 4,096 pairs of squares; and the properties of the
 * Zobrist constants. The ray walk here shares nothing with tools/.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "core/zobrist.h"
#include "luft/attacks.h"

/* Also prints both values in hexadecimal. */
static void assert_bitboard(luft_bitboard actual, luft_bitboard expected) {
    assert_int_equal(actual, expected);
}

static uint64_t next_random(uint64_t *state) {
    uint64_t word = *state += UINT64_C(0x9e3779b97f4a7c15);
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
    return word ^ word >> 31;
}

static bool is_on_board(int file, int row) {
    return file >= 0 && file <= 7 && row >= 0 && row <= 7;
}

static luft_bitboard bit_at(int file, int row) {
    return UINT64_C(1) << (8 * row + file);
}

/* --- Sliders ---------------------------------------------------------------- */

/*
 * Walks from a square in all orthogonal or all diagonal directions up to the edge or a blocker. With
 * `inner_only`, leaves out the last square of each ray.
 */
static luft_bitboard walk(int square, bool diagonal, luft_bitboard occupied, bool inner_only) {
    luft_bitboard reached = 0;
    for (int row_step = -1; row_step <= 1; row_step++) {
        for (int file_step = -1; file_step <= 1; file_step++) {
            if ((row_step == 0 && file_step == 0) || (row_step != 0 && file_step != 0) != diagonal) {
                continue;
            }
            for (int distance = 1; distance < 8; distance++) {
                const int file = square % 8 + distance * file_step;
                const int row = square / 8 + distance * row_step;
                if (!is_on_board(file, row) || (inner_only && !is_on_board(file + file_step, row + row_step))) {
                    break;
                }
                reached |= bit_at(file, row);
                if (occupied & bit_at(file, row)) {
                    break;
                }
            }
        }
    }
    return reached;
}

typedef luft_bitboard slider_attacks(luft_square square, luft_bitboard occupied);

/*
 * Tests every blocker subset of every square, alone and with other pieces outside the mask. Returns the number
 * of pairs.
 */
static int check_slider(bool diagonal, slider_attacks *attacks) {
    uint64_t seed = 1;
    int pairs = 0;
    for (int square = 0; square < 64; square++) {
        const luft_bitboard mask = walk(square, diagonal, 0, true);
        luft_bitboard blockers = 0;
        do {
            const luft_bitboard expected = walk(square, diagonal, blockers, false);
            const luft_bitboard noise = next_random(&seed) & ~mask;
            assert_bitboard(attacks((luft_square)square, blockers), expected);
            assert_bitboard(attacks((luft_square)square, blockers | noise), expected);
            assert_bitboard(attacks((luft_square)square, blockers | ~mask), expected);
            pairs++;
            blockers = (blockers - mask) & mask; /* the next subset (carry-rippler) */
        } while (blockers != 0);
    }
    return pairs;
}

static void test_sliders_by_magic(void **state) {
    (void)state;
    const int pairs = check_slider(false, luft_rook_attacks_magic) + check_slider(true, luft_bishop_attacks_magic);
    assert_int_equal(pairs, 107648);
}

static void test_sliders_by_pext(void **state) {
    (void)state;
    const int pairs = check_slider(false, luft_rook_attacks_pext) + check_slider(true, luft_bishop_attacks_pext);
    assert_int_equal(pairs, LUFT_PEXT_TABLE_SIZE);
    assert_int_equal(pairs, 107648);
}

static void test_sliders_as_the_library_uses_them(void **state) {
    (void)state;
    const int pairs = check_slider(false, luft_rook_attacks) + check_slider(true, luft_bishop_attacks);
    assert_int_equal(pairs, 107648);
}

static void test_queen_attacks(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 100000; i++) {
        const int square = i % 64;
        const luft_bitboard occupied = next_random(&seed) & next_random(&seed);
        const luft_bitboard expected = walk(square, false, occupied, false) | walk(square, true, occupied, false);
        assert_bitboard(luft_queen_attacks((luft_square)square, occupied), expected);
    }
    /* A queen attacks 27 squares from the centre of an empty board and 21 from a corner. */
    assert_int_equal(luft_popcount(luft_queen_attacks(LUFT_D4, 0)), 27);
    assert_int_equal(luft_popcount(luft_queen_attacks(LUFT_A1, 0)), 21);
}

static void test_masks(void **state) {
    (void)state;
    for (int square = 0; square < 64; square++) {
        assert_bitboard(luft_pext_sliders.rook[square].mask, walk(square, false, 0, true));
        assert_bitboard(luft_rook_magics[square].mask, walk(square, false, 0, true));
        assert_bitboard(luft_pext_sliders.bishop[square].mask, walk(square, true, 0, true));
        assert_bitboard(luft_bishop_magics[square].mask, walk(square, true, 0, true));
    }
}

/* A magic index has at most as many bits as the mask has squares. */
static void test_magic_shifts(void **state) {
    (void)state;
    for (int square = 0; square < 64; square++) {
        const luft_magic *rook = &luft_rook_magics[square];
        const luft_magic *bishop = &luft_bishop_magics[square];
        assert_in_range(64 - rook->shift, 1, luft_popcount(rook->mask));
        assert_in_range(64 - bishop->shift, 1, luft_popcount(bishop->mask));
    }
}

static void test_rays(void **state) {
    (void)state;
    for (int square = 0; square < 64; square++) {
        assert_bitboard(luft_rook_rays(square), walk(square, false, 0, false));
        assert_bitboard(luft_bishop_rays(square), walk(square, true, 0, false));
        assert_int_equal(luft_popcount(luft_rook_rays(square)), 14);
    }
}

static void test_pext(void **state) {
    (void)state;
    assert_true(luft_pext(0, ~UINT64_C(0)) == 0);
    assert_true(luft_pext(~UINT64_C(0), 0) == 0);
    assert_true(luft_pext(UINT64_C(0xa5), UINT64_C(0xf0)) == 0xa);
    assert_true(luft_pext(LUFT_FILE_A, LUFT_FILE_A | LUFT_FILE_H) == 0x5555);
    uint64_t seed = 3;
    for (int i = 0; i < 10000; i++) {
        const uint64_t value = next_random(&seed);
        const uint64_t mask = next_random(&seed);
        const uint64_t gathered = luft_pext(value, mask);
        int position = 0;
        for (int square = 0; square < 64; square++) {
            if (mask >> square & 1) {
                assert_int_equal(gathered >> position & 1, value >> square & 1);
                position++;
            }
        }
        assert_true(position == 64 || gathered >> position == 0);
    }
}

/* --- Leapers ----------------------------------------------------------------- */

static void test_king_and_knight(void **state) {
    (void)state;
    int knight_moves = 0;
    int king_moves = 0;
    for (int from = 0; from < 64; from++) {
        for (int to = 0; to < 64; to++) {
            const int files = abs(from % 8 - to % 8);
            const int rows = abs(from / 8 - to / 8);
            const bool king = files <= 1 && rows <= 1 && from != to;
            const bool knight = files * rows == 2;
            assert_int_equal(luft_bitboard_test(luft_king_attacks((luft_square)from), (luft_square)to), king);
            assert_int_equal(luft_bitboard_test(luft_knight_attacks((luft_square)from), (luft_square)to), knight);
            king_moves += king;
            knight_moves += knight;
        }
    }
    assert_int_equal(king_moves, 420);
    assert_int_equal(knight_moves, 336);
}

static void test_pawns(void **state) {
    (void)state;
    for (int from = 0; from < 64; from++) {
        for (int to = 0; to < 64; to++) {
            const bool beside = abs(from % 8 - to % 8) == 1;
            const bool white = beside && to / 8 == from / 8 - 1;
            const bool black = beside && to / 8 == from / 8 + 1;
            const luft_bitboard white_attacks = luft_pawn_attacks(LUFT_WHITE, (luft_square)from);
            const luft_bitboard black_attacks = luft_pawn_attacks(LUFT_BLACK, (luft_square)from);
            assert_int_equal(luft_bitboard_test(white_attacks, (luft_square)to), white);
            assert_int_equal(luft_bitboard_test(black_attacks, (luft_square)to), black);
        }
    }
    assert_bitboard(luft_pawn_attacks(LUFT_WHITE, LUFT_E4), luft_bit(LUFT_D5) | luft_bit(LUFT_F5));
    assert_bitboard(luft_pawn_attacks(LUFT_BLACK, LUFT_A5), luft_bit(LUFT_B4));
    assert_bitboard(luft_pawn_attacks(LUFT_WHITE, LUFT_E8), 0);
    assert_bitboard(luft_pawn_attacks(LUFT_BLACK, LUFT_E1), 0);
}

/* --- Between and line ---------------------------------------------------------- */

static int sign(int number) {
    return (number > 0) - (number < 0);
}

static bool is_aligned(int a, int b) {
    const int files = b % 8 - a % 8;
    const int rows = b / 8 - a / 8;
    return a != b && (files == 0 || rows == 0 || abs(files) == abs(rows));
}

/* The squares from a to b in king steps, without a; only b if no line joins them. */
static luft_bitboard path(int a, int b) {
    if (a == b || !is_aligned(a, b)) {
        return a == b ? 0 : UINT64_C(1) << b;
    }
    luft_bitboard squares = 0;
    int file = a % 8;
    int row = a / 8;
    while (8 * row + file != b) {
        file += sign(b % 8 - a % 8);
        row += sign(b / 8 - a / 8);
        squares |= bit_at(file, row);
    }
    return squares;
}

static void test_between_examples(void **state) {
    (void)state;
    const luft_bitboard e2_to_e8 = LUFT_FILE_A << 4 & ~luft_bit(LUFT_E1);
    const luft_bitboard c6_to_g2 =
        luft_bit(LUFT_C6) | luft_bit(LUFT_D5) | luft_bit(LUFT_E4) | luft_bit(LUFT_F3) | luft_bit(LUFT_G2);
    assert_bitboard(luft_between(LUFT_E1, LUFT_E8), e2_to_e8);
    assert_bitboard(luft_between(LUFT_B7, LUFT_G2), c6_to_g2);
    assert_bitboard(luft_between(LUFT_A1, LUFT_C1), luft_bit(LUFT_B1) | luft_bit(LUFT_C1));
    assert_bitboard(luft_between(LUFT_E1, LUFT_E2), luft_bit(LUFT_E2));
    assert_bitboard(luft_between(LUFT_E1, LUFT_F3), luft_bit(LUFT_F3)); /* a knight's move apart */
    assert_bitboard(luft_between(LUFT_A1, LUFT_B4), luft_bit(LUFT_B4));
    assert_bitboard(luft_between(LUFT_H4, LUFT_A3), luft_bit(LUFT_A3)); /* neighbours by number, not on the board */
    assert_bitboard(luft_between(LUFT_E4, LUFT_E4), 0);
}

/* The squares beyond b: the ray from a through b on the empty board, without the squares up to b. */
static void test_beyond(void **state) {
    (void)state;
    assert_bitboard(luft_beyond(LUFT_E1, LUFT_E6), luft_bit(LUFT_E7) | luft_bit(LUFT_E8));
    assert_bitboard(luft_beyond(LUFT_B7, LUFT_G2), luft_bit(LUFT_H1));
    assert_bitboard(luft_beyond(LUFT_E1, LUFT_F3), 0);
    for (int a = 0; a < 64; a++) {
        for (int b = 0; b < 64; b++) {
            const luft_square from = (luft_square)a, to = (luft_square)b;
            const luft_bitboard beyond = luft_beyond(from, to);
            assert_bitboard(beyond & ~luft_line(from, to), 0);
            for (int c = 0; c < 64; c++) {
                /* c is beyond b exactly if b lies strictly between a and c. */
                const luft_bitboard path = luft_between(from, (luft_square)c) & ~luft_bit((luft_square)c);
                assert_int_equal(luft_bitboard_test(beyond, (luft_square)c), luft_bitboard_test(path, to));
            }
        }
    }
}

static void test_between_all_pairs(void **state) {
    (void)state;
    for (int a = 0; a < 64; a++) {
        for (int b = 0; b < 64; b++) {
            const luft_bitboard there = luft_between((luft_square)a, (luft_square)b);
            const luft_bitboard back = luft_between((luft_square)b, (luft_square)a);
            const luft_bitboard ends = UINT64_C(1) << a | UINT64_C(1) << b;
            assert_bitboard(there, path(a, b));
            assert_bitboard(there & ~ends, back & ~ends); /* the squares between do not depend on the order */
            assert_false(luft_bitboard_test(there, (luft_square)a));
            assert_int_equal(luft_bitboard_test(there, (luft_square)b), a != b);
        }
    }
}

static void test_line_examples(void **state) {
    (void)state;
    const luft_bitboard a8_to_h1 = luft_bishop_attacks(LUFT_A8, 0) | luft_bit(LUFT_A8);
    assert_bitboard(luft_line(LUFT_E2, LUFT_E5), LUFT_FILE_A << 4);
    assert_bitboard(luft_line(LUFT_B1, LUFT_G1), LUFT_RANK_1);
    assert_bitboard(luft_line(LUFT_B7, LUFT_G2), a8_to_h1);
    assert_bitboard(luft_line(LUFT_E1, LUFT_F3), 0);
    assert_bitboard(luft_line(LUFT_E4, LUFT_E4), 0);
}

static void test_line_all_pairs(void **state) {
    (void)state;
    for (int a = 0; a < 64; a++) {
        for (int b = 0; b < 64; b++) {
            const luft_bitboard line = luft_line((luft_square)a, (luft_square)b);
            assert_bitboard(line, luft_line((luft_square)b, (luft_square)a));
            assert_int_equal(line != 0, is_aligned(a, b));
            for (int c = 0; c < 64; c++) {
                /* c is on the line if the direction from a to c is that from a to b or its opposite. */
                const int cross = (b % 8 - a % 8) * (c / 8 - a / 8) - (b / 8 - a / 8) * (c % 8 - a % 8);
                const bool expected = is_aligned(a, b) && cross == 0;
                assert_int_equal(luft_bitboard_test(line, (luft_square)c), expected);
            }
        }
    }
}

/* --- Zobrist constants ------------------------------------------------------------ */

enum { CONSTANT_COUNT = 2 * 6 * 64 + 16 + 8 };

static int compare_words(const void *a, const void *b) {
    const uint64_t left = *(const uint64_t *)a;
    const uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* All constants of White's key. Black's key has the same words at other indices: test_zobrist_flip. */
static int collect_constants(uint64_t *words) {
    int count = 0;
    for (int color = 0; color < 2; color++) {
        for (int type = LUFT_PAWN; type <= LUFT_KING; type++) {
            for (int square = 0; square < 64; square++) {
                words[count++] = luft_zobrist_piece[color][type][square].key[LUFT_WHITE];
            }
        }
    }
    for (int i = 0; i < 8; i++) {
        words[count++] = luft_zobrist_castling[LUFT_A8 + i].key[LUFT_WHITE];
        words[count++] = luft_zobrist_castling[LUFT_A1 + i].key[LUFT_WHITE];
        words[count++] = luft_zobrist_ep_file[i];
    }
    return count;
}

static void test_zobrist_flip(void **state) {
    (void)state;
    for (int square = 0; square < 64; square++) {
        for (int type = LUFT_NO_PIECE_TYPE; type <= LUFT_KING; type++) {
            for (int color = 0; color < 2; color++) {
                const zobrist_pair own = luft_zobrist_piece[color][type][square];
                const zobrist_pair flipped = luft_zobrist_piece[1 - color][type][square ^ 56];
                assert_true(own.key[LUFT_BLACK] == flipped.key[LUFT_WHITE]);
            }
        }
        const zobrist_pair own = luft_zobrist_castling[square];
        const zobrist_pair flipped = luft_zobrist_castling[square ^ 56];
        assert_true(own.key[LUFT_BLACK] == flipped.key[LUFT_WHITE]);
    }
}

static void test_zobrist_unused_are_zero(void **state) {
    (void)state;
    for (int square = 0; square < 64; square++) {
        for (int i = 0; i < 4; i++) {
            assert_true(luft_zobrist_piece[i / 2][LUFT_NO_PIECE_TYPE][square].key[i % 2] == 0);
        }
        if (square / 8 != 0 && square / 8 != 7) {
            assert_true(luft_zobrist_castling[square].key[LUFT_WHITE] == 0);
            assert_true(luft_zobrist_castling[square].key[LUFT_BLACK] == 0);
        }
    }
}

static void test_zobrist_distinct(void **state) {
    (void)state;
    uint64_t words[CONSTANT_COUNT];
    assert_int_equal(collect_constants(words), CONSTANT_COUNT);
    qsort(words, CONSTANT_COUNT, sizeof words[0], compare_words);
    assert_true(words[0] != 0);
    for (int i = 1; i < CONSTANT_COUNT; i++) {
        assert_true(words[i] != words[i - 1]);
    }
}

/*
 * Distinct constants are not enough: two moved pieces must not cancel two others. No XOR of two constants equals
 * that of another two; of the 313,236 pairs none collides.
 */
static void test_zobrist_pairs_distinct(void **state) {
    (void)state;
    enum { PAIR_COUNT = CONSTANT_COUNT * (CONSTANT_COUNT - 1) / 2 };
    uint64_t words[CONSTANT_COUNT];
    uint64_t *pairs = malloc(PAIR_COUNT * sizeof *pairs);
    int count = 0;
    assert_non_null(pairs);
    collect_constants(words);
    for (int i = 0; i < CONSTANT_COUNT; i++) {
        for (int j = 0; j < i; j++) {
            pairs[count++] = words[i] ^ words[j];
        }
    }
    assert_int_equal(count, PAIR_COUNT);
    qsort(pairs, PAIR_COUNT, sizeof *pairs, compare_words);
    for (int i = 1; i < PAIR_COUNT; i++) {
        assert_true(pairs[i] != pairs[i - 1]);
    }
    free(pairs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sliders_by_magic),
        cmocka_unit_test(test_sliders_by_pext),
        cmocka_unit_test(test_sliders_as_the_library_uses_them),
        cmocka_unit_test(test_queen_attacks),
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_magic_shifts),
        cmocka_unit_test(test_rays),
        cmocka_unit_test(test_pext),
        cmocka_unit_test(test_king_and_knight),
        cmocka_unit_test(test_pawns),
        cmocka_unit_test(test_between_examples),
        cmocka_unit_test(test_between_all_pairs),
        cmocka_unit_test(test_beyond),
        cmocka_unit_test(test_line_examples),
        cmocka_unit_test(test_line_all_pairs),
        cmocka_unit_test(test_zobrist_flip),
        cmocka_unit_test(test_zobrist_unused_are_zero),
        cmocka_unit_test(test_zobrist_distinct),
        cmocka_unit_test(test_zobrist_pairs_distinct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
