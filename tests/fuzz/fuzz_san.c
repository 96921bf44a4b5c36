/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: in any valid position every legal move is read back from its SAN, with
 * letters and with figurines; and a text of arbitrary bytes, those behind the position, is
 * never read as a move that is not legal, nor as one to a square that it does not name.
 */
#include "decode.h"

#include <string.h>

/* Is the square written somewhere in the text? */
static bool names_square(const char *text, size_t length, luft_square square) {
    const char name[2] = {luft_file_letter(square), luft_rank_digit(square)};
    for (size_t i = 0; i + 2 <= length; i++) {
        if (memcmp(text + i, name, sizeof name) == 0) {
            return true;
        }
    }
    return false;
}

static void check_text(const luft_position *position, const char *text, size_t length) {
    luft_move move = LUFT_MOVE_NONE;
    if (luft_move_from_san(&move, position, text, length) != LUFT_OK) {
        if (move != LUFT_MOVE_NONE) {
            report(position, "a text that is refused leaves a move");
        }
    } else if (!luft_is_legal(position, move)) {
        report(position, "a text is read as a move that is not legal");
    } else if (luft_move_kind_of(move) != LUFT_CASTLING && !names_square(text, length, luft_move_to(move))) {
        report(position, "a text is read as a move to another square");
    }
}

static void check_move(const luft_position *position, luft_move move) {
    char text[LUFT_FIGURINE_SIZE];
    luft_move back = LUFT_MOVE_NONE;
    size_t length = luft_move_to_san(text, LUFT_SAN_SIZE, position, move);
    expect_equal(luft_move_from_san(&back, position, text, length), LUFT_OK, position, text);
    expect_equal(back, move, position, text);
    length = luft_move_to_figurine(text, sizeof text, position, move);
    expect_equal(luft_move_from_san(&back, position, text, length), LUFT_OK, position, text);
    expect_equal(back, move, position, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    luft_position position;
    luft_move_list list;
    const size_t used = size < sizeof(luft_compact) ? size : sizeof(luft_compact);
    if (!position_from_bytes(&position, data, used)) {
        return 0;
    }
    check_text(&position, (const char *)data + used, size - used);
    luft_generate(&list, &position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        check_move(&position, list.moves[i]);
    }
    return 0;
}
