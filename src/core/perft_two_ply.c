/* SPDX-License-Identifier: MIT */
/*
 * Counting the last two plies of a perft together: how many pairs (move, reply)
 * there are, without making most of the moves.
 *
 * The idea. Ask once how many moves the opponent would have if it were their turn
 * now: the base. Most of our moves change that number by a little that can be read
 * off the board. So each move counts the base plus its corrections:
 *
 *   leaving a square   pawns can no longer capture there; sliders that were stopped
 *                      there see further; pawns stopped there may advance; king
 *                      squares that the man alone guarded are free
 *   arriving           pawns may capture there; pawns and sliders that passed there
 *                      are stopped; king squares that the man now attacks are lost
 *   capturing          the victim's moves are gone; its defenders may recapture
 *
 * Moves for which this would not be exact are called wild: those that give check,
 * make, break or alter a pin, open or close a line of ours to a square that their
 * king may use, promote, capture en passant, or touch their castling. They are made
 * and counted the ordinary way. So is everything while the mover is in check.
 *
 * Knights need no correction for squares left or reached: a square emptied or newly
 * filled by us is a target for them before and after. The same holds for the first
 * square at which a slider is stopped.
 *
 * docs/internals.md tells the same at more length, with boards.
 */
#include "core/perft_internal.h"

/* --- What their replies depend on ---------------------------------------- */

/*
 * Everything about the opponent that a correction needs, worked out once for all
 * our moves. Sets named after a pawn's way of moving hold target squares.
 * Single words only: an array in here would keep the whole struct in memory.
 */
typedef struct survey {
    luft_bitboard only_from, only_to;   /* count only moves between these; all squares but in a check of single moves */
    luft_bitboard own, enemy, occupied; /* our men, theirs, both */
    luft_bitboard last;                 /* the rank on which their pawns promote */

    luft_bitboard pawns, knights;               /* theirs */
    luft_bitboard push, double_push;            /* where their pawns may advance to */
    luft_bitboard west, east;                   /* where their pawns may capture, should one of ours stand there */
    luft_bitboard stopped_push, stopped_double; /* squares whose man, alone, stops a single or a double push */
    luft_bitboard free_knights;                 /* not pinned; likewise the next two */
    luft_bitboard free_diagonals, free_straights;
    luft_bitboard seen; /* by free sliders */

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

    /* How often each square is reached by a quiet move, as five planes of binary digits: 16 men at most. */
    luft_bitboard ones, twos, fours, eights, sixteens;
} survey;

/* The kinds of man that move; a queen is no sum of two others here, as it guards along both. */
typedef enum man { MAN_PAWN, MAN_KNIGHT, MAN_BISHOP, MAN_ROOK, MAN_QUEEN, MAN_KING } man;

ALWAYS_INLINE luft_bitboard wild_targets(const survey *s, const man kind) {
    switch (kind) {
    case MAN_PAWN: return s->wild_to | s->wild_pawn;
    case MAN_KNIGHT: return s->wild_to | s->wild_knight;
    case MAN_BISHOP: return s->wild_to | s->wild_diagonal;
    case MAN_ROOK: return s->wild_to | s->wild_straight;
    case MAN_QUEEN: return s->wild_to | s->wild_diagonal | s->wild_straight;
    default: return s->wild_to;
    }
}

ALWAYS_INLINE luft_bitboard zone_of(const survey *s, const man kind) {
    switch (kind) {
    case MAN_PAWN: return s->zone_pawn;
    case MAN_KNIGHT: return s->zone_knight;
    case MAN_BISHOP: return s->zone_diagonal;
    case MAN_ROOK: return s->zone_straight;
    case MAN_QUEEN: return s->zone_diagonal | s->zone_straight;
    default: return s->zone_king;
    }
}

