/* SPDX-License-Identifier: MIT */
/*
 * The rules for one side to move: the constraints of its king (a check mask and two pin
 * masks), and where each piece may then go. There is one routine per way of moving; a move is
 * legal if and only if the routine of its piece allows it. No move is made to test it.
 *
 * enumerate.h runs through all pieces; luft_is_legal asks about one.
 */
#ifndef LUFT_CORE_RULES_H
#define LUFT_CORE_RULES_H

#include "core/board.h"

/* --- King constraints --------------------------------------------------- */

typedef struct king_masks {
    luft_square king;
    luft_bitboard checkers;
    luft_bitboard check_mask; /* targets of other pieces: all squares, the king attack map, or none (double check) */
    luft_bitboard pin_orthogonal; /* from the king to each piece that pins along rank or file, included */
    luft_bitboard pin_diagonal;   /* the same along diagonals */
} king_masks;

/* The rays from the king to each of these pinning sliders. */
ALWAYS_INLINE luft_bitboard pin_rays(luft_square king, luft_bitboard pinners) {
    luft_bitboard rays = 0;
    while (pinners) {
        rays |= luft_between(king, luft_pop(&pinners));
    }
    return rays;
}

/* luft_compute_king_constraints makes this public; what a caller does not use of it costs nothing. */
ALWAYS_INLINE king_masks compute_king_constraints(const luft_board *board, const luft_color us) {
    const luft_color them = luft_opposite(us);
    const luft_bitboard own = board->color[us], enemy = board->color[them], occupied = own | enemy;
    const luft_bitboard orthogonal = board->orthogonal & enemy, diagonal = board->diagonal & enemy;
    king_masks masks = {.king = luft_lsb(board->kings & own), .check_mask = ~UINT64_C(0)};
    const luft_square king = masks.king;

    luft_bitboard checkers = luft_knight_attacks(king) & board->knights & enemy;
    checkers |= luft_pawn_attacks(us, king) & board->pawns & enemy;
    /* Most kings share no line with an enemy slider: testing the empty board first skips the lookups. */
    if (luft_rook_rays(king) & orthogonal) {
        const luft_bitboard seen = luft_rook_attacks(king, occupied);
        checkers |= seen & orthogonal;
        masks.pin_orthogonal = pin_rays(king, luft_rook_attacks(king, occupied ^ (seen & own)) & orthogonal & ~seen);
    }
    if (luft_bishop_rays(king) & diagonal) {
        const luft_bitboard seen = luft_bishop_attacks(king, occupied);
        checkers |= seen & diagonal;
        masks.pin_diagonal = pin_rays(king, luft_bishop_attacks(king, occupied ^ (seen & own)) & diagonal & ~seen);
    }
    if (UNLIKELY(checkers)) {
        masks.check_mask = luft_more_than_one(checkers) ? 0 : luft_between(king, luft_lsb(checkers));
    }
    masks.checkers = checkers;
    return masks;
}

/* All squares that a side attacks; sliders stop at the squares of `occupied`. */
ALWAYS_INLINE luft_bitboard attacked_squares(const luft_board *board, const luft_color by, luft_bitboard occupied) {
    const luft_bitboard pieces = board->color[by], pawns = board->pawns & pieces;
    luft_bitboard set = capture_west(by, pawns) | capture_east(by, pawns);
    set |= luft_king_attacks(luft_lsb(board->kings & pieces));
    for (luft_bitboard from = board->knights & pieces; from;) {
        set |= luft_knight_attacks(luft_pop(&from));
    }
    for (luft_bitboard from = board->diagonal & pieces; from;) {
        set |= luft_bishop_attacks(luft_pop(&from), occupied);
    }
    for (luft_bitboard from = board->orthogonal & pieces; from;) {
        set |= luft_rook_attacks(luft_pop(&from), occupied);
    }
    return set;
}

/* The pieces of one side that attack a square; sliders stop at the squares of `occupied`. */
ALWAYS_INLINE luft_bitboard attackers_by(const luft_board *board, const luft_color by, luft_square square,
                                         luft_bitboard occupied) {
    return ((luft_knight_attacks(square) & board->knights) |
            (luft_pawn_attacks(luft_opposite(by), square) & board->pawns) | (luft_king_attacks(square) & board->kings) |
            (luft_bishop_attacks(square, occupied) & board->diagonal) |
            (luft_rook_attacks(square, occupied) & board->orthogonal)) &
           board->color[by];
}

/* --- Where one piece may go -------------------------------------------- */

/* `allowed` is the check mask without the squares that the class of moves excludes. */

/* A pinned knight has no move. */
ALWAYS_INLINE luft_bitboard knight_targets(const king_masks *masks, luft_square from, luft_bitboard allowed) {
    return luft_bit(from) & (masks->pin_orthogonal | masks->pin_diagonal) ? 0 : luft_knight_attacks(from) & allowed;
}

