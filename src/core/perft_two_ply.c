/* SPDX-License-Identifier: MIT */
/*
 * Two-ply counting: counts the last two plies of a perft together, as pairs (move, reply),
 * without making most of the moves. "We" are the side to move, "they" the opponent.
 *
 * The base is the number of moves they would have if it were their turn now. Most of our
 * moves change this number by an amount that can be read off the board. So each of our
 * moves adds the base plus these corrections:
 *
 *   leaving a square   pawns can no longer capture there; sliders blocked there see
 *                      further; pawns blocked there may advance; king squares that
 *                      only this piece guarded become free
 *   arriving           pawns may capture there; pawns and sliders that passed there
 *                      are blocked; king squares that the piece now attacks are lost
 *   capturing          the moves of the captured piece are lost; its defenders may
 *                      recapture
 *
 * Moves for which this is not exact are called wild. A wild move gives check; makes,
 * breaks or changes a pin; opens or closes a line of ours to a square that their king may
 * use; promotes; captures en passant; or changes their castling. Wild moves are made, and
 * their replies counted by the generator. So are all our moves while we are in check.
 *
 * Knights need no correction when we leave or reach a square: a square without a piece of
 * theirs is a target for them before and after. The same holds for the first square on
 * which a slider is blocked.
 *
 * docs/internals.md explains this at more length, with boards.
 */
#include "core/perft_survey.h"

/* The step of a piece in a plain move or capture. STEP_ORTHOGONAL is right for queens in all directions. */
ALWAYS_INLINE step_kind step_of_piece(const luft_piece_type kind) {
    switch (kind) {
    case LUFT_PAWN: return STEP_CAPTURE_WEST; /* right for pushes too: their target is empty */
    case LUFT_KNIGHT: return STEP_KNIGHT;
    case LUFT_BISHOP: return STEP_DIAGONAL;
    case LUFT_KING: return STEP_KING;
    default: return STEP_ORTHOGONAL;
    }
}

/* --- Corrections --------------------------------------------------------- */

/* Number of captures by their pawns on a square of ours. */
ALWAYS_INLINE int64_t pawn_captures_on(const survey *s, luft_bitboard square) {
    return (int64_t)(((s->west & square) != 0) + ((s->east & square) != 0)) << (square & s->last ? 2 : 0);
}

/* The same for a set of our pawns, which never stand on their last rank. */
ALWAYS_INLINE int64_t pawn_captures_on_each(const survey *s, luft_bitboard squares) {
    return luft_popcount(s->west & squares) + luft_popcount(s->east & squares);
}

/*
 * Counts what a slider blocked on `from` gains when our piece leaves for each of `targets`. It gains the squares
 * in `opened`; none if the target lies between the two, and only those up to the target if it lies beyond.
 */
ALWAYS_INLINE int64_t opened_for(luft_square slider, luft_square from, luft_bitboard opened, luft_bitboard targets) {
    int64_t count = (int64_t)luft_popcount(opened) * luft_popcount(targets & ~luft_between(slider, from));
    for (luft_bitboard x = targets & opened; x; x &= x - 1) {
        count -= luft_popcount(opened & luft_beyond(from, luft_lsb(x)));
    }
    return count;
}

/* What their sliders gain when our piece leaves `from`. A captured slider gains nothing. */
ALWAYS_INLINE int64_t lines_opened(const survey *s, luft_square from, luft_bitboard targets) {
    const luft_bitboard without = s->occupied ^ luft_bit(from);
    int64_t count = 0;
    for (luft_bitboard x = luft_bishop_attacks(from, s->occupied) & s->free_diagonals; x;) {
        const luft_square slider = luft_pop(&x);
        const luft_bitboard opened = luft_bishop_attacks(slider, without) & luft_beyond(slider, from) & ~s->enemy;
        count += opened_for(slider, from, opened, targets & ~luft_bit(slider));
    }
    for (luft_bitboard x = luft_rook_attacks(from, s->occupied) & s->free_orthogonals; x;) {
        const luft_square slider = luft_pop(&x);
        const luft_bitboard opened = luft_rook_attacks(slider, without) & luft_beyond(slider, from) & ~s->enemy;
        count += opened_for(slider, from, opened, targets & ~luft_bit(slider));
    }
    return count;
}

