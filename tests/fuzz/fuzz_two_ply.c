/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: in any valid position the three methods of perft give the same
 * count of two plies, and the same for the colour-flipped position; every move leads
 * to a valid position whose keys equal the recomputed ones. Built with
 * LUFT_CHECK_TWO_PLY, which also compares every single correction with the move
 * made.
 */
#include "decode.h"

static void check_children(const luft_position *position) {
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        luft_position next;
        luft_make(&next, position, list.moves[i]);
        if (luft_position_status(&next) != LUFT_STATUS_VALID) {
            report(position, "a move leads to a position that is not valid");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    luft_position position, flipped;
    if (!position_from_bytes(&position, data, size)) {
        return 0;
    }
    luft_position_flip(&flipped, &position);
    const uint64_t plain = luft_perft(&position, 2, LUFT_PERFT_PLAIN);
    expect_equal(luft_perft(&position, 2, LUFT_PERFT_ONE_PLY), plain, &position, "one-ply against plain");
    expect_equal(luft_perft(&position, 2, LUFT_PERFT_TWO_PLY), plain, &position, "two-ply against plain");
    expect_equal(luft_perft(&flipped, 2, LUFT_PERFT_ONE_PLY), plain, &flipped, "the flipped position, one-ply");
    expect_equal(luft_perft(&flipped, 2, LUFT_PERFT_TWO_PLY), plain, &flipped, "the flipped position, two-ply");
    check_children(&position);
    return 0;
}
