/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: arbitrary bytes as a FEN. An accepted one is a valid position that both written forms reproduce, with
 * keys equal to the recomputed ones; a refused one gives a reason and changes nothing.
 */
#include "decode.h"

#include <string.h>

static void check_written(const luft_position *position, luft_fen_style style) {
    char text[LUFT_FEN_SIZE];
    luft_position back;
    const size_t length = luft_position_to_fen(text, sizeof text, position, style);
    expect_equal(length, strlen(text), position, "the length of the FEN");
    expect_equal(luft_position_from_fen(&back, text, length, NULL), LUFT_OK, position, text);
    if (memcmp(&back, position, sizeof back) != 0) {
        report(position, text);
    }
}

/* The square that the text names is written again, and read again. */
static void check_en_passant(const luft_position *position, luft_square square) {
    char text[LUFT_FEN_SIZE];
    luft_position back;
    luft_fen_report read;
    const size_t length = luft_position_to_fen_with_ep(text, sizeof text, position, LUFT_FEN_STANDARD, square);
    expect_equal(luft_position_from_fen(&back, text, length, &read), LUFT_OK, position, text);
    expect_equal(read.ep_square, square, position, text);
    if (memcmp(&back, position, sizeof back) != 0) {
        report(position, text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    luft_position position, untouched;
    luft_fen_report refusal;
    memset(&position, 0xa5, sizeof position);
    untouched = position;
    const luft_error error = luft_position_from_fen(&position, (const char *)data, size, &refusal);
    const luft_position start = luft_start_position();
    expect_equal(refusal.error, error, &start, "the report");
    if (error != LUFT_OK) {
        if (!refusal.reason || refusal.offset > size || memcmp(&position, &untouched, sizeof position) != 0) {
            report(&start, "a refusal leaves something behind or no reason");
        }
        return 0;
    }
    if (luft_position_status(&position) != LUFT_STATUS_VALID) {
        report(&position, "not valid");
    }
    check_en_passant(&position, refusal.ep_square);
    check_written(&position, LUFT_FEN_STANDARD);
    check_written(&position, LUFT_FEN_SHREDDER);
    return 0;
}
