/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: perft with a table gives the count of perft without one: with a
 * table of a single cluster, where nearly everything is overwritten, and with a
 * larger one; called again, and called for the colour-flipped position. Wrong keys
 * would show as two different positions that share an entry.
 */
#include "decode.h"

#include <string.h>

static _Alignas(LUFT_PERFT_TABLE_ALIGNMENT) unsigned char memory[16384];

static void check_table(const luft_position *position, const luft_position *flipped, size_t bytes, uint64_t expected) {
    luft_perft_table table;
    const luft_position *const order[] = {position, flipped, position};
    memset(memory, 0, sizeof memory);
    if (luft_perft_table_init(&table, memory, bytes) != LUFT_OK) {
        report(position, "no table");
    }
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        luft_count count = {0, 0};
        if (luft_perft_hashed(&count, order[i], 3, &table) != LUFT_OK || count.high != 0) {
            report(order[i], "no count of 64 bits");
        }
        expect_equal(count.low, expected, order[i], "hashed against one-ply");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    luft_position position, flipped;
    if (!position_from_bytes(&position, data, size) || luft_count_moves(&position) > 40) {
        return 0; /* three plies of many queens would take the time of a hundred other inputs */
    }
    luft_position_flip(&flipped, &position);
    const uint64_t expected = luft_perft(&position, 3, LUFT_PERFT_ONE_PLY);
    check_table(&position, &flipped, LUFT_PERFT_TABLE_ALIGNMENT, expected);
    check_table(&position, &flipped, sizeof memory, expected);
    return 0;
}
