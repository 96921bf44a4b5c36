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
 * The Polyglot key of a valid position, 0 for NULL. The format counts an en passant file
 * wherever a pawn stands ready to take, Luft only where taking is legal: after a
 * double push beside a pinned pawn the key is that of no en passant.
 */
LUFT_API uint64_t luft_polyglot_key(const luft_position *position);

#ifdef __cplusplus
}
#endif

#endif
