/* SPDX-License-Identifier: MIT */
/*
 * The compact position: 48 bytes, laid down in position.h. It is always the view
 * of the player to move, so a position and its colour-flipped twin differ in the
 * byte that says which of the two players that is, and in nothing else. Good for
 * storing and hashing positions; the board of position.h is for computing.
 */
#include "core/board.h"
#include "luft/position.h"

enum {
    PLANES = 0,
    OWN_MEN = 24,
    THEIR_MEN = 32,
    OWN_CASTLING = 40,
    THEIR_CASTLING = 41,
    EP_FILE = 42,
    SIDE = 43,
    HALFMOVE = 44,
    FULLMOVE = 46,
    NO_FILE = 255
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

/* Reverses the files: from the numbering with A8 = 0 to the one with H8 = 0, or back. */
static luft_bitboard mirror_files(luft_bitboard set) {
    set = (set >> 1 & UINT64_C(0x5555555555555555)) | (set & UINT64_C(0x5555555555555555)) << 1;
    set = (set >> 2 & UINT64_C(0x3333333333333333)) | (set & UINT64_C(0x3333333333333333)) << 2;
    return (set >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (set & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
}

luft_error luft_compact_pack(luft_compact *compact, const luft_position *position) {
    if (!compact || !position) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (luft_position_status(position) != LUFT_STATUS_VALID) {
        return LUFT_ERROR_POSITION;
    }
    luft_position view = *position;
    if (view.side_to_move == LUFT_BLACK) {
        luft_position_flip(&view, position);
    }
    const luft_board *board = &view.board;
    luft_bitboard planes[3] = {0, 0, 0};
    for (int type = LUFT_PAWN; type <= LUFT_KING; type++) {
        const luft_bitboard men = luft_pieces(board, LUFT_WHITE, (luft_piece_type)type) |
                                  luft_pieces(board, LUFT_BLACK, (luft_piece_type)type);
        for (int plane = 0; plane < 3; plane++) {
            planes[plane] |= type >> plane & 1 ? men : 0;
        }
    }
    uint8_t *bytes = compact->bytes;
    for (int plane = 0; plane < 3; plane++) {
        put_word(bytes + PLANES + 8 * plane, mirror_files(planes[plane]), 8);
    }
    put_word(bytes + OWN_MEN, mirror_files(board->color[LUFT_WHITE]), 8);
    put_word(bytes + THEIR_MEN, mirror_files(board->color[LUFT_BLACK]), 8);
    const luft_bitboard castling = mirror_files(board->castling);
    bytes[OWN_CASTLING] = (uint8_t)(castling >> 56);
    bytes[THEIR_CASTLING] = (uint8_t)(castling & 0xff);
    bytes[EP_FILE] = NO_FILE;
    if (view.ep_square != LUFT_NO_SQUARE) {
        bytes[EP_FILE] = (uint8_t)(7 - luft_file_of((luft_square)view.ep_square));
    }
    bytes[SIDE] = position->side_to_move;
    put_word(bytes + HALFMOVE, position->halfmove_clock, 2);
    put_word(bytes + FULLMOVE, position->fullmove_number, 2);
    return LUFT_OK;
}

/* The board as the player to move sees it, with that player as White. The code 7 means no man. */
static bool unpack_board(luft_board *board, const uint8_t *bytes) {
    const luft_bitboard low = mirror_files(get_word(bytes + PLANES, 8));
    const luft_bitboard middle = mirror_files(get_word(bytes + PLANES + 8, 8));
    const luft_bitboard high = mirror_files(get_word(bytes + PLANES + 16, 8));
    const luft_bitboard queens = low & ~middle & high;
    const luft_bitboard castling = (luft_bitboard)bytes[OWN_CASTLING] << 56 | bytes[THEIR_CASTLING];
    *board = (luft_board){
        .pawns = low & ~middle & ~high,
        .knights = ~low & middle & ~high,
        .diagonals = (low & middle & ~high) | queens,
        .straights = (~low & ~middle & high) | queens,
        .kings = ~low & middle & high,
        .color = {mirror_files(get_word(bytes + OWN_MEN, 8)), mirror_files(get_word(bytes + THEIR_MEN, 8))},
        .castling = mirror_files(castling),
    };
    return !(low & middle & high);
}

luft_error luft_compact_unpack(luft_position *position, const luft_compact *compact) {
    if (!position || !compact) {
        return LUFT_ERROR_ARGUMENT;
    }
    const uint8_t *bytes = compact->bytes;
    if (bytes[SIDE] > LUFT_BLACK || (bytes[EP_FILE] > 7 && bytes[EP_FILE] != NO_FILE)) {
        return LUFT_ERROR_COMPACT;
    }
    luft_position view = {
        .halfmove_clock = (uint16_t)get_word(bytes + HALFMOVE, 2),
        .fullmove_number = (uint16_t)get_word(bytes + FULLMOVE, 2),
        .side_to_move = LUFT_WHITE,
        .ep_square = LUFT_NO_SQUARE,
    };
    if (!unpack_board(&view.board, bytes)) {
        return LUFT_ERROR_COMPACT;
    }
    if (bytes[EP_FILE] != NO_FILE) {
        view.ep_square = (uint8_t)luft_square_at(7 - bytes[EP_FILE], luft_row_of(LUFT_A6));
    }
    luft_position_compute_keys(&view);
    if (bytes[SIDE] == LUFT_BLACK) {
        luft_position_flip(&view, &view);
    }
    if (luft_position_status(&view) != LUFT_STATUS_VALID) {
        return LUFT_ERROR_COMPACT;
    }
    *position = view;
    return LUFT_OK;
}
