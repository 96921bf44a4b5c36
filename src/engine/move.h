/* SPDX-License-Identifier: MIT */
/*
 * Questions about a move that move ordering, pruning and the histories share.
 */
#ifndef LUFT_ENGINE_MOVE_H
#define LUFT_ENGINE_MOVE_H

#include "luft/position.h"

/* Neither a capture nor a promotion. */
static inline bool is_quiet(luft_move move) {
    return !luft_move_is_capture(move) && !luft_move_is_promotion(move);
}

/*
 * luft_piece_at without branches, which a processor would often predict wrongly. The types are 1 to 6 in the order of
 * the words; a queen is in both sets of sliders, 3 and 4, and is 5.
 */
static inline luft_piece piece_on(const luft_board *board, luft_square square) {
    const unsigned diagonal = board->diagonal >> square & 1, orthogonal = board->orthogonal >> square & 1;
    const unsigned type = (unsigned)(board->pawns >> square & 1) + 2 * (unsigned)(board->knights >> square & 1) +
                          3 * diagonal + 4 * orthogonal - 2 * (diagonal & orthogonal) +
                          6 * (unsigned)(board->kings >> square & 1);
    return luft_make_piece((luft_color)(board->color[LUFT_BLACK] >> square & 1), (luft_piece_type)type);
}

static inline luft_piece_type type_on(const luft_board *board, luft_square square) {
    return luft_piece_type_of(piece_on(board, square));
}

#endif
