/* SPDX-License-Identifier: MIT */
/*
 * The model: the side to move wins with probability 1 / (1 + exp((a - score) / b)). It loses with the probability that
 * the same formula gives the opponent; the rest are draws. So `a` is the score at which half of the games are won, and
 * `b` the slope. Both are polynomials of the material. `luft-train wdl` fits them.
 */
#include "wdl.h"

#include "score.h"

#include <math.h>

int wdl_material(const luft_position *position) {
    const luft_board *board = &position->board;
    return luft_popcount(board->pawns) + 3 * luft_popcount(board->knights | luft_bishops(board)) +
           5 * luft_popcount(luft_rooks(board)) + 9 * luft_popcount(luft_queens(board));
}

/* Coefficients of the powers of wdl_scale, in centipawns, as `luft-train wdl` prints them. */
static const double half_won[] = {626.422, -1953.023, 2635.247, -1208.590};
static const double spread[] = {135.890, -162.561, 561.531, -362.110};

static double polynomial(const double factors[4], double x) {
    return ((factors[3] * x + factors[2]) * x + factors[1]) * x + factors[0];
}

static int thousandths(double score, double a, double b) {
    return (int)(1000 / (1 + exp((a - score) / b)) + 0.5);
}

wdl wdl_of(int score, const luft_position *position) {
    if (is_decisive(score)) {
        return (wdl){.win = score > 0 ? 1000 : 0, .loss = score > 0 ? 0 : 1000};
    }
    const double x = wdl_scale(wdl_material(position));
    const double a = polynomial(half_won, x), b = polynomial(spread, x);
    const int win = thousandths(score, a, b), loss = thousandths(-score, a, b);
    return (wdl){.win = win, .draw = 1000 - win - loss, .loss = loss};
}
