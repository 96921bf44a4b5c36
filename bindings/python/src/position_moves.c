/* SPDX-License-Identifier: MIT */
/* luft.Position: legal moves, playing them, and their notation. */
#include "position.h"

PyObject *position_legal_moves(PyObject *self, void *Py_UNUSED(unused)) {
    luft_move_list list;
    const int count = luft_generate(&list, position_value(self), LUFT_ALL_MOVES);
    return core_move_list(list.moves, (size_t)count);
}

PyObject *position_is_legal(PyObject *self, PyObject *argument) {
    luft_move move = LUFT_MOVE_NONE;
    if (!core_move(&move, argument, position_value(self))) {
        if (!PyErr_ExceptionMatches(core.error)) {
            return NULL;
        }
        PyErr_Clear();
        Py_RETURN_FALSE;
    }
    return PyBool_FromLong(luft_is_legal(position_value(self), move));
}

PyObject *position_gives_check(PyObject *self, PyObject *argument) {
    luft_move move = LUFT_MOVE_NONE;
    return core_legal_move(&move, argument, position_value(self))
               ? PyBool_FromLong(luft_gives_check(position_value(self), move))
               : NULL;
}

PyObject *position_is_capture(PyObject *self, PyObject *argument) {
    luft_move move = LUFT_MOVE_NONE;
    return core_legal_move(&move, argument, position_value(self)) ? PyBool_FromLong(luft_move_is_capture(move)) : NULL;
}

PyObject *position_play(PyObject *self, PyObject *argument) {
    luft_move move = LUFT_MOVE_NONE;
    luft_position next;
    if (!core_move(&move, argument, position_value(self))) {
        return NULL;
    }
    if (luft_play(&next, position_value(self), move)) {
        return core_fail_move(LUFT_ERROR_MOVE_ILLEGAL, argument, position_value(self));
    }
    return core_position_object(Py_TYPE(self), &next);
}

PyObject *position_pass_turn(PyObject *self, PyObject *Py_UNUSED(unused)) {
    luft_position next;
    const luft_error error = luft_make_null(&next, position_value(self));
    return error ? core_fail_move(error, core.move[LUFT_MOVE_NONE], position_value(self))
                 : core_position_object(Py_TYPE(self), &next);
}

PyObject *position_flip(PyObject *self, PyObject *Py_UNUSED(unused)) {
    luft_position next;
    const luft_error error = luft_position_flip(&next, position_value(self));
    return error ? core_fail(error, "") : core_position_object(Py_TYPE(self), &next);
}

static PyObject *write_san(PyObject *self, PyObject *object, bool figurine) {
    char text[LUFT_FIGURINE_SIZE];
    luft_move move = LUFT_MOVE_NONE;
    if (!core_move(&move, object, position_value(self))) {
        return NULL;
    }
    /* The library checks whether the move is legal; it writes the null move, which is not. */
    const size_t length = move == LUFT_MOVE_NONE ? 0
                          : figurine             ? luft_move_to_figurine(text, sizeof text, position_value(self), move)
                                                 : luft_move_to_san(text, sizeof text, position_value(self), move);
    return length ? PyUnicode_FromStringAndSize(text, (Py_ssize_t)length)
                  : core_fail_move(LUFT_ERROR_MOVE_ILLEGAL, object, position_value(self));
}

PyObject *position_san(PyObject *self, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"move", "figurine", NULL};
    PyObject *move = NULL;
    int figurine = 0;
    if (!names && PyTuple_Size(arguments) == 1) { /* the common call, which need not be taken apart */
        return write_san(self, PyTuple_GetItem(arguments, 0), false);
    }
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|p:san", keywords, &move, &figurine)) {
        return NULL;
    }
    return write_san(self, move, figurine != 0);
}

