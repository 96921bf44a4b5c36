/* SPDX-License-Identifier: MIT */
/*
 * Squares and bitboards: every inline function on every square, against plain
 * file and rank arithmetic, and the diagram. The De Bruijn scan is tested by
 * name, so it is covered whichever scan the library uses in this build. That scans
 * of the empty set abort is seen in child processes.
 */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "luft/bitboard.h"

/* Random words with a fixed seed (splitmix64); every failure can be repeated. */
static uint64_t next_random(uint64_t *state) {
    uint64_t word = *state += UINT64_C(0x9e3779b97f4a7c15);
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
    return word ^ word >> 31;
}

/* --- Squares -------------------------------------------------------------- */

static void test_named_squares(void **state) {
    (void)state;
    assert_int_equal(LUFT_A8, 0);
    assert_int_equal(LUFT_H8, 7);
    assert_int_equal(LUFT_C2, 50);
    assert_int_equal(LUFT_A1, 56);
    assert_int_equal(LUFT_H1, 63);
    assert_int_equal(LUFT_NO_SQUARE, 64);
    assert_int_equal(luft_file_of(LUFT_C2), 2);
    assert_int_equal(luft_rank_of(LUFT_C2), 1);
    assert_int_equal(luft_square_at(4, 0), LUFT_E1);
    for (int square = 0; square < 64; square++) {
        assert_int_equal(luft_square_at(luft_file_of((luft_square)square), luft_rank_of((luft_square)square)), square);
    }
}

/* --- Text of squares and pieces --------------------------------------------- */

static void test_square_text(void **state) {
    (void)state;
    static const char files[] = "abcdefgh", ranks[] = "87654321";
    for (int square = 0; square < 64; square++) {
        const char expected[] = {files[square % 8], ranks[square / 8], '\0'};
        char text[LUFT_SQUARE_TEXT_SIZE] = "";
        luft_square back = LUFT_NO_SQUARE;
        assert_int_equal(luft_square_to_text(text, sizeof text, (luft_square)square), 2);
        assert_string_equal(text, expected);
        assert_int_equal(luft_file_letter((luft_square)square), expected[0]);
        assert_int_equal(luft_rank_digit((luft_square)square), expected[1]);
        assert_int_equal(luft_square_from_text(&back, text, 2), LUFT_OK);
        assert_int_equal(back, square);
    }
    char text[LUFT_SQUARE_TEXT_SIZE] = "";
    assert_int_equal(luft_square_to_text(text, sizeof text, LUFT_C2), 2);
    assert_string_equal(text, "c2");
}

/* Of all texts of two bytes exactly 64 are squares. */
static void test_no_other_text_is_a_square(void **state) {
    (void)state;
    int squares = 0;
    for (int bytes = 0; bytes < 65536; bytes++) {
        const char text[] = {(char)(bytes & 255), (char)(bytes >> 8)};
        luft_square square = LUFT_NO_SQUARE;
        const luft_error error = luft_square_from_text(&square, text, sizeof text);
        assert_int_equal(error, square == LUFT_NO_SQUARE ? LUFT_ERROR_ARGUMENT : LUFT_OK);
        squares += error == LUFT_OK;
    }
    assert_int_equal(squares, 64);
    int files = 0, ranks = 0;
    for (int byte = 0; byte < 256; byte++) {
        const int file = luft_file_from_letter((char)byte), rank = luft_rank_from_digit((char)byte);
        assert_true(file == -1 || (file == byte - 'a' && file < 8));
        assert_true(rank == -1 || (rank == byte - '1' && rank < 8));
        files += file >= 0;
        ranks += rank >= 0;
    }
    assert_int_equal(files, 8);
    assert_int_equal(ranks, 8);
}

