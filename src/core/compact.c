/* SPDX-License-Identifier: MIT */
/*
 * The compact position: the planes of planes.c as 48 bytes, laid down in planes.h.
 * A position and its colour-flipped position differ in the byte that says whose
 * view it is, and in nothing else.
 */
#include "luft/planes.h"

enum {
    TYPES = 0,
    OUR_PIECES = 24,
    THEIR_PIECES = 32,
    OUR_CASTLING = 40,
    THEIR_CASTLING = 41,
    EP_FILE = 42,
    SIDE = 43,
    HALFMOVE = 44,
    FULLMOVE = 46,
    NO_FILE = 255,
    EP_RANK = 16 /* the first bit of the rank to which the side to move captures en passant */
};

static void put_word(uint8_t *bytes, uint64_t word, int size) {
    for (int i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(word >> 8 * i);
    }
}

static uint64_t get_word(const uint8_t *bytes, int size) {
    uint64_t word = 0;
    for (int i = 0; i < size; i++) {
        word |= (uint64_t)bytes[i] << 8 * i;
    }
    return word;
}

luft_error luft_compact_pack(luft_compact *compact, const luft_position *position) {
    luft_position_planes planes;
    if (!compact) {
        return LUFT_ERROR_ARGUMENT;
    }
    const luft_error error = luft_position_to_planes(&planes, position);
    if (error != LUFT_OK) {
        return error;
    }
    uint8_t *bytes = compact->bytes;
    for (int i = 0; i < 3; i++) {
        put_word(bytes + TYPES + 8 * i, planes.board.types.bit[i], 8);
    }
    put_word(bytes + OUR_PIECES, planes.board.us, 8);
    put_word(bytes + THEIR_PIECES, planes.board.them, 8);
    bytes[OUR_CASTLING] = (uint8_t)(planes.castling >> 56);
    bytes[THEIR_CASTLING] = (uint8_t)planes.castling;
    bytes[EP_FILE] = planes.ep_square == LUFT_NO_SQUARE ? NO_FILE : (uint8_t)(planes.ep_square - EP_RANK);
    bytes[SIDE] = planes.side_to_move;
    put_word(bytes + HALFMOVE, planes.halfmove_clock, 2);
    put_word(bytes + FULLMOVE, planes.fullmove_number, 2);
    return LUFT_OK;
}

luft_error luft_compact_unpack(luft_position *position, const luft_compact *compact) {
    if (!position || !compact) {
        return LUFT_ERROR_ARGUMENT;
    }
    const uint8_t *bytes = compact->bytes;
    if (bytes[EP_FILE] > 7 && bytes[EP_FILE] != NO_FILE) {
        return LUFT_ERROR_COMPACT;
    }
    const luft_position_planes planes = {
        .board = {.types = {{get_word(bytes + TYPES, 8), get_word(bytes + TYPES + 8, 8),
                             get_word(bytes + TYPES + 16, 8)}},
                  .us = get_word(bytes + OUR_PIECES, 8),
                  .them = get_word(bytes + THEIR_PIECES, 8)},
        .castling = (luft_plane)bytes[OUR_CASTLING] << 56 | bytes[THEIR_CASTLING],
        .halfmove_clock = (uint16_t)get_word(bytes + HALFMOVE, 2),
        .fullmove_number = (uint16_t)get_word(bytes + FULLMOVE, 2),
        .side_to_move = bytes[SIDE],
        .ep_square = (uint8_t)(bytes[EP_FILE] == NO_FILE ? LUFT_NO_SQUARE : EP_RANK + bytes[EP_FILE]),
    };
    return luft_position_from_planes(position, &planes) == LUFT_OK ? LUFT_OK : LUFT_ERROR_COMPACT;
}