/*
 * What their pawns gain when our piece leaves `from`, where it blocked one. A move that captures the pawn gains
 * them nothing; a move along the file may block it again.
 */
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

/* True if we still guard `square` after the piece on `from` has left. */
ALWAYS_INLINE bool guarded_without(const survey *s, const luft_board *board, const luft_color us, luft_square square,
                                   luft_bitboard from) {
    return (attackers_by(board, us, square, s->occupied ^ from) & ~from) != 0;
}

/* What a capture of ours on `to` changes: the moves of the captured piece are lost, its defenders may recapture. */
ALWAYS_INLINE int64_t capture_correction(const survey *s, const luft_board *board, const luft_color them,
                                         luft_bitboard from, luft_bitboard to) {
    const luft_square square = luft_lsb(to);
    const luft_bitboard without = s->occupied ^ from;
    int64_t count = luft_popcount(luft_knight_attacks(square) & s->free_knights) + pawn_captures_on(s, to);
    count += luft_popcount(luft_bishop_attacks(square, without) & s->free_diagonals);
    count += luft_popcount(luft_rook_attacks(square, without) & s->free_orthogonals);
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
    if (to & s->free_orthogonals) {
        count -= luft_popcount(luft_rook_attacks(square, s->occupied) & ~s->enemy);
    }
    return count;
}

/* --- Arrivals ------------------------------------------------------------ */

/* Adds one arrival to each of these squares, in binary across the four planes. */
ALWAYS_INLINE void add_arrivals(survey *s, luft_bitboard squares) {
    const luft_bitboard carry1 = s->ones & squares, carry2 = s->twos & carry1;
    s->ones ^= squares;
    s->twos ^= carry1;
    s->eights |= s->fours & carry2;
    s->fours ^= carry2;
}

/* Total number of arrivals on these squares. */
ALWAYS_INLINE int64_t arrivals_on(const survey *s, luft_bitboard squares) {
    int64_t count = luft_popcount(s->ones & squares) + 2 * luft_popcount(s->twos & squares);
    if (s->fours | s->eights) {
        count += 4 * luft_popcount(s->fours & squares) + 8 * luft_popcount(s->eights & squares);
    }
    return count;
}

/* The number of arrivals on one square. */
ALWAYS_INLINE int64_t arrivals_at(const survey *s, luft_square square) {
    return (int64_t)((s->ones >> square & 1) + 2 * (s->twos >> square & 1) + 4 * (s->fours >> square & 1) +
                     8 * (s->eights >> square & 1));
}

/* What a slider of theirs that attacks `targets` loses: each arrival hides the squares beyond it. */
ALWAYS_INLINE int64_t squares_cut_off(const survey *s, luft_square slider, luft_bitboard targets, luft_bitboard any) {
    int64_t count = 0;
    for (luft_bitboard x = targets & any; x; x &= x - 1) {
        const luft_square square = luft_lsb(x);
        count += arrivals_at(s, square) * luft_popcount(targets & ~s->enemy & luft_beyond(slider, square));
    }
    return count;
}

/* The effect of all quiet arrivals on their pawns and sliders. */
ALWAYS_INLINE int64_t arrival_corrections(const survey *s, const luft_color them) {
    int64_t count = arrivals_on(s, s->west) + arrivals_on(s, s->east) - arrivals_on(s, s->push) -
                    arrivals_on(s, s->push & backward(them, s->double_push)) - arrivals_on(s, s->double_push);
    if (UNLIKELY((s->push | s->west | s->east) & s->last)) {
        count += 3 * (arrivals_on(s, s->west & s->last) + arrivals_on(s, s->east & s->last) -
                      arrivals_on(s, s->push & s->last));
    }
    const luft_bitboard any = s->ones | s->twos | s->fours | s->eights;
    for (luft_bitboard sliders = s->free_diagonals; sliders;) {
        const luft_square slider = luft_pop(&sliders);
        count -= squares_cut_off(s, slider, luft_bishop_attacks(slider, s->occupied), any);
    }
    for (luft_bitboard sliders = s->free_orthogonals; sliders;) {
        const luft_square slider = luft_pop(&sliders);
        count -= squares_cut_off(s, slider, luft_rook_attacks(slider, s->occupied), any);
    }
    return count;
}