static void test_piece_letters(void **state) {
    (void)state;
    static const struct {
        luft_piece piece;
        char letter;
    } known[] = {
        {LUFT_WHITE_PAWN, 'P'},   {LUFT_WHITE_KNIGHT, 'N'}, {LUFT_WHITE_BISHOP, 'B'}, {LUFT_WHITE_ROOK, 'R'},
        {LUFT_WHITE_QUEEN, 'Q'},  {LUFT_WHITE_KING, 'K'},   {LUFT_BLACK_PAWN, 'p'},   {LUFT_BLACK_KNIGHT, 'n'},
        {LUFT_BLACK_BISHOP, 'b'}, {LUFT_BLACK_ROOK, 'r'},   {LUFT_BLACK_QUEEN, 'q'},  {LUFT_BLACK_KING, 'k'},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        assert_int_equal(luft_piece_letter(known[i].piece), known[i].letter);
        assert_int_equal(luft_piece_from_letter(known[i].letter), known[i].piece);
    }
    int letters = 0;
    for (int byte = 0; byte < 256; byte++) {
        letters += luft_piece_from_letter((char)byte) != LUFT_NO_PIECE;
    }
    assert_int_equal(letters, 12);
    static const int others[] = {LUFT_NO_PIECE, 7, 8, 15, 16, -1, 1 << 20};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_int_equal(luft_piece_letter((luft_piece)others[i]), '.');
    }
}

/* --- Other numberings -------------------------------------------------------- */

static void test_a1_numbering(void **state) {
    (void)state;
    assert_int_equal(luft_square_to_a1(LUFT_A1), 0);
    assert_int_equal(luft_square_to_a1(LUFT_B1), 1);
    assert_int_equal(luft_square_to_a1(LUFT_C2), 10);
    assert_int_equal(luft_square_to_a1(LUFT_E4), 28);
    assert_int_equal(luft_square_to_a1(LUFT_H8), 63);
    for (int square = 0; square < 64; square++) {
        const int file = square % 8;
        const int rank = 8 - square / 8;
        assert_int_equal(luft_square_to_a1((luft_square)square), (rank - 1) * 8 + file);
        assert_int_equal(luft_square_from_a1(luft_square_to_a1((luft_square)square)), square);
    }
}

static void test_h8_numbering(void **state) {
    (void)state;
    assert_int_equal(luft_square_to_h8(LUFT_H8), 0);
    assert_int_equal(luft_square_to_h8(LUFT_G8), 1);
    assert_int_equal(luft_square_to_h8(LUFT_A8), 7);
    assert_int_equal(luft_square_to_h8(LUFT_H7), 8);
    assert_int_equal(luft_square_to_h8(LUFT_A1), 63);
    for (int square = 0; square < 64; square++) {
        const int file = square % 8;
        const int rank = 8 - square / 8;
        assert_int_equal(luft_square_to_h8((luft_square)square), (8 - rank) * 8 + (7 - file));
        assert_int_equal(luft_square_from_h8(luft_square_to_h8((luft_square)square)), square);
    }
}

static void test_square_flip(void **state) {
    (void)state;
    assert_int_equal(luft_square_flip(LUFT_E2), LUFT_E7);
    assert_int_equal(luft_square_flip(LUFT_A8), LUFT_A1);
    assert_int_equal(luft_square_flip(LUFT_H4), LUFT_H5);
}

/* --- Sets ------------------------------------------------------------------ */

static void test_set_clear_test_toggle(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 64; i++) {
        const luft_square square = (luft_square)i;
        const luft_bitboard word = next_random(&seed);
        const luft_bitboard with = luft_bitboard_set(word, square);
        const luft_bitboard without = luft_bitboard_clear(word, square);
        assert_true(luft_bitboard_test(with, square));
        assert_false(luft_bitboard_test(without, square));
        assert_true(with - without == luft_bit(square));
        assert_true(luft_bitboard_toggle(with, square) == without);
        assert_true(luft_bitboard_toggle(without, square) == with);
        assert_true(word == (luft_bitboard_test(word, square) ? with : without));
        for (int other = 0; other < 64; other++) {
            assert_int_equal(luft_bitboard_test(luft_bit(square), (luft_square)other), other == i);
        }
    }
    assert_true(luft_bit(LUFT_A8) == 1);
    assert_true(luft_bit(LUFT_H1) == UINT64_C(0x8000000000000000));
}

