/* SPDX-License-Identifier: MIT */
/*
 * luft.SquareSet: an immutable set of squares over one 64-bit word. Bit n is
 * square n, as in the C library.
 */
#include "core.h"

typedef struct set_object {
    PyObject_HEAD luft_bitboard set;
} set_object;

luft_bitboard core_set_value(PyObject *set) {
    return ((set_object *)set)->set;
}

PyObject *core_set_object(luft_bitboard set) {
    set_object *object = PyObject_New(set_object, core.set_type);
    if (object) {
        object->set = set;
    }
    return (PyObject *)object;
}

/* Adds the squares of an iterable, each a number or a name. */
static bool add_all(luft_bitboard *set, PyObject *iterable) {
    PyObject *iterator = PyObject_GetIter(iterable), *item = NULL;
    bool is_good = iterator != NULL;
    while (is_good && (item = PyIter_Next(iterator))) {
        luft_square square = LUFT_NO_SQUARE;
        is_good = core_board_square(&square, item);
        if (is_good) {
            *set |= luft_bit(square);
        }
        Py_DECREF(item);
    }
    Py_XDECREF(iterator);
    return is_good && !PyErr_Occurred();
}

static PyObject *set_new(PyTypeObject *Py_UNUSED(type), PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"squares", NULL};
    PyObject *squares = NULL;
    luft_bitboard set = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "|O:SquareSet", keywords, &squares)) {
        return NULL;
    }
    if (squares && !(Py_TYPE(squares) == core.set_type || PyIndex_Check(squares) ? core_set(&set, squares)
                                                                                 : add_all(&set, squares))) {
        return NULL;
    }
    return core_set_object(set);
}

static void set_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF((PyObject *)type);
}

static PyObject *set_list(PyObject *self) {
    luft_bitboard set = core_set_value(self);
    PyObject *list = PyList_New(luft_popcount(set));
    for (Py_ssize_t i = 0; list && set; i++) {
        PyList_SetItem(list, i, PyLong_FromLong(luft_pop(&set)));
    }
    return list;
}

static PyObject *set_iter(PyObject *self) {
    PyObject *list = set_list(self);
    PyObject *iterator = list ? PyObject_GetIter(list) : NULL;
    Py_XDECREF(list);
    return iterator;
}

static Py_ssize_t set_length(PyObject *self) {
    return luft_popcount(core_set_value(self));
}

static int set_contains(PyObject *self, PyObject *item) {
    luft_square square = LUFT_NO_SQUARE;
    if (!core_square(&square, item)) {
        return -1;
    }
    return square != LUFT_NO_SQUARE && luft_bitboard_test(core_set_value(self), square);
}

static PyObject *set_index(PyObject *self) {
    return PyLong_FromUnsignedLongLong(core_set_value(self));
}

static int set_bool(PyObject *self) {
    return core_set_value(self) != 0;
}

static PyObject *set_invert(PyObject *self) {
    return core_set_object(~core_set_value(self));
}

/* The operands of | & ^ -, of which one is a set and the other a set or an integer. False with NotImplemented's meaning. */
static bool operands(PyObject *left, PyObject *right, luft_bitboard *a, luft_bitboard *b) {
    return (Py_TYPE(left) == core.set_type || PyIndex_Check(left)) &&
           (Py_TYPE(right) == core.set_type || PyIndex_Check(right)) && core_set(a, left) && core_set(b, right);
}

static PyObject *operation(PyObject *left, PyObject *right, char sign) {
    luft_bitboard a = 0, b = 0;
    if (!operands(left, right, &a, &b)) {
        return PyErr_Occurred() ? NULL : Py_NewRef(Py_NotImplemented);
    }
    return core_set_object(sign == '|' ? (a | b) : sign == '&' ? (a & b) : sign == '^' ? (a ^ b) : (a & ~b));
}

static PyObject *set_or(PyObject *left, PyObject *right) {
    return operation(left, right, '|');
}

static PyObject *set_and(PyObject *left, PyObject *right) {
    return operation(left, right, '&');
}

static PyObject *set_xor(PyObject *left, PyObject *right) {
    return operation(left, right, '^');
}

static PyObject *set_subtract(PyObject *left, PyObject *right) {
    return operation(left, right, '-');
}

/* Sets are equal to integers with the same bits; order, as for other sets in Python, is inclusion. */
static PyObject *set_compare(PyObject *self, PyObject *other, int operation) {
    const luft_bitboard a = core_set_value(self);
    luft_bitboard b = 0;
    if (Py_TYPE(other) != core.set_type && !(PyLong_Check(other) && (operation == Py_EQ || operation == Py_NE))) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (!core_set(&b, other)) { /* an integer that is not a set: unequal */
        PyErr_Clear();
        return PyBool_FromLong(operation == Py_NE);
    }
    bool result = false;
    switch (operation) {
    case Py_EQ: result = a == b; break;
    case Py_NE: result = a != b; break;
    case Py_LE: result = (a & ~b) == 0; break;
    case Py_LT: result = (a & ~b) == 0 && a != b; break;
    case Py_GE: result = (b & ~a) == 0; break;
    case Py_GT: result = (b & ~a) == 0 && a != b; break;
    }
    return PyBool_FromLong(result);
}

