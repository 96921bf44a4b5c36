/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: arbitrary bytes as the moves and notes of a game in a database, and as the statistics of a position. Every
 * position has a consistent board and both kings; a legal move that is decoded encodes to the bytes that were read.
 */
#include "decode.h"

#include "database/codec.h"
#include "database/notes.h"
#include "database/sums.h"

#include <stdlib.h>
#include <string.h>

static bool ignore(void *payload, const char *text, size_t length) {
    (void)payload, (void)text, (void)length;
    return true;
}

static void replay(const uint8_t *data, size_t size) {
    luft_position position = luft_start_position();
    const uint8_t *next = data, *end = data + size;
    while (next < end) {
        const luft_position before = position;
        const uint8_t *start = next;
        luft_move move;
        uint8_t code[CODEC_MAX_BYTES];
        if (codec_step(&position, &move, &next, end) != LUFT_OK) {
            return;
        }
        expect_equal(luft_position_status(&position) & ~(unsigned)LUFT_STATUS_OPPONENT_IN_CHECK, 0, &before,
                     "the status after the move");
        if (move == LUFT_MOVE_NONE || luft_is_legal(&before, move)) {
            const size_t length = codec_encode(code, &before, move);
            if (length != (size_t)(next - start) || memcmp(code, start, length) != 0) {
                report(&before, "the move has another code");
            }
        }
        if (luft_position_status(&position) != LUFT_STATUS_VALID) {
            return; /* a king was left in check */
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static position_sum sum;
    const luft_position start = luft_start_position();
    luft_pgn_writer writer;
    if (size == 0) {
        return 0;
    }
    replay(data + 1, size - 1);
    const size_t moves = data[0] < size - 1 ? data[0] : size - 1;
    luft_pgn_writer_init(&writer, ignore, NULL);
    (void)!notes_write(&writer, &start, data + 1, moves, data + 1 + moves, size - 1 - moves);
    (void)sum_unpack(&sum, (luft_color)(data[0] & 1), data + 1, size - 1);
    return 0;
}