static void test_files_and_ranks(void **state) {
    (void)state;
    for (int i = 0; i < 64; i++) {
        const luft_square square = (luft_square)i;
        assert_int_equal(luft_bitboard_test(LUFT_FILE_A, square), i % 8 == 0);
        assert_int_equal(luft_bitboard_test(LUFT_FILE_H, square), i % 8 == 7);
        assert_int_equal(luft_bitboard_test(LUFT_RANK_8, square), i / 8 == 0);
        assert_int_equal(luft_bitboard_test(LUFT_RANK_1, square), i / 8 == 7);
    }
}

static void test_scan_of_single_bits(void **state) {
    (void)state;
    for (int i = 0; i < 64; i++) {
        luft_bitboard set = UINT64_C(1) << i;
        assert_int_equal(luft_lsb(set), i);
        assert_int_equal(luft_lsb_de_bruijn(set), i);
        assert_int_equal(luft_pop(&set), i);
        assert_true(set == 0);
    }
}

static void test_scan_of_random_words(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 100000; i++) {
        /* Zeros at the low end, so that every square is the lowest about equally often. */
        const luft_bitboard set = (next_random(&seed) | 1) << i % 64;
        int lowest = 0;
        while (!(set >> lowest & 1)) {
            lowest++;
        }
        assert_int_equal(luft_lsb(set), lowest);
        assert_int_equal(luft_lsb_de_bruijn(set), lowest);
    }
}

static void test_pop_visits_every_square_in_order(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 1000; i++) {
        const luft_bitboard set = i == 0 ? ~UINT64_C(0) : next_random(&seed);
        luft_bitboard rest = set;
        int count = 0;
        for (int square = 0; square < 64; square++) {
            if (set >> square & 1) {
                assert_int_equal(luft_pop(&rest), square);
                count++;
                assert_int_equal(luft_popcount(rest), luft_popcount(set) - count);
            }
        }
        assert_true(rest == 0);
        assert_int_equal(luft_popcount(set), count);
    }
}

/* --- The empty set, which has no lowest square ----------------------------- */

static volatile luft_bitboard scanned; /* read at run time, so that no compiler knows that it is empty */

static void scan(void) {
    luft_lsb(scanned);
}

static void scan_de_bruijn(void) {
    luft_lsb_de_bruijn(scanned);
}

static void pop(void) {
    luft_bitboard set = scanned;
    luft_pop(&set);
}

/* The signal that ends a child process which calls this function, 0 if it returns. */
static int signal_that_ends(void (*function)(void)) {
    int status = 0;
    fflush(NULL); /* what is in the buffers is written once, not by the child too */
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        close(STDERR_FILENO); /* the message of the assertion */
        signal(SIGABRT, SIG_DFL);
        function();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void test_scan_of_the_empty_set_aborts(void **state) {
    (void)state;
#ifdef NDEBUG
    skip(); /* the precondition is not checked in such a build */
#endif
    static void (*const functions[])(void) = {scan, scan_de_bruijn, pop};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        scanned = luft_bit(LUFT_E4);
        assert_int_equal(signal_that_ends(functions[i]), 0);
        scanned = 0;
        assert_int_equal(signal_that_ends(functions[i]), SIGABRT);
    }
}

static void test_popcount(void **state) {
    (void)state;
    luft_bitboard set = 0;
    assert_int_equal(luft_popcount(0), 0);
    assert_false(luft_more_than_one(0));
    for (int i = 0; i < 64; i++) {
        const luft_square square = (luft_square)(i * 37 % 64); /* 37 is odd: every square once */
        assert_int_equal(luft_popcount(luft_bit(square)), 1);
        assert_false(luft_more_than_one(luft_bit(square)));
        set = luft_bitboard_set(set, square);
        assert_int_equal(luft_popcount(set), i + 1);
        assert_int_equal(luft_more_than_one(set), i > 0);
    }
    assert_true(set == ~UINT64_C(0));
}

/* --- Shifts ---------------------------------------------------------------- */

/* The squares of a set moved by a step, computed square by square; those that leave the board vanish. */
static luft_bitboard moved(luft_bitboard set, int file_step, int row_step) {
    luft_bitboard result = 0;
    for (int square = 0; square < 64; square++) {
        const int file = square % 8 + file_step;
        const int row = square / 8 + row_step;
        if (set >> square & 1 && file >= 0 && file < 8 && row >= 0 && row < 8) {
            result |= UINT64_C(1) << (row * 8 + file);
        }
    }
    return result;
}

