/* SPDX-License-Identifier: MIT */
/*
 * What the files of luft.Position share. position.c has the type, position_board.c, position_moves.c and position_setup.c
 * the methods that its tables name.
 */
#ifndef LUFT_PYTHON_POSITION_H
#define LUFT_PYTHON_POSITION_H

#include "core.h"

typedef struct position_object {
    PyObject_HEAD PyObject *turn, *halfmove_clock, *fullmove_number, *en_passant;
    PyObject *weak_references;
    luft_position position;
} position_object;

static inline const luft_position *position_value(PyObject *self) {
    return &((position_object *)self)->position;
}

/* The signatures of attributes, and of methods with METH_O or METH_NOARGS, METH_FASTCALL and METH_KEYWORDS. */
typedef PyObject *position_attribute(PyObject *self, void *unused);
typedef PyObject *position_method(PyObject *self, PyObject *argument);
typedef PyObject *position_fast_method(PyObject *self, PyObject *const *arguments, Py_ssize_t count);
typedef PyObject *position_keyword_method(PyObject *self, PyObject *arguments, PyObject *names);

position_attribute position_planes, position_en_passant_pawn, position_castling_rights, position_occupied,
    position_checkers, position_is_check, position_is_checkmate, position_is_stalemate,
    position_is_insufficient_material, position_outcome, position_opening, position_status, position_legal_moves;
position_method position_from_planes, position_has_insufficient_material, position_piece_at, position_piece_map,
    position_king, position_attacks, position_has_castling_rights, position_has_kingside_castling_rights,
    position_has_queenside_castling_rights, position_perft, position_is_legal, position_gives_check,
    position_is_capture, position_play, position_pass_turn, position_flip, position_lan, position_parse,
    position_parse_uci, position_line, position_setup, position_repr_svg;
position_fast_method position_pieces, position_attackers, position_is_attacked_by, position_pin, position_is_pinned,
    position_king_constraints;
position_keyword_method position_san, position_parse_san;

#endif
