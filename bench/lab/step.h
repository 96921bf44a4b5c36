/* SPDX-License-Identifier: MIT */
/*
 * Makes and unmakes a move on the board. Apart from captures and castling rights, a
 * move is a few exclusive-ors, so that the same routine does both.
 */
#ifndef LAB_STEP_H
#define LAB_STEP_H

#include "rules.h"

/*
 * Moves the pieces of a step; `stands` is the one of `from` and `to` where the
 * moving piece stands now. A second call with `stands` on the other square undoes the first.
 */
ALWAYS_INLINE void move_pieces(lab_board *board, const luft_color us, const step_kind kind, luft_bitboard from,
                               luft_bitboard to, luft_bitboard stands, const luft_piece_type promotion) {
    const luft_bitboard both = from | to;
    (void)stands;
    switch (kind) {
    case STEP_PUSH:
    case STEP_DOUBLE_PUSH:
    case STEP_CAPTURE_WEST:
    case STEP_CAPTURE_EAST: toggle_pieces(board, us, LUFT_PAWN, both); break;
    case STEP_PROMOTE:
    case STEP_PROMOTE_WEST:
    case STEP_PROMOTE_EAST:
        toggle_pieces(board, us, LUFT_PAWN, from);
        toggle_pieces(board, us, promotion, to);
        break;
    case STEP_EN_PASSANT:
        toggle_pieces(board, us, LUFT_PAWN, both);
        toggle_pieces(board, luft_opposite(us), LUFT_PAWN, backward(us, to));
        break;
    case STEP_KNIGHT: toggle_pieces(board, us, LUFT_KNIGHT, both); break;
#if FORM_QUEENS_APART
    case STEP_BISHOP: toggle_pieces(board, us, LUFT_BISHOP, both); break;
    case STEP_ROOK: toggle_pieces(board, us, LUFT_ROOK, both); break;
    case STEP_QUEEN: toggle_pieces(board, us, LUFT_QUEEN, both); break;
#else
    case STEP_DIAGONAL: slide_diagonal(board, us, stands, both); break;
    case STEP_ORTHOGONAL: slide_orthogonal(board, us, stands, both); break;
#endif
    case STEP_KING: toggle_pieces(board, us, LUFT_KING, both); break;
    case STEP_CASTLE:
        toggle_pieces(board, us, LUFT_KING, from | castled_king(from, to));
        toggle_pieces(board, us, LUFT_ROOK, to | castled_rook(from, to));
        break;
    default: break;
    }
}

/* Removes the castling rights that a step loses: by a move of the king or of a rook, or by the capture of a rook. */
ALWAYS_INLINE void update_rights(lab_board *board, const luft_color us, const step_kind kind, luft_bitboard from,
                                 luft_bitboard to) {
    if (step_may_capture(kind)) {
        board->castling &= ~to;
    }
    if (kind == STEP_ORTHOGONAL || kind == STEP_ROOK) {
        board->castling &= ~from;
    }
    if (kind == STEP_KING || kind == STEP_CASTLE) {
        board->castling &= ~home_rank(us);
    }
}

ALWAYS_INLINE void make_step(lab_board *board, const luft_color us, const step_kind kind, luft_bitboard from,
                             luft_bitboard to, const luft_piece_type promotion) {
    const luft_color them = luft_opposite(us);
    if (step_may_capture(kind) && (!LAB_CAPTURE_ASKED || to & pieces_of(board, them))) {
        remove_piece(board, them, to);
    }
    move_pieces(board, us, kind, from, to, from, promotion);
    update_rights(board, us, kind, from, to);
}

#if LAB_MAKE == LAB_MAKE_UNMAKE

/* What a step destroys. */
typedef struct undo_record {
    luft_bitboard castling;
    luft_piece_type captured; /* LUFT_NO_PIECE_TYPE for none, and for en passant */
} undo_record;

ALWAYS_INLINE undo_record make_step_to_undo(lab_board *board, const luft_color us, const step_kind kind,
                                            luft_bitboard from, luft_bitboard to, const luft_piece_type promotion) {
    const luft_color them = luft_opposite(us);
    undo_record undo = {board->castling, LUFT_NO_PIECE_TYPE};
    if (step_may_capture(kind) && to & pieces_of(board, them)) {
        undo.captured = type_on(board, to);
        remove_piece(board, them, to);
    }
    move_pieces(board, us, kind, from, to, from, promotion);
    update_rights(board, us, kind, from, to);
    return undo;
}

ALWAYS_INLINE void unmake_step(lab_board *board, const luft_color us, const step_kind kind, luft_bitboard from,
                               luft_bitboard to, const luft_piece_type promotion, const undo_record *undo) {
    move_pieces(board, us, kind, from, to, to, promotion);
    if (step_may_capture(kind) && undo->captured) {
        toggle_pieces(board, luft_opposite(us), undo->captured, to);
    }
    board->castling = undo->castling;
}

#endif

#endif
