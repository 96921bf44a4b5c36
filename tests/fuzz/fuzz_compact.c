/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: arbitrary bytes as a compact position. What unpacks is valid, packs to the bytes it came from, and is read
 * back from its FEN as the same; its colour-flipped twin differs from it in the side to move alone. Other bytes leave no
 * trace. The lenient reading of the same bytes is held to the same.
 */
#include "decode.h"

#include <string.h>

enum { SIDE_AT = 43 }; /* the byte of the side to move: include/luft/planes.h */

static void check_position(const luft_position *position) {
    luft_position back, twin;
    luft_compact compact, flipped;
    char text[LUFT_FEN_SIZE];
    expect_equal(luft_position_status(position), LUFT_STATUS_VALID, position, "the status");
    expect_equal(luft_compact_pack(&compact, position), LUFT_OK, position, "packing");
    expect_equal(luft_compact_unpack(&back, &compact), LUFT_OK, position, "unpacking");
    if (memcmp(&back, position, sizeof back) != 0) {
        report(position, "it is unpacked as another");
    }
    const size_t length = luft_position_to_fen(text, sizeof text, position, LUFT_FEN_SHREDDER);
    expect_equal(luft_position_from_fen(&back, text, length, NULL), LUFT_OK, position, text);
    if (memcmp(&back, position, sizeof back) != 0) {
        report(position, "its FEN is read as another");
    }
    luft_position_flip(&twin, position);
    expect_equal(luft_compact_pack(&flipped, &twin), LUFT_OK, &twin, "packing the twin");
    expect_equal(luft_key(&twin), luft_key(position), &twin, "the key of the twin");
    flipped.bytes[SIDE_AT] ^= 1;
    if (memcmp(&flipped, &compact, sizeof compact) != 0) {
        report(position, "the twin differs in more than the side to move");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    luft_compact compact = {{0}};
    luft_position position, untouched;
    memset(&position, 0xa5, sizeof position);
    untouched = position;
    memcpy(compact.bytes, data, size < sizeof compact ? size : sizeof compact);
    if (luft_compact_unpack(&position, &compact) == LUFT_OK) {
        check_position(&position);
    } else if (memcmp(&position, &untouched, sizeof position) != 0) {
        report(&position, "refused bytes leave something behind");
    }
    if (position_from_bytes(&position, data, size)) {
        check_position(&position);
    }
    return 0;
}