/* A piece pinned along a diagonal may move on it; one pinned along a rank or file has no diagonal move. */
ALWAYS_INLINE luft_bitboard diagonal_targets(const king_masks *masks, luft_square from, luft_bitboard occupied,
                                             luft_bitboard allowed) {
    const luft_bitboard bit = luft_bit(from);
    if (bit & masks->pin_orthogonal) {
        return 0;
    }
    return luft_bishop_attacks(from, occupied) & allowed &
           (bit & masks->pin_diagonal ? masks->pin_diagonal : ~UINT64_C(0));
}

ALWAYS_INLINE luft_bitboard orthogonal_targets(const king_masks *masks, luft_square from, luft_bitboard occupied,
                                               luft_bitboard allowed) {
    const luft_bitboard bit = luft_bit(from);
    if (bit & masks->pin_diagonal) {
        return 0;
    }
    return luft_rook_attacks(from, occupied) & allowed &
           (bit & masks->pin_orthogonal ? masks->pin_orthogonal : ~UINT64_C(0));
}

/* The king moves to adjacent squares without own pieces that are not attacked once it has left its square. */
ALWAYS_INLINE luft_bitboard king_targets(const luft_board *board, const luft_color us, luft_square king,
                                         luft_bitboard danger) {
    return luft_king_attacks(king) & ~board->color[us] & ~danger;
}

/* A side's castling rook on the west (a) or east (h) side of its king, as a set that may be empty. */
ALWAYS_INLINE luft_bitboard castling_rook_on(const luft_board *board, const luft_color us, luft_square king,
                                             const bool east) {
    const luft_bitboard west_of_king = luft_bit(king) - 1;
    return board->castling & home_rank(us) & (east ? ~west_of_king : west_of_king);
}

/* Where the king of standard chess starts. From there all squares of castling are constants. */
ALWAYS_INLINE luft_square standard_king(const luft_color us) {
    return us == LUFT_WHITE ? LUFT_E1 : LUFT_E8;
}

/* The squares that the king crosses or reaches in castling. */
ALWAYS_INLINE luft_bitboard crossed_in_castling(const luft_color us, luft_square king, const bool east) {
    if (LIKELY(king == standard_king(us))) {
        return home_rank(us) & (east ? LUFT_FILE_A << 5 | LUFT_FILE_A << 6 : LUFT_FILE_A << 2 | LUFT_FILE_A << 3);
    }
    return luft_between(king, castled_king_square(us, east));
}

/* What must be empty to castle with this rook: all squares that king and rook cross or reach, except their own. */
ALWAYS_INLINE luft_bitboard castling_path(const luft_color us, luft_square king, luft_bitboard rook, const bool east) {
    const luft_bitboard corner = home_rank(us) & (east ? LUFT_FILE_H : LUFT_FILE_A);
    if (LIKELY(king == standard_king(us) && rook == corner)) {
        return crossed_in_castling(us, king, east) | (east ? 0 : home_rank(us) & LUFT_FILE_A << 1);
    }
    const luft_bitboard way =
        crossed_in_castling(us, king, east) | luft_between(luft_lsb(rook), castled_rook_square(us, east));
    return way & ~(luft_bit(king) | rook);
}

/* The rook on this side, if castling with it is possible but for attacks. */
ALWAYS_INLINE luft_bitboard castling_candidate(const luft_board *board, const luft_color us, luft_square king,
                                               const bool east) {
    const luft_bitboard rook = castling_rook_on(board, us, king, east);
    return !rook || castling_path(us, king, rook, east) & luft_occupied(board) ? 0 : rook;
}

/* Both sides. In standard chess the squares to test are constants. */
ALWAYS_INLINE luft_bitboard castling_candidates(const luft_board *board, const luft_color us, luft_square king) {
    const luft_bitboard rooks = board->castling & home_rank(us);
    const luft_bitboard west_corner = home_rank(us) & LUFT_FILE_A, east_corner = home_rank(us) & LUFT_FILE_H;
    if (!rooks) {
        return 0;
    }
    if (LIKELY(king == standard_king(us) && !(rooks & ~(west_corner | east_corner)))) {
        const luft_bitboard occupied = luft_occupied(board);
        const luft_bitboard west =
            castling_path(us, standard_king(us), west_corner, false) & occupied ? 0 : west_corner;
        const luft_bitboard east = castling_path(us, standard_king(us), east_corner, true) & occupied ? 0 : east_corner;
        return rooks & (west | east);
    }
    return castling_candidate(board, us, king, false) | castling_candidate(board, us, king, true);
}

/*
 * Of these candidates the ones with which castling is legal: not in check, no
 * square that the king crosses or reaches attacked, and the rook not pinned (in
 * Chess960 it may block an attack on the king's target along the rank).
 */
