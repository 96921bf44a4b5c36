/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: arbitrary bytes as a compact position. A position that unpacks is valid, packs to the same bytes, and reads
 * back from its FEN; its colour-flipped form differs only in the side to move. Refused bytes change nothing. The same
 * holds for the lenient reading of the bytes.
 */
#include "decode.h"

#include <string.h>

enum { SIDE_AT = 43 }; /* the byte of the side to move: include/luft/planes.h */

static void check_position(const luft_position *position) {
    luft_position back, flipped;
    luft_compact compact, flipped_compact;
    char text[LUFT_FEN_SIZE];
    expect_equal(luft_position_status(position), LUFT_STATUS_VALID, position, "the status");
    expect_equal(luft_compact_pack(&compact, position), LUFT_OK, position, "packing");
    expect_equal(luft_compact_unpack(&back, &compact), LUFT_OK, position, "unpacking");
    if (memcmp(&back, position, sizeof back) != 0) {
        report(position, "it unpacks as another position");
    }
    const size_t length = luft_position_to_fen(text, sizeof text, position, LUFT_FEN_SHREDDER);
    expect_equal(luft_position_from_fen(&back, text, length, NULL), LUFT_OK, position, text);
    if (memcmp(&back, position, sizeof back) != 0) {
        report(position, "its FEN reads as another position");
    }
    luft_position_flip(&flipped, position);
    expect_equal(luft_compact_pack(&flipped_compact, &flipped), LUFT_OK, &flipped, "packing the flipped position");
    expect_equal(luft_key(&flipped), luft_key(position), &flipped, "the key of the flipped position");
    flipped_compact.bytes[SIDE_AT] ^= 1;
    if (memcmp(&flipped_compact, &compact, sizeof compact) != 0) {
        report(position, "the flipped position differs in more than the side to move");
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
