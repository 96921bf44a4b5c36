/* SPDX-License-Identifier: MIT */
/*
 * The generator of legal moves. It computes the checks and pins of the side to move, then
 * calls the routines of rules.h for all pieces.
 *
 * It passes sets of targets, not moves, to a sink: a function that counts them, lists them
 * or makes each move. Colour, class and sink are constants at each use and everything is
 * inlined, so the compiler makes a specialised generator for each use.
 */
#ifndef LUFT_CORE_ENUMERATE_H
#define LUFT_CORE_ENUMERATE_H

#include "core/rules.h"
#include "luft/movegen.h"

/*
 * Receives the moves: the piece on `from` can move to each of `targets`, which may be empty. For pawn steps
 * other than en passant `from` is LUFT_NO_SQUARE, and the targets are those of all pawns.
 */
typedef void step_sink(void *context, const luft_board *board, const luft_color us, const step_kind kind,
                       luft_square from, luft_bitboard targets);

ALWAYS_INLINE void pawn_steps(const luft_board *board, const luft_color us, const king_masks *masks,
                              const luft_bitboard ep, const luft_move_class which, step_sink *const sink,
                              void *context) {
    const luft_bitboard last = last_rank(us);
    pawn_targets t = targets_of_pawns(board, us, masks, board->pawns & board->color[us]);
    if (which != LUFT_QUIETS) {
        if (UNLIKELY((t.push | t.west | t.east) & last)) {
            sink(context, board, us, STEP_PROMOTE, LUFT_NO_SQUARE, t.push & last);
            sink(context, board, us, STEP_PROMOTE_WEST, LUFT_NO_SQUARE, t.west & last);
            sink(context, board, us, STEP_PROMOTE_EAST, LUFT_NO_SQUARE, t.east & last);
            t.west &= ~last;
            t.east &= ~last;
        }
        sink(context, board, us, STEP_CAPTURE_WEST, LUFT_NO_SQUARE, t.west);
        sink(context, board, us, STEP_CAPTURE_EAST, LUFT_NO_SQUARE, t.east);
        if (ep) {
            for (luft_bitboard pawns = en_passant_pawns(board, us, masks->king, ep); pawns;) {
                sink(context, board, us, STEP_EN_PASSANT, luft_pop(&pawns), ep);
            }
        }
    }
    if (which != LUFT_CAPTURES) {
        sink(context, board, us, STEP_PUSH, LUFT_NO_SQUARE, t.push & ~last);
        sink(context, board, us, STEP_DOUBLE_PUSH, LUFT_NO_SQUARE, t.double_push);
    }
}

ALWAYS_INLINE void king_steps(const luft_board *board, const luft_color us, const king_masks *masks,
                              luft_bitboard allowed, const luft_move_class which, step_sink *const sink,
                              void *context) {
    const luft_bitboard ring = luft_king_attacks(masks->king) & allowed;
    const luft_bitboard candidates = which == LUFT_CAPTURES ? 0 : castling_candidates(board, us, masks->king);
    if (!(ring | candidates)) {
        return; /* no need for the enemy's attacks, the most expensive step */
    }
    const luft_bitboard without_king = luft_occupied(board) ^ luft_bit(masks->king);
    const luft_bitboard danger = attacked_squares(board, luft_opposite(us), without_king);
    sink(context, board, us, STEP_KING, masks->king, king_targets(board, us, masks->king, danger) & ring);
    if (candidates) {
        sink(context, board, us, STEP_CASTLE, masks->king, castling_targets(masks, us, candidates, danger));
    }
}

/*
 * Enumerates all legal moves of a class. `ep` is the en passant square as a set. A square on which no capture is
 * legal is allowed.
 */
ALWAYS_INLINE void enumerate(const luft_board *board, const luft_color us, const luft_bitboard ep,
                             const luft_move_class which, step_sink *const sink, void *context) {
    const luft_bitboard own = board->color[us], occupied = luft_occupied(board);
    const king_masks masks = compute_king_constraints(board, us);
    const luft_bitboard pinned = masks.pin_orthogonal | masks.pin_diagonal;
    luft_bitboard allowed = which == LUFT_CAPTURES ? board->color[luft_opposite(us)]
                            : which == LUFT_QUIETS ? ~occupied
                                                   : ~own;

    king_steps(board, us, &masks, allowed, which, sink, context);
    if (UNLIKELY(!masks.check_mask)) {
        return;
    }
    allowed &= masks.check_mask;
    pawn_steps(board, us, &masks, ep, which, sink, context);
    for (luft_bitboard knights = board->knights & own & ~pinned; knights;) {
        const luft_square from = luft_pop(&knights);
        sink(context, board, us, STEP_KNIGHT, from, luft_knight_attacks(from) & allowed);
    }
    for (luft_bitboard sliders = board->diagonal & own & ~pinned; sliders;) {
        const luft_square from = luft_pop(&sliders);
        sink(context, board, us, STEP_DIAGONAL, from, luft_bishop_attacks(from, occupied) & allowed);
    }
    for (luft_bitboard sliders = board->orthogonal & own & ~pinned; sliders;) {
        const luft_square from = luft_pop(&sliders);
        sink(context, board, us, STEP_ORTHOGONAL, from, luft_rook_attacks(from, occupied) & allowed);
    }
    if (UNLIKELY(pinned & own & (board->diagonal | board->orthogonal))) {
        for (luft_bitboard sliders = board->diagonal & own & masks.pin_diagonal; sliders;) {
            const luft_square from = luft_pop(&sliders);
            sink(context, board, us, STEP_DIAGONAL, from, diagonal_targets(&masks, from, occupied, allowed));
        }
        for (luft_bitboard sliders = board->orthogonal & own & masks.pin_orthogonal; sliders;) {
            const luft_square from = luft_pop(&sliders);
            sink(context, board, us, STEP_ORTHOGONAL, from, orthogonal_targets(&masks, from, occupied, allowed));
        }
    }
}

/* A sink that counts into a uint64_t. */
ALWAYS_INLINE void count_sink(void *context, const luft_board *board, const luft_color us, const step_kind kind,
                              luft_square from, luft_bitboard targets) {
    (void)board, (void)us, (void)from;
    *(uint64_t *)context += (unsigned)luft_popcount(targets) * (step_is_promotion(kind) ? 4u : 1u);
}

#endif
