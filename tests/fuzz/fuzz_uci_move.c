/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: in any valid position every legal move is read back from its UCI text in both spellings of
 * castling; and text of arbitrary bytes, which follow those of the position, is never read as a move that is not
 * legal, nor leaves one behind when it is refused.
 */
#include "decode.h"

static void check_text(const luft_position *position, const char *text, size_t length) {
    luft_move move = LUFT_MOVE_NONE;
    if (luft_move_from_uci(&move, position, text, length) == LUFT_OK) {
        if (!luft_is_legal(position, move)) {
            report(position, "a text is read as a move that is not legal");
        }
    } else if (move != LUFT_MOVE_NONE) {
        report(position, "a text that is refused leaves a move");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const size_t used = size < sizeof(luft_compact) ? size : sizeof(luft_compact);
    luft_position position;
    luft_move_list list;
    if (!position_from_bytes(&position, data, used)) {
        return 0;
    }
    check_text(&position, (const char *)data + used, size - used);
    /* Most texts are not squares. Three bytes that are always two, and perhaps a letter. */
    if (size >= 3) {
        const uint8_t *last = data + size - 3;
        const char text[5] = {(char)('a' + last[0] % 8), (char)('1' + last[0] / 8 % 8), (char)('a' + last[1] % 8),
                              (char)('1' + last[1] / 8 % 8), (char)last[2]};
        check_text(&position, text, 4);
        check_text(&position, text, 5);
    }
    luft_generate(&list, &position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        for (int style = LUFT_CASTLING_STANDARD; style <= LUFT_CASTLING_CHESS960; style++) {
            char text[LUFT_UCI_MOVE_SIZE];
            luft_move back = LUFT_MOVE_NONE;
            const size_t length = luft_move_to_uci(text, sizeof text, list.moves[i], (luft_castling_style)style);
            expect_equal(luft_move_from_uci(&back, &position, text, length), LUFT_OK, &position, text);
            expect_equal(back, list.moves[i], &position, text);
        }
    }
    return 0;
}
