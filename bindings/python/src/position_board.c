/* SPDX-License-Identifier: MIT */
/*
 * luft.Position: what stands where, what attacks what, checks, pins, castling
 * rights and outcomes. Nothing here makes a position or reads a move.
 */
#include "position.h"

PyObject *position_en_passant_pawn(PyObject *self, void *Py_UNUSED(unused)) {
    return core_square_object(luft_ep_pawn_square(position_value(self)));
}

PyObject *position_castling_rights(PyObject *self, void *Py_UNUSED(unused)) {
    return core_set_object(position_value(self)->board.castling);
}

PyObject *position_occupied(PyObject *self, void *Py_UNUSED(unused)) {
    return core_set_object(luft_occupied(&position_value(self)->board));
}

PyObject *position_checkers(PyObject *self, void *Py_UNUSED(unused)) {
    return core_set_object(luft_checkers(position_value(self)));
}

PyObject *position_is_check(PyObject *self, void *Py_UNUSED(unused)) {
    return PyBool_FromLong(luft_in_check(position_value(self)));
}

PyObject *position_is_checkmate(PyObject *self, void *Py_UNUSED(unused)) {
    return PyBool_FromLong(luft_in_check(position_value(self)) && !luft_has_legal_move(position_value(self)));
}

PyObject *position_is_stalemate(PyObject *self, void *Py_UNUSED(unused)) {
    return PyBool_FromLong(!luft_in_check(position_value(self)) && !luft_has_legal_move(position_value(self)));
}

PyObject *position_is_insufficient_material(PyObject *self, void *Py_UNUSED(unused)) {
    return PyBool_FromLong(luft_has_insufficient_material(position_value(self)));
}

PyObject *position_has_insufficient_material(PyObject *self, PyObject *argument) {
    luft_color color = LUFT_WHITE;
    return core_color(&color, argument)
               ? PyBool_FromLong(luft_side_has_insufficient_material(position_value(self), color))
               : NULL;
}

PyObject *position_outcome(PyObject *self, void *Py_UNUSED(unused)) {
    return core_outcome(luft_position_outcome(position_value(self)));
}

PyObject *position_opening(PyObject *self, void *Py_UNUSED(unused)) {
    luft_opening opening;
    return luft_opening_of_position(&opening, position_value(self)) ? core_opening(&opening) : Py_NewRef(Py_None);
}

PyObject *position_status(PyObject *self, void *Py_UNUSED(unused)) {
    return PyObject_CallFunction(core.status, "I", luft_position_warnings(position_value(self)));
}

PyObject *position_piece_at(PyObject *self, PyObject *argument) {
    luft_square square = LUFT_NO_SQUARE;
    if (!core_board_square(&square, argument)) {
        return NULL;
    }
    const luft_piece piece = luft_piece_at(&position_value(self)->board, square);
    return Py_NewRef(piece == LUFT_NO_PIECE ? Py_None : core.piece[piece]);
}

PyObject *position_piece_map(PyObject *self, PyObject *Py_UNUSED(unused)) {
    const luft_board *board = &position_value(self)->board;
    PyObject *map = PyDict_New();
    for (luft_bitboard set = luft_occupied(board); map && set;) {
        const luft_square square = luft_pop(&set);
        PyObject *key = PyLong_FromLong(square);
        if (!key || PyDict_SetItem(map, key, core.piece[luft_piece_at(board, square)])) {
            Py_CLEAR(map);
        }
        Py_XDECREF(key);
    }
    return map;
}

PyObject *position_pieces(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
    int type = 0;
    luft_color color = LUFT_WHITE;
    if (count != 2) {
        return PyErr_Format(PyExc_TypeError, "pieces() takes a piece type and a colour");
    }
    if (!core_int(&type, arguments[0]) || !core_color(&color, arguments[1])) {
        return NULL;
    }
    if (type < LUFT_PAWN || type > LUFT_KING) {
        return core_fail(LUFT_ERROR_ARGUMENT, "not a piece type: %R", arguments[0]);
    }
    return core_set_object(luft_pieces(&position_value(self)->board, color, (luft_piece_type)type));
}