/* --- Our moves ----------------------------------------------------------- */

/*
 * Makes a wild move on `next` and returns the place for the next board. The replies are counted at the end, all
 * together, to keep their code out of this loop's instruction cache.
 */
ALWAYS_INLINE luft_board *make_wild(luft_board *next, const luft_board *board, const luft_color us,
                                    const step_kind kind, luft_bitboard from, luft_bitboard to,
                                    const luft_piece_type promotion) {
    *next = *board;
    make_step(next, us, kind, from, to, promotion, step_may_capture(kind));
    return next + 1;
}

/* Counts all moves of one of our pieces to these legal targets. `attacks` are the squares it attacks now. */
ALWAYS_INLINE int64_t count_piece(survey *s, const luft_board *board, const luft_color us, const luft_piece_type kind,
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
        king_options king = s->king;
        luft_bitboard zone = zone_of(s, kind), occupied = s->occupied;
        int64_t each = s->base + s->king_base;
        if (attacks & s->sole) {
            /* Leaving frees some king squares; the piece may guard them again from any target. */
            king = king_options_if(s, s->guarded & ~(attacks & s->sole));
            each += count_king_options(king) - s->king_base;
            zone = ~UINT64_C(0);
            occupied ^= from_bit;
        }
        if (from_bit & s->sensitive) {
            each -= pawn_captures_on(s, from_bit);
            count += pawns_released(s, them, from_bit, targets);
            count += from_bit & s->seen ? lines_opened(s, from, targets) : 0;
        }
        count += each * luft_popcount(targets);
        add_arrivals(s, targets & ~s->enemy);
        for (luft_bitboard x = targets & s->enemy; x; x &= x - 1) {
            count += capture_correction(s, board, them, from_bit, x & (0 - x));
        }
        for (luft_bitboard x = targets & zone; x; x &= x - 1) {
            count -= king_options_lost(king, luft_attacks(us, kind, luft_lsb(x), occupied));
        }
    }
    for (; wild; wild &= wild - 1) {
        const luft_bitboard to = wild & (0 - wild);
        s->wild_end = make_wild(s->wild_end, board, us, step_of_piece(kind), from_bit, to, LUFT_NO_PIECE_TYPE);
    }
    return count;
}

/* True if none of the four squares of this castling affects a correction, so that it adds exactly the base. */
ALWAYS_INLINE bool castling_is_regular(const survey *s, const luft_color us, luft_square king, luft_square rook) {
    const luft_square king_to = castled_king(king, rook), rook_to = castled_rook(king, rook);
    const luft_bitboard left = luft_bit(king) | luft_bit(rook), reached = luft_bit(king_to) | luft_bit(rook_to);
    const luft_bitboard pawn_squares = s->push | s->west | s->east;
    const luft_bitboard by_king = luft_king_attacks(king), by_rook = luft_rook_attacks(rook, s->occupied);
    /* King squares guarded only by the king, only by the rook, or only by both. */
    const luft_bitboard unguarded = ((by_king | by_rook) & s->sole) | (by_king & by_rook & s->guarded);
    return !(left & reached) && !(s->ring & home_rank(us)) &&
           !(left & (s->wild_from | s->seen | s->stopped_push | s->stopped_double | s->west | s->east)) && !unguarded &&
           !(reached & (pawn_squares | s->seen)) &&
           !(luft_bit(rook_to) & (wild_targets(s, LUFT_ROOK) | s->zone_orthogonal)) &&
           !(luft_bit(king_to) & (wild_targets(s, LUFT_KING) | s->zone_king));
}

