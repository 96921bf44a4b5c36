/* SPDX-License-Identifier: MIT */
/*
 * Included by every test: cmocka with the headers it requires, positions from FEN that
 * fail the test if they are refused, assertions that print the position, and the amount of
 * work.
 *
 * LUFT_TEST_QUICK=1 does about a tenth of the random work, LUFT_TEST_LONG=1 ten times as
 * much; LUFT_TEST_DATA is the directory of the test data. LUFT_DATA names a directory of
 * optional public files; tests that need one are skipped without it.
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

/* Number of rounds to run if the normal number is `normal`; at least one. */
int test_rounds(int normal);

bool test_is_quick(void);
bool test_is_long(void);

/* The directory of the test data. */
const char *test_data_directory(void);

/* Opens a file below LUFT_DATA, such as "tactics/wac.epd". Skips the test with a reason if the variable or the file is missing. */
FILE *open_optional_data(const char *name);

/* The position of a FEN; fails the test if it is refused. */
luft_position position_from(const char *fen);

/* The position after UCI moves, separated by single blanks; fails the test if one is illegal. */
luft_position position_after(const char *fen, const char *uci_moves);

/* A legal move from its UCI text. */
luft_move move_from(const luft_position *position, const char *uci);

/* Fails the test with the position's FEN and the expectation. */
void require(bool condition, const luft_position *position, const char *what);

/* The same for two numbers that must be equal. */
void require_equal(uint64_t actual, uint64_t expected, const luft_position *position, const char *what);

/* Requires that the FEN of the position is this text. */
void assert_fen(const luft_position *position, const char *expected);

/* Requires that the FEN is accepted and written like this. */
void assert_reads_as(const char *fen, const char *expected);

/* Writes text about a subject to a buffer and returns the length of the full text. */
typedef size_t (*text_writer)(char *buffer, size_t size, const void *subject);

/*
 * Calls the writer with buffers of every size from 0 to one more than needed, each followed by a guard. It must
 * write the full text or at most an empty one, never beyond the size, and always return the full length.
 */
void assert_writes_within(text_writer write, const void *subject, const char *expected);

/* Sorts the moves of a list. */
void sort_moves(luft_move_list *list);

#endif
