/* SPDX-License-Identifier: MIT */
/*
 * Question 2: the en passant slot, what a double push leaves behind for the reply.
 * All variants say the same. They differ in the cost of writing it, of the test for
 * "none" and of the conversion to the set that the generator works with.
 *
 * LAB_EP_MOVE has no slot beside the board: the last move carries it. Every move is
 * then encoded, in 16 bits, and handed to the reply.
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
#elif LAB_EP == LAB_EP_MOVE
typedef uint16_t ep_slot; /* the square it left, the square it went to (<< 6), and the flag */
#define EP_NONE ((ep_slot)0)
#define EP_OFFERED 0x1000 /* a double push that a pawn may capture en passant */
#else
typedef uint8_t ep_slot;
#define EP_NONE ((ep_slot)LUFT_NO_SQUARE)
#endif

/* The slot after a pawn of `us` has moved two squares to `to`. */
ALWAYS_INLINE ep_slot ep_after_push(const luft_color us, luft_bitboard to) {
#if LAB_EP == LAB_EP_BIT
    return backward(us, to);
#elif LAB_EP == LAB_EP_SQUARE
    return (ep_slot)lowest(backward(us, to));
#elif LAB_EP == LAB_EP_PAWN
    (void)us;
    return (ep_slot)lowest(to);
#elif LAB_EP == LAB_EP_FILE
    (void)us;
    return (ep_slot)luft_file_of(lowest(to));
#else
    return (ep_slot)(lowest(backward(us, backward(us, to))) | lowest(to) << 6 | EP_OFFERED);
#endif
}

/* The slot after any other move. */
ALWAYS_INLINE ep_slot ep_after_other(luft_bitboard from, luft_bitboard to) {
#if LAB_EP == LAB_EP_MOVE
    return (ep_slot)(lowest(from) | lowest(to) << 6);
#else
    (void)from, (void)to;
    return EP_NONE;
#endif
}

/* May a pawn capture en passant? */
ALWAYS_INLINE bool ep_is_set(ep_slot slot) {
#if LAB_EP == LAB_EP_MOVE
    return (slot & EP_OFFERED) != 0;
#else
    return slot != EP_NONE;
#endif
}

/* The square onto which `us`, the side to move, captures; empty where there is no capture. */
ALWAYS_INLINE luft_bitboard ep_target(const luft_color us, ep_slot slot) {
#if LAB_EP == LAB_EP_BIT
    (void)us;
    return slot;
#elif LAB_EP == LAB_EP_SQUARE
    (void)us;
    return ep_is_set(slot) ? luft_bit((luft_square)slot) : 0;
#elif LAB_EP == LAB_EP_PAWN
    return ep_is_set(slot) ? forward(us, luft_bit((luft_square)slot)) : 0;
#elif LAB_EP == LAB_EP_FILE
    return ep_is_set(slot) ? luft_bit(luft_square_at(slot, us == LUFT_WHITE ? 5 : 2)) : 0;
#else
    return ep_is_set(slot) ? forward(us, luft_bit((luft_square)(slot >> 6 & 63))) : 0;
#endif
}

#endif