ALWAYS_INLINE int64_t count_king(survey *s, const luft_board *board, const luft_color us, const king_masks *masks,
                                 luft_bitboard danger) {
    const luft_square king = masks->king;
    const luft_bitboard king_bit = luft_bit(king);
    int64_t count =
        count_piece(s, board, us, LUFT_KING, king, luft_king_attacks(king), king_targets(board, us, king, danger));
    luft_bitboard rooks = castling_candidates(board, us, king) & s->only_to;
    if (UNLIKELY(rooks) && king_bit & s->only_from) {
        for (rooks = castling_targets(masks, us, rooks, danger); rooks; rooks &= rooks - 1) {
            if (castling_is_regular(s, us, king, luft_lsb(rooks))) {
                count += s->base + s->king_base;
            } else {
                const luft_bitboard rook = rooks & (0 - rooks);
                s->wild_end = make_wild(s->wild_end, board, us, STEP_CASTLE, king_bit, rook, LUFT_NO_PIECE_TYPE);
            }
        }
    }
    return count;
}

/* All promotions are wild. */
ALWAYS_INLINE luft_board *make_promotions(luft_board *next, const luft_board *board, const luft_color us,
                                          const pawn_targets *t) {
    for (int type = LUFT_KNIGHT; type <= LUFT_QUEEN; type++) {
        for (luft_bitboard x = t->push & last_rank(us); x; x &= x - 1) {
            const luft_bitboard to = x & (0 - x);
            next = make_wild(next, board, us, STEP_PROMOTE, backward(us, to), to, (luft_piece_type)type);
        }
        for (luft_bitboard x = t->west & last_rank(us); x; x &= x - 1) {
            const luft_bitboard to = x & (0 - x), from = from_capture_west(us, to);
            next = make_wild(next, board, us, STEP_PROMOTE_WEST, from, to, (luft_piece_type)type);
        }
        for (luft_bitboard x = t->east & last_rank(us); x; x &= x - 1) {
            const luft_bitboard to = x & (0 - x), from = from_capture_east(us, to);
            next = make_wild(next, board, us, STEP_PROMOTE_EAST, from, to, (luft_piece_type)type);
        }
    }
    return next;
}

RARELY_CALLED luft_board *make_promotions_white(luft_board *next, const luft_board *board, const pawn_targets *t) {
    return make_promotions(next, board, LUFT_WHITE, t);
}

RARELY_CALLED luft_board *make_promotions_black(luft_board *next, const luft_board *board, const pawn_targets *t) {
    return make_promotions(next, board, LUFT_BLACK, t);
}

/*
 * A double push beside a pawn of theirs: a push, after which they may also capture en passant, unless that
 * exposes their king. (A push that gives check is wild and not counted here.)
 */
ALWAYS_INLINE int64_t count_push_beside(survey *s, const luft_board *board, const luft_color us, luft_bitboard to) {
    const luft_color them = luft_opposite(us);
    const luft_bitboard ep = backward(us, to), from = backward(us, ep);
    if (from & s->wild_from || to & wild_targets(s, LUFT_PAWN)) {
        luft_board next = *board;
        make_step(&next, us, STEP_DOUBLE_PUSH, from, to, LUFT_NO_PIECE_TYPE, false);
        return (int64_t)count_replies_ep(&next, us, ep);
    }
    const luft_square square = luft_lsb(from);
    int64_t count = count_piece(s, board, us, LUFT_PAWN, square, luft_pawn_attacks(us, square), to);
    luft_bitboard pawns = (from_capture_west(them, ep) | from_capture_east(them, ep)) & s->pawns;
    for (; pawns; pawns &= pawns - 1) {
        /*
         * After the capture their pawn stands on ep and ours is gone: only our origin and their origin have become
         * empty.
         */
        const luft_bitboard occupied = s->occupied ^ from ^ ep ^ (pawns & (0 - pawns));
        count += !((luft_bishop_attacks(s->their_king, occupied) & board->diagonal & s->own) |
                   (luft_rook_attacks(s->their_king, occupied) & board->orthogonal & s->own));
    }
    return count;
}

