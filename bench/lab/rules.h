/* SPDX-License-Identifier: MIT */
/*
 * The rules for one side to move, in terms that every board form understands:
 * what attacks what, what the king imposes on the other pieces, and where pawns go.
 * Standard chess only.
 */
#ifndef LAB_RULES_H
#define LAB_RULES_H

#include "directions.h"
#include "pins.h"
#include "scan.h"
#include "sliders.h"

#if LAB_FORM == LAB_FORM_EIGHT
#include "form_eight.h"
#elif LAB_FORM == LAB_FORM_SIX_TWO
#include "form_six_two.h"
#elif LAB_FORM == LAB_FORM_TWELVE
#include "form_twelve.h"
#else
#include "form_five.h"
#endif

/* What the generator needs again and again, read off the board once. */
typedef struct view {
    luft_bitboard own, enemy, occupied;
    luft_square king;
    luft_bitboard check_mask; /* targets of other pieces: all squares, up to the checker, or none (double check) */
    pin_set pins;
} view;

/* The pieces of `by` that attack a square, on a board with these squares occupied. */
ALWAYS_INLINE luft_bitboard attackers_of(const lab_board *board, const luft_color by, luft_square square,
                                         luft_bitboard occupied) {
    return (rook_attacks(square, occupied) & orthogonal_sliders_of(board, by)) |
           (bishop_attacks(square, occupied) & diagonal_sliders_of(board, by)) |
           (luft_knight_attacks(square) & knights_of(board, by)) |
           (luft_pawn_attacks(luft_opposite(by), square) & pawns_of(board, by)) |
           (luft_king_attacks(square) & king_of(board, by));
}

/* Is the king of this side attacked? */
ALWAYS_INLINE bool king_is_attacked(const lab_board *board, const luft_color color) {
    return attackers_of(board, luft_opposite(color), lowest(king_of(board, color)), all_pieces(board)) != 0;
}

/* All squares that a side attacks, on a board with these squares occupied. */
ALWAYS_INLINE luft_bitboard attacked_squares(const lab_board *board, const luft_color by, luft_bitboard occupied) {
    const luft_bitboard pawns = pawns_of(board, by);
    luft_bitboard set = capture_west(by, pawns) | capture_east(by, pawns);
    set |= luft_king_attacks(lowest(king_of(board, by)));
    for (luft_bitboard pieces = knights_of(board, by); pieces;) {
        set |= luft_knight_attacks(pop_lowest(&pieces));
    }
    for (luft_bitboard pieces = diagonal_sliders_of(board, by); pieces;) {
        set |= bishop_attacks(pop_lowest(&pieces), occupied);
    }
    for (luft_bitboard pieces = orthogonal_sliders_of(board, by); pieces;) {
        set |= rook_attacks(pop_lowest(&pieces), occupied);
    }
    return set;
}

/* Checks and pins along one kind of line. Most kings stand on no line with an enemy slider: ask that first. */
ALWAYS_INLINE luft_bitboard find_pins_along(view *v, const bool orthogonal, luft_bitboard sliders) {
    if (!((orthogonal ? luft_rook_rays(v->king) : luft_bishop_rays(v->king)) & sliders)) {
        return 0;
    }
    const luft_bitboard seen = orthogonal ? rook_attacks(v->king, v->occupied) : bishop_attacks(v->king, v->occupied);
    const luft_bitboard behind = v->occupied ^ (seen & v->own);
    const luft_bitboard through = orthogonal ? rook_attacks(v->king, behind) : bishop_attacks(v->king, behind);
    for (luft_bitboard pinners = through & sliders & ~seen; pinners;) {
        note_pin(&v->pins, orthogonal, luft_between(v->king, pop_lowest(&pinners)), v->own);
    }
    return seen & sliders;
}

ALWAYS_INLINE void compute_view(view *v, const lab_board *board, const luft_color us) {
    const luft_color them = luft_opposite(us);
    v->own = pieces_of(board, us);
    v->enemy = pieces_of(board, them);
    v->occupied = all_pieces(board);
    v->king = lowest(king_of(board, us));
    v->check_mask = ~UINT64_C(0);
    clear_pins(&v->pins);
    if (LAB_LEGALITY == LAB_LEGALITY_TESTED) {
        return;
    }
    luft_bitboard checkers = luft_knight_attacks(v->king) & knights_of(board, them);
    checkers |= luft_pawn_attacks(us, v->king) & pawns_of(board, them);
    checkers |= find_pins_along(v, true, orthogonal_sliders_of(board, them));
    checkers |= find_pins_along(v, false, diagonal_sliders_of(board, them));
    if (UNLIKELY(checkers)) {
        v->check_mask = luft_more_than_one(checkers) ? 0 : luft_between(v->king, lowest(checkers));
    }
}

/* --- Pawns --------------------------------------------------------------- */

