/* SPDX-License-Identifier: MIT */
/*
 * The Polyglot book key of a position: the XOR of one constant for each piece, each
 * castling right, the en passant file, and White to move. It is computed from scratch each
 * time, since a book is probed once per move. And the codes of moves in books.
 */
#include "luft/polyglot.h"
#include "core/polyglot_table.h"
#include "core/rules.h"

uint64_t luft_polyglot_key(const luft_position *position) {
    uint64_t key = 0;
    if (!position) {
        return 0;
    }
    const luft_board *board = &position->board;
    for (int color = LUFT_WHITE; color <= LUFT_BLACK; color++) {
        for (int type = LUFT_PAWN; type <= LUFT_KING; type++) {
            luft_bitboard pieces = luft_pieces(board, (luft_color)color, (luft_piece_type)type);
            while (pieces) {
                key ^= polyglot_piece[color][type - LUFT_PAWN][luft_pop(&pieces)];
            }
        }
        const luft_bitboard king = board->kings & board->color[color];
        for (luft_bitboard rooks = board->castling & board->color[color]; rooks; rooks &= rooks - 1) {
            const bool queen_side = (rooks & (0 - rooks)) < king;
            key ^= polyglot_castling[color][queen_side];
        }
    }
    if (position->ep_square < LUFT_NO_SQUARE) {
        key ^= polyglot_ep_file[luft_file_of((luft_square)position->ep_square)];
    }
    return position->side_to_move == LUFT_WHITE ? key ^ polyglot_white_to_move : key;
}

uint64_t luft_polyglot_key_with_ep(const luft_position *position, luft_square ep_square) {
    const uint64_t key = luft_polyglot_key(position);
    if (!position || position->ep_square < LUFT_NO_SQUARE || (unsigned)ep_square >= LUFT_NO_SQUARE) {
        return key;
    }
    const luft_board *board = &position->board;
    const luft_color us = (luft_color)(position->side_to_move & 1), them = luft_opposite(us);
    const luft_bitboard ep = luft_bit(ep_square);
    const luft_bitboard beside = from_capture_west(us, ep) | from_capture_east(us, ep);
    const bool counts = double_push_is_possible(board, them, ep) && beside & board->pawns & board->color[us];
    return counts ? key ^ polyglot_ep_file[luft_file_of(ep_square)] : key;
}

uint16_t luft_move_to_polyglot(luft_move move) {
    const int from = luft_square_to_a1(luft_move_from(move)), to = luft_square_to_a1(luft_move_to(move));
    const int promotion = luft_move_is_promotion(move) ? (int)luft_move_promotion(move) - LUFT_KNIGHT + 1 : 0;
    return move == LUFT_MOVE_NONE ? 0 : (uint16_t)(promotion << 12 | from << 6 | to);
}

luft_error luft_move_from_polyglot(luft_move *move, const luft_position *position, uint16_t code) {
    luft_move_list list;
    if (!move || !position) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        if (luft_move_to_polyglot(list.moves[i]) == (code & 0x7fff)) {
            *move = list.moves[i];
            return LUFT_OK;
        }
    }
    return LUFT_ERROR_MOVE_ILLEGAL;
}
