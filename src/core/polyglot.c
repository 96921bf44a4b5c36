/* SPDX-License-Identifier: MIT */
/*
 * The Polyglot book key of a position: the XOR of one constant for each piece, each
 * castling right, the en passant file, and White to move. It is computed from scratch each
 * time, since a book is probed once per move.
 */
#include "luft/polyglot.h"
#include "core/polyglot_table.h"

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
