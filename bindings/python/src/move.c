/* SPDX-License-Identifier: MIT */
/*
 * luft.Move. There is one object for each move, made when the move first comes
 * up and kept for ever, so that a list of legal moves is a list of pointers and
 * attributes are plain slots. At most 86,016 such objects exist.
 *
 * A move of a position knows its kind: capture, castling and so on. A move that
 * was read from UCI text without a position does not; positions look the kind up
 * when they get such a move. Two moves are equal if their UCI text is.
 */
#include "core.h"

typedef struct move_object {
    PyObject_HEAD PyObject *from_square, *to_square;
    PyObject *promotion; /* a letter or None */
    PyObject *uci, *uci_chess960;
    uint32_t number; /* index in the table: a luft_move, or beyond MOVE_COUNT */
    uint32_t text;   /* the squares and the promotion of the UCI text in one number: equal for equal moves */
} move_object;

static bool is_text(const move_object *move) {
    return move->number >= MOVE_COUNT;
}

bool core_is_text_move(PyObject *move, PyObject **text) {
    *text = ((move_object *)move)->uci;
    return is_text((move_object *)move);
}

luft_move core_move_value(PyObject *move) {
    return (luft_move)((move_object *)move)->number;
}

/* --- Making moves ---------------------------------------------------------------- */

static const char PROMOTIONS[] = "nbrq";

/* The squares and the promotion (0 none, 1 knight … 4 queen) that a text without a position stands for. */
static bool parse_squares(const char *text, size_t length, int *from, int *to, int *promotion) {
    luft_square squares[2];
    char lower[5] = "";
    if (length != 4 && length != 5) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        lower[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
    }
    const char *letter = length == 5 ? strchr(PROMOTIONS, lower[4]) : PROMOTIONS;
    if (luft_square_from_text(&squares[0], lower, 2) || luft_square_from_text(&squares[1], lower + 2, 2) ||
        squares[0] == squares[1] || !letter || !*letter) {
        return false;
    }
    *from = squares[0];
    *to = squares[1];
    *promotion = length == 5 ? (int)(letter - PROMOTIONS) + 1 : 0;
    return true;
}

static PyObject *make_move(uint32_t number, const char *uci, const char *uci_chess960, int from, int to,
                           int promotion) {
    move_object *move = PyObject_New(move_object, core.move_type);
    if (!move) {
        return NULL;
    }
    int text_from = 0, text_to = 0, text_promotion = 0; /* zeros for "0000", the null move */
    parse_squares(uci, strlen(uci), &text_from, &text_to, &text_promotion);
    move->number = number;
    move->text = (uint32_t)(text_from | text_to << 6 | text_promotion << 12);
    move->from_square = PyLong_FromLong(from);
    move->to_square = PyLong_FromLong(to);
    move->promotion = promotion ? PyUnicode_FromStringAndSize(PROMOTIONS + promotion - 1, 1) : Py_NewRef(Py_None);
    move->uci = PyUnicode_FromString(uci);
    move->uci_chess960 = PyUnicode_FromString(uci_chess960);
    if (!move->from_square || !move->to_square || !move->promotion || !move->uci || !move->uci_chess960) {
        Py_DECREF((PyObject *)move);
        return NULL;
    }
    return (PyObject *)move;
}

static PyObject *known_move(luft_move move) {
    char uci[LUFT_UCI_MOVE_SIZE], chess960[LUFT_UCI_MOVE_SIZE];
    luft_move_to_uci(uci, sizeof uci, move, LUFT_CASTLING_STANDARD);
    luft_move_to_uci(chess960, sizeof chess960, move, LUFT_CASTLING_CHESS960);
    const int promotion = luft_move_is_promotion(move) ? (move >> 12 & 3) + 1 : 0;
    return make_move(move, uci, chess960, luft_move_from(move), luft_move_to(move), promotion);
}

PyObject *core_move_object(luft_move move) {
    if (!core.move[move] && !(core.move[move] = known_move(move))) {
        return NULL;
    }
    return Py_NewRef(core.move[move]);
}

