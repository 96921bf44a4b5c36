/* SPDX-License-Identifier: MIT */
/*
 * Keys and moves of the Polyglot format, in which opening books are stored: luft/book.h reads
 * such books. The key has nothing to do with Luft's own keys; its 781 constants are those of the format.
 */
#ifndef LUFT_POLYGLOT_H
#define LUFT_POLYGLOT_H

#include "movegen.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The Polyglot key of a valid position, 0 for NULL. In Chess960 each castling right
 * counts by its side. The format counts an en passant file wherever a pawn stands beside the
 * one that has just made a double step; a Luft position stores it only where capturing is
 * legal. So this key differs from the format's after a double step beside a pawn
 * that may not capture because its king would be in check: luft_polyglot_key_with_ep.
 */
LUFT_API uint64_t luft_polyglot_key(const luft_position *position);

/*
 * The key exactly as the format defines it, for a caller who knows the last move: `ep_square` is luft_move_ep_square of
 * it, or what the report of a FEN says. The file counts if a double push can just have passed over the square and a
 * pawn of the side to move attacks it, whether or not it may capture. LUFT_NO_SQUARE and any other square that a double
 * push cannot just have passed over give luft_polyglot_key. A position has at most one such square, so one that the
 * position stores counts in any case.
 */
LUFT_API uint64_t luft_polyglot_key_with_ep(const luft_position *position, luft_square ep_square);

/*
 * The code of a move in a book: the squares numbered from A1 = 0, the one it goes to in bits 0 to 5, the one it leaves in
 * bits 6 to 11, the promotion in bits 12 to 14 (1 knight to 4 queen). Castling goes from the king's square to the rook's.
 */
LUFT_API uint16_t luft_move_to_polyglot(luft_move move);

/*
 * The legal move with this code; bit 15 means nothing. A king that captures its own rook castles, and e1a1 of a rook is a
 * move of the rook. LUFT_ERROR_MOVE_ILLEGAL if there is none, as for 0.
 */
LUFT_API LUFT_NODISCARD luft_error luft_move_from_polyglot(luft_move *move, const luft_position *position,
                                                           uint16_t code);

#ifdef __cplusplus
}
#endif

#endif