/* Counts pushes that need no correction of their own as a set, the other pawn moves one by one. */
ALWAYS_INLINE int64_t count_pawns(survey *s, const luft_board *board, const luft_color us, const king_masks *masks,
                                  luft_bitboard ep) {
    pawn_targets t = targets_of_pawns(board, us, masks, board->pawns & s->own & s->only_from);
    int64_t count = 0;
    t.push &= s->only_to;
    t.double_push &= s->only_to;
    t.west &= s->only_to;
    t.east &= s->only_to;
    if (UNLIKELY((t.push | t.west | t.east) & last_rank(us))) {
        s->wild_end = us == LUFT_WHITE ? make_promotions_white(s->wild_end, board, &t)
                                       : make_promotions_black(s->wild_end, board, &t);
        t.push &= ~last_rank(us);
        t.west &= ~last_rank(us);
        t.east &= ~last_rank(us);
    }
    const luft_bitboard sole_guards = from_capture_west(us, s->sole) | from_capture_east(us, s->sole);
    const luft_bitboard sensitive_from = s->wild_from | s->seen | s->stopped_double | sole_guards;
    const luft_bitboard sensitive_to = wild_targets(s, LUFT_PAWN) | s->zone_pawn;
    const luft_bitboard sensitive_once = forward(us, sensitive_from), sensitive_twice = forward(us, sensitive_once);
    const luft_bitboard beside = t.double_push & (luft_west(s->pawns) | luft_east(s->pawns));
    luft_bitboard single = t.push & (sensitive_to | sensitive_once);
    luft_bitboard twice = t.double_push & ~beside & (sensitive_to | sensitive_twice);
    const luft_bitboard plain_single = t.push ^ single, plain_twice = t.double_push ^ twice ^ beside;

    add_arrivals(s, plain_single | plain_twice);
    count += (luft_popcount(plain_single) + luft_popcount(plain_twice)) * (s->base + s->king_base);
    const luft_bitboard left_once = backward(us, plain_single), left_twice = backward(us, backward(us, plain_twice));
    count -= pawn_captures_on_each(s, left_once) + pawn_captures_on_each(s, left_twice);
    for (luft_bitboard x = beside; x; x &= x - 1) {
        count += count_push_beside(s, board, us, x & (0 - x));
    }
    luft_bitboard pawns = backward(us, single) | backward(us, backward(us, twice)) | from_capture_west(us, t.west) |
                          from_capture_east(us, t.east);
    while (pawns) {
        const luft_bitboard from = pawns & (0 - pawns);
        const luft_square square = luft_pop(&pawns);
        const luft_bitboard targets = (forward(us, from) & single) | (forward(us, forward(us, from)) & twice) |
                                      (capture_west(us, from) & t.west) | (capture_east(us, from) & t.east);
        count += count_piece(s, board, us, LUFT_PAWN, square, luft_pawn_attacks(us, square), targets);
    }
    if (UNLIKELY(ep & s->only_to)) {
        for (luft_bitboard x = en_passant_pawns(board, us, masks->king, ep) & s->only_from; x; x &= x - 1) {
            s->wild_end = make_wild(s->wild_end, board, us, STEP_EN_PASSANT, x & (0 - x), ep, LUFT_NO_PIECE_TYPE);
        }
    }
    return count;
}