PyObject *core_move_list(const luft_move *moves, size_t count) {
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *move = core_move_object(moves[i]);
        if (!move) {
            Py_CLEAR(list);
            break;
        }
        PyList_SetItem(list, (Py_ssize_t)i, move);
    }
    return list;
}

static PyObject *move_new(PyTypeObject *Py_UNUSED(type), PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"value", NULL};
    PyObject *value = NULL;
    int number = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O:Move", keywords, &value) || !core_int(&number, value)) {
        return NULL;
    }
    if (number < 0 || number >= MOVE_COUNT) {
        return PyErr_Format(PyExc_ValueError, "not the number of a move: %R", value);
    }
    return core_move_object((luft_move)number);
}

static PyObject *move_from_uci(PyObject *Py_UNUSED(type), PyObject *argument) {
    core_text text;
    int from = 0, to = 0, promotion = 0;
    if (!core_text_of(&text, argument)) {
        return NULL;
    }
    const bool is_null = text.length == 4 && memcmp(text.bytes, "0000", 4) == 0;
    const bool is_move = !is_null && parse_squares(text.bytes, (size_t)text.length, &from, &to, &promotion);
    core_text_free(&text);
    if (is_null) {
        return core_move_object(LUFT_MOVE_NONE);
    }
    if (!is_move) {
        return core_fail(LUFT_ERROR_MOVE_SYNTAX, "%.120R", argument);
    }
    const uint32_t number = (uint32_t)(MOVE_COUNT + (promotion << 12) + (to << 6) + from);
    if (!core.move[number]) {
        char uci[LUFT_UCI_MOVE_SIZE] = "";
        luft_square_to_text(uci, 3, (luft_square)from);
        luft_square_to_text(uci + 2, 3, (luft_square)to);
        uci[4] = (char)(promotion ? PROMOTIONS[promotion - 1] : '\0');
        core.move[number] = make_move(number, uci, uci, from, to, promotion);
    }
    return Py_XNewRef(core.move[number]);
}

static PyObject *move_null(PyObject *Py_UNUSED(type), PyObject *Py_UNUSED(unused)) {
    return core_move_object(LUFT_MOVE_NONE);
}

