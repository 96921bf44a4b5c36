/* SPDX-License-Identifier: MIT */
/*
 * The lab's generator: passes the moves of one side as sets of targets to a
 * sink. With LAB_LEGALITY_MASKS they are the legal moves. With
 * LAB_LEGALITY_TESTED the sink has to make each move and test whether the king is
 * attacked; castling out of and through check is excluded here in both cases.
 */
#ifndef LAB_ENUMERATE_H
#define LAB_ENUMERATE_H

#include "rules.h"

/*
 * The piece on `from` may go to each of `targets`, which may be none. For pawn steps
 * other than en passant `from` is LUFT_NO_SQUARE and the targets are those of all pawns.
 */
typedef void step_sink(void *context, lab_board *board, const luft_color us, const step_kind kind, luft_square from,
                       luft_bitboard targets);

ALWAYS_INLINE void pawn_steps(lab_board *board, const luft_color us, const view *v, const luft_bitboard ep,
                              step_sink *const sink, void *context) {
    const luft_bitboard last = last_rank(us), pawns = pawns_of(board, us);
    pawn_targets t = targets_of_pawns(v, us, pawns);
    if (UNLIKELY((t.push | t.west | t.east) & last)) {
        sink(context, board, us, STEP_PROMOTE, LUFT_NO_SQUARE, t.push & last);
        sink(context, board, us, STEP_PROMOTE_WEST, LUFT_NO_SQUARE, t.west & last);
        sink(context, board, us, STEP_PROMOTE_EAST, LUFT_NO_SQUARE, t.east & last);
        t.push &= ~last;
        t.west &= ~last;
        t.east &= ~last;
    }
    sink(context, board, us, STEP_CAPTURE_WEST, LUFT_NO_SQUARE, t.west);
    sink(context, board, us, STEP_CAPTURE_EAST, LUFT_NO_SQUARE, t.east);
    sink(context, board, us, STEP_PUSH, LUFT_NO_SQUARE, t.push);
    sink(context, board, us, STEP_DOUBLE_PUSH, LUFT_NO_SQUARE, t.double_push);
    if (ep) {
        luft_bitboard beside = (from_capture_west(us, ep) | from_capture_east(us, ep)) & pawns;
        while (beside) {
            const luft_square from = pop_lowest(&beside);
            sink(context, board, us, STEP_EN_PASSANT, from,
                 en_passant_is_legal(board, us, v, luft_bit(from), ep) ? ep : 0);
        }
    }
}

ALWAYS_INLINE void king_steps(lab_board *board, const luft_color us, const view *v, step_sink *const sink,
                              void *context) {
    const luft_bitboard ring = luft_king_attacks(v->king) & ~v->own;
    luft_bitboard candidates = board->castling & home_rank(us);
    candidates = candidates ? castling_candidates(board, us, v) : 0;
    if (!(ring | candidates)) {
        return; /* saves computing the squares that the enemy attacks, the most expensive step */
    }
    luft_bitboard danger = 0;
    if (LAB_LEGALITY == LAB_LEGALITY_MASKS) {
        danger = attacked_squares(board, luft_opposite(us), v->occupied ^ luft_bit(v->king));
    }
    sink(context, board, us, STEP_KING, v->king, ring & ~danger);
    if (candidates) {
        if (LAB_LEGALITY == LAB_LEGALITY_TESTED) {
            danger = castling_danger(board, us, v);
        }
        sink(context, board, us, STEP_CASTLE, v->king, castling_targets(v, candidates, danger));
    }
}

ALWAYS_INLINE luft_bitboard slider_attacks(const step_kind kind, luft_square from, luft_bitboard occupied) {
    const bool orthogonal = kind == STEP_ORTHOGONAL || kind == STEP_ROOK || kind == STEP_QUEEN;
    const bool diagonal = kind == STEP_DIAGONAL || kind == STEP_BISHOP || kind == STEP_QUEEN;
    return (orthogonal ? rook_attacks(from, occupied) : 0) | (diagonal ? bishop_attacks(from, occupied) : 0);
}

