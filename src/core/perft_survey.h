/* SPDX-License-Identifier: MIT */
/*
 * The survey of two-ply counting (perft_two_ply.c): everything that the number of replies
 * depends on, computed once for all our moves. "We" are the side to move, "they" the
 * opponent.
 *
 * The survey holds the base, which is the number of their moves as the board stands now,
 * and sets of squares. These say where a piece of ours that leaves or arrives changes the
 * base by a known amount, and where the change is not known (wild).
 */
#ifndef LUFT_CORE_PERFT_SURVEY_H
#define LUFT_CORE_PERFT_SURVEY_H

#include "core/perft_internal.h"

/* --- What their replies depend on ---------------------------------------- */

/* Options of their king: steps, and the squares it crosses in each castling, 0 if that castling is not possible. */
typedef struct king_options {
    luft_bitboard steps, west, east;
} king_options;

/*
 * Everything about the opponent that a correction needs. Sets named after pawn moves hold target squares. The
 * fields are single words: an array would keep the compiler from holding the struct in registers.
 */
typedef struct survey {
    luft_bitboard only_from, only_to; /* count only moves between these squares; all squares except in the debug mode */
    luft_bitboard own, enemy, occupied; /* our pieces, their pieces, both */
    luft_square their_king;
    luft_board *wild_end; /* where the board after the next wild move goes */
    luft_bitboard last;   /* their last rank, where their pawns promote */

    luft_bitboard pawns, knights;    /* theirs */
    luft_bitboard push, double_push; /* squares their pawns can advance to */
    luft_bitboard west, east;        /* squares on which their pawns can capture if a piece of ours stands there */
    luft_bitboard stopped_push, stopped_double; /* squares where a single piece blocks a single or a double push */
    luft_bitboard free_knights;                 /* not pinned; likewise the next two */
    luft_bitboard free_diagonals, free_orthogonals;
    luft_bitboard seen;      /* squares attacked by unpinned sliders */
    luft_bitboard sensitive; /* squares where a piece of ours that leaves changes the moves of their pawns or sliders */

    luft_bitboard ring;          /* the squares around their king */
    luft_bitboard steps;         /* squares of the ring without a piece of theirs */
    luft_bitboard guarded, sole; /* king squares that we attack, and those that exactly one of our pieces attacks */
    luft_bitboard castle_west,
        castle_east; /* squares their king crosses in a castling that only our attacks can prevent; 0 if none */

    luft_bitboard wild_from; /* moves from these squares are wild */
    luft_bitboard wild_to;   /* moves to these squares are wild; more such squares by type of piece: */
    luft_bitboard wild_pawn, wild_knight, wild_diagonal, wild_orthogonal;
    luft_bitboard zone_pawn, zone_knight, zone_diagonal, zone_orthogonal,
        zone_king; /* squares from which each type attacks a king square */

    int64_t base;      /* number of their moves now, without those of the king */
    int64_t king_base; /* number of king moves now, including castling */
    king_options king; /* these moves */

    /*
     * Number of quiet arrivals on each square, as four planes of binary digits. At most 16 pieces can reach a
     * square: eight knights and one piece on each of its eight lines. The number matters only where a pawn or slider
     * of theirs can also go, and that piece stands on one of the lines. So at most 15 are counted.
     */
    luft_bitboard ones, twos, fours, eights;
} survey;

ALWAYS_INLINE luft_bitboard wild_targets(const survey *s, const luft_piece_type kind) {
    switch (kind) {
    case LUFT_PAWN: return s->wild_to | s->wild_pawn;
    case LUFT_KNIGHT: return s->wild_to | s->wild_knight;
    case LUFT_BISHOP: return s->wild_to | s->wild_diagonal;
    case LUFT_ROOK: return s->wild_to | s->wild_orthogonal;
    case LUFT_QUEEN: return s->wild_to | s->wild_diagonal | s->wild_orthogonal;
    default: return s->wild_to;
    }
}

