/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: in any valid position the legal moves are those of the slow generator of the tests, no other
 * value of a move is legal, and every move leads to the position of the slow rules, with keys equal to the
 * recomputed ones. Then the position packs, flips and counts as it should.
 */
#include "decode.h"

#include "support/oracle.h"

#include <stdlib.h>
#include <string.h>

static int compare_moves(const void *a, const void *b) {
    const luft_move first = *(const luft_move *)a, second = *(const luft_move *)b;
    return (first > second) - (first < second);
}

static void check_move(const luft_position *position, const oracle_board *slow, luft_move move) {
    luft_position next, recomputed;
    char fast_text[LUFT_FEN_SIZE], slow_text[LUFT_FEN_SIZE];
    luft_make(&next, position, move);
    recomputed = next;
    luft_position_compute_keys(&recomputed);
    if (memcmp(&next, &recomputed, sizeof next) != 0) {
        report(&next, "incremental keys differ from recomputed ones");
    }
    expect_equal(luft_position_status(&next), LUFT_STATUS_VALID, &next, "the position after a move");
    expect_equal(luft_gives_check(position, move), luft_in_check(&next), position, "a check that a move gives");
    const oracle_board slow_next = oracle_make(slow, move);
    oracle_to_fen(slow_text, &slow_next);
    luft_position_to_fen(fast_text, sizeof fast_text, &next, LUFT_FEN_STANDARD);
    if (strcmp(fast_text, slow_text) != 0) {
        report(position, slow_text);
    }
}

/* Tests one in sixteen of the 65,536 values of a move, for speed; the last bits of the input choose which. */
static void check_values(const luft_position *position, const luft_move_list *list, const uint8_t *data, size_t size) {
    const unsigned part = size > 0 ? data[size - 1] & 15 : 0;
    int legal = 0, expected = 0;
    for (unsigned value = part; value < 65536; value += 16) {
        legal += luft_is_legal(position, (luft_move)value);
    }
    for (int i = 0; i < list->count; i++) {
        expected += (list->moves[i] & 15) == part;
    }
    expect_equal((uint64_t)legal, (uint64_t)expected, position, "how many values are legal moves");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    luft_position position;
    luft_move_list list;
    oracle_moves expected;
    if (!position_from_bytes(&position, data, size)) {
        return 0;
    }
    const oracle_board slow = oracle_from_position(&position);
    oracle_generate(&expected, &slow);
    luft_generate(&list, &position, LUFT_ALL_MOVES);
    expect_equal((uint64_t)list.count, (uint64_t)expected.count, &position, "how many moves there are");
    expect_equal((uint64_t)luft_count_moves(&position), (uint64_t)list.count, &position, "how many are counted");
    expect_equal(luft_has_legal_move(&position), list.count > 0, &position, "whether there is one");
    qsort(list.moves, (size_t)list.count, sizeof list.moves[0], compare_moves);
    for (int i = 0; i < list.count; i++) {
        expect_equal(list.moves[i], expected.moves[i], &position, "a move");
        check_move(&position, &slow, list.moves[i]);
    }
    check_values(&position, &list, data, size);
    return 0;
}