PyObject *position_king(PyObject *self, PyObject *argument) {
    luft_color color = LUFT_WHITE;
    return core_color(&color, argument) ? PyLong_FromLong(luft_king_square(&position_value(self)->board, color)) : NULL;
}

/* The arguments of questions about a colour and a square. `max` counts what may follow them. */
static bool color_and_square(luft_color *color, luft_square *square, PyObject *const *arguments, Py_ssize_t count,
                             Py_ssize_t max, const char *name) {
    if (count < 2 || count > max) {
        PyErr_Format(PyExc_TypeError, "%s() takes a colour and a square%s, got %zd arguments", name,
                     max > 2 ? ", then perhaps a set of squares" : "", count);
        return false;
    }
    if (!core_color(color, arguments[0]) || !core_square(square, arguments[1])) {
        return false;
    }
    if (*square == LUFT_NO_SQUARE) {
        core_fail(LUFT_ERROR_ARGUMENT, "not a square: %R", arguments[1]);
        return false;
    }
    return true;
}

PyObject *position_attackers(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
    const luft_board *board = &position_value(self)->board;
    luft_color color = LUFT_WHITE;
    luft_square square = LUFT_NO_SQUARE;
    luft_bitboard occupied = luft_occupied(board);
    if (!color_and_square(&color, &square, arguments, count, 3, "attackers") ||
        (count > 2 && arguments[2] != Py_None && !core_set(&occupied, arguments[2]))) {
        return NULL;
    }
    return core_set_object(luft_attackers_to(board, square, occupied) & board->color[color]);
}

PyObject *position_is_attacked_by(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
    luft_color color = LUFT_WHITE;
    luft_square square = LUFT_NO_SQUARE;
    if (!color_and_square(&color, &square, arguments, count, 2, "is_attacked_by")) {
        return NULL;
    }
    return PyBool_FromLong(luft_is_attacked(&position_value(self)->board, square, color));
}

PyObject *position_attacks(PyObject *self, PyObject *argument) {
    const luft_board *board = &position_value(self)->board;
    luft_square square = LUFT_NO_SQUARE;
    if (!core_board_square(&square, argument)) {
        return NULL;
    }
    const luft_piece piece = luft_piece_at(board, square);
    return core_set_object(piece == LUFT_NO_PIECE ? 0
                                                  : luft_attacks(luft_piece_color(piece), luft_piece_type_of(piece),
                                                                 square, luft_occupied(board)));
}

/* The pin ray of a piece, empty if it is not pinned. */
static bool pin_of(luft_bitboard *ray, PyObject *self, PyObject *const *arguments, Py_ssize_t count, const char *name) {
    luft_color color = LUFT_WHITE;
    luft_square square = LUFT_NO_SQUARE;
    luft_king_constraints constraints;
    if (!color_and_square(&color, &square, arguments, count, 2, name)) {
        return false;
    }
    const luft_error error = luft_compute_king_constraints(&constraints, &position_value(self)->board, color);
    if (error) {
        core_fail(error, "");
        return false;
    }
    *ray = luft_pin_ray(&constraints, square);
    return true;
}

PyObject *position_pin(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
    luft_bitboard ray = 0;
    return pin_of(&ray, self, arguments, count, "pin") ? core_set_object(ray ? ray : ~UINT64_C(0)) : NULL;
}

PyObject *position_is_pinned(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
    luft_bitboard ray = 0;
    return pin_of(&ray, self, arguments, count, "is_pinned") ? PyBool_FromLong(ray != 0) : NULL;
}

PyObject *position_king_constraints(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
    luft_color color = (luft_color)position_value(self)->side_to_move;
    luft_king_constraints c;
    if (count > 1) {
        return PyErr_Format(PyExc_TypeError, "king_constraints() takes at most a colour, got %zd arguments", count);
    }
    if (count > 0 && arguments[0] != Py_None && !core_color(&color, arguments[0])) {
        return NULL;
    }
    const luft_error error = luft_compute_king_constraints(&c, &position_value(self)->board, color);
    if (error) {
        return core_fail(error, "");
    }
    return core_named(core.king_constraints,
                      Py_BuildValue("(iiNNNNN)", (int)c.king, c.check_count, core_set_object(c.checkers),
                                    core_set_object(c.check_mask), core_set_object(c.pin_orthogonal),
                                    core_set_object(c.pin_diagonal), core_set_object(c.pinned)));
}