static void move_dealloc(PyObject *self) {
    move_object *move = (move_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(move->from_square);
    Py_XDECREF(move->to_square);
    Py_XDECREF(move->promotion);
    Py_XDECREF(move->uci);
    Py_XDECREF(move->uci_chess960);
    PyObject_Free(self);
    Py_DECREF((PyObject *)type);
}

/* --- What a move says ------------------------------------------------------------- */

/* None for a move that was read without a position: only the board tells the kind. */
static PyObject *kind_answer(const move_object *move, bool answer) {
    return is_text(move) ? Py_NewRef(Py_None) : PyBool_FromLong(answer);
}

static PyObject *move_is_capture(PyObject *self, void *Py_UNUSED(unused)) {
    return kind_answer((move_object *)self, luft_move_is_capture(core_move_value(self)));
}

static PyObject *move_is_castling(PyObject *self, void *Py_UNUSED(unused)) {
    return kind_answer((move_object *)self, luft_move_kind_of(core_move_value(self)) == LUFT_CASTLING);
}

static PyObject *move_is_en_passant(PyObject *self, void *Py_UNUSED(unused)) {
    return kind_answer((move_object *)self, luft_move_kind_of(core_move_value(self)) == LUFT_EN_PASSANT);
}

static PyObject *move_en_passant_square(PyObject *self, void *Py_UNUSED(unused)) {
    const move_object *move = (move_object *)self;
    return core_square_object(is_text(move) ? LUFT_NO_SQUARE : luft_move_ep_square(core_move_value(self)));
}

static PyObject *move_index(PyObject *self) {
    const move_object *move = (move_object *)self;
    if (is_text(move)) {
        return PyErr_Format(PyExc_ValueError,
                            "%S was read without a position and has no number: see Position.parse_uci", move->uci);
    }
    return PyLong_FromLong((long)move->number);
}

static int move_bool(PyObject *self) {
    return ((move_object *)self)->number != LUFT_MOVE_NONE;
}

static PyObject *move_str(PyObject *self) {
    return Py_NewRef(((move_object *)self)->uci);
}

static PyObject *move_repr(PyObject *self) {
    return PyUnicode_FromFormat("<Move %S>", ((move_object *)self)->uci);
}

static PyObject *move_format(PyObject *self, PyObject *spec) {
    return PyObject_CallMethod(((move_object *)self)->uci, "__format__", "(O)", spec); /* PyObject_Format trusts spec */
}

static Py_hash_t move_hash(PyObject *self) {
    return (Py_hash_t)((move_object *)self)->text;
}

static PyObject *move_compare(PyObject *self, PyObject *other, int operation) {
    if (Py_TYPE(other) != core.move_type) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    const uint32_t a = ((move_object *)self)->text, b = ((move_object *)other)->text;
    Py_RETURN_RICHCOMPARE(a, b, operation);
}

static PyObject *move_reduce(PyObject *self, PyObject *Py_UNUSED(unused)) {
    const move_object *move = (move_object *)self;
    if (is_text(move)) {
        return core_reduce(self, "from_uci", Py_BuildValue("(O)", move->uci));
    }
    return Py_BuildValue("O(i)", (PyObject *)core.move_type, (int)move->number);
}

static PyMemberDef move_members[] = {
    {"from_square", T_OBJECT_EX, offsetof(move_object, from_square), READONLY, "The square that the piece leaves."},
    {"to_square", T_OBJECT_EX, offsetof(move_object, to_square), READONLY,
     "The square that the piece goes to; in castling, that of the rook."},
    {"promotion", T_OBJECT_EX, offsetof(move_object, promotion), READONLY,
     "\"n\", \"b\", \"r\" or \"q\"; None if the move is not a promotion."},
    {"uci", T_OBJECT_EX, offsetof(move_object, uci), READONLY,
     "The text of the UCI protocol: e2e4, e7e8q, e1g1; \"0000\" for the null move."},
    {"uci_chess960", T_OBJECT_EX, offsetof(move_object, uci_chess960), READONLY,
     "The same with castling as king takes rook: e1h1."},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef move_properties[] = {
    {"is_capture", move_is_capture, NULL, "Does it capture? None if the move was read without a position.", NULL},
    {"is_castling", move_is_castling, NULL, "Is it castling? None if the move was read without a position.", NULL},
    {"is_en_passant", move_is_en_passant, NULL,
     "Is it an en passant capture? None if the move was read without a position.", NULL},
    {"en_passant_square", move_en_passant_square, NULL,
     "The square that a double push passes over; None for any other move.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef move_methods[] = {
    {"from_uci", move_from_uci, METH_O | METH_CLASS,
     "A move from UCI text, without a position. Its kind, such as a capture, is not known yet."},
    {"null", move_null, METH_NOARGS | METH_CLASS, "The null move, Move.NONE."},
    {"__format__", move_format, METH_O, "The UCI text, formatted as a str."},
    {"__reduce__", move_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot move_slots[] = {
    {Py_tp_doc,
     "A move. Castling goes from the king to its rook.\n\n"
     "int(move) is the number of the C library: from (bits 0-5), to (6-11) and kind (12-15). Moves are equal\n"
     "if their UCI text is; a move that Move.from_uci has read is equal to the legal move with that text."},
    {Py_tp_new, move_new},
    {Py_tp_dealloc, move_dealloc},
    {Py_tp_members, move_members},
    {Py_tp_getset, move_properties},
    {Py_tp_methods, move_methods},
    {Py_tp_str, move_str},
    {Py_tp_repr, move_repr},
    {Py_tp_hash, move_hash},
    {Py_tp_richcompare, move_compare},
    {Py_nb_index, move_index},
    {Py_nb_int, move_index},
    {Py_nb_bool, move_bool},
    {0, NULL},
};

PyType_Spec core_move_spec = {"luft.Move", sizeof(move_object), 0, Py_TPFLAGS_DEFAULT, move_slots};