ALWAYS_INLINE luft_bitboard zone_of(const survey *s, const luft_piece_type kind) {
    switch (kind) {
    case LUFT_PAWN: return s->zone_pawn;
    case LUFT_KNIGHT: return s->zone_knight;
    case LUFT_BISHOP: return s->zone_diagonal;
    case LUFT_ROOK: return s->zone_orthogonal;
    case LUFT_QUEEN: return s->zone_diagonal | s->zone_orthogonal;
    default: return s->zone_king;
    }
}

/* --- The survey ---------------------------------------------------------- */

/*
 * Handles one of our sliders on a line with their king. One piece between is pinned if it is theirs, and gives
 * discovered check if it is ours. If there are two and at least one is theirs, either one leaving pins the
 * other.
 */
ALWAYS_INLINE luft_bitboard survey_line(survey *s, luft_square king, luft_bitboard slider) {
    const luft_bitboard path = luft_between(king, luft_lsb(slider)), pieces = path & s->occupied & ~slider;
    const luft_bitboard second = pieces & (pieces - 1);
    if (!second) {
        s->wild_from |= pieces;
        return pieces & s->enemy ? path : 0;
    }
    if (!luft_more_than_one(second) && pieces & s->enemy) {
        s->wild_from |= pieces;
    }
    return 0;
}

/* Finds their pins, and the squares from which a piece of ours would give check or pin. */
ALWAYS_INLINE king_masks survey_king_lines(survey *s, const luft_board *board, const luft_color them,
                                           luft_square king) {
    king_masks masks = {.king = king, .check_mask = ~UINT64_C(0)};
    for (luft_bitboard x = luft_rook_rays(king) & board->orthogonal & s->own; x; x &= x - 1) {
        masks.pin_orthogonal |= survey_line(s, king, x & (0 - x));
    }
    for (luft_bitboard x = luft_bishop_rays(king) & board->diagonal & s->own; x; x &= x - 1) {
        masks.pin_diagonal |= survey_line(s, king, x & (0 - x));
    }
    s->wild_from |= masks.pin_orthogonal | masks.pin_diagonal;
    s->wild_to = masks.pin_orthogonal | masks.pin_diagonal | (s->enemy & board->castling);
    s->wild_pawn = luft_pawn_attacks(them, king);
    s->wild_knight = luft_knight_attacks(king);
    /* Looks through their first pieces on the king's lines: a slider of ours beyond them would pin them. */
    s->wild_orthogonal = luft_rook_attacks(king, s->occupied ^ (luft_rook_attacks(king, s->occupied) & s->enemy));
    s->wild_diagonal = luft_bishop_attacks(king, s->occupied ^ (luft_bishop_attacks(king, s->occupied) & s->enemy));
    return masks;
}

/* Finds what their pawns attack, where they can advance, and where they are blocked. Adds their moves to the base. */
ALWAYS_INLINE luft_bitboard survey_pawns(survey *s, const luft_color them, const king_masks *masks) {
    const luft_bitboard pawns = s->pawns, pinned = masks->pin_orthogonal | masks->pin_diagonal;
    luft_bitboard pushing = pawns, west = pawns, east = pawns;
    if (UNLIKELY(pawns & pinned)) {
        const luft_bitboard free = pawns & ~pinned;
        pushing = free | (pawns & masks->pin_orthogonal & backward(them, masks->pin_orthogonal));
        west = free | (pawns & masks->pin_diagonal & from_capture_west(them, masks->pin_diagonal));
        east = free | (pawns & masks->pin_diagonal & from_capture_east(them, masks->pin_diagonal));
    }
    const luft_bitboard ahead = forward(them, pushing);
    s->push = ahead & ~s->occupied;
    s->stopped_push = ahead & s->occupied;
    const luft_bitboard ahead_twice = forward(them, s->push & third_rank(them));
    s->double_push = ahead_twice & ~s->occupied;
    s->stopped_double = ahead_twice & s->occupied;
    s->west = capture_west(them, west);
    s->east = capture_east(them, east);
    s->base += luft_popcount(s->push) + luft_popcount(s->double_push) + luft_popcount(s->west & s->own) +
               luft_popcount(s->east & s->own);
    if (UNLIKELY((s->push | s->west | s->east) & s->last)) {
        s->base += 3 * (luft_popcount(s->push & s->last) + luft_popcount(s->west & s->own & s->last) +
                        luft_popcount(s->east & s->own & s->last));
    }
    return capture_west(them, pawns) | capture_east(them, pawns);
}

