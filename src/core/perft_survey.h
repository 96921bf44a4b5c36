/* SPDX-License-Identifier: MIT */
/*
 * The survey of two-ply counting (perft_two_ply.c): all that the number of the
 * opponent's replies depends on, worked out once for all our moves. "We" are the
 * side to move, "they" the opponent.
 *
 * It holds their moves as things stand, the base, and the squares that matter: where
 * a man of ours leaving or arriving changes that base in a way that can be told, and
 * where it cannot (wild).
 */
#ifndef LUFT_CORE_PERFT_SURVEY_H
#define LUFT_CORE_PERFT_SURVEY_H

#include "core/perft_internal.h"

/* --- What their replies depend on ---------------------------------------- */

/* What their king may do: squares to step to, and what it crosses in each castling, 0 where that is not possible. */
typedef struct king_options {
    luft_bitboard steps, west, east;
} king_options;

/*
 * Everything about the opponent that a correction needs, worked out once for all
 * our moves. Sets named after a pawn's way of moving hold target squares.
 * Single words only: an array in here would keep the whole struct in memory.
 */
typedef struct survey {
    luft_bitboard only_from, only_to;   /* count only moves between these; all squares but in a check of single moves */
    luft_bitboard own, enemy, occupied; /* our men, theirs, both */
    luft_square their_king;
    luft_board *wild_end; /* where the board after the next wild move goes */
    luft_bitboard last;   /* the rank on which their pawns promote */

    luft_bitboard pawns, knights;               /* theirs */
    luft_bitboard push, double_push;            /* where their pawns may advance to */
    luft_bitboard west, east;                   /* where their pawns may capture, should one of ours stand there */
    luft_bitboard stopped_push, stopped_double; /* squares whose man, alone, stops a single or a double push */
    luft_bitboard free_knights;                 /* not pinned; likewise the next two */
    luft_bitboard free_diagonals, free_straights;
    luft_bitboard seen; /* by free sliders */
    luft_bitboard felt; /* squares that their pawns or sliders feel a man of ours leave */

    luft_bitboard ring;          /* around their king, all squares */
    luft_bitboard steps;         /* squares of the ring without a man of theirs */
    luft_bitboard guarded, sole; /* king squares that we attack, that exactly one of our men attacks */
    luft_bitboard castle_west,
        castle_east; /* what their king crosses in a castling that only our attacks can forbid; 0 where none */

    luft_bitboard wild_from; /* a man that leaves these makes a wild move */
    luft_bitboard wild_to;   /* likewise one that goes to these; by kind of man: */
    luft_bitboard wild_pawn, wild_knight, wild_diagonal, wild_straight;
    luft_bitboard zone_pawn, zone_knight, zone_diagonal, zone_straight,
        zone_king; /* from where it attacks a king square */

    int64_t base;      /* their moves now, without those of the king */
    int64_t king_base; /* the moves of the king now, castling included */
    king_options king; /* these moves */

    /*
     * How often each square is reached by a quiet move, as four planes of binary digits.
     * Eight knights and a man on each of its eight lines can reach a square, 16 in all;
     * but the number matters only where a pawn or slider of theirs can come there too,
     * and that one stands on a line: 15 at most are ever counted.
     */
    luft_bitboard ones, twos, fours, eights;
} survey;

ALWAYS_INLINE luft_bitboard wild_targets(const survey *s, const luft_piece_type kind) {
    switch (kind) {
    case LUFT_PAWN: return s->wild_to | s->wild_pawn;
    case LUFT_KNIGHT: return s->wild_to | s->wild_knight;
    case LUFT_BISHOP: return s->wild_to | s->wild_diagonal;
    case LUFT_ROOK: return s->wild_to | s->wild_straight;
    case LUFT_QUEEN: return s->wild_to | s->wild_diagonal | s->wild_straight;
    default: return s->wild_to;
    }
}

