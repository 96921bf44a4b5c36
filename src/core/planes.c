/* SPDX-License-Identifier: MIT */
/*
 * Positions to planes and back. planes.h has the planes themselves, inline; the
 * compact position is in compact.c. What chess allows is not decided here:
 * luft_position_status judges the position that the planes make.
 */
#include "luft/planes.h"

_Static_assert(sizeof(luft_type_planes) == 24, "three words");
_Static_assert(sizeof(luft_board_planes) == 40, "five words");
_Static_assert(sizeof(luft_position_planes) == 56, "no padding");

/* The digits of the codes: 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king. Queens are in both slider words. */
static luft_type_planes types_of(const luft_board *board, luft_color us) {
    const luft_bitboard low = board->pawns | board->diagonal;
    const luft_bitboard middle = board->knights | luft_bishops(board) | board->kings;
    const luft_bitboard high = board->orthogonal | board->kings;
    return (luft_type_planes){{
        luft_plane_from_bitboard(low, us),
        luft_plane_from_bitboard(middle, us),
        luft_plane_from_bitboard(high, us),
    }};
}

luft_error luft_position_to_planes(luft_position_planes *planes, const luft_position *position) {
    if (!planes || !position) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (luft_position_status(position) != LUFT_STATUS_VALID) {
        return LUFT_ERROR_POSITION;
    }
    const luft_board *board = &position->board;
    const luft_color us = (luft_color)position->side_to_move, them = luft_opposite(us);
    const luft_square ep_square = (luft_square)position->ep_square;
    *planes = (luft_position_planes){
        .board = {.types = types_of(board, us),
                  .us = luft_plane_from_bitboard(board->color[us], us),
                  .them = luft_plane_from_bitboard(board->color[them], us)},
        .castling = luft_plane_from_bitboard(board->castling, us),
        .halfmove_clock = position->halfmove_clock,
        .fullmove_number = position->fullmove_number,
        .side_to_move = position->side_to_move,
        .ep_square = ep_square == LUFT_NO_SQUARE ? LUFT_NO_SQUARE : (uint8_t)luft_plane_number(ep_square, us),
    };
    return LUFT_OK;
}

/* The pieces of this type on both sides. */
static luft_bitboard pieces_of(const luft_type_planes *types, luft_piece_type type, luft_color us) {
    return luft_plane_to_bitboard(luft_type_planes_of(types, type), us);
}

/* Copies a side or a square that is out of range; luft_position_status refuses it. */
static luft_position position_of(const luft_position_planes *planes) {
    const luft_color us = planes->side_to_move == LUFT_WHITE ? LUFT_WHITE : LUFT_BLACK;
    const luft_type_planes *types = &planes->board.types;
    const luft_bitboard queens = pieces_of(types, LUFT_QUEEN, us);
    luft_position position = {
        .board = {.pawns = pieces_of(types, LUFT_PAWN, us),
                  .knights = pieces_of(types, LUFT_KNIGHT, us),
                  .diagonal = pieces_of(types, LUFT_BISHOP, us) | queens,
                  .orthogonal = pieces_of(types, LUFT_ROOK, us) | queens,
                  .kings = pieces_of(types, LUFT_KING, us),
                  .castling = luft_plane_to_bitboard(planes->castling, us)},
        .halfmove_clock = planes->halfmove_clock,
        .fullmove_number = planes->fullmove_number,
        .side_to_move = planes->side_to_move,
        .ep_square = planes->ep_square,
        .unused = {planes->unused[0], planes->unused[1]},
    };
    position.board.color[us] = luft_plane_to_bitboard(planes->board.us, us);
    position.board.color[luft_opposite(us)] = luft_plane_to_bitboard(planes->board.them, us);
    if (planes->ep_square < LUFT_NO_SQUARE) {
        position.ep_square = (uint8_t)luft_plane_square(planes->ep_square, us);
    }
    luft_position_compute_keys(&position);
    return position;
}

luft_error luft_position_from_planes(luft_position *position, const luft_position_planes *planes) {
    if (!position || !planes) {
        return LUFT_ERROR_ARGUMENT;
    }
    /* The code 7 is not a piece. On a square without a colour the position would not show it. */
    const luft_plane *bit = planes->board.types.bit;
    const luft_position result = position_of(planes);
    if (bit[0] & bit[1] & bit[2] || luft_position_status(&result) != LUFT_STATUS_VALID) {
        return LUFT_ERROR_POSITION;
    }
    *position = result;
    return LUFT_OK;
}
