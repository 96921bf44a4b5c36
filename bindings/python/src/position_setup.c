/* SPDX-License-Identifier: MIT */
/*
 * Positions from their parts: the planes of luft.Planes, and the pieces and rights of luft.Setup. Parts can be anything;
 * the library says whether they make a valid position.
 */
#include "position.h"

/* --- Planes ---------------------------------------------------------------- */

/* An attribute that must be an integer of at most `bits` bits. False, with or without an exception, if it is not. */
static bool small_attribute(uint64_t *number, PyObject *object, const char *name, int bits) {
    PyObject *attribute = core_attribute(object, name);
    PyObject *index = attribute ? PyNumber_Index(attribute) : NULL;
    *number = index ? PyLong_AsUnsignedLongLong(index) : 0;
    Py_XDECREF(index);
    Py_XDECREF(attribute);
    return !PyErr_Occurred() && (bits == 64 || *number >> bits == 0);
}

/* The same for the en passant square, which may be None. */
static bool ep_attribute(uint64_t *number, PyObject *planes) {
    PyObject *attribute = core_attribute(planes, "en_passant");
    const bool is_none = attribute == Py_None;
    Py_XDECREF(attribute);
    *number = LUFT_NO_SQUARE;
    return attribute && (is_none || small_attribute(number, planes, "en_passant", 6));
}

PyObject *position_from_planes(PyObject *type, PyObject *planes) {
    luft_position position;
    luft_position_planes given = {0};
    uint64_t clock = 0, number = 0, side = 0, ep_square = 0;
    const int is_planes = PyObject_IsInstance(planes, core.planes);
    if (is_planes != 1) {
        return is_planes < 0 ? NULL
                             : PyErr_Format(PyExc_TypeError, "expected Planes, got %R", (PyObject *)Py_TYPE(planes));
    }
    PyObject *tuple = core_attribute(planes, "types");
    bool is_good = tuple && PyTuple_Check(tuple) && PyTuple_Size(tuple) == 3;
    for (int i = 0; is_good && i < 3; i++) {
        given.board.types.bit[i] = PyLong_AsUnsignedLongLong(PyTuple_GetItem(tuple, i));
        is_good = !PyErr_Occurred();
    }
    Py_XDECREF(tuple);
    is_good = is_good && small_attribute(&given.board.us, planes, "us", 64) &&
              small_attribute(&given.board.them, planes, "them", 64) &&
              small_attribute(&given.castling, planes, "castling", 64) &&
              small_attribute(&clock, planes, "halfmove_clock", 16) &&
              small_attribute(&number, planes, "fullmove_number", 16) && small_attribute(&side, planes, "turn", 1) &&
              ep_attribute(&ep_square, planes);
    if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear(); /* a negative number, or one of more than 64 bits */
    }
    if (PyErr_Occurred()) {
        return NULL;
    }
    given.halfmove_clock = (uint16_t)clock;
    given.fullmove_number = (uint16_t)number;
    given.side_to_move = (uint8_t)side;
    given.ep_square = (uint8_t)ep_square;
    if (!is_good || luft_position_from_planes(&position, &given)) {
        return core_fail(LUFT_ERROR_POSITION, "%.600R", planes);
    }
    return core_position_object((PyTypeObject *)type, &position);
}

PyObject *position_planes(PyObject *self, void *Py_UNUSED(unused)) {
    luft_position_planes planes;
    const luft_error error = luft_position_to_planes(&planes, position_value(self));
    if (error) {
        return core_fail(error, "");
    }
    const unsigned long long *types = (const unsigned long long *)planes.board.types.bit;
    return core_named(core.planes,
                      Py_BuildValue("((KKK)KKKNOii)", types[0], types[1], types[2], (unsigned long long)planes.board.us,
                                    (unsigned long long)planes.board.them, (unsigned long long)planes.castling,
                                    core_square_object(planes.ep_square), core.color[planes.side_to_move],
                                    planes.halfmove_clock, planes.fullmove_number));
}

/* --- Setups ---------------------------------------------------------------- */

/* Puts the pieces of a dictionary, square to Piece, onto the board. */
static bool place_pieces(luft_board *board, PyObject *pieces) {
    PyObject *key = NULL, *object = NULL;
    for (Py_ssize_t next = 0; PyDict_Next(pieces, &next, &key, &object);) {
        luft_square square = LUFT_NO_SQUARE;
        if (!core_square(&square, key)) {
            return false;
        }
        const Py_UCS4 letter =
            PyUnicode_Check(object) && PyUnicode_GetLength(object) == 1 ? PyUnicode_ReadChar(object, 0) : 0;
        const luft_piece piece = luft_piece_from_letter((char)(letter < 128 ? letter : 0));
        if (square == LUFT_NO_SQUARE || piece == LUFT_NO_PIECE) {
            PyErr_Format(PyExc_ValueError, "not a piece on a square: %R on %R", object, key);
            return false;
        }
        const luft_bitboard bit = luft_bit(square);
        const luft_piece_type type = luft_piece_type_of(piece);
        board->pawns |= type == LUFT_PAWN ? bit : 0;
        board->knights |= type == LUFT_KNIGHT ? bit : 0;
        board->diagonal |= type == LUFT_BISHOP || type == LUFT_QUEEN ? bit : 0;
        board->orthogonal |= type == LUFT_ROOK || type == LUFT_QUEEN ? bit : 0;
        board->kings |= type == LUFT_KING ? bit : 0;
        board->color[luft_piece_color(piece)] |= bit;
    }
    return true;
}

/*
 * set_up(pieces, turn, castling, en_passant, halfmove_clock, fullmove_number): the status with warnings, and the position
 * if it is valid.
 */
static PyObject *set_up(PyObject *Py_UNUSED(module), PyObject *arguments) {
    luft_position position = {0};
    PyObject *pieces = NULL, *castling = NULL, *where = NULL;
    unsigned char turn = 0;
    int clock = 0, number = 0;
    luft_square square = LUFT_NO_SQUARE;
    if (!PyArg_ParseTuple(arguments, "O!bOOii", (PyObject *)&PyDict_Type, &pieces, &turn, &castling, &where, &clock,
                          &number) ||
        !place_pieces(&position.board, pieces) || !core_set(&position.board.castling, castling) ||
        (where != Py_None && !core_square(&square, where))) {
        return NULL;
    }
    const bool has_counters = clock >= 0 && clock <= LUFT_COUNTER_MAX && number >= 1 && number <= LUFT_COUNTER_MAX;
    position.halfmove_clock = (uint16_t)(has_counters ? clock : 0);
    position.fullmove_number = (uint16_t)(has_counters ? number : 1);
    position.side_to_move = turn > 1 ? 0 : turn;
    position.ep_square = (uint8_t)square;
    luft_position_compute_keys(&position);
    const unsigned status = luft_position_status(&position) | (has_counters ? 0 : LUFT_STATUS_BAD_COUNTER) |
                            (turn > 1 ? LUFT_STATUS_BAD_SIDE : 0);
    return status ? Py_BuildValue("IO", status, Py_None)
                  : Py_BuildValue("IN", luft_position_warnings(&position),
                                  core_position_object(core.position_type, &position));
}

static PyObject *status_string(PyObject *Py_UNUSED(module), PyObject *argument) {
    int status = 0;
    return core_int(&status, argument) ? PyUnicode_FromString(luft_status_string((unsigned)status)) : NULL;
}

PyMethodDef core_setup_functions[] = {
    {"set_up", set_up, METH_VARARGS, NULL},
    {"status_string", status_string, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
