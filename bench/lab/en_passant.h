/* SPDX-License-Identifier: MIT */
/*
 * Question 2: the en passant slot, what a double push leaves behind for the reply.
 * All variants tell the same; they differ in what it costs to write, to test for
 * "none" and to turn into the set that the generator works with.
 */
#ifndef LAB_EN_PASSANT_H
#define LAB_EN_PASSANT_H

#include "directions.h"
#include "scan.h"

#if LAB_EP == LAB_EP_BIT
typedef luft_bitboard ep_slot;
#define EP_NONE ((ep_slot)0)
#elif LAB_EP == LAB_EP_FILE
typedef uint8_t ep_slot;
#define EP_NONE ((ep_slot)8)
#else
typedef uint8_t ep_slot;
#define EP_NONE ((ep_slot)LUFT_NO_SQUARE)
#endif

/* The slot after a pawn of `us` has moved two squares and arrived on `to`. */
ALWAYS_INLINE ep_slot ep_after_push(const luft_color us, luft_bitboard to) {
#if LAB_EP == LAB_EP_BIT
    return backward(us, to);
#elif LAB_EP == LAB_EP_SQUARE
    return (ep_slot)lowest(backward(us, to));
#elif LAB_EP == LAB_EP_PAWN
    (void)us;
    return (ep_slot)lowest(to);
#else
    (void)us;
    return (ep_slot)luft_file_of(lowest(to));
#endif
}

/* The square onto which `us`, to move now, captures; empty for EP_NONE. */
ALWAYS_INLINE luft_bitboard ep_target(const luft_color us, ep_slot slot) {
#if LAB_EP == LAB_EP_BIT
    (void)us;
    return slot;
#elif LAB_EP == LAB_EP_SQUARE
    (void)us;
    return slot == EP_NONE ? 0 : luft_bit((luft_square)slot);
#elif LAB_EP == LAB_EP_PAWN
    return slot == EP_NONE ? 0 : forward(us, luft_bit((luft_square)slot));
#else
    return slot == EP_NONE ? 0 : luft_bit(luft_square_at(slot, us == LUFT_WHITE ? 2 : 5));
#endif
}

#endif
