/* SPDX-License-Identifier: MIT */
/*
 * The key under which opening books in the Polyglot format file a position. It
 * has nothing to do with Luft's own keys; its 781 constants are those of the format.
 */
#ifndef LUFT_POLYGLOT_H
#define LUFT_POLYGLOT_H

#include "position.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The Polyglot key of a valid position, 0 for NULL. In Chess960 each castling right
 * counts by its side. The format counts an en passant file wherever a pawn stands beside the
 * one that has just made a double step; a Luft position keeps it only where taking is
 * legal. So the key differs from the format's after a double step beside a pawn
 * that may not take because its king would be in check.
 */
LUFT_API uint64_t luft_polyglot_key(const luft_position *position);

#ifdef __cplusplus
}
#endif

#endif
