/* SPDX-License-Identifier: MIT */
/*
 * The model: a player wins with the chance 1 / (1 + exp((a - score) / b)), and
 * loses with the chance that the opponent has by the same formula; the rest is drawn. So `a` is the
 * score with which every second game is won, and `b` how soon that changes. Both
 * depend on how much material is left. `luft-train wdl` fits them.
 */
#include "wdl.h"

#include "score.h"

#include <math.h>

int wdl_material(const luft_position *position) {
    const luft_board *board = &position->board;
    return luft_popcount(board->pawns) + 3 * luft_popcount(board->knights | luft_bishops(board)) +
           5 * luft_popcount(luft_rooks(board)) + 9 * luft_popcount(luft_queens(board));
}

static int chance_to_win(int score, int material) {
    (void)material;
    const double a = 150, b = 70;
    return (int)(1000 / (1 + exp((a - score) / b)) + 0.5);
}

wdl wdl_of(int score, const luft_position *position) {
    if (is_decisive(score)) {
        return score > 0 ? (wdl){.win = 1000} : (wdl){.loss = 1000};
    }
    const int material = wdl_material(position);
    const int win = chance_to_win(score, material), loss = chance_to_win(-score, material);
    return (wdl){.win = win, .draw = 1000 - win - loss, .loss = loss};
}
