/* SPDX-License-Identifier: MIT */
/*
 * How a single position ends a game: checkmate, stalemate, insufficient material, the
 * seventy-five-move rule. Rules that need earlier positions are in game.c.
 */
#include "luft/game.h"

/* Square A8 is bit 0, B8 is bit 1 …; a8 is a light square. */
static const luft_bitboard LIGHT_SQUARES = UINT64_C(0xaa55aa55aa55aa55);

const char *luft_termination_string(luft_termination termination) {
    switch (termination) {
    case LUFT_NOT_OVER: return "not over";
    case LUFT_CHECKMATE: return "checkmate";
    case LUFT_STALEMATE: return "stalemate";
    case LUFT_INSUFFICIENT_MATERIAL: return "insufficient material";
    case LUFT_SEVENTY_FIVE_MOVE_RULE: return "seventy-five-move rule";
    case LUFT_FIVEFOLD_REPETITION: return "fivefold repetition";
    }
    return "unknown termination";
}

/* True if all bishops stand on squares of one colour. */
static bool are_on_one_colour(luft_bitboard bishops) {
    return !(bishops & LIGHT_SQUARES) || !(bishops & ~LIGHT_SQUARES);
}

bool luft_has_insufficient_material(const luft_position *position) {
    if (!position || position->board.pawns || position->board.orthogonal) {
        return false;
    }
    const luft_bitboard knights = position->board.knights, bishops = luft_bishops(&position->board);
    if (!luft_more_than_one(knights | bishops)) {
        return true;
    }
    /*
     * Bishops that all stand on squares of one colour cannot attack or block the other colour, to which a checked
     * king can step. The enemy king cannot cover all those squares without standing next to it.
     */
    return !knights && are_on_one_colour(bishops);
}

/*
 * Mate by a single knight, or by bishops on one colour, needs enemy pieces that take flight squares from their own
 * king and can neither capture the checking piece nor block the check. Queens always can against the knight, and
 * queens, rooks and bishops on the same colour can against the bishops. test_game.c tries the arrangements.
 */
bool luft_side_has_insufficient_material(const luft_position *position, luft_color color) {
    if (!position || (unsigned)color > LUFT_BLACK) {
        return false;
    }
    const luft_board *const board = &position->board;
    const luft_bitboard own = board->color[color], enemy = board->color[luft_opposite(color)];
    if (own & (board->pawns | board->orthogonal)) {
        return false;
    }
    if (own & board->knights) {
        const luft_bitboard kings_and_queens = board->kings | luft_queens(board);
        return luft_popcount(own) == 2 && !(enemy & ~kings_and_queens);
    }
    if (own & luft_bishops(board)) {
        return !board->pawns && !board->knights && are_on_one_colour(luft_bishops(board));
    }
    return true;
}

luft_outcome luft_position_outcome(const luft_position *position) {
    luft_outcome outcome = {LUFT_NOT_OVER, LUFT_NO_WINNER};
    if (!position) {
        return outcome;
    }
    /* Checkmate and stalemate end the game at once, so they take precedence over the counters. */
    if (!luft_has_legal_move(position)) {
        const bool mate = luft_in_check(position);
        outcome.termination = mate ? LUFT_CHECKMATE : LUFT_STALEMATE;
        outcome.winner = mate ? position->side_to_move ^ 1 : LUFT_NO_WINNER;
    } else if (luft_has_insufficient_material(position)) {
        outcome.termination = LUFT_INSUFFICIENT_MATERIAL;
    } else if (position->halfmove_clock >= 2 * 75) {
        outcome.termination = LUFT_SEVENTY_FIVE_MOVE_RULE;
    }
    return outcome;
}