ALWAYS_INLINE luft_bitboard zone_of(const survey *s, const luft_piece_type kind) {
    switch (kind) {
    case LUFT_PAWN: return s->zone_pawn;
    case LUFT_KNIGHT: return s->zone_knight;
    case LUFT_BISHOP: return s->zone_diagonal;
    case LUFT_ROOK: return s->zone_straight;
    case LUFT_QUEEN: return s->zone_diagonal | s->zone_straight;
    default: return s->zone_king;
    }
}

/* --- The survey ---------------------------------------------------------- */

/*
 * One of our sliders on a line with their king. With one man between, that man is
 * pinned if it is theirs, and shields the king if it is ours. With two, of which
 * one at least is theirs, either leaving would make a pin of the other.
 */
ALWAYS_INLINE luft_bitboard survey_line(survey *s, luft_square king, luft_bitboard slider) {
    const luft_bitboard way = luft_between(king, luft_lsb(slider)), men = way & s->occupied & ~slider;
    const luft_bitboard second = men & (men - 1);
    if (!second) {
        s->wild_from |= men;
        return men & s->enemy ? way : 0;
    }
    if (!luft_more_than_one(second) && men & s->enemy) {
        s->wild_from |= men;
    }
    return 0;
}

/* Their pins, and from where a man of ours would give check or make a pin. */
ALWAYS_INLINE king_masks survey_king_lines(survey *s, const luft_board *board, const luft_color them,
                                           luft_square king) {
    king_masks masks = {.king = king, .check_mask = ~UINT64_C(0)};
    for (luft_bitboard x = luft_rook_rays(king) & board->straights & s->own; x; x &= x - 1) {
        masks.pin_straight |= survey_line(s, king, x & (0 - x));
    }
    for (luft_bitboard x = luft_bishop_rays(king) & board->diagonals & s->own; x; x &= x - 1) {
        masks.pin_diagonal |= survey_line(s, king, x & (0 - x));
    }
    s->wild_from |= masks.pin_straight | masks.pin_diagonal;
    s->wild_to = masks.pin_straight | masks.pin_diagonal | (s->enemy & board->castling);
    s->wild_pawn = luft_pawn_attacks(them, king);
    s->wild_knight = luft_knight_attacks(king);
    /* Past the first men of theirs on the king's lines: a slider of ours there would pin them. */
    s->wild_straight = luft_rook_attacks(king, s->occupied ^ (luft_rook_attacks(king, s->occupied) & s->enemy));
    s->wild_diagonal = luft_bishop_attacks(king, s->occupied ^ (luft_bishop_attacks(king, s->occupied) & s->enemy));
    return masks;
}