ALWAYS_INLINE int64_t count_pieces(survey *s, const luft_board *board, const luft_color us, const king_masks *masks) {
    const luft_bitboard allowed = ~s->own, occupied = s->occupied;
    const luft_bitboard pinned = masks->pin_orthogonal | masks->pin_diagonal;
    int64_t count = 0;
    for (luft_bitboard x = board->knights & s->own & ~pinned; x;) {
        const luft_square from = luft_pop(&x);
        const luft_bitboard attacks = luft_knight_attacks(from);
        count += count_piece(s, board, us, LUFT_KNIGHT, from, attacks, attacks & allowed);
    }
    for (luft_bitboard x = luft_bishops(board) & s->own & ~masks->pin_orthogonal; x;) {
        const luft_square from = luft_pop(&x);
        const luft_bitboard attacks = luft_bishop_attacks(from, occupied);
        const luft_bitboard ray = luft_bit(from) & masks->pin_diagonal ? masks->pin_diagonal : ~UINT64_C(0);
        count += count_piece(s, board, us, LUFT_BISHOP, from, attacks, attacks & allowed & ray);
    }
    for (luft_bitboard x = luft_rooks(board) & s->own & ~masks->pin_diagonal; x;) {
        const luft_square from = luft_pop(&x);
        const luft_bitboard attacks = luft_rook_attacks(from, occupied);
        const luft_bitboard ray = luft_bit(from) & masks->pin_orthogonal ? masks->pin_orthogonal : ~UINT64_C(0);
        count += count_piece(s, board, us, LUFT_ROOK, from, attacks, attacks & allowed & ray);
    }
    for (luft_bitboard x = luft_queens(board) & s->own; x;) {
        const luft_square from = luft_pop(&x);
        const luft_bitboard bit = luft_bit(from);
        const luft_bitboard diagonal = luft_bishop_attacks(from, occupied),
                            orthogonal = luft_rook_attacks(from, occupied);
        luft_bitboard targets = diagonal | orthogonal;
        if (UNLIKELY(bit & pinned)) {
            targets = bit & masks->pin_orthogonal ? orthogonal & masks->pin_orthogonal : diagonal & masks->pin_diagonal;
        }
        count += count_piece(s, board, us, LUFT_QUEEN, from, diagonal | orthogonal, targets & allowed);
    }
    return count;
}

/* --- The whole count ----------------------------------------------------- */

/* The side to move must not be in check. */
ALWAYS_INLINE uint64_t count_pairs(const luft_board *board, const luft_color us, luft_bitboard ep,
                                   const king_masks *masks, const luft_bitboard only_from,
                                   const luft_bitboard only_to) {
    luft_bitboard danger = 0;
    survey s = survey_replies(board, us, &danger);
    luft_board wild[LUFT_MAX_MOVES];
    s.wild_end = wild;
    s.only_from = only_from;
    s.only_to = only_to;

    int64_t count = count_king(&s, board, us, masks, danger);
    count += count_pawns(&s, board, us, masks, ep);
    count += count_pieces(&s, board, us, masks);
    count += arrival_corrections(&s, luft_opposite(us));
    for (const luft_board *next = wild; next != s.wild_end; next++) {
        count += (int64_t)count_replies(next, us);
    }
    return (uint64_t)count;
}

#if defined(LUFT_CHECK_TWO_PLY)
#define PAIRS_FUNCTION NEVER_INLINE static /* called for every move in this mode: avoids many copies */
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
 * Debug mode. All corrections add up over the moves, so a count restricted to one move must equal the number of
 * replies to it. Makes every move and compares.
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
            make_step(&next, us, kind, origin, to, (luft_piece_type)type, step_may_capture(kind));
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

/* In check there are few moves, so making them is cheap. */
uint64_t luft_perft_pairs_white(const luft_board *board, luft_bitboard ep) {
    const king_masks masks = compute_king_constraints(board, LUFT_WHITE);
    if (UNLIKELY(~masks.check_mask)) {
        return luft_perft_walk_white(board, ep, 2, false);
    }
    check_each_move(board, LUFT_WHITE, ep, &masks);
    return pairs_of_white(board, ep, &masks, ~UINT64_C(0), ~UINT64_C(0));
}

uint64_t luft_perft_pairs_black(const luft_board *board, luft_bitboard ep) {
    const king_masks masks = compute_king_constraints(board, LUFT_BLACK);
    if (UNLIKELY(~masks.check_mask)) {
        return luft_perft_walk_black(board, ep, 2, false);
    }
    check_each_move(board, LUFT_BLACK, ep, &masks);
    return pairs_of_black(board, ep, &masks, ~UINT64_C(0), ~UINT64_C(0));
}