/* pin_ray(constraints, square) and pinner(constraints, square), for the methods of KingConstraints. */
static bool constraints_argument(luft_king_constraints *c, luft_square *square, PyObject *arguments) {
    PyObject *tuple = NULL, *where = NULL;
    if (!PyArg_ParseTuple(arguments, "O!O", (PyObject *)&PyTuple_Type, &tuple, &where) || !core_square(square, where)) {
        return false;
    }
    int king = 0;
    memset(c, 0, sizeof *c);
    if (PyTuple_Size(tuple) != 7 || !core_int(&king, PyTuple_GetItem(tuple, 0)) || king < 0 || king >= 64 ||
        !core_set(&c->pin_orthogonal, PyTuple_GetItem(tuple, 4)) ||
        !core_set(&c->pin_diagonal, PyTuple_GetItem(tuple, 5)) || !core_set(&c->pinned, PyTuple_GetItem(tuple, 6))) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_ValueError, "not the checks and pins of a king");
        }
        return false;
    }
    c->king = (luft_square)king;
    return true;
}

static PyObject *pin_ray(PyObject *Py_UNUSED(module), PyObject *arguments) {
    luft_king_constraints constraints;
    luft_square square = LUFT_NO_SQUARE;
    return constraints_argument(&constraints, &square, arguments) ? core_set_object(luft_pin_ray(&constraints, square))
                                                                  : NULL;
}

static PyObject *pinner(PyObject *Py_UNUSED(module), PyObject *arguments) {
    luft_king_constraints constraints;
    luft_square square = LUFT_NO_SQUARE;
    return constraints_argument(&constraints, &square, arguments)
               ? core_square_object(luft_pinner(&constraints, square))
               : NULL;
}

/* The castling rooks of a side: all of them, or those east or west of the king. */
static PyObject *castling_answer(PyObject *self, PyObject *argument, char side) {
    const luft_board *board = &position_value(self)->board;
    luft_color color = LUFT_WHITE;
    if (!core_color(&color, argument)) {
        return NULL;
    }
    const luft_square king = luft_king_square(board, color);
    const luft_bitboard rooks = board->castling & board->color[color];
    const luft_bitboard west = luft_bit(king) - 1; /* of the squares on the king's own rank, where the rooks are */
    const luft_bitboard wanted = side == 'k' ? (rooks & ~west) : side == 'q' ? (rooks & west) : rooks;
    return PyBool_FromLong(wanted != 0);
}

PyObject *position_has_castling_rights(PyObject *self, PyObject *argument) {
    return castling_answer(self, argument, 'b');
}

PyObject *position_has_kingside_castling_rights(PyObject *self, PyObject *argument) {
    return castling_answer(self, argument, 'k');
}

PyObject *position_has_queenside_castling_rights(PyObject *self, PyObject *argument) {
    return castling_answer(self, argument, 'q');
}

PyObject *position_perft(PyObject *self, PyObject *argument) {
    const luft_position position = *position_value(self);
    int depth = 0;
    uint64_t count = 0;
    if (!core_int(&depth, argument)) {
        return NULL;
    }
    if (depth < 0 || depth > LUFT_PERFT_MAX_DEPTH) {
        return core_fail(LUFT_ERROR_ARGUMENT, "depth %R", argument);
    }
    Py_BEGIN_ALLOW_THREADS count = luft_perft(&position, depth, LUFT_PERFT_TWO_PLY);
    Py_END_ALLOW_THREADS return PyLong_FromUnsignedLongLong(count);
}

PyMethodDef core_board_functions[] = {
    {"pin_ray", pin_ray, METH_VARARGS, NULL},
    {"pinner", pinner, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
