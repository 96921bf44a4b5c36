/* SPDX-License-Identifier: MIT */
/*
 * Perft: walks the tree and counts the moves of the last ply without making them,
 * or, where legality is tested by making moves, makes those too. One function for
 * each colour, and at the last ply one with and one without en passant.
 */
#ifndef LAB_PERFT_H
#define LAB_PERFT_H

#include "en_passant.h"
#include "enumerate.h"
#include "keys.h"
#include "step.h"

OUT_OF_LINE uint64_t walk_white(lab_board *board, ep_slot slot, int depth);
OUT_OF_LINE uint64_t walk_black(lab_board *board, ep_slot slot, int depth);

/* --- The last ply ---------------------------------------------------------- */

ALWAYS_INLINE void count_sink(void *context, lab_board *board, const luft_color us, const step_kind kind,
                              luft_square from, luft_bitboard targets) {
    (void)board, (void)us, (void)from;
    *(uint64_t *)context += (unsigned)luft_popcount(targets) * (step_is_promotion(kind) ? 4u : 1u);
}

OUT_OF_LINE uint64_t count_white(lab_board *board) {
    uint64_t nodes = 0;
    enumerate(board, LUFT_WHITE, 0, count_sink, &nodes);
    return nodes;
}

OUT_OF_LINE uint64_t count_black(lab_board *board) {
    uint64_t nodes = 0;
    enumerate(board, LUFT_BLACK, 0, count_sink, &nodes);
    return nodes;
}

OUT_OF_LINE uint64_t count_white_ep(lab_board *board, ep_slot slot) {
    uint64_t nodes = 0;
    enumerate(board, LUFT_WHITE, ep_target(LUFT_WHITE, slot), count_sink, &nodes);
    return nodes;
}

OUT_OF_LINE uint64_t count_black_ep(lab_board *board, ep_slot slot) {
    uint64_t nodes = 0;
    enumerate(board, LUFT_BLACK, ep_target(LUFT_BLACK, slot), count_sink, &nodes);
    return nodes;
}

/* --- Walking the tree ------------------------------------------------------- */

typedef struct walk_context {
    uint64_t nodes;
    int depth;        /* left after the moves that are being made */
    luft_bitboard ep; /* what the moves so far have left behind */
} walk_context;

/* Counts below a board that `us` has just moved into. */
ALWAYS_INLINE uint64_t count_below(lab_board *board, const luft_color us, ep_slot slot, int depth) {
    const luft_color next = FORM_TURNS ? us : luft_opposite(us);
    if (LAB_LEGALITY == LAB_LEGALITY_TESTED) {
        if (king_is_attacked(board, us)) {
            return 0;
        }
        if (depth == 0) {
            return 1;
        }
    }
#if FORM_TURNS
    turn_round(board);
    slot = luft_bitboard_flip(slot);
#endif
    if (depth == 1 && LAB_LEGALITY == LAB_LEGALITY_MASKS) {
        if (UNLIKELY(ep_is_set(slot))) {
            return next == LUFT_WHITE ? count_white_ep(board, slot) : count_black_ep(board, slot);
        }
        return next == LUFT_WHITE ? count_white(board) : count_black(board);
    }
    return next == LUFT_WHITE ? walk_white(board, slot, depth) : walk_black(board, slot, depth);
}

/* Keeps the compiler from removing stores that the count does not need. */
ALWAYS_INLINE void use_all(const lab_board *board) {
#if LAB_KEYS || LAB_BALLAST
    __asm__ volatile("" : : "m"(*board));
#else
    (void)board;
#endif
}

