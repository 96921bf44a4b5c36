/* SPDX-License-Identifier: MIT */
/*
 * The board inside the core: pieces on squares, castling squares, and moving pieces on the bare
 * board, without keys or counters.
 *
 * Everything takes the colour as an argument that is a constant where it is
 * called, and is always inlined, so that each use compiles to code for one colour.
 */
#ifndef LUFT_CORE_BOARD_H
#define LUFT_CORE_BOARD_H

#include "core/directions.h"
#include "luft/position.h"

/* --- Pieces on squares --------------------------------------------------- */

/* The type of the piece on a square, LUFT_NO_PIECE_TYPE if it is empty. A sum, because branches would be mispredicted. */
ALWAYS_INLINE luft_piece_type type_at(const luft_board *board, luft_square square) {
    const unsigned pawn = board->pawns >> square & 1, knight = board->knights >> square & 1;
    const unsigned diagonal = board->diagonal >> square & 1, straight = board->orthogonal >> square & 1;
    const unsigned king = board->kings >> square & 1;
    return (luft_piece_type)(LUFT_PAWN * pawn + LUFT_KNIGHT * knight + LUFT_BISHOP * diagonal + LUFT_ROOK * straight -
                             2 * (diagonal & straight) + LUFT_KING * king);
}

_Static_assert(LUFT_BISHOP + LUFT_ROOK - 2 == LUFT_QUEEN, "a queen is in both words of sliders");

/* --- Castling ----------------------------------------------------------- */

/* Where king and rook stand after castling to the east (h) or west (a) side. */
ALWAYS_INLINE luft_square castled_king_square(const luft_color us, const bool east) {
    return (luft_square)((us == LUFT_WHITE ? LUFT_A1 : LUFT_A8) + (east ? 6 : 2));
}

ALWAYS_INLINE luft_square castled_rook_square(const luft_color us, const bool east) {
    return (luft_square)((us == LUFT_WHITE ? LUFT_A1 : LUFT_A8) + (east ? 5 : 3));
}

/* The same for a king and a castling rook on given squares. */
ALWAYS_INLINE luft_square castled_king(luft_square king, luft_square rook) {
    return castled_king_square(rook >= LUFT_A1 ? LUFT_WHITE : LUFT_BLACK, rook > king);
}

ALWAYS_INLINE luft_square castled_rook(luft_square king, luft_square rook) {
    return castled_rook_square(rook >= LUFT_A1 ? LUFT_WHITE : LUFT_BLACK, rook > king);
}

/* --- Moving pieces ------------------------------------------------------ */

/*
 * How a move changes the board. Steps of a kind differ only in their squares, so the
 * generator hands them out as sets, and the kind can be a compile-time constant.
 */
typedef enum step_kind {
    STEP_PUSH,
    STEP_DOUBLE_PUSH,
    STEP_CAPTURE_WEST,
    STEP_CAPTURE_EAST,
    STEP_PROMOTE, /* by a push; the next two by a capture */
    STEP_PROMOTE_WEST,
    STEP_PROMOTE_EAST,
    STEP_EN_PASSANT,
    STEP_KNIGHT,
    STEP_DIAGONAL,   /* a bishop, or a queen along a diagonal */
    STEP_ORTHOGONAL, /* a rook, or a queen along a rank or file */
    STEP_KING,
    STEP_CASTLE /* goes to the rook's square */
} step_kind;

ALWAYS_INLINE bool step_is_promotion(const step_kind kind) {
    return kind == STEP_PROMOTE || kind == STEP_PROMOTE_WEST || kind == STEP_PROMOTE_EAST;
}

/* The square that a step of this kind to `to` leaves; `from` where the kind does not determine it. */
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

/* Can a step of this kind capture on its target? En passant and castling cannot. */
ALWAYS_INLINE bool step_may_capture(const step_kind kind) {
    return kind != STEP_PUSH && kind != STEP_DOUBLE_PUSH && kind != STEP_PROMOTE && kind != STEP_EN_PASSANT &&
           kind != STEP_CASTLE;
}