/* The moves of sliders that no pin concerns, or that scan_pins looks up. */
ALWAYS_INLINE void free_sliders(lab_board *board, const luft_color us, const view *v, const step_kind kind,
                                luft_bitboard pieces, luft_bitboard allowed, step_sink *const sink, void *context) {
    for (pieces = without_pins(&v->pins, pieces); pieces;) {
        const luft_square from = pop_lowest(&pieces);
        sink(context, board, us, kind, from,
             slider_attacks(kind, from, v->occupied) & allowed & scan_pins(&v->pins, from));
    }
}

/* The moves of pinned sliders along one kind of line. */
ALWAYS_INLINE void pinned_sliders(lab_board *board, const luft_color us, const view *v, const step_kind kind,
                                  const bool orthogonal, luft_bitboard pieces, luft_bitboard allowed,
                                  step_sink *const sink, void *context) {
    for (pieces = movable_pinned(&v->pins, orthogonal, pieces); pieces;) {
        const luft_square from = pop_lowest(&pieces);
        const luft_bitboard attacks = orthogonal ? rook_attacks(from, v->occupied) : bishop_attacks(from, v->occupied);
        sink(context, board, us, kind, from, attacks & allowed & pin_limit(&v->pins, orthogonal, v->king, from));
    }
}

ALWAYS_INLINE void slider_steps(lab_board *board, const luft_color us, const view *v, luft_bitboard allowed,
                                step_sink *const sink, void *context) {
#if FORM_QUEENS_APART
    const luft_bitboard bishops = bishops_of(board, us), rooks = rooks_of(board, us), queens = queens_of(board, us);
    const luft_bitboard sliders = bishops | rooks | queens;
    free_sliders(board, us, v, STEP_BISHOP, bishops, allowed, sink, context);
    free_sliders(board, us, v, STEP_ROOK, rooks, allowed, sink, context);
    free_sliders(board, us, v, STEP_QUEEN, queens, allowed, sink, context);
    if (UNLIKELY(sliders & ~without_pins(&v->pins, sliders))) {
        pinned_sliders(board, us, v, STEP_BISHOP, false, bishops, allowed, sink, context);
        pinned_sliders(board, us, v, STEP_ROOK, true, rooks, allowed, sink, context);
        pinned_sliders(board, us, v, STEP_QUEEN, false, queens, allowed, sink, context);
        pinned_sliders(board, us, v, STEP_QUEEN, true, queens, allowed, sink, context);
    }
#else
    const luft_bitboard diagonal = diagonal_sliders_of(board, us), orthogonal = orthogonal_sliders_of(board, us);
    const luft_bitboard sliders = diagonal | orthogonal;
    free_sliders(board, us, v, STEP_DIAGONAL, diagonal, allowed, sink, context);
    free_sliders(board, us, v, STEP_ORTHOGONAL, orthogonal, allowed, sink, context);
    if (UNLIKELY(sliders & ~without_pins(&v->pins, sliders))) {
        pinned_sliders(board, us, v, STEP_DIAGONAL, false, diagonal, allowed, sink, context);
        pinned_sliders(board, us, v, STEP_ORTHOGONAL, true, orthogonal, allowed, sink, context);
    }
#endif
}

/* All moves of one side. `ep` is the square of an en passant capture as a set, or empty. */
ALWAYS_INLINE void enumerate(lab_board *board, const luft_color us, const luft_bitboard ep, step_sink *const sink,
                             void *context) {
    view v;
    compute_view(&v, board, us);
    king_steps(board, us, &v, sink, context);
    if (UNLIKELY(!v.check_mask)) {
        return;
    }
    const luft_bitboard allowed = ~v.own & v.check_mask;
    pawn_steps(board, us, &v, ep, sink, context);
    for (luft_bitboard knights = without_pins(&v.pins, knights_of(board, us)); knights;) {
        const luft_square from = pop_lowest(&knights);
        sink(context, board, us, STEP_KNIGHT, from, luft_knight_attacks(from) & allowed & scan_pins(&v.pins, from));
    }
    slider_steps(board, us, &v, allowed, sink, context);
}

#endif