/* Adds the moves of their other pieces to the base; returns all squares that these attack. */
ALWAYS_INLINE luft_bitboard survey_pieces(survey *s, const luft_board *board, const king_masks *masks) {
    const luft_bitboard pinned = masks->pin_orthogonal | masks->pin_diagonal;
    const luft_bitboard diagonals = board->diagonal & s->enemy, orthogonals = board->orthogonal & s->enemy;
    luft_bitboard attacked = 0;
    s->free_knights = s->knights & ~pinned;
    s->free_diagonals = diagonals & ~pinned;
    s->free_orthogonals = orthogonals & ~pinned;
    for (luft_bitboard x = s->free_knights; x;) {
        const luft_bitboard targets = luft_knight_attacks(luft_pop(&x));
        attacked |= targets;
        s->base += luft_popcount(targets & ~s->enemy);
    }
    for (luft_bitboard x = s->free_diagonals; x;) {
        const luft_bitboard targets = luft_bishop_attacks(luft_pop(&x), s->occupied);
        s->seen |= targets;
        s->base += luft_popcount(targets & ~s->enemy);
    }
    for (luft_bitboard x = s->free_orthogonals; x;) {
        const luft_bitboard targets = luft_rook_attacks(luft_pop(&x), s->occupied);
        s->seen |= targets;
        s->base += luft_popcount(targets & ~s->enemy);
    }
    if (UNLIKELY(pinned & (s->knights | diagonals | orthogonals))) {
        for (luft_bitboard x = s->knights & pinned; x;) {
            attacked |= luft_knight_attacks(luft_pop(&x));
        }
        for (luft_bitboard x = diagonals & pinned; x;) {
            const luft_square from = luft_pop(&x);
            attacked |= luft_bishop_attacks(from, s->occupied);
            s->base += luft_popcount(diagonal_targets(masks, from, s->occupied, ~s->enemy));
        }
        for (luft_bitboard x = orthogonals & pinned; x;) {
            const luft_square from = luft_pop(&x);
            attacked |= luft_rook_attacks(from, s->occupied);
            s->base += luft_popcount(orthogonal_targets(masks, from, s->occupied, ~s->enemy));
        }
    }
    return attacked | s->seen;
}

/*
 * Handles their castling. If a piece of ours leaves the castling path, or goes to a clear one, the move is wild.
 * Returns the squares that the king crosses in a castling that only our attacks can prevent, 0 if there is none.
 */
ALWAYS_INLINE luft_bitboard survey_castling(survey *s, const luft_board *board, const luft_color them,
                                            const king_masks *masks, const bool east) {
    const luft_square king = masks->king;
    const luft_bitboard rook = castling_rook_on(board, them, king, east);
    if (!rook) {
        return 0;
    }
    const luft_bitboard crossed = crossed_in_castling(them, king, east), path = castling_path(them, king, rook, east);
    s->wild_from |= path;
    if (path & s->occupied) {
        return 0;
    }
    s->wild_to |= path;
    if (rook & masks->pin_orthogonal) {
        return 0;
    }
    /*
     * A king that castles without moving crosses nothing. Its own square, which is not attacked, marks the castling
     * as possible.
     */
    return crossed ? crossed : luft_bit(king);
}

/*
 * For each square that their king may use, finds: which of our pieces guard it; which lines of ours to it are
 * open (closing one is wild) or blocked by a piece of ours (opening one is wild); and from where our pieces
 * would attack it.
 */