typedef struct pawn_targets {
    luft_bitboard push, double_push, west, east;
} pawn_targets;

/* Where pawns may go that push, capture west and capture east. */
ALWAYS_INLINE pawn_targets targets_of(const view *v, const luft_color us, luft_bitboard pushing, luft_bitboard west,
                                      luft_bitboard east, luft_bitboard limit) {
    pawn_targets t;
    t.push = forward(us, pushing) & ~v->occupied;
    t.double_push = forward(us, t.push & third_rank(us)) & ~v->occupied & limit;
    t.push &= limit;
    t.west = capture_west(us, west) & v->enemy & limit;
    t.east = capture_east(us, east) & v->enemy & limit;
    return t;
}

#if LAB_PINS == LAB_PINS_TWO_MASKS

/* Two masks settle all pinned pawns at once: a pawn stays on a ray if its target is on one too. */
ALWAYS_INLINE pawn_targets targets_of_pawns(const view *v, const luft_color us, luft_bitboard pawns) {
    const luft_bitboard orthogonal = v->pins.orthogonal, diagonal = v->pins.diagonal;
    if (UNLIKELY(pawns & (orthogonal | diagonal))) {
        const luft_bitboard free = pawns & ~(orthogonal | diagonal);
        return targets_of(v, us, free | (pawns & orthogonal & backward(us, orthogonal)),
                          free | (pawns & diagonal & from_capture_west(us, diagonal)),
                          free | (pawns & diagonal & from_capture_east(us, diagonal)), v->check_mask);
    }
    return targets_of(v, us, pawns, pawns, pawns, v->check_mask);
}

#else

/* Pinned pawns are treated one by one. */
ALWAYS_INLINE pawn_targets targets_of_pawns(const view *v, const luft_color us, luft_bitboard pawns) {
    luft_bitboard pinned = pinned_pawns(&v->pins, pawns);
    pawn_targets all = targets_of(v, us, pawns ^ pinned, pawns ^ pinned, pawns ^ pinned, v->check_mask);
    while (UNLIKELY(pinned)) {
        const luft_square from = pop_lowest(&pinned);
        const luft_bitboard pawn = luft_bit(from);
        const luft_bitboard limit = v->check_mask & pin_limit(&v->pins, false, v->king, from);
        const pawn_targets one = targets_of(v, us, pawn, pawn, pawn, limit);
        all.push |= one.push;
        all.double_push |= one.double_push;
        all.west |= one.west;
        all.east |= one.east;
    }
    return all;
}

#endif

/* Two pieces leave their squares at once, so neither pins nor the check mask can tell: look at the board after it. */
ALWAYS_INLINE bool en_passant_is_legal(const lab_board *board, const luft_color us, const view *v, luft_bitboard from,
                                       luft_bitboard to) {
    const luft_color them = luft_opposite(us);
    const luft_bitboard victim = backward(us, to), occupied = v->occupied ^ from ^ to ^ victim;
    return LAB_LEGALITY == LAB_LEGALITY_TESTED || !(attackers_of(board, them, v->king, occupied) & ~victim);
}

/* --- Castling ------------------------------------------------------------- */

/* The castling rooks with no piece between them and the king. */
ALWAYS_INLINE luft_bitboard castling_candidates(const lab_board *board, const luft_color us, const view *v) {
    luft_bitboard result = 0;
    for (luft_bitboard rooks = board->castling & home_rank(us); rooks; rooks &= rooks - 1) {
        const luft_bitboard rook = rooks & (0 - rooks);
        result |= luft_between(v->king, lowest(rook)) & v->occupied & ~rook ? 0 : rook;
    }
    return result;
}

/* Those of them that the king may castle with: it is not attacked, nor is a square that it crosses or reaches. */
ALWAYS_INLINE luft_bitboard castling_targets(const view *v, luft_bitboard candidates, luft_bitboard danger) {
    const luft_bitboard king = luft_bit(v->king);
    luft_bitboard result = 0;
    for (; candidates; candidates &= candidates - 1) {
        const luft_bitboard rook = candidates & (0 - candidates);
        result |= (king | castled_rook(king, rook) | castled_king(king, rook)) & danger ? 0 : rook;
    }
    return result;
}

/* For the generator that tests moves by making them: the attacked squares among those that castling asks about. */
OUT_OF_LINE luft_bitboard castling_danger(const lab_board *board, const luft_color us, const view *v) {
    luft_bitboard danger = 0;
    const luft_bitboard king = luft_bit(v->king);
    for (luft_bitboard squares = king << 2 | king << 1 | king | king >> 1 | king >> 2; squares;) {
        const luft_square square = pop_lowest(&squares);
        danger |= attackers_of(board, luft_opposite(us), square, v->occupied) ? luft_bit(square) : 0;
    }
    return danger;
}

#endif