ALWAYS_INLINE luft_bitboard castling_targets(const king_masks *masks, const luft_color us, luft_bitboard candidates,
                                             luft_bitboard danger) {
    const luft_bitboard west_of_king = luft_bit(masks->king) - 1;
    luft_bitboard rooks = ~masks->check_mask ? 0 : candidates & ~masks->pin_orthogonal;
    if (crossed_in_castling(us, masks->king, false) & danger) {
        rooks &= ~west_of_king;
    }
    if (crossed_in_castling(us, masks->king, true) & danger) {
        rooks &= west_of_king;
    }
    return rooks;
}

/* Where a set of pawns may go, by the way they go. */
typedef struct pawn_targets {
    luft_bitboard push, double_push, west, east;
} pawn_targets;

/*
 * A pawn pinned along a file may push and one pinned along a diagonal may capture
 * on it: where the pawn leaves its ray, the target is not on the ray.
 */
ALWAYS_INLINE pawn_targets targets_of_pawns(const luft_board *board, const luft_color us, const king_masks *masks,
                                            luft_bitboard pawns) {
    const luft_bitboard enemy = board->color[luft_opposite(us)], empty = ~luft_occupied(board);
    luft_bitboard pushing = pawns, west = pawns, east = pawns;
    if (UNLIKELY(pawns & (masks->pin_orthogonal | masks->pin_diagonal))) {
        const luft_bitboard straight = masks->pin_orthogonal, diagonal = masks->pin_diagonal;
        const luft_bitboard free = pawns & ~(straight | diagonal);
        pushing = free | (pawns & straight & backward(us, straight));
        west = free | (pawns & diagonal & from_capture_west(us, diagonal));
        east = free | (pawns & diagonal & from_capture_east(us, diagonal));
    }
    pawn_targets targets;
    targets.push = forward(us, pushing) & empty;
    targets.double_push = forward(us, targets.push & third_rank(us)) & empty & masks->check_mask;
    targets.push &= masks->check_mask;
    targets.west = capture_west(us, west) & enemy & masks->check_mask;
    targets.east = capture_east(us, east) & enemy & masks->check_mask;
    return targets;
}

/* Is a king on this square safe from the `enemy` pieces, with `occupied` blocking sliders? */
ALWAYS_INLINE bool king_is_safe(const luft_board *board, const luft_color us, luft_square king, luft_bitboard occupied,
                                luft_bitboard enemy) {
    return !((luft_rook_attacks(king, occupied) & board->orthogonal & enemy) |
             (luft_bishop_attacks(king, occupied) & board->diagonal & enemy) |
             (luft_knight_attacks(king) & board->knights & enemy) |
             (luft_pawn_attacks(us, king) & board->pawns & enemy));
}

/*
 * Is the en passant capture from `from` to `to` legal? Two pieces leave their
 * squares at once, so pin masks and check mask do not apply: test the board after it. That settles a capture of the checking pawn and a discovered check
 * along the rank or a diagonal alike.
 */
ALWAYS_INLINE bool en_passant_is_legal(const luft_board *board, const luft_color us, luft_square king,
                                       luft_bitboard from, luft_bitboard to) {
    const luft_bitboard enemy = board->color[luft_opposite(us)], victim = backward(us, to);
    return king_is_safe(board, us, king, luft_occupied(board) ^ from ^ to ^ victim, enemy & ~victim);
}

/* Can `them` just have made a double push over `ep`? The pawn stands beyond it; it and the square before it are empty. */
ALWAYS_INLINE bool double_push_is_possible(const luft_board *board, const luft_color them, luft_bitboard ep) {
    return ep & third_rank(them) && forward(them, ep) & board->pawns & board->color[them] &&
           !((ep | backward(them, ep)) & luft_occupied(board));
}

/* The own pawns whose en passant capture onto `ep` (one square, or none) is legal. */
ALWAYS_INLINE luft_bitboard en_passant_pawns(const luft_board *board, const luft_color us, luft_square king,
                                             luft_bitboard ep) {
    luft_bitboard result = 0;
    if (ep) {
        const luft_bitboard beside = from_capture_west(us, ep) | from_capture_east(us, ep);
        for (luft_bitboard pawns = beside & board->pawns & board->color[us]; pawns; pawns &= pawns - 1) {
            const luft_bitboard from = pawns & (0 - pawns);
            result |= en_passant_is_legal(board, us, king, from, ep) ? from : 0;
        }
    }
    return result;
}

/* The en passant square that a double push to `to` leaves `us` on this board: none unless a capture there is legal. */
ALWAYS_INLINE luft_bitboard ep_after_double_push(const luft_board *board, const luft_color us, luft_bitboard to) {
    const luft_bitboard ep = forward(us, to);
    if (LIKELY(!((luft_west(to) | luft_east(to)) & board->pawns & board->color[us]))) {
        return 0;
    }
    return en_passant_pawns(board, us, luft_lsb(board->kings & board->color[us]), ep) ? ep : 0;
}

#endif
