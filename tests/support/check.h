/* SPDX-License-Identifier: MIT */
/*
 * What every test file needs: cmocka with the headers it wants first, positions
 * from FEN that fail the test when they do not read, assertions that name the
 * position, and how much work the environment asks for.
 *
 * LUFT_TEST_QUICK=1 does about a tenth of the random work, LUFT_TEST_LONG=1 ten
 * times as much; LUFT_TEST_DATA is the directory of the test data. LUFT_DATA names
 * a directory of optional public files; tests that need one are skipped without it.
 */
#ifndef LUFT_TESTS_CHECK_H
#define LUFT_TESTS_CHECK_H

/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <stdio.h>

#include "luft/luft.h"

#define START_FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define KIWIPETE_FEN "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

/* How many rounds to run where the normal amount is `normal`; at least one. */
int test_rounds(int normal);

bool test_is_quick(void);
bool test_is_long(void);

/* The directory of the test data. */
const char *test_data_directory(void);

/* Opens a file below LUFT_DATA, such as "tactics/wac.epd". Skips the test with a reason if the variable or the file is missing. */
FILE *open_optional_data(const char *name);

/* The valid position of a FEN; fails the test where it is refused. */
luft_position position_from(const char *fen);

/* The position after UCI moves, separated by single blanks; fails the test where one is illegal. */
luft_position position_after(const char *fen, const char *uci_moves);

/* A legal move by its UCI text. */
luft_move move_from(const luft_position *position, const char *uci);

/* Fails the test with the position's FEN and what was expected of it. */
void require(bool condition, const luft_position *position, const char *what);

/* As require, for two numbers that should be equal. */
void require_equal(uint64_t actual, uint64_t expected, const luft_position *position, const char *what);

/* Does the position write itself like this? */
void assert_fen(const luft_position *position, const char *expected);

/* Is the FEN read, and written like this? */
void assert_reads_as(const char *fen, const char *expected);

/* A function that writes text about a subject into a buffer and returns the length of the full text. */
typedef size_t (*text_writer)(char *buffer, size_t size, const void *subject);

/*
 * Gives the writer buffers of every size from 0 to one more than it needs, each
 * with a guard behind it: it writes the whole text or at most an empty one, never
 * beyond the size, and always returns the full length.
 */
void assert_writes_within(text_writer write, const void *subject, const char *expected);

/* Puts the moves of a list into ascending order. */
void sort_moves(luft_move_list *list);

#endif