/* Long algebraic notation: SAN with both squares, Ng1-f3, e4xd5, e7-e8=Q+. Castling stays O-O. */
PyObject *position_lan(PyObject *self, PyObject *argument) {
    char san[LUFT_SAN_SIZE], text[16];
    luft_move move = LUFT_MOVE_NONE;
    if (!core_legal_move(&move, argument, position_value(self))) {
        return NULL;
    }
    size_t length = luft_move_to_san(san, sizeof san, position_value(self), move);
    if (luft_move_kind_of(move) == LUFT_CASTLING) {
        return PyUnicode_FromStringAndSize(san, (Py_ssize_t)length);
    }
    char *next = text;
    if (san[0] >= 'A' && san[0] <= 'Z') {
        *next++ = san[0];
    }
    next += luft_square_to_text(next, 3, luft_move_from(move));
    *next++ = luft_move_is_capture(move) ? 'x' : '-';
    next += luft_square_to_text(next, 3, luft_move_to(move));
    if (luft_move_is_promotion(move)) {
        *next++ = '=';
        *next++ = luft_piece_letter(luft_make_piece(LUFT_WHITE, luft_move_promotion(move)));
    }
    if (san[length - 1] == '+' || san[length - 1] == '#') {
        *next++ = san[length - 1];
    }
    return PyUnicode_FromStringAndSize(text, next - text);
}

typedef luft_error read_move(luft_move *move, const luft_position *position, const char *text, size_t length);

/* Reads a move with one of the two readers, or with NULL as either. */
static PyObject *parse_with(PyObject *self, PyObject *argument, read_move *read) {
    core_text text;
    luft_move move = LUFT_MOVE_NONE;
    if (!core_text_of(&text, argument)) {
        return NULL;
    }
    const luft_error error = read ? read(&move, position_value(self), text.bytes, (size_t)text.length)
                                  : core_read_move(&move, position_value(self), &text);
    core_text_free(&text);
    return error ? core_fail_move(error, argument, position_value(self)) : core_move_object(move);
}

PyObject *position_parse(PyObject *self, PyObject *argument) {
    return parse_with(self, argument, NULL);
}

PyObject *position_parse_san(PyObject *self, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"", "null", NULL};
    PyObject *text = NULL;
    int null = 0;
    if (!names && PyTuple_Size(arguments) == 1) { /* the common call, which need not be taken apart */
        return parse_with(self, PyTuple_GetItem(arguments, 0), luft_move_from_san);
    }
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|$p:parse_san", keywords, &text, &null)) {
        return NULL;
    }
    return parse_with(self, text, null ? luft_move_from_san_or_null : luft_move_from_san);
}

PyObject *position_parse_uci(PyObject *self, PyObject *argument) {
    return parse_with(self, argument, luft_move_from_uci);
}

PyObject *position_line(PyObject *self, PyObject *argument) {
    return core_call("luft._batch", "line", self, argument);
}

PyObject *position_setup(PyObject *self, PyObject *Py_UNUSED(unused)) {
    return core_call("luft._setup", "Setup", self, NULL);
}

PyObject *position_repr_svg(PyObject *self, PyObject *Py_UNUSED(unused)) {
    return core_call("luft.svg", "board", self, NULL);
}

/* legal_move_values(position, moves): the numbers of these moves, two bytes each. */
static PyObject *legal_move_values(PyObject *Py_UNUSED(module), PyObject *arguments) {
    PyObject *object = NULL, *iterable = NULL;
    if (!PyArg_ParseTuple(arguments, "O!O", (PyObject *)core.position_type, &object, &iterable)) {
        return NULL;
    }
    if (PyUnicode_Check(iterable)) {
        return PyErr_Format(PyExc_TypeError, "expected a list of moves, got %R", iterable);
    }
    PyObject *list = PySequence_List(iterable);
    const Py_ssize_t count = list ? PyList_Size(list) : 0;
    PyObject *bytes = list ? PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(luft_move)) : NULL;
    for (Py_ssize_t i = 0; bytes && i < count; i++) {
        luft_move move = LUFT_MOVE_NONE;
        if (!core_legal_move(&move, PyList_GetItem(list, i), position_value(object))) {
            Py_CLEAR(bytes);
            break;
        }
        memcpy(PyBytes_AsString(bytes) + i * (Py_ssize_t)sizeof move, &move, sizeof move);
    }
    Py_XDECREF(list);
    return bytes;
}

PyMethodDef core_move_functions[] = {
    {"legal_move_values", legal_move_values, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