static void assert_shifts(luft_bitboard set) {
    assert_true(luft_north(set) == moved(set, 0, -1));
    assert_true(luft_south(set) == moved(set, 0, 1));
    assert_true(luft_east(set) == moved(set, 1, 0));
    assert_true(luft_west(set) == moved(set, -1, 0));
    assert_true(luft_north(luft_east(set)) == moved(set, 1, -1));
    assert_true(luft_south(luft_west(set)) == moved(set, -1, 1));
}

static void test_shifts_never_wrap(void **state) {
    (void)state;
    uint64_t seed = 4;
    for (int square = 0; square < 64; square++) {
        assert_shifts(UINT64_C(1) << square);
    }
    assert_shifts(0);
    assert_shifts(~UINT64_C(0));
    for (int i = 0; i < 1000; i++) {
        assert_shifts(next_random(&seed));
    }
    assert_true(luft_north(luft_bit(LUFT_E4)) == luft_bit(LUFT_E5));
    assert_true(luft_east(luft_bit(LUFT_E4)) == luft_bit(LUFT_F4));
    assert_true(luft_east(luft_bit(LUFT_H4)) == 0);
    assert_true(luft_west(luft_bit(LUFT_A4)) == 0);
}

static void test_bitboard_flip(void **state) {
    (void)state;
    uint64_t seed = 5;
    assert_true(luft_bitboard_flip(LUFT_RANK_8) == LUFT_RANK_1);
    assert_true(luft_bitboard_flip(LUFT_FILE_A) == LUFT_FILE_A);
    for (int square = 0; square < 64; square++) {
        const luft_square flipped = luft_square_flip((luft_square)square);
        assert_true(luft_bitboard_flip(luft_bit((luft_square)square)) == luft_bit(flipped));
    }
    for (int i = 0; i < 1000; i++) {
        const luft_bitboard set = next_random(&seed);
        const luft_bitboard other = next_random(&seed);
        assert_true(luft_bitboard_flip(luft_bitboard_flip(set)) == set);
        assert_true(luft_bitboard_flip(set | other) == (luft_bitboard_flip(set) | luft_bitboard_flip(other)));
    }
}

/* Converts a set square by square, as the conversions of single squares say. */
static uint64_t renumbered(luft_bitboard set, int (*number_of)(luft_square)) {
    uint64_t bits = 0;
    for (int square = 0; square < 64; square++) {
        bits |= (set >> square & 1) << number_of((luft_square)square);
    }
    return bits;
}

static void assert_numberings(luft_bitboard set) {
    assert_true(luft_bitboard_to_a1(set) == renumbered(set, luft_square_to_a1));
    assert_true(luft_bitboard_to_h8(set) == renumbered(set, luft_square_to_h8));
    assert_true(luft_bitboard_from_a1(luft_bitboard_to_a1(set)) == set);
    assert_true(luft_bitboard_from_h8(luft_bitboard_to_h8(set)) == set);
    assert_true(luft_bitboard_to_a1(luft_bitboard_from_a1(set)) == set);
    assert_true(luft_bitboard_to_h8(luft_bitboard_from_h8(set)) == set);
    /* The shifts of the other numberings, squares at the edge left out so that none wraps. */
    assert_true(luft_bitboard_to_a1(luft_north(set)) == luft_bitboard_to_a1(set) << 8);
    assert_true(luft_bitboard_to_h8(luft_north(set)) == luft_bitboard_to_h8(set) >> 8);
    assert_true(luft_bitboard_to_a1(luft_east(set)) == luft_bitboard_to_a1(set & ~LUFT_FILE_H) << 1);
    assert_true(luft_bitboard_to_h8(luft_east(set)) == luft_bitboard_to_h8(set & ~LUFT_FILE_H) >> 1);
}