static Py_hash_t set_hash(PyObject *self) {
    PyObject *number = set_index(self); /* equal to an integer, so the same hash */
    const Py_hash_t hash = number ? PyObject_Hash(number) : -1;
    Py_XDECREF(number);
    return hash;
}

static PyObject *set_isdisjoint(PyObject *self, PyObject *other) {
    luft_bitboard set = 0;
    if (!core_set(&set, other)) {
        return NULL;
    }
    return PyBool_FromLong((core_set_value(self) & set) == 0);
}

static PyObject *set_str(PyObject *self) {
    char text[LUFT_BITBOARD_TEXT_SIZE];
    const size_t length = luft_bitboard_text(text, sizeof text, core_set_value(self));
    return PyUnicode_FromStringAndSize(text, (Py_ssize_t)(length - (text[length - 1] == '\n')));
}

static PyObject *set_repr(PyObject *self) {
    char text[64 * 6 + 1] = ""; /* 'e4', for each square */
    size_t length = 0;
    for (luft_bitboard set = core_set_value(self); set;) {
        text[length++] = '\'';
        length += luft_square_to_text(text + length, 3, luft_pop(&set));
        memcpy(text + length, "', ", 4);
        length += 3;
    }
    text[length ? length - 2 : 0] = '\0'; /* without the last comma */
    return PyUnicode_FromFormat("SquareSet([%s])", text);
}

static PyObject *set_reduce(PyObject *self, PyObject *Py_UNUSED(unused)) {
    return Py_BuildValue("O(K)", (PyObject *)core.set_type, (unsigned long long)core_set_value(self));
}

/* --- Single squares ------------------------------------------------------------------ */

/* The number of a square that was given by number or name; -1 and a ValueError if there is none. */
static int square_of(PyObject *argument) {
    luft_square square = LUFT_NO_SQUARE;
    return core_board_square(&square, argument) ? (int)square : -1;
}

static PyObject *number(PyObject *Py_UNUSED(module), PyObject *argument) {
    const int square = square_of(argument);
    return square < 0 ? NULL : PyLong_FromLong(square);
}

static PyObject *square_name(PyObject *Py_UNUSED(module), PyObject *argument) {
    const int square = square_of(argument);
    return square < 0 ? NULL : Py_NewRef(core.square_name[square]);
}

static PyObject *square_file(PyObject *Py_UNUSED(module), PyObject *argument) {
    const int square = square_of(argument);
    return square < 0 ? NULL : PyLong_FromLong(luft_file_of((luft_square)square));
}

static PyObject *square_rank(PyObject *Py_UNUSED(module), PyObject *argument) {
    const int square = square_of(argument);
    return square < 0 ? NULL : PyLong_FromLong(luft_rank_of((luft_square)square));
}

PyMethodDef core_square_functions[] = {
    {"square", number, METH_O, "The number of a square: square(\"e4\") is 36."},
    {"square_name", square_name, METH_O, "The name of a square: square_name(36) is \"e4\"."},
    {"square_file", square_file, METH_O, "The file of a square, 0 for the a-file."},
    {"square_rank", square_rank, METH_O, "The rank of a square, 0 for the first rank."},
    {NULL, NULL, 0, NULL},
};

/* --- The type ------------------------------------------------------------------------- */

static PyMethodDef set_methods[] = {
    {"isdisjoint", set_isdisjoint, METH_O, "Do the sets have no square in common?"},
    {"__reduce__", set_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot set_slots[] = {
    {Py_tp_doc,
     "An immutable set of squares, of an integer with bit n for square n, or of squares and names of squares.\n\n"
     "int(set) is the integer. The operators are those of Python's sets; str(set) is a diagram."},
    {Py_tp_new, set_new},
    {Py_tp_dealloc, set_dealloc},
    {Py_tp_methods, set_methods},
    {Py_tp_iter, set_iter},
    {Py_tp_str, set_str},
    {Py_tp_repr, set_repr},
    {Py_tp_hash, set_hash},
    {Py_tp_richcompare, set_compare},
    {Py_sq_length, set_length},
    {Py_sq_contains, set_contains},
    {Py_nb_index, set_index},
    {Py_nb_int, set_index},
    {Py_nb_bool, set_bool},
    {Py_nb_invert, set_invert},
    {Py_nb_or, set_or},
    {Py_nb_and, set_and},
    {Py_nb_xor, set_xor},
    {Py_nb_subtract, set_subtract},
    {0, NULL},
};

PyType_Spec core_set_spec = {"luft.SquareSet", sizeof(set_object), 0, Py_TPFLAGS_DEFAULT, set_slots};