/* Makes one move and counts below it. */
ALWAYS_INLINE void play(walk_context *walk, lab_board *board, const luft_color us, const step_kind kind,
                        luft_bitboard from, luft_bitboard to, const luft_piece_type promotion, ep_slot slot) {
#if LAB_MAKE == LAB_MAKE_UNMAKE
    const undo_record undo = make_step_to_undo(board, us, kind, from, to, promotion);
    walk->nodes += count_below(board, us, slot, walk->depth);
    unmake_step(board, us, kind, from, to, promotion, &undo);
#else
    lab_board child = *board;
#if LAB_KEYS
    update_keys(&child, us, kind, from, to, promotion, walk->ep, ep_target(luft_opposite(us), slot));
#endif
    make_step(&child, us, kind, from, to, promotion);
    use_all(&child);
    walk->nodes += count_below(&child, us, slot, walk->depth);
#endif
}

/* The square that a step of this kind to `to` leaves; `from` where the kind does not tell. */
ALWAYS_INLINE luft_bitboard step_origin(const luft_color us, const step_kind kind, luft_square from, luft_bitboard to) {
    switch (kind) {
    case STEP_PUSH:
    case STEP_PROMOTE: return backward(us, to);
    case STEP_DOUBLE_PUSH: return backward(us, backward(us, to));
    case STEP_CAPTURE_WEST:
    case STEP_PROMOTE_WEST: return from_capture_west(us, to);
    case STEP_CAPTURE_EAST:
    case STEP_PROMOTE_EAST: return from_capture_east(us, to);
    default: return luft_bit(from);
    }
}

/* What a move leaves in the slot. A double push leaves nothing if no enemy pawn stands beside it. */
ALWAYS_INLINE ep_slot slot_after(const lab_board *board, const luft_color us, const step_kind kind, luft_bitboard from,
                                 luft_bitboard to) {
    const luft_bitboard beside = luft_west(to) | luft_east(to);
    if (kind == STEP_DOUBLE_PUSH && (LAB_EP_ALWAYS || beside & pawns_of(board, luft_opposite(us)))) {
        return ep_after_push(us, to);
    }
    return ep_after_other(from, to);
}

ALWAYS_INLINE void walk_sink(void *context, lab_board *board, const luft_color us, const step_kind kind,
                             luft_square from, luft_bitboard targets) {
    for (; targets; targets &= targets - 1) {
        const luft_bitboard to = targets & (0 - targets), origin = step_origin(us, kind, from, to);
        const ep_slot slot = slot_after(board, us, kind, origin, to);
        for (int type = LUFT_KNIGHT; type <= (step_is_promotion(kind) ? LUFT_QUEEN : LUFT_KNIGHT); type++) {
            play(context, board, us, kind, origin, to, (luft_piece_type)type, slot);
        }
    }
}

ALWAYS_INLINE uint64_t walk(lab_board *board, const luft_color us, ep_slot slot, int depth) {
#if LAB_KEYS && !defined(NDEBUG)
    lab_board fresh = *board;
    compute_keys(&fresh, ep_target(us, slot), us);
    assert(fresh.key[0] == board->key[0] && fresh.key[LAB_KEYS - 1] == board->key[LAB_KEYS - 1]);
#endif
    walk_context context = {0, depth - 1, ep_target(us, slot)};
    enumerate(board, us, context.ep, walk_sink, &context);
    return context.nodes;
}

OUT_OF_LINE uint64_t walk_white(lab_board *board, ep_slot slot, int depth) {
    return walk(board, LUFT_WHITE, slot, depth);
}

OUT_OF_LINE uint64_t walk_black(lab_board *board, ep_slot slot, int depth) {
    return walk(board, LUFT_BLACK, slot, depth);
}

/* The count of a position, at least one ply deep. With FORM_TURNS the side to move is always LUFT_WHITE. */
static uint64_t perft(lab_board *board, const luft_color us, ep_slot slot, int depth) {
    if (depth == 1 && LAB_LEGALITY == LAB_LEGALITY_MASKS) {
        return us == LUFT_WHITE ? count_white_ep(board, slot) : count_black_ep(board, slot);
    }
    return us == LUFT_WHITE ? walk_white(board, slot, depth) : walk_black(board, slot, depth);
}

#endif