static void test_numberings_of_sets(void **state) {
    (void)state;
    uint64_t seed = 6;
    for (int square = 0; square < 64; square++) {
        assert_numberings(UINT64_C(1) << square);
    }
    assert_numberings(0);
    assert_numberings(~UINT64_C(0));
    for (int i = 0; i < 1000; i++) {
        assert_numberings(next_random(&seed));
    }
    assert_true(luft_bitboard_to_a1(luft_bit(LUFT_A1)) == 1);
    assert_true(luft_bitboard_to_h8(luft_bit(LUFT_H8)) == 1);
    assert_true(luft_bitboard_to_h8(LUFT_RANK_8) == 0xff);
}

/* --- Text ------------------------------------------------------------------ */

static const char corner_text[] = "8 1 . . . . . . .\n"
                                  "7 . . . . . . . .\n"
                                  "6 . . . . . . . .\n"
                                  "5 . . . . . . . .\n"
                                  "4 . . . . 1 . . .\n"
                                  "3 . . . . . . . .\n"
                                  "2 . . 1 . . . . .\n"
                                  "1 . . . . . . . 1\n"
                                  "  a b c d e f g h\n";

static luft_bitboard corner_set(void) {
    return luft_bit(LUFT_A8) | luft_bit(LUFT_E4) | luft_bit(LUFT_C2) | luft_bit(LUFT_H1);
}

static void test_text(void **state) {
    (void)state;
    char buffer[LUFT_BITBOARD_TEXT_SIZE + 8];
    memset(buffer, '#', sizeof buffer);
    assert_int_equal(luft_bitboard_text(buffer, sizeof buffer, corner_set()), sizeof corner_text - 1);
    assert_string_equal(buffer, corner_text);
    assert_int_equal(buffer[LUFT_BITBOARD_TEXT_SIZE], '#');
    assert_int_equal(sizeof corner_text, LUFT_BITBOARD_TEXT_SIZE);
}

static void test_text_marks_exactly_the_set(void **state) {
    (void)state;
    for (int square = 0; square < 64; square++) {
        char buffer[LUFT_BITBOARD_TEXT_SIZE];
        luft_bitboard_text(buffer, sizeof buffer, UINT64_C(1) << square);
        /* Eighteen characters a line; the file's mark is the third, fifth, and so on. The rank "1" is a digit too. */
        for (int other = 0; other < 64; other++) {
            assert_int_equal(buffer[18 * (other / 8) + 2 + 2 * (other % 8)], other == square ? '1' : '.');
        }
    }
}

static void test_text_buffer_sizes(void **state) {
    (void)state;
    char buffer[LUFT_BITBOARD_TEXT_SIZE];
    for (size_t size = 0; size <= sizeof buffer; size++) {
        memset(buffer, '#', sizeof buffer);
        assert_int_equal(luft_bitboard_text(buffer, size, corner_set()), LUFT_BITBOARD_TEXT_SIZE - 1);
        if (size == LUFT_BITBOARD_TEXT_SIZE) {
            assert_string_equal(buffer, corner_text);
            continue;
        }
        /* Too small: nothing but an empty string, and not even that without a byte for it. */
        for (size_t i = 0; i < sizeof buffer; i++) {
            assert_int_equal(buffer[i], i == 0 && size > 0 ? '\0' : '#');
        }
    }
    assert_int_equal(luft_bitboard_text(NULL, 0, corner_set()), LUFT_BITBOARD_TEXT_SIZE - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named_squares),
        cmocka_unit_test(test_square_text),
        cmocka_unit_test(test_no_other_text_is_a_square),
        cmocka_unit_test(test_piece_letters),
        cmocka_unit_test(test_a1_numbering),
        cmocka_unit_test(test_h8_numbering),
        cmocka_unit_test(test_square_flip),
        cmocka_unit_test(test_set_clear_test_toggle),
        cmocka_unit_test(test_files_and_ranks),
        cmocka_unit_test(test_scan_of_single_bits),
        cmocka_unit_test(test_scan_of_random_words),
        cmocka_unit_test(test_pop_visits_every_square_in_order),
        cmocka_unit_test(test_scan_of_the_empty_set_aborts),
        cmocka_unit_test(test_popcount),
        cmocka_unit_test(test_shifts_never_wrap),
        cmocka_unit_test(test_bitboard_flip),
        cmocka_unit_test(test_numberings_of_sets),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_text_marks_exactly_the_set),
        cmocka_unit_test(test_text_buffer_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