ALWAYS_INLINE luft_bitboard attacks_of_man(const luft_color us, const man kind, luft_square from,
                                           luft_bitboard occupied) {
    switch (kind) {
    case MAN_PAWN: return luft_pawn_attacks(us, from);
    case MAN_KNIGHT: return luft_knight_attacks(from);
    case MAN_BISHOP: return luft_bishop_attacks(from, occupied);
    case MAN_ROOK: return luft_rook_attacks(from, occupied);
    case MAN_QUEEN: return luft_queen_attacks(from, occupied);
    default: return luft_king_attacks(from);
    }
}

ALWAYS_INLINE step_kind step_of_man(const man kind) {
    switch (kind) {
    case MAN_PAWN: return STEP_CAPTURE_WEST; /* right for pushes too: nothing stands where they go */
    case MAN_KNIGHT: return STEP_KNIGHT;
    case MAN_BISHOP: return STEP_DIAGONAL;
    case MAN_KING: return STEP_KING;
    default: return STEP_STRAIGHT;
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
    const luft_bitboard crossed = luft_between(king, king_goal(them, east)), way = castling_way(them, king, rook, east);
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
ALWAYS_INLINE int64_t king_moves_if(const survey *s, luft_bitboard guarded) {
    return luft_popcount(s->steps & ~guarded) + (s->castle_west && !(s->castle_west & guarded)) +
           (s->castle_east && !(s->castle_east & guarded));
}

/* --- Corrections --------------------------------------------------------- */

/* How many captures their pawns have on a square of ours. */
ALWAYS_INLINE int64_t pawn_captures_on(const survey *s, luft_bitboard square) {
    return (int64_t)(((s->west & square) != 0) + ((s->east & square) != 0)) << (square & s->last ? 2 : 0);
}

/* The same for a set of squares, added up. */
ALWAYS_INLINE int64_t pawn_captures_on_each(const survey *s, luft_bitboard squares) {
    int64_t count = luft_popcount(s->west & squares) + luft_popcount(s->east & squares);
    if (UNLIKELY(squares & s->last)) {
        count += 3 * (luft_popcount(s->west & squares & s->last) + luft_popcount(s->east & squares & s->last));
    }
    return count;
}

/*
 * A slider of theirs that is stopped on `from` sees on to `opened` once we leave:
 * not if we come to stand nearer to it, and only as far as us if we go further away.
 */
ALWAYS_INLINE int64_t opened_for(luft_square slider, luft_square from, luft_bitboard opened, luft_bitboard targets) {
    int64_t count = (int64_t)luft_popcount(opened) * luft_popcount(targets & ~luft_between(slider, from));
    for (luft_bitboard x = targets & opened; x; x &= x - 1) {
        count -= luft_popcount(opened & ~luft_between(from, luft_lsb(x)));
    }
    return count;
}

/* What their sliders gain by our leaving `from`. The slider that we capture gains nothing. */
ALWAYS_INLINE int64_t lines_opened(const survey *s, luft_square from, luft_bitboard targets) {
    const luft_bitboard without = s->occupied ^ luft_bit(from);
    int64_t count = 0;
    for (luft_bitboard x = luft_bishop_attacks(from, s->occupied) & s->free_diagonals; x; x &= x - 1) {
        const luft_square slider = luft_lsb(x);
        const luft_bitboard now = luft_bishop_attacks(slider, s->occupied), then = luft_bishop_attacks(slider, without);
        count += opened_for(slider, from, then & ~now & ~s->enemy, targets & ~luft_bit(slider));
    }
    for (luft_bitboard x = luft_rook_attacks(from, s->occupied) & s->free_straights; x; x &= x - 1) {
        const luft_square slider = luft_lsb(x);
        const luft_bitboard now = luft_rook_attacks(slider, s->occupied), then = luft_rook_attacks(slider, without);
        count += opened_for(slider, from, then & ~now & ~s->enemy, targets & ~luft_bit(slider));
    }
    return count;
}

/* What their pawns gain by our leaving `from`, which stopped one. Going where it wants to go, or taking it, gives nothing. */
ALWAYS_INLINE int64_t pawns_released(const survey *s, const luft_color them, luft_bitboard from,
                                     luft_bitboard targets) {
    int64_t count = 0;
    targets &= ~backward(them, from);
    if (from & s->stopped_push) {
        count += (int64_t)luft_popcount(targets) << (from & s->last ? 2 : 0);
        if (from & third_rank(them) & ~backward(them, s->occupied)) {
            count += luft_popcount(targets & ~forward(them, from));
        }
    }
    if (from & s->stopped_double) {
        count += luft_popcount(targets & ~backward(them, backward(them, from)));
    }
    return count;
}

/* Do we guard `square` when the man on `from` has left? */
ALWAYS_INLINE bool guarded_without(const survey *s, const luft_board *board, const luft_color us, luft_square square,
                                   luft_bitboard from) {
    return (attackers_by(board, us, square, s->occupied ^ from) & ~from) != 0;
}

/* What a capture of theirs on `to` changes: the victim's moves go, its defenders may recapture. */
ALWAYS_INLINE int64_t capture_correction(const survey *s, const luft_board *board, const luft_color them,
                                         luft_bitboard from, luft_bitboard to) {
    const luft_square square = luft_lsb(to);
    const luft_bitboard without = s->occupied ^ from;
    int64_t count = luft_popcount(luft_knight_attacks(square) & s->free_knights) + pawn_captures_on(s, to);
    count += luft_popcount(luft_bishop_attacks(square, without) & s->free_diagonals);
    count += luft_popcount(luft_rook_attacks(square, without) & s->free_straights);
    count += to & s->ring && !guarded_without(s, board, luft_opposite(them), square, from);

    if (to & s->pawns) {
        const luft_bitboard push = forward(them, to) & s->push;
        const luft_bitboard west = capture_west(them, to) & s->west & s->own & ~from;
        const luft_bitboard east = capture_east(them, to) & s->east & s->own & ~from;
        count -= push & s->last ? 4 : push != 0;
        count -= (forward(them, push & third_rank(them)) & s->double_push) != 0;
        count -= (int64_t)((west != 0) + (east != 0)) << ((west | east) & s->last ? 2 : 0);
        return count;
    }
    if (to & s->knights) {
        return count - luft_popcount(luft_knight_attacks(square) & ~s->enemy);
    }
    if (to & s->free_diagonals) {
        count -= luft_popcount(luft_bishop_attacks(square, s->occupied) & ~s->enemy);
    }
    if (to & s->free_straights) {
        count -= luft_popcount(luft_rook_attacks(square, s->occupied) & ~s->enemy);
    }
    return count;
}

/* --- Arrivals ------------------------------------------------------------ */

/* Notes that each of these squares is reached once more: adds one to its binary digits. */
ALWAYS_INLINE void arrive(survey *s, luft_bitboard squares) {
    const luft_bitboard carry1 = s->ones & squares, carry2 = s->twos & carry1, carry3 = s->fours & carry2;
    s->ones ^= squares;
    s->twos ^= carry1;
    s->fours ^= carry2;
    s->sixteens |= s->eights & carry3;
    s->eights ^= carry3;
}

/* How many arrivals there are on these squares in all. */
ALWAYS_INLINE int64_t arrivals_on(const survey *s, luft_bitboard squares) {
    int64_t count = luft_popcount(s->ones & squares) + 2 * luft_popcount(s->twos & squares);
    if (s->fours | s->eights | s->sixteens) {
        count += 4 * luft_popcount(s->fours & squares) + 8 * luft_popcount(s->eights & squares) +
                 16 * luft_popcount(s->sixteens & squares);
    }
    return count;
}

/* The number of arrivals on one square. */
ALWAYS_INLINE int64_t arrivals_at(const survey *s, luft_square square) {
    return (int64_t)((s->ones >> square & 1) + 2 * (s->twos >> square & 1) + 4 * (s->fours >> square & 1) +
                     8 * (s->eights >> square & 1) + 16 * (s->sixteens >> square & 1));
}

/* What the quiet arrivals take from their pawns and sliders, or offer to their pawns. */
ALWAYS_INLINE int64_t settle_arrivals(const survey *s, const luft_color them) {
    int64_t count = arrivals_on(s, s->west) + arrivals_on(s, s->east) - arrivals_on(s, s->push) -
                    arrivals_on(s, s->push & backward(them, s->double_push)) - arrivals_on(s, s->double_push);
    if (UNLIKELY((s->push | s->west | s->east) & s->last)) {
        count += 3 * (arrivals_on(s, s->west & s->last) + arrivals_on(s, s->east & s->last) -
                      arrivals_on(s, s->push & s->last));
    }
    const luft_bitboard any = s->ones | s->twos | s->fours | s->eights | s->sixteens;
    for (luft_bitboard sliders = s->free_diagonals; sliders;) {
        const luft_square slider = luft_pop(&sliders);
        const luft_bitboard targets = luft_bishop_attacks(slider, s->occupied);
        for (luft_bitboard x = targets & any; x; x &= x - 1) {
            const luft_bitboard cut = targets & ~s->enemy & ~luft_bishop_attacks(slider, s->occupied | (x & (0 - x)));
            count -= arrivals_at(s, luft_lsb(x)) * luft_popcount(cut);
        }
    }
    for (luft_bitboard sliders = s->free_straights; sliders;) {
        const luft_square slider = luft_pop(&sliders);
        const luft_bitboard targets = luft_rook_attacks(slider, s->occupied);
        for (luft_bitboard x = targets & any; x; x &= x - 1) {
            const luft_bitboard cut = targets & ~s->enemy & ~luft_rook_attacks(slider, s->occupied | (x & (0 - x)));
            count -= arrivals_at(s, luft_lsb(x)) * luft_popcount(cut);
        }
    }
    return count;
}

/* --- Our moves ----------------------------------------------------------- */

/* Makes a wild move and counts the replies. */
ALWAYS_INLINE int64_t count_wild(const luft_board *board, const luft_color us, const step_kind kind, luft_bitboard from,
                                 luft_bitboard to, const luft_piece_type promotion) {
    luft_board next = *board;
    make_step(&next, us, kind, from, to, promotion);
    return (int64_t)count_replies(&next, us);
}

/* All moves of one of our men to these legal targets; `attacks` is all that it attacks now. */
ALWAYS_INLINE int64_t count_man(survey *s, const luft_board *board, const luft_color us, const man kind,
                                luft_square from, luft_bitboard attacks, luft_bitboard targets) {
    const luft_color them = luft_opposite(us);
    const luft_bitboard from_bit = luft_bit(from);
    targets &= from_bit & s->only_from ? s->only_to : 0;
    luft_bitboard wild = targets;
    int64_t count = 0;
    if (!targets) {
        return 0;
    }
    if (!(from_bit & s->wild_from)) {
        wild = targets & wild_targets(s, kind);
        targets ^= wild;
        luft_bitboard guarded = s->guarded, zone = zone_of(s, kind), occupied = s->occupied;
        int64_t each = s->base + s->king_base - pawn_captures_on(s, from_bit);
        if (attacks & s->sole) {
            /* Some king squares are free once it has left; every arrival may guard them anew. */
            guarded &= ~(attacks & s->sole);
            each += king_moves_if(s, guarded) - s->king_base;
            zone = ~UINT64_C(0);
            occupied ^= from_bit;
        }
        count += each * luft_popcount(targets);
        arrive(s, targets & ~s->enemy);
        for (luft_bitboard x = targets & s->enemy; x; x &= x - 1) {
            count += capture_correction(s, board, them, from_bit, x & (0 - x));
        }
        if (from_bit & s->seen) {
            count += lines_opened(s, from, targets);
        }
        if (from_bit & (s->stopped_push | s->stopped_double)) {
            count += pawns_released(s, them, from_bit, targets);
        }
        for (luft_bitboard x = targets & zone; x; x &= x - 1) {
            const luft_bitboard then = attacks_of_man(us, kind, luft_lsb(x), occupied);
            count += king_moves_if(s, guarded | then) - king_moves_if(s, guarded);
        }
    }
    for (; wild; wild &= wild - 1) {
        count += count_wild(board, us, step_of_man(kind), from_bit, wild & (0 - wild), LUFT_NO_PIECE_TYPE);
    }
    return count;
}

/* Castling is tame where none of its four squares touches anything that the survey speaks of. */
ALWAYS_INLINE bool castling_is_tame(const survey *s, const luft_color us, luft_square king, luft_square rook) {
    const luft_square king_to = castled_king(king, rook), rook_to = castled_rook(king, rook);
    const luft_bitboard left = luft_bit(king) | luft_bit(rook), reached = luft_bit(king_to) | luft_bit(rook_to);
    const luft_bitboard pawn_squares = s->push | s->west | s->east;
    const luft_bitboard attacks = luft_king_attacks(king) | luft_rook_attacks(rook, s->occupied);
    return !(left & reached) && !(s->ring & home_rank(us)) &&
           !(left & (s->wild_from | s->seen | s->stopped_push | s->stopped_double | s->west | s->east)) &&
           !(attacks & s->sole) && !(reached & (pawn_squares | s->seen)) &&
           !(luft_bit(rook_to) & (wild_targets(s, MAN_ROOK) | s->zone_straight)) &&
           !(luft_bit(king_to) & (wild_targets(s, MAN_KING) | s->zone_king));
}

ALWAYS_INLINE int64_t count_king(survey *s, const luft_board *board, const luft_color us, const king_masks *masks,
                                 luft_bitboard danger) {
    const luft_square king = masks->king;
    const luft_bitboard king_bit = luft_bit(king);
    int64_t count =
        count_man(s, board, us, MAN_KING, king, luft_king_attacks(king), king_targets(board, us, king, danger));
    luft_bitboard rooks = castling_candidates(board, us, king) & s->only_to;
    if (UNLIKELY(rooks) && king_bit & s->only_from) {
        for (rooks = castling_targets(masks, us, rooks, danger); rooks; rooks &= rooks - 1) {
            const bool tame = castling_is_tame(s, us, king, luft_lsb(rooks));
            count += tame ? s->base + s->king_base
                          : count_wild(board, us, STEP_CASTLE, king_bit, rooks & (0 - rooks), LUFT_NO_PIECE_TYPE);
        }
    }
    return count;
}

/* Every promotion is wild. */
ALWAYS_INLINE int64_t count_promotions(const luft_board *board, const luft_color us, const pawn_targets *t) {
    int64_t count = 0;
    for (int type = LUFT_KNIGHT; type <= LUFT_QUEEN; type++) {
        for (luft_bitboard x = t->push & last_rank(us); x; x &= x - 1) {
            const luft_bitboard to = x & (0 - x);
            count += count_wild(board, us, STEP_PROMOTE, backward(us, to), to, (luft_piece_type)type);
        }
        for (luft_bitboard x = t->west & last_rank(us); x; x &= x - 1) {
            const luft_bitboard to = x & (0 - x);
            count += count_wild(board, us, STEP_PROMOTE_WEST, from_capture_west(us, to), to, (luft_piece_type)type);
        }
        for (luft_bitboard x = t->east & last_rank(us); x; x &= x - 1) {
            const luft_bitboard to = x & (0 - x);
            count += count_wild(board, us, STEP_PROMOTE_EAST, from_capture_east(us, to), to, (luft_piece_type)type);
        }
    }
    return count;
}

RARELY_CALLED int64_t count_promotions_white(const luft_board *board, const pawn_targets *t) {
    return count_promotions(board, LUFT_WHITE, t);
}

RARELY_CALLED int64_t count_promotions_black(const luft_board *board, const pawn_targets *t) {
    return count_promotions(board, LUFT_BLACK, t);
}

/*
 * A double push beside a pawn of theirs: like any push, and besides they may capture
 * en passant, where that does not uncover their king. (A check that the push gives
 * would make it wild, so no check is in the way.)
 */
ALWAYS_INLINE int64_t count_push_beside(survey *s, const luft_board *board, const luft_color us, luft_square their_king,
                                        luft_bitboard to) {
    const luft_color them = luft_opposite(us);
    const luft_bitboard ep = backward(us, to), from = backward(us, ep);
    if (from & s->wild_from || to & wild_targets(s, MAN_PAWN)) {
        luft_board next = *board;
        make_step(&next, us, STEP_DOUBLE_PUSH, from, to, LUFT_NO_PIECE_TYPE);
        return (int64_t)count_replies_ep(&next, us, ep);
    }
    const luft_square square = luft_lsb(from);
    int64_t count = count_man(s, board, us, MAN_PAWN, square, luft_pawn_attacks(us, square), to);
    luft_bitboard pawns = (from_capture_west(them, ep) | from_capture_east(them, ep)) & s->pawns;
    for (; pawns; pawns &= pawns - 1) {
        /* Afterwards their pawn stands on ep and ours is gone again: only one square has become empty besides theirs. */
        const luft_bitboard occupied = s->occupied ^ from ^ ep ^ (pawns & (0 - pawns));
        count += !((luft_bishop_attacks(their_king, occupied) & board->diagonals & s->own) |
                   (luft_rook_attacks(their_king, occupied) & board->straights & s->own));
    }
    return count;
}

/* Pushes that touch nothing are counted by the set; the rest of the pawns one by one. */
ALWAYS_INLINE int64_t count_pawns(survey *s, const luft_board *board, const luft_color us, const king_masks *masks,
                                  luft_square their_king, luft_bitboard ep) {
    pawn_targets t = targets_of_pawns(board, us, masks, board->pawns & s->own & s->only_from);
    int64_t count = 0;
    t.push &= s->only_to;
    t.double_push &= s->only_to;
    t.west &= s->only_to;
    t.east &= s->only_to;
    if (UNLIKELY((t.push | t.west | t.east) & last_rank(us))) {
        count += us == LUFT_WHITE ? count_promotions_white(board, &t) : count_promotions_black(board, &t);
        t.push &= ~last_rank(us);
        t.west &= ~last_rank(us);
        t.east &= ~last_rank(us);
    }
    const luft_bitboard sole_guards = from_capture_west(us, s->sole) | from_capture_east(us, s->sole);
    const luft_bitboard touchy = s->wild_from | s->seen | s->stopped_double | sole_guards;
    const luft_bitboard touchy_to = wild_targets(s, MAN_PAWN) | s->zone_pawn;
    const luft_bitboard touchy_once = forward(us, touchy), touchy_twice = forward(us, touchy_once);
    const luft_bitboard beside = t.double_push & (luft_west(s->pawns) | luft_east(s->pawns));
    luft_bitboard single = t.push & (touchy_to | touchy_once);
    luft_bitboard twice = t.double_push & ~beside & (touchy_to | touchy_twice);
    const luft_bitboard plain_single = t.push ^ single, plain_twice = t.double_push ^ twice ^ beside;

    arrive(s, plain_single | plain_twice);
    count += (luft_popcount(plain_single) + luft_popcount(plain_twice)) * (s->base + s->king_base);
    const luft_bitboard left_once = backward(us, plain_single), left_twice = backward(us, backward(us, plain_twice));
    count -= pawn_captures_on_each(s, left_once) + pawn_captures_on_each(s, left_twice);
    for (luft_bitboard x = beside; x; x &= x - 1) {
        count += count_push_beside(s, board, us, their_king, x & (0 - x));
    }
    luft_bitboard pawns = backward(us, single) | backward(us, backward(us, twice)) | from_capture_west(us, t.west) |
                          from_capture_east(us, t.east);
    while (pawns) {
        const luft_bitboard from = pawns & (0 - pawns);
        const luft_square square = luft_pop(&pawns);
        const luft_bitboard targets = (forward(us, from) & single) | (forward(us, forward(us, from)) & twice) |
                                      (capture_west(us, from) & t.west) | (capture_east(us, from) & t.east);
        count += count_man(s, board, us, MAN_PAWN, square, luft_pawn_attacks(us, square), targets);
    }
    if (UNLIKELY(ep & s->only_to)) {
        for (luft_bitboard x = en_passant_pawns(board, us, masks->king, ep) & s->only_from; x; x &= x - 1) {
            count += count_wild(board, us, STEP_EN_PASSANT, x & (0 - x), ep, LUFT_NO_PIECE_TYPE);
        }
    }
    return count;
}

ALWAYS_INLINE int64_t count_pieces(survey *s, const luft_board *board, const luft_color us, const king_masks *masks) {
    const luft_bitboard allowed = ~s->own, occupied = s->occupied;
    const luft_bitboard pinned = masks->pin_straight | masks->pin_diagonal;
    int64_t count = 0;
    for (luft_bitboard x = board->knights & s->own & ~pinned; x;) {
        const luft_square from = luft_pop(&x);
        const luft_bitboard attacks = luft_knight_attacks(from);
        count += count_man(s, board, us, MAN_KNIGHT, from, attacks, attacks & allowed);
    }
    for (luft_bitboard x = luft_bishops(board) & s->own & ~masks->pin_straight; x;) {
        const luft_square from = luft_pop(&x);
        const luft_bitboard attacks = luft_bishop_attacks(from, occupied);
        const luft_bitboard ray = luft_bit(from) & masks->pin_diagonal ? masks->pin_diagonal : ~UINT64_C(0);
        count += count_man(s, board, us, MAN_BISHOP, from, attacks, attacks & allowed & ray);
    }
    for (luft_bitboard x = luft_rooks(board) & s->own & ~masks->pin_diagonal; x;) {
        const luft_square from = luft_pop(&x);
        const luft_bitboard attacks = luft_rook_attacks(from, occupied);
        const luft_bitboard ray = luft_bit(from) & masks->pin_straight ? masks->pin_straight : ~UINT64_C(0);
        count += count_man(s, board, us, MAN_ROOK, from, attacks, attacks & allowed & ray);
    }
    for (luft_bitboard x = luft_queens(board) & s->own; x;) {
        const luft_square from = luft_pop(&x);
        const luft_bitboard bit = luft_bit(from);
        const luft_bitboard diagonal = luft_bishop_attacks(from, occupied),
                            straight = luft_rook_attacks(from, occupied);
        luft_bitboard targets = diagonal | straight;
        if (UNLIKELY(bit & pinned)) {
            targets = bit & masks->pin_straight ? straight & masks->pin_straight : diagonal & masks->pin_diagonal;
        }
        count += count_man(s, board, us, MAN_QUEEN, from, diagonal | straight, targets & allowed);
    }
    return count;
}

/* --- All of it ----------------------------------------------------------- */

/* Expects the mover not to be in check. */
ALWAYS_INLINE uint64_t count_pairs(const luft_board *board, const luft_color us, luft_bitboard ep,
                                   const king_masks *masks, const luft_bitboard only_from,
                                   const luft_bitboard only_to) {
    const luft_color them = luft_opposite(us);
    survey s = {
        .only_from = only_from,
        .only_to = only_to,
        .own = board->color[us],
        .enemy = board->color[them],
        .occupied = luft_occupied(board),
        .last = last_rank(them),
        .pawns = board->pawns & board->color[them],
        .knights = board->knights & board->color[them],
    };
    const luft_square their_king = luft_lsb(board->kings & s.enemy);
    const king_masks their_masks = survey_king_lines(&s, board, them, their_king);
    s.ring = luft_king_attacks(their_king);
    s.steps = s.ring & ~s.enemy;
    luft_bitboard danger = s.ring | survey_pawns(&s, them, &their_masks);
    danger |= survey_pieces(&s, board, &their_masks);
    if (board->castling & home_rank(them)) {
        s.castle_west = survey_castling(&s, board, them, &their_masks, false);
        s.castle_east = survey_castling(&s, board, them, &their_masks, true);
    }
    survey_king_squares(&s, board, them);
    s.king_base = king_moves_if(&s, s.guarded);

    int64_t count = count_king(&s, board, us, masks, danger);
    count += count_pawns(&s, board, us, masks, their_king, ep);
    count += count_pieces(&s, board, us, masks);
    count += settle_arrivals(&s, them);
    return (uint64_t)count;
}

#if defined(LUFT_CHECK_TWO_PLY)
#define PAIRS_FUNCTION NEVER_INLINE static /* called for every move then: one copy is enough */
#else
#define PAIRS_FUNCTION ALWAYS_INLINE
#endif

PAIRS_FUNCTION uint64_t pairs_of_white(const luft_board *board, luft_bitboard ep, const king_masks *masks,
                                       luft_bitboard only_from, luft_bitboard only_to) {
    return count_pairs(board, LUFT_WHITE, ep, masks, only_from, only_to);
}

PAIRS_FUNCTION uint64_t pairs_of_black(const luft_board *board, luft_bitboard ep, const king_masks *masks,
                                       luft_bitboard only_from, luft_bitboard only_to) {
    return count_pairs(board, LUFT_BLACK, ep, masks, only_from, only_to);
}

#if defined(LUFT_CHECK_TWO_PLY)
/*
 * The debug mode: all corrections add up over moves, so a count restricted to one
 * move must be the number of replies to it. Every move is made to compare.
 */
typedef struct move_check {
    luft_bitboard ep;
    const king_masks *masks;
} move_check;

ALWAYS_INLINE void check_sink(void *context, const luft_board *board, const luft_color us, const step_kind kind,
                              luft_square from, luft_bitboard targets) {
    const move_check *check = context;
    for (; targets; targets &= targets - 1) {
        const luft_bitboard to = targets & (0 - targets), origin = step_origin(us, kind, from, to);
        uint64_t made = 0;
        for (int type = LUFT_KNIGHT; type <= (step_is_promotion(kind) ? LUFT_QUEEN : LUFT_KNIGHT); type++) {
            luft_board next = *board;
            make_step(&next, us, kind, origin, to, (luft_piece_type)type);
            const luft_bitboard ep = kind == STEP_DOUBLE_PUSH ? ep_after_double_push(&next, luft_opposite(us), to) : 0;
            made += count_replies_ep(&next, us, ep);
        }
        assert(made == (us == LUFT_WHITE ? pairs_of_white(board, check->ep, check->masks, origin, to)
                                         : pairs_of_black(board, check->ep, check->masks, origin, to)));
    }
}

ALWAYS_INLINE void check_each_move(const luft_board *board, const luft_color us, luft_bitboard ep,
                                   const king_masks *masks) {
    enumerate(board, us, ep, LUFT_ALL_MOVES, check_sink, &(move_check){ep, masks});
}
#else
ALWAYS_INLINE void check_each_move(const luft_board *board, const luft_color us, luft_bitboard ep,
                                   const king_masks *masks) {
    (void)board, (void)us, (void)ep, (void)masks;
}
#endif

/* While the mover is in check there are few moves and little to share: they are made. */
uint64_t perft_pairs_white(const luft_board *board, luft_bitboard ep) {
    const king_masks masks = look_at_king(board, LUFT_WHITE);
    if (UNLIKELY(~masks.check_mask)) {
        return perft_walk_white(board, ep, 2, false);
    }
    check_each_move(board, LUFT_WHITE, ep, &masks);
    return pairs_of_white(board, ep, &masks, ~UINT64_C(0), ~UINT64_C(0));
}

uint64_t perft_pairs_black(const luft_board *board, luft_bitboard ep) {
    const king_masks masks = look_at_king(board, LUFT_BLACK);
    if (UNLIKELY(~masks.check_mask)) {
        return perft_walk_black(board, ep, 2, false);
    }
    check_each_move(board, LUFT_BLACK, ep, &masks);
    return pairs_of_black(board, ep, &masks, ~UINT64_C(0), ~UINT64_C(0));
}