/* Their pawns: what they attack, may advance to, and what stops them. Adds their moves to the base. */
ALWAYS_INLINE luft_bitboard survey_pawns(survey *s, const luft_color them, const king_masks *masks) {
    const luft_bitboard pawns = s->pawns, pinned = masks->pin_straight | masks->pin_diagonal;
    luft_bitboard pushing = pawns, west = pawns, east = pawns;
    if (UNLIKELY(pawns & pinned)) {
        const luft_bitboard free = pawns & ~pinned;
        pushing = free | (pawns & masks->pin_straight & backward(them, masks->pin_straight));
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

/* Their other men: adds their moves to the base, returns all that they attack. */
ALWAYS_INLINE luft_bitboard survey_pieces(survey *s, const luft_board *board, const king_masks *masks) {
    const luft_bitboard pinned = masks->pin_straight | masks->pin_diagonal;
    const luft_bitboard diagonals = board->diagonals & s->enemy, straights = board->straights & s->enemy;
    luft_bitboard attacked = 0;
    s->free_knights = s->knights & ~pinned;
    s->free_diagonals = diagonals & ~pinned;
    s->free_straights = straights & ~pinned;
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
    for (luft_bitboard x = s->free_straights; x;) {
        const luft_bitboard targets = luft_rook_attacks(luft_pop(&x), s->occupied);
        s->seen |= targets;
        s->base += luft_popcount(targets & ~s->enemy);
    }
    if (UNLIKELY(pinned & (s->knights | diagonals | straights))) {
        for (luft_bitboard x = s->knights & pinned; x;) {
            attacked |= luft_knight_attacks(luft_pop(&x));
        }
        for (luft_bitboard x = diagonals & pinned; x;) {
            const luft_square from = luft_pop(&x);
            attacked |= luft_bishop_attacks(from, s->occupied);
            s->base += luft_popcount(diagonal_targets(masks, from, s->occupied, ~s->enemy));
        }
        for (luft_bitboard x = straights & pinned; x;) {
            const luft_square from = luft_pop(&x);
            attacked |= luft_rook_attacks(from, s->occupied);
            s->base += luft_popcount(straight_targets(masks, from, s->occupied, ~s->enemy));
        }
    }
    return attacked | s->seen;
}

/*
 * Their castling: a man of ours in the way may leave only by a wild move, and none
 * may come into a way that is clear. Returns what the king crosses in a castling that
 * then only our attacks can forbid, 0 where there is none.
 */
ALWAYS_INLINE luft_bitboard survey_castling(survey *s, const luft_board *board, const luft_color them,
                                            const king_masks *masks, const bool east) {
    const luft_square king = masks->king;
    const luft_bitboard rook = castling_rook_on(board, them, king, east);
    if (!rook) {
        return 0;
    }
    const luft_bitboard crossed = crossed_in_castling(them, king, east), way = castling_way(them, king, rook, east);
    s->wild_from |= way;
    if (way & s->occupied) {
        return 0;
    }
    s->wild_to |= way;
    if (rook & masks->pin_straight) {
        return 0;
    }
    /* A king that stays where it is crosses nothing: its own square, never attacked, stands for that. */
    return crossed ? crossed : luft_bit(king);
}

/*
 * The squares their king may use: who of ours guards each, which lines of ours to
 * it stand open (closing one is wild) or are shut by a man of ours (opening one is
 * wild), and from where a man of ours would attack it.
 */
ALWAYS_INLINE void survey_king_squares(survey *s, const luft_board *board, const luft_color them) {
    const luft_bitboard diagonals = board->diagonals & s->own, straights = board->straights & s->own;
    const luft_bitboard knights = board->knights & s->own, pawns = board->pawns & s->own, king = board->kings & s->own;
    luft_bitboard twice = 0;
    for (luft_bitboard squares = s->steps | s->castle_west | s->castle_east; squares; squares &= squares - 1) {
        const luft_bitboard bit = squares & (0 - squares);
        const luft_square square = luft_lsb(squares);
        const luft_bitboard diagonal = luft_bishop_attacks(square, s->occupied);
        const luft_bitboard straight = luft_rook_attacks(square, s->occupied);
        const luft_bitboard sliders = (diagonal & diagonals) | (straight & straights);
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
        s->zone_straight |= straight;
        s->zone_king |= luft_king_attacks(square);
        if (luft_bishop_rays(square) & diagonals & ~diagonal) {
            const luft_bitboard beyond = luft_bishop_attacks(square, s->occupied ^ (diagonal & s->own));
            s->wild_from |= pin_rays(square, beyond & diagonals & ~diagonal);
        }
        if (luft_rook_rays(square) & straights & ~straight) {
            const luft_bitboard beyond = luft_rook_attacks(square, s->occupied ^ (straight & s->own));
            s->wild_from |= pin_rays(square, beyond & straights & ~straight);
        }
    }
    s->sole = s->guarded & ~twice;
}

/* The moves of their king if these squares are guarded. */
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

/* How many of them an attack on these squares takes away. */
ALWAYS_INLINE int64_t king_options_lost(king_options king, luft_bitboard attacked) {
    return luft_popcount(king.steps & attacked) + ((king.west & attacked) != 0) + ((king.east & attacked) != 0);
}

/* All of it. Expects that we are not in check. Sets `*danger` to all squares that they attack. */
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
    s.felt = s.seen | s.west | s.east | s.stopped_push | s.stopped_double;
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
