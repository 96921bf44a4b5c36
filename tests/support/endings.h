/* SPDX-License-Identifier: MIT */
/*
 * An independent solver of endings with three or four pieces, to compare tablebases with. It knows every position of an
 * ending by retrograde analysis: from the mates, and the captures, pawn moves and promotions that win or lose, back over
 * all moves of pieces. Moves and checks are found by stepping from square to square; nothing of libluft is used but the
 * numbers of squares, pieces and colours.
 *
 * A value is the distance in plies to the next capture, pawn move or mate, as Syzygy tables count it: positive for a win of
 * the side to move, negative for a loss, 0 for a draw; a side that is mated has -1. No ending of four pieces takes longer
 * than the fifty-move rule allows; the solver stops the test if one does.
 */
#ifndef LUFT_TESTS_ENDINGS_H
#define LUFT_TESTS_ENDINGS_H

#include "luft/types.h"

#define ENDING_PIECES_MAX 4
#define ENDING_ILLEGAL (-128)

typedef struct ending_solver ending_solver;

/* A position: pieces, their squares, the side to move. No castling. */
typedef struct ending_position {
    int count;
    luft_piece pieces[ENDING_PIECES_MAX];
    int squares[ENDING_PIECES_MAX];
    luft_color side;
} ending_position;

ending_solver *ending_solver_create(void);
void ending_solver_free(ending_solver *solver);

/*
 * The value of a position, in any order of its pieces; ENDING_ILLEGAL if pieces share a square or the side not to move is
 * in check. Solves the ending, and all that can follow from it, when it is first needed.
 */
int ending_value(ending_solver *solver, const ending_position *position);

/*
 * The same after a double push of the pawn at `pushed`: the side to move may also capture it en passant. `is_possible`
 * says whether it legally can.
 */
int ending_value_with_en_passant(ending_solver *solver, const ending_position *position, int pushed, bool *is_possible);

#endif