ALWAYS_INLINE void survey_king_squares(survey *s, const luft_board *board, const luft_color them) {
    const luft_bitboard diagonals = board->diagonal & s->own, orthogonals = board->orthogonal & s->own;
    const luft_bitboard knights = board->knights & s->own, pawns = board->pawns & s->own, king = board->kings & s->own;
    luft_bitboard twice = 0;
    for (luft_bitboard squares = s->steps | s->castle_west | s->castle_east; squares; squares &= squares - 1) {
        const luft_bitboard bit = squares & (0 - squares);
        const luft_square square = luft_lsb(squares);
        const luft_bitboard diagonal = luft_bishop_attacks(square, s->occupied);
        const luft_bitboard orthogonal = luft_rook_attacks(square, s->occupied);
        const luft_bitboard sliders = (diagonal & diagonals) | (orthogonal & orthogonals);
        const luft_bitboard guards = sliders | (luft_knight_attacks(square) & knights) |
                                     (luft_pawn_attacks(them, square) & pawns) | (luft_king_attacks(square) & king);
        if (guards) {
            s->guarded |= bit;
            twice |= luft_more_than_one(guards) ? bit : 0;
            for (luft_bitboard x = sliders; x; x &= x - 1) {
                s->wild_to |= luft_between(square, luft_lsb(x)) & ~x;
            }
        }
        s->zone_pawn |= luft_pawn_attacks(them, square);
        s->zone_knight |= luft_knight_attacks(square);
        s->zone_diagonal |= diagonal;
        s->zone_orthogonal |= orthogonal;
        s->zone_king |= luft_king_attacks(square);
        if (luft_bishop_rays(square) & diagonals & ~diagonal) {
            const luft_bitboard beyond = luft_bishop_attacks(square, s->occupied ^ (diagonal & s->own));
            s->wild_from |= pin_rays(square, beyond & diagonals & ~diagonal);
        }
        if (luft_rook_rays(square) & orthogonals & ~orthogonal) {
            const luft_bitboard beyond = luft_rook_attacks(square, s->occupied ^ (orthogonal & s->own));
            s->wild_from |= pin_rays(square, beyond & orthogonals & ~orthogonal);
        }
    }
    s->sole = s->guarded & ~twice;
}

/* Options of their king if we guard these squares. */
ALWAYS_INLINE king_options king_options_if(const survey *s, luft_bitboard guarded) {
    return (king_options){
        .steps = s->steps & ~guarded,
        .west = s->castle_west & guarded ? 0 : s->castle_west,
        .east = s->castle_east & guarded ? 0 : s->castle_east,
    };
}

ALWAYS_INLINE int64_t count_king_options(king_options king) {
    return luft_popcount(king.steps) + (king.west != 0) + (king.east != 0);
}

/* Number of options lost when we attack these squares. */
ALWAYS_INLINE int64_t king_options_lost(king_options king, luft_bitboard attacked) {
    return luft_popcount(king.steps & attacked) + ((king.west & attacked) != 0) + ((king.east & attacked) != 0);
}

/* Computes the survey. We must not be in check. Sets `*danger` to all squares that they attack. */
ALWAYS_INLINE survey survey_replies(const luft_board *board, const luft_color us, luft_bitboard *danger) {
    const luft_color them = luft_opposite(us);
    survey s = {
        .own = board->color[us],
        .enemy = board->color[them],
        .occupied = luft_occupied(board),
        .their_king = luft_lsb(board->kings & board->color[them]),
        .last = last_rank(them),
        .pawns = board->pawns & board->color[them],
        .knights = board->knights & board->color[them],
    };
    const king_masks masks = survey_king_lines(&s, board, them, s.their_king);
    s.ring = luft_king_attacks(s.their_king);
    s.steps = s.ring & ~s.enemy;
    *danger = s.ring | survey_pawns(&s, them, &masks);
    *danger |= survey_pieces(&s, board, &masks);
    s.sensitive = s.seen | s.west | s.east | s.stopped_push | s.stopped_double;
    if (board->castling & home_rank(them)) {
        s.castle_west = survey_castling(&s, board, them, &masks, false);
        s.castle_east = survey_castling(&s, board, them, &masks, true);
    }
    survey_king_squares(&s, board, them);
    s.king = king_options_if(&s, s.guarded);
    s.king_base = count_king_options(s.king);
    return s;
}

#endif
