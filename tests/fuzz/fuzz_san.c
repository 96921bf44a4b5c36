/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: in any valid position every legal move is read back from its SAN, with
 * letters and with figurines; and a text of arbitrary bytes, which are also those of
 * the position, is never read as a move that is not legal.
 */
#include "decode.h"

static void check_text(const luft_position *position, const char *text, size_t length) {
    luft_move move = LUFT_MOVE_NONE;
    if (luft_move_from_san(&move, position, text, length) == LUFT_OK) {
        if (!luft_is_legal(position, move)) {
            report(position, "a text is read as a move that is not legal");
        }
    } else if (move != LUFT_MOVE_NONE) {
        report(position, "a text that is refused leaves a move");
    }
}

static void check_move(const luft_position *position, luft_move move) {
    char text[LUFT_FIGURINE_SIZE];
    luft_move back = LUFT_MOVE_NONE;
    size_t length = luft_move_to_san(text, LUFT_SAN_SIZE, position, move);
    luft_move_from_san(&back, position, text, length);
    expect_equal(back, move, position, text);
    length = luft_move_to_figurine(text, sizeof text, position, move);
    luft_move_from_san(&back, position, text, length);
    expect_equal(back, move, position, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    luft_position position;
    luft_move_list list;
    if (!position_from_bytes(&position, data, size)) {
        return 0;
    }
    const size_t length = size < 16 ? size : 16;
    check_text(&position, (const char *)data + size - length, length);
    luft_generate(&list, &position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        check_move(&position, list.moves[i]);
    }
    return 0;
}
