/* SPDX-License-Identifier: MIT */
/*
 * The one part of the bitboard that is not an inline function: its text, a
 * board diagram with rank 8 on top. As a8 is bit 0, printing order is bit order.
 */
#include "luft/bitboard.h"

enum { LINE_LENGTH = 18, LINE_COUNT = 9, TEXT_LENGTH = LINE_LENGTH * LINE_COUNT };

_Static_assert(LUFT_BITBOARD_TEXT_SIZE == TEXT_LENGTH + 1, "nine lines and the NUL");

size_t luft_bitboard_text(char *buffer, size_t size, luft_bitboard set) {
    if (buffer == NULL || size < LUFT_BITBOARD_TEXT_SIZE) {
        if (buffer != NULL && size > 0) {
            buffer[0] = '\0';
        }
        return TEXT_LENGTH;
    }
    char *out = buffer;
    for (int row = 0; row < 8; row++) {
        *out++ = (char)('8' - row);
        for (int file = 0; file < 8; file++) {
            *out++ = ' ';
            *out++ = luft_bitboard_test(set, luft_square_at(file, 7 - row)) ? '1' : '.';
        }
        *out++ = '\n';
    }
    *out++ = ' ';
    for (int file = 0; file < 8; file++) {
        *out++ = ' ';
        *out++ = (char)('a' + file);
    }
    *out++ = '\n';
    *out = '\0';
    return TEXT_LENGTH;
}