/* Can its target be empty? */
ALWAYS_INLINE bool step_may_be_quiet(const step_kind kind) {
    return kind != STEP_CAPTURE_WEST && kind != STEP_CAPTURE_EAST && kind != STEP_PROMOTE_WEST &&
           kind != STEP_PROMOTE_EAST;
}

/* Removes the enemy piece on `to`, if any. */
ALWAYS_INLINE void remove_piece(luft_board *board, const luft_color color, luft_bitboard to) {
    board->pawns &= ~to;
    board->knights &= ~to;
    board->diagonal &= ~to;
    board->orthogonal &= ~to;
    board->color[color] &= ~to;
    board->castling &= ~to;
}

/* Puts pieces of this type on empty squares. The caller sets their colour. */
ALWAYS_INLINE void put_type(luft_board *board, const luft_piece_type type, luft_bitboard to) {
    board->pawns |= type == LUFT_PAWN ? to : 0;
    board->kings |= type == LUFT_KING ? to : 0;
    board->knights |= type == LUFT_KNIGHT ? to : 0;
    board->diagonal |= type == LUFT_BISHOP || type == LUFT_QUEEN ? to : 0;
    board->orthogonal |= type == LUFT_ROOK || type == LUFT_QUEEN ? to : 0;
}

/* Moves the king and the castling rook to where castling takes them. */
ALWAYS_INLINE void castle(luft_board *board, const luft_color us, luft_bitboard king, luft_bitboard rook) {
    const luft_square king_square = luft_lsb(king), rook_square = luft_lsb(rook);
    const luft_bitboard king_to = luft_bit(castled_king(king_square, rook_square));
    const luft_bitboard rook_to = luft_bit(castled_rook(king_square, rook_square));
    board->kings ^= king ^ king_to;
    board->orthogonal ^= rook ^ rook_to;
    board->color[us] = (board->color[us] & ~(king | rook)) | king_to | rook_to;
    board->castling &= ~home_rank(us);
}

/*
 * Makes a step of a known kind: `from` and `to` are single squares, `promotion`
 * matters to promoting steps only. The board is the only thing that changes.
 */
ALWAYS_INLINE void make_step(luft_board *board, const luft_color us, const step_kind kind, luft_bitboard from,
                             luft_bitboard to, const luft_piece_type promotion, const bool captures) {
    const luft_color them = luft_opposite(us);
    const luft_bitboard both = from | to;
    if (captures) {
        remove_piece(board, them, to);
    }
    switch (kind) {
    case STEP_CAPTURE_WEST:
    case STEP_CAPTURE_EAST:
    case STEP_PUSH:
    case STEP_DOUBLE_PUSH:
        board->pawns ^= both;
        board->color[us] ^= both;
        break;
    case STEP_PROMOTE_WEST:
    case STEP_PROMOTE_EAST:
    case STEP_PROMOTE:
        board->pawns ^= from;
        board->color[us] ^= both;
        put_type(board, promotion, to);
        break;
    case STEP_EN_PASSANT:
        board->pawns ^= both | backward(us, to);
        board->color[us] ^= both;
        board->color[them] ^= backward(us, to);
        break;
    case STEP_KNIGHT:
        board->knights ^= both;
        board->color[us] ^= both;
        break;
    case STEP_DIAGONAL:
        board->orthogonal ^= board->orthogonal & from ? both : 0; /* a queen is in both */
        board->diagonal ^= both;
        board->color[us] ^= both;
        break;
    case STEP_ORTHOGONAL:
        board->diagonal ^= board->diagonal & from ? both : 0;
        board->orthogonal ^= both;
        board->color[us] ^= both;
        board->castling &= ~from;
        break;
    case STEP_KING:
        board->kings ^= both;
        board->color[us] ^= both;
        board->castling &= ~home_rank(us);
        break;
    case STEP_CASTLE: castle(board, us, from, to); break;
    }
}

#endif
