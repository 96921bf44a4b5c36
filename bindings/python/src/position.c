/* SPDX-License-Identifier: MIT */
/*
 * luft.Position: a luft_position as an immutable Python object. The attributes
 * that programs read most are slots, which Python reads without a call.
 *
 * Methods that make a new position make one of the same class, so subclasses
 * survive them; __init__ is not called again, and attributes of the instance are
 * not copied.
 */
#include "core.h"

typedef struct position_object {
    PyObject_HEAD PyObject *turn, *halfmove_clock, *fullmove_number, *en_passant;
    PyObject *weak_references;
    luft_position position;
} position_object;

static const luft_position *value(PyObject *self) {
    return &((position_object *)self)->position;
}

const luft_position *core_position(PyObject *object) {
    if (!PyObject_TypeCheck(object, core.position_type)) {
        PyErr_Format(PyExc_TypeError, "expected a Position, got %R", (PyObject *)Py_TYPE(object));
        return NULL;
    }
    return value(object);
}

/* --- Life ------------------------------------------------------------------------- */

PyObject *core_position_object(PyTypeObject *type, const luft_position *position) {
    /* Zeroed memory is needed only for the dictionary and the slots of subclasses. */
    PyObject *self =
        type == core.position_type ? (PyObject *)PyObject_New(position_object, type) : PyType_GenericAlloc(type, 0);
    if (!self) {
        return NULL;
    }
    position_object *object = (position_object *)self;
    object->turn = Py_NewRef(core.color[position->side_to_move]);
    object->halfmove_clock = PyLong_FromLong(position->halfmove_clock);
    object->fullmove_number = PyLong_FromLong(position->fullmove_number);
    object->en_passant = core_square_object(position->ep_square);
    object->weak_references = NULL;
    object->position = *position;
    if (!object->halfmove_clock || !object->fullmove_number || !object->en_passant) {
        Py_CLEAR(self);
    }
    return self;
}

static void position_dealloc(PyObject *self) {
    position_object *object = (position_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (object->weak_references) {
        PyObject_ClearWeakRefs(self);
    }
    Py_XDECREF(object->turn);
    Py_XDECREF(object->halfmove_clock);
    Py_XDECREF(object->fullmove_number);
    Py_XDECREF(object->en_passant);
    if (type == core.position_type) {
        PyObject_Free(self);
    } else {
        ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    }
    Py_DECREF((PyObject *)type);
}

static PyObject *position_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"fen", NULL};
    PyObject *fen = Py_None;
    luft_position position;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "|O:Position", keywords, &fen)) {
        return NULL;
    }
    if (fen == Py_None) {
        position = luft_start_position();
        return core_position_object(type, &position);
    }
    core_text text;
    luft_fen_report report;
    if (!core_text_of(&text, fen)) {
        return NULL;
    }
    const luft_error error = luft_position_from_fen(&position, text.bytes, (size_t)text.length, &report);
    core_text_free(&text);
    return error ? core_fail_report(&report, fen) : core_position_object(type, &position);
}

static PyObject *position_chess960(PyObject *type, PyObject *argument) {
    luft_position position;
    int number = 0;
    if (!core_int(&number, argument)) {
        return NULL;
    }
    const luft_error error = luft_chess960_position(&position, number);
    return error ? core_fail(error, "not a Chess960 position: %R", argument)
                 : core_position_object((PyTypeObject *)type, &position);
}

static PyObject *position_from_compact(PyObject *type, PyObject *argument) {
    luft_position position;
    luft_compact compact;
    Py_buffer view;
    if (PyObject_GetBuffer(argument, &view, PyBUF_SIMPLE)) {
        return NULL;
    }
    const Py_ssize_t length = view.len;
    if (length == (Py_ssize_t)sizeof compact.bytes) {
        memcpy(compact.bytes, view.buf, sizeof compact.bytes);
    }
    PyBuffer_Release(&view);
    if (length != (Py_ssize_t)sizeof compact.bytes) {
        return core_fail(LUFT_ERROR_COMPACT, "%zd bytes in place of %zu", length, sizeof compact.bytes);
    }
    const luft_error error = luft_compact_unpack(&position, &compact);
    return error ? core_fail(error, "%.120R", argument) : core_position_object((PyTypeObject *)type, &position);
}

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

static PyObject *position_from_planes(PyObject *type, PyObject *planes) {
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

PyObject *core_start_position(PyObject *object) {
    if (PyObject_TypeCheck(object, core.position_type)) {
        return Py_NewRef(object);
    }
    if (object == Py_None || PyUnicode_Check(object)) {
        return PyObject_CallFunctionObjArgs((PyObject *)core.position_type, object, NULL);
    }
    return PyErr_Format(PyExc_TypeError, "expected a Position, a FEN or None, got %R", (PyObject *)Py_TYPE(object));
}

/* --- Text and identity ------------------------------------------------------------- */

static PyObject *write_fen(PyObject *self, luft_fen_style style) {
    char text[LUFT_FEN_SIZE];
    const size_t length = luft_position_to_fen(text, sizeof text, value(self), style);
    return PyUnicode_FromStringAndSize(text, (Py_ssize_t)length);
}

static PyObject *position_fen(PyObject *self, void *Py_UNUSED(unused)) {
    return write_fen(self, LUFT_FEN_STANDARD);
}

static PyObject *position_shredder_fen(PyObject *self, void *Py_UNUSED(unused)) {
    return write_fen(self, LUFT_FEN_SHREDDER);
}

static PyObject *position_compact(PyObject *self, void *Py_UNUSED(unused)) {
    luft_compact compact;
    const luft_error error = luft_compact_pack(&compact, value(self));
    return error ? core_fail(error, "") : PyBytes_FromStringAndSize((char *)compact.bytes, sizeof compact.bytes);
}

static PyObject *position_planes(PyObject *self, void *Py_UNUSED(unused)) {
    luft_position_planes planes;
    const luft_error error = luft_position_to_planes(&planes, value(self));
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

static PyObject *position_key(PyObject *self, void *Py_UNUSED(unused)) {
    return PyLong_FromUnsignedLongLong(luft_key(value(self)));
}

static PyObject *position_keys(PyObject *self, void *Py_UNUSED(unused)) {
    const luft_key_pair keys = luft_keys(value(self));
    return core_named(core.key_pair,
                      Py_BuildValue("(KK)", (unsigned long long)keys.own, (unsigned long long)keys.other));
}

static PyObject *position_polyglot_key(PyObject *self, void *Py_UNUSED(unused)) {
    return PyLong_FromUnsignedLongLong(luft_polyglot_key(value(self)));
}

static Py_hash_t position_hash(PyObject *self) {
    const luft_position *position = value(self);
    const uint64_t counters = (uint64_t)position->halfmove_clock << 16 | position->fullmove_number;
    const Py_hash_t hash = (Py_hash_t)(luft_key(position) ^ counters << 1 ^ position->side_to_move);
    return hash == -1 ? -2 : hash;
}

static PyObject *position_compare(PyObject *self, PyObject *other, int operation) {
    if ((operation != Py_EQ && operation != Py_NE) || !PyObject_TypeCheck(other, core.position_type)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return PyBool_FromLong(luft_position_equal(value(self), value(other)) == (operation == Py_EQ));
}

static PyObject *position_reduce(PyObject *self, PyObject *Py_UNUSED(unused)) {
    if (Py_TYPE(self) == core.position_type) { /* shorter and faster than a method of the class */
        return Py_BuildValue("O(N)", (PyObject *)core.position_type, position_fen(self, NULL));
    }
    return core_reduce(self, "from_compact", Py_BuildValue("(N)", position_compact(self, NULL)));
}

/* A position does not change, so it is its own copy; an instance of a subclass can have attributes that do. */
static PyObject *copy_position(PyObject *self, PyObject *memo) {
    if (Py_TYPE(self) == core.position_type) {
        return Py_NewRef(self);
    }
    PyObject *copy = core_position_object(Py_TYPE(self), value(self));
    if (copy && !core_copy_attributes(copy, self, memo)) {
        Py_CLEAR(copy);
    }
    return copy;
}

static PyObject *position_copy(PyObject *self, PyObject *Py_UNUSED(unused)) {
    return copy_position(self, NULL);
}

static PyObject *position_repr(PyObject *self) {
    PyObject *fen = position_fen(self, NULL);
    PyObject *name = fen ? core_attribute((PyObject *)Py_TYPE(self), "__name__") : NULL;
    PyObject *text = name ? PyUnicode_FromFormat("%U(%R)", name, fen) : NULL;
    Py_XDECREF(name);
    Py_XDECREF(fen);
    return text;
}

/* A diagram, rank 8 on top. */
static PyObject *position_str(PyObject *self) {
    char text[9 * 18], *next = text;
    for (int square = 0; square < 64; square++) {
        if (square % 8 == 0) {
            *next++ = luft_rank_digit((luft_square)square);
        }
        *next++ = ' ';
        *next++ = luft_piece_letter(luft_piece_at(&value(self)->board, (luft_square)square));
        if (square % 8 == 7) {
            *next++ = '\n';
        }
    }
    memcpy(next, "  a b c d e f g h", 17);
    return PyUnicode_FromStringAndSize(text, next + 17 - text);
}

static PyObject *fail_ep(PyObject *where, const luft_position *position) {
    char fen[LUFT_FEN_SIZE];
    luft_position_to_fen(fen, sizeof fen, position, LUFT_FEN_STANDARD);
    return core_fail(LUFT_ERROR_ARGUMENT, "no double push can have passed over %S in %s", where, fen);
}

bool core_ep_square(luft_square *square, PyObject *object, const luft_position *position) {
    *square = LUFT_NO_SQUARE;
    if (object == Py_None) {
        return true;
    }
    if (Py_TYPE(object) == core.move_type) {
        PyObject *where = core_attribute(object, "en_passant_square");
        const bool is_found = where && (where == Py_None || core_square(square, where));
        Py_XDECREF(where);
        return is_found;
    }
    if (!core_square(square, object)) {
        return false;
    }
    if (*square == LUFT_NO_SQUARE) {
        fail_ep(object, position);
        return false;
    }
    return true;
}

typedef size_t write_with_ep(char *buffer, size_t size, const luft_position *position, luft_fen_style style,
                             luft_square ep_square);

static PyObject *text_with_ep(write_with_ep *write, const luft_position *position, luft_fen_style style,
                              PyObject *where) {
    char text[LUFT_FEN_SIZE];
    luft_square square = LUFT_NO_SQUARE;
    if (!core_ep_square(&square, where, position)) {
        return NULL;
    }
    const size_t length = write(text, sizeof text, position, style, square);
    return length ? PyUnicode_FromStringAndSize(text, (Py_ssize_t)length) : fail_ep(where, position);
}

static PyObject *position_fen_with_en_passant(PyObject *self, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"where", "shredder", NULL};
    PyObject *where = NULL;
    int shredder = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|p:fen_with_en_passant", keywords, &where, &shredder)) {
        return NULL;
    }
    return text_with_ep(luft_position_to_fen_with_ep, value(self), shredder ? LUFT_FEN_SHREDDER : LUFT_FEN_STANDARD,
                        where);
}

/* epd_position(position, en_passant): the first four fields of an EPD. */
static PyObject *epd_position(PyObject *Py_UNUSED(module), PyObject *arguments) {
    PyObject *object = NULL, *where = NULL;
    if (!PyArg_ParseTuple(arguments, "OO", &object, &where)) {
        return NULL;
    }
    const luft_position *position = core_position(object);
    return position ? text_with_ep(luft_position_to_epd_with_ep, position, LUFT_FEN_STANDARD, where) : NULL;
}

/* fen_en_passant(fen): the en passant square that a FEN names. */
static PyObject *fen_en_passant(PyObject *Py_UNUSED(module), PyObject *fen) {
    core_text text;
    luft_position position;
    luft_fen_report report;
    if (!core_text_of(&text, fen)) {
        return NULL;
    }
    const luft_error error = luft_position_from_fen(&position, text.bytes, (size_t)text.length, &report);
    core_text_free(&text);
    return error ? core_fail_report(&report, fen) : core_square_object(report.ep_square);
}

/* --- Questions ---------------------------------------------------------------------- */

static PyObject *position_en_passant_pawn(PyObject *self, void *Py_UNUSED(unused)) {
    return core_square_object(luft_ep_pawn_square(value(self)));
}

static PyObject *position_castling_rights(PyObject *self, void *Py_UNUSED(unused)) {
    return core_set_object(value(self)->board.castling);
}

static PyObject *position_occupied(PyObject *self, void *Py_UNUSED(unused)) {
    return core_set_object(luft_occupied(&value(self)->board));
}

static PyObject *position_checkers(PyObject *self, void *Py_UNUSED(unused)) {
    return core_set_object(luft_checkers(value(self)));
}

static PyObject *position_is_check(PyObject *self, void *Py_UNUSED(unused)) {
    return PyBool_FromLong(luft_in_check(value(self)));
}

static PyObject *position_is_checkmate(PyObject *self, void *Py_UNUSED(unused)) {
    return PyBool_FromLong(luft_in_check(value(self)) && !luft_has_legal_move(value(self)));
}

static PyObject *position_is_stalemate(PyObject *self, void *Py_UNUSED(unused)) {
    return PyBool_FromLong(!luft_in_check(value(self)) && !luft_has_legal_move(value(self)));
}

static PyObject *position_is_insufficient_material(PyObject *self, void *Py_UNUSED(unused)) {
    return PyBool_FromLong(luft_has_insufficient_material(value(self)));
}

static PyObject *position_has_insufficient_material(PyObject *self, PyObject *argument) {
    luft_color color = LUFT_WHITE;
    return core_color(&color, argument) ? PyBool_FromLong(luft_side_has_insufficient_material(value(self), color))
                                        : NULL;
}

static PyObject *position_outcome(PyObject *self, void *Py_UNUSED(unused)) {
    return core_outcome(luft_position_outcome(value(self)));
}

static PyObject *position_opening(PyObject *self, void *Py_UNUSED(unused)) {
    luft_opening opening;
    return luft_opening_of_position(&opening, value(self)) ? core_opening(&opening) : Py_NewRef(Py_None);
}

static PyObject *position_status(PyObject *self, void *Py_UNUSED(unused)) {
    return PyObject_CallFunction(core.status, "I", luft_position_warnings(value(self)));
}

static PyObject *position_piece_at(PyObject *self, PyObject *argument) {
    luft_square square = LUFT_NO_SQUARE;
    if (!core_board_square(&square, argument)) {
        return NULL;
    }
    const luft_piece piece = luft_piece_at(&value(self)->board, square);
    return Py_NewRef(piece == LUFT_NO_PIECE ? Py_None : core.piece[piece]);
}

static PyObject *position_piece_map(PyObject *self, PyObject *Py_UNUSED(unused)) {
    const luft_board *board = &value(self)->board;
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

static PyObject *position_pieces(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
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
    return core_set_object(luft_pieces(&value(self)->board, color, (luft_piece_type)type));
}

static PyObject *position_king(PyObject *self, PyObject *argument) {
    luft_color color = LUFT_WHITE;
    return core_color(&color, argument) ? PyLong_FromLong(luft_king_square(&value(self)->board, color)) : NULL;
}

/* The arguments of questions about a colour and a square, and perhaps the squares in the way. */
static bool color_and_square(luft_color *color, luft_square *square, PyObject *const *arguments, Py_ssize_t count,
                             const char *name) {
    if (count < 2) {
        PyErr_Format(PyExc_TypeError, "%s() takes a colour and a square", name);
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

static PyObject *position_attackers(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
    const luft_board *board = &value(self)->board;
    luft_color color = LUFT_WHITE;
    luft_square square = LUFT_NO_SQUARE;
    luft_bitboard occupied = luft_occupied(board);
    if (!color_and_square(&color, &square, arguments, count, "attackers") ||
        (count > 2 && arguments[2] != Py_None && !core_set(&occupied, arguments[2]))) {
        return NULL;
    }
    return core_set_object(luft_attackers_to(board, square, occupied) & board->color[color]);
}

static PyObject *position_is_attacked_by(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
    luft_color color = LUFT_WHITE;
    luft_square square = LUFT_NO_SQUARE;
    if (!color_and_square(&color, &square, arguments, count, "is_attacked_by")) {
        return NULL;
    }
    return PyBool_FromLong(luft_is_attacked(&value(self)->board, square, color));
}

static PyObject *position_attacks(PyObject *self, PyObject *argument) {
    const luft_board *board = &value(self)->board;
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
    if (!color_and_square(&color, &square, arguments, count, name)) {
        return false;
    }
    const luft_error error = luft_compute_king_constraints(&constraints, &value(self)->board, color);
    if (error) {
        core_fail(error, "");
        return false;
    }
    *ray = luft_pin_ray(&constraints, square);
    return true;
}

static PyObject *position_pin(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
    luft_bitboard ray = 0;
    return pin_of(&ray, self, arguments, count, "pin") ? core_set_object(ray ? ray : ~UINT64_C(0)) : NULL;
}

static PyObject *position_is_pinned(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
    luft_bitboard ray = 0;
    return pin_of(&ray, self, arguments, count, "is_pinned") ? PyBool_FromLong(ray != 0) : NULL;
}

static PyObject *position_king_constraints(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
    luft_color color = (luft_color)value(self)->side_to_move;
    luft_king_constraints c;
    if (count > 0 && arguments[0] != Py_None && !core_color(&color, arguments[0])) {
        return NULL;
    }
    const luft_error error = luft_compute_king_constraints(&c, &value(self)->board, color);
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
    const luft_board *board = &value(self)->board;
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

static PyObject *position_has_castling_rights(PyObject *self, PyObject *argument) {
    return castling_answer(self, argument, 'b');
}

static PyObject *position_has_kingside_castling_rights(PyObject *self, PyObject *argument) {
    return castling_answer(self, argument, 'k');
}

static PyObject *position_has_queenside_castling_rights(PyObject *self, PyObject *argument) {
    return castling_answer(self, argument, 'q');
}

static PyObject *position_perft(PyObject *self, PyObject *argument) {
    const luft_position position = *value(self);
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

/* --- Moves --------------------------------------------------------------------------- */

static PyObject *position_legal_moves(PyObject *self, void *Py_UNUSED(unused)) {
    luft_move_list list;
    const int count = luft_generate(&list, value(self), LUFT_ALL_MOVES);
    return core_move_list(list.moves, (size_t)count);
}

static PyObject *position_is_legal(PyObject *self, PyObject *argument) {
    luft_move move = LUFT_MOVE_NONE;
    if (!core_move(&move, argument, value(self))) {
        if (!PyErr_ExceptionMatches(core.error)) {
            return NULL;
        }
        PyErr_Clear();
        Py_RETURN_FALSE;
    }
    return PyBool_FromLong(luft_is_legal(value(self), move));
}

static PyObject *position_gives_check(PyObject *self, PyObject *argument) {
    luft_move move = LUFT_MOVE_NONE;
    return core_legal_move(&move, argument, value(self)) ? PyBool_FromLong(luft_gives_check(value(self), move)) : NULL;
}

static PyObject *position_is_capture(PyObject *self, PyObject *argument) {
    luft_move move = LUFT_MOVE_NONE;
    return core_legal_move(&move, argument, value(self)) ? PyBool_FromLong(luft_move_is_capture(move)) : NULL;
}

static PyObject *position_play(PyObject *self, PyObject *argument) {
    luft_move move = LUFT_MOVE_NONE;
    luft_position next;
    if (!core_move(&move, argument, value(self))) {
        return NULL;
    }
    if (luft_play(&next, value(self), move)) {
        return core_fail_move(LUFT_ERROR_MOVE_ILLEGAL, argument, value(self));
    }
    return core_position_object(Py_TYPE(self), &next);
}

static PyObject *position_pass_turn(PyObject *self, PyObject *Py_UNUSED(unused)) {
    luft_position next;
    const luft_error error = luft_make_null(&next, value(self));
    return error ? core_fail_move(error, core.move[LUFT_MOVE_NONE], value(self))
                 : core_position_object(Py_TYPE(self), &next);
}

static PyObject *position_flip(PyObject *self, PyObject *Py_UNUSED(unused)) {
    luft_position next;
    const luft_error error = luft_position_flip(&next, value(self));
    return error ? core_fail(error, "") : core_position_object(Py_TYPE(self), &next);
}

static PyObject *write_san(PyObject *self, PyObject *object, bool figurine) {
    char text[LUFT_FIGURINE_SIZE];
    luft_move move = LUFT_MOVE_NONE;
    if (!core_move(&move, object, value(self))) {
        return NULL;
    }
    /* The library checks whether the move is legal; it writes the null move, which is not. */
    const size_t length = move == LUFT_MOVE_NONE ? 0
                          : figurine             ? luft_move_to_figurine(text, sizeof text, value(self), move)
                                                 : luft_move_to_san(text, sizeof text, value(self), move);
    return length ? PyUnicode_FromStringAndSize(text, (Py_ssize_t)length)
                  : core_fail_move(LUFT_ERROR_MOVE_ILLEGAL, object, value(self));
}

static PyObject *position_san(PyObject *self, PyObject *arguments, PyObject *names) {
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
static PyObject *position_lan(PyObject *self, PyObject *argument) {
    char san[LUFT_SAN_SIZE], text[16];
    luft_move move = LUFT_MOVE_NONE;
    if (!core_legal_move(&move, argument, value(self))) {
        return NULL;
    }
    size_t length = luft_move_to_san(san, sizeof san, value(self), move);
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
    const luft_error error =
        read ? read(&move, value(self), text.bytes, (size_t)text.length) : core_read_move(&move, value(self), &text);
    core_text_free(&text);
    return error ? core_fail_move(error, argument, value(self)) : core_move_object(move);
}

static PyObject *position_parse(PyObject *self, PyObject *argument) {
    return parse_with(self, argument, NULL);
}

static PyObject *position_parse_san(PyObject *self, PyObject *arguments, PyObject *names) {
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

static PyObject *position_parse_uci(PyObject *self, PyObject *argument) {
    return parse_with(self, argument, luft_move_from_uci);
}

static PyObject *position_line(PyObject *self, PyObject *argument) {
    return core_call("luft._batch", "line", self, argument);
}

static PyObject *position_setup(PyObject *self, PyObject *Py_UNUSED(unused)) {
    return core_call("luft._setup", "Setup", self, NULL);
}

static PyObject *position_repr_svg(PyObject *self, PyObject *Py_UNUSED(unused)) {
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
        if (!core_legal_move(&move, PyList_GetItem(list, i), value(object))) {
            Py_CLEAR(bytes);
            break;
        }
        memcpy(PyBytes_AsString(bytes) + i * (Py_ssize_t)sizeof move, &move, sizeof move);
    }
    Py_XDECREF(list);
    return bytes;
}

/* --- Setting up a position ------------------------------------------------------------ */

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

/* --- The type -------------------------------------------------------------------------- */

#define SLOT(name, text)                                                                                               \
    { #name, T_OBJECT_EX, offsetof(position_object, name), READONLY, text }
static PyMemberDef position_members[] = {
    SLOT(turn, "The side to move."),
    SLOT(halfmove_clock, "Plies since the last capture or pawn move."),
    SLOT(fullmove_number, "1 at the start, one more after each move of Black."),
    SLOT(en_passant, "The square that an en passant capture goes to, None unless one is legal."),
    {"__weaklistoffset__", T_PYSSIZET, offsetof(position_object, weak_references), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

#define PROPERTY(name, text)                                                                                           \
    { #name, position_##name, NULL, text, NULL }
static PyGetSetDef position_properties[] = {
    PROPERTY(fen, "The FEN."),
    PROPERTY(shredder_fen, "The FEN with castling rights as the files of the rooks, HAha."),
    PROPERTY(compact, "48 bytes, the same on every machine."),
    PROPERTY(planes, "The position as the side to move sees it, in planes with H8 as bit 0."),
    PROPERTY(key, "Luft's 64-bit key, without the counters; the colour-flipped position has the same."),
    PROPERTY(keys, "Both keys, that of the side to move first. A move swaps them and changes them by what it moves."),
    PROPERTY(polyglot_key, "The key of the position in opening books of the Polyglot format."),
    PROPERTY(en_passant_pawn, "The square of the pawn that an en passant capture removes, None unless one is legal."),
    PROPERTY(castling_rights, "The rooks of both sides that may still castle, a SquareSet."),
    PROPERTY(occupied, "The squares that are not empty, a SquareSet."),
    PROPERTY(checkers, "The pieces that give check to the side to move, a SquareSet."),
    PROPERTY(is_check, "Is the side to move in check?"),
    PROPERTY(is_checkmate, "Is the side to move checkmated?"),
    PROPERTY(is_stalemate, "Is the side to move stalemated?"),
    PROPERTY(is_insufficient_material, "Can neither side mate with the pieces it has?"),
    PROPERTY(outcome, "The outcome as far as the position alone tells it: all but repetition."),
    PROPERTY(opening, "The opening whose name belongs to this position, or None."),
    PROPERTY(status, "Status.VALID, or warnings if no game can lead to the position. See Setup.status."),
    PROPERTY(legal_moves, "The legal moves, a new list."),
    {NULL, NULL, NULL, NULL, NULL},
};

#define METHOD(name, flags, text)                                                                                      \
    { #name, CORE_METHOD(position_##name), flags, text }
static PyMethodDef position_methods[] = {
    METHOD(chess960, METH_O | METH_CLASS,
           "The start position with this number, 0 to 959; 518 is that of standard chess."),
    METHOD(from_compact, METH_O | METH_CLASS, "The position of the 48 bytes that `compact` gave."),
    METHOD(from_planes, METH_O | METH_CLASS,
           "The position of planes such as `planes` gives. The error is POSITION if no valid position has them."),
    METHOD(fen_with_en_passant, METH_VARARGS | METH_KEYWORDS,
           "The FEN with the en passant square after every double push, as many programs expect it.\n\n"
           "A position keeps the square only if a capture onto it is legal, so the caller must name it: `where` is\n"
           "the last move, or the square, such as fen_en_passant returns. With None the text is that of `fen`."),
    METHOD(piece_at, METH_O, "The piece on a square, None for an empty one."),
    METHOD(piece_map, METH_NOARGS, "The pieces by their squares, a new dict."),
    METHOD(pieces, METH_FASTCALL, "The squares of the pieces of this type and colour, a SquareSet."),
    METHOD(king, METH_O, "The square of a side's king."),
    METHOD(attackers, METH_FASTCALL,
           "The pieces of a colour that attack a square, a SquareSet; with other squares in the way if given."),
    METHOD(attacks, METH_O, "The squares that the piece on this square attacks, a SquareSet."),
    METHOD(is_attacked_by, METH_FASTCALL, "Does this colour attack the square?"),
    METHOD(pin, METH_FASTCALL, "The squares that its pin leaves to the piece on this square; all if it is not pinned."),
    METHOD(is_pinned, METH_FASTCALL, "Is the piece of this colour on this square pinned to its king?"),
    METHOD(king_constraints, METH_FASTCALL, "The checks and pins of a side, by default the side to move."),
    METHOD(has_insufficient_material, METH_O,
           "Can this side not mate, whatever both sides play? Then it draws if the opponent runs out of time."),
    METHOD(has_castling_rights, METH_O, "May this side still castle?"),
    METHOD(has_kingside_castling_rights, METH_O, "May this side still castle kingside?"),
    METHOD(has_queenside_castling_rights, METH_O, "May this side still castle queenside?"),
    METHOD(perft, METH_O, "The number of sequences of this many legal moves."),
    METHOD(flip, METH_NOARGS, "The colour-flipped position."),
    METHOD(is_legal, METH_O, "Is this move, or its text, a legal move?"),
    METHOD(is_capture, METH_O, "Does this legal move capture?"),
    METHOD(gives_check, METH_O, "Does this legal move give check?"),
    METHOD(play, METH_O, "The position after a legal move: a Move, or its text in SAN or UCI."),
    METHOD(pass_turn, METH_NOARGS, "The position with the other side to move: a null move. Illegal in check."),
    METHOD(san, METH_VARARGS | METH_KEYWORDS, "A legal move in SAN, as short as it can be."),
    METHOD(lan, METH_O, "A legal move in long algebraic notation, such as Ng1-f3."),
    METHOD(parse, METH_O, "Reads UCI (e2e4) or SAN (e4)."),
    METHOD(parse_san, METH_VARARGS | METH_KEYWORDS,
           "Reads SAN as people write it. The error is MOVE_SYNTAX, MOVE_ILLEGAL or MOVE_AMBIGUOUS.\n\n"
           "With null=True, -- and the like are a null move, Move.NONE."),
    METHOD(parse_uci, METH_O, "Reads UCI text; castling is e1g1 or e1h1. The error is MOVE_SYNTAX or MOVE_ILLEGAL."),
    METHOD(line, METH_O,
           "The positions after each of these moves, each a Move or its text; Move.NONE passes the turn."),
    METHOD(setup, METH_NOARGS, "A Setup of this position, to be edited."),
    {"_repr_svg_", position_repr_svg, METH_NOARGS, "The board as SVG, for notebooks."},
    {"__copy__", position_copy, METH_NOARGS, NULL},
    {"__deepcopy__", copy_position, METH_O, NULL},
    {"__reduce__", position_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot position_slots[] = {
    {Py_tp_doc, "A valid position of standard chess or Chess960, counters included, from a FEN or the start.\n\n"
                "Immutable: play returns a new position, of the same class."},
    {Py_tp_new, position_new},
    {Py_tp_dealloc, position_dealloc},
    {Py_tp_members, position_members},
    {Py_tp_getset, position_properties},
    {Py_tp_methods, position_methods},
    {Py_tp_str, position_str},
    {Py_tp_repr, position_repr},
    {Py_tp_hash, position_hash},
    {Py_tp_richcompare, position_compare},
    {0, NULL},
};

PyType_Spec core_position_spec = {"luft.Position", sizeof(position_object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                                  position_slots};

PyMethodDef core_position_functions[] = {
    {"epd_position", epd_position, METH_VARARGS, NULL},
    {"fen_en_passant", fen_en_passant, METH_O,
     "The en passant square that a FEN names, None if it names none or one that no double push can have passed "
     "over.\n\n"
     "A Position holds it only if a capture onto it is legal."},
    {"legal_move_values", legal_move_values, METH_VARARGS, NULL},
    {"pin_ray", pin_ray, METH_VARARGS, NULL},
    {"pinner", pinner, METH_VARARGS, NULL},
    {"set_up", set_up, METH_VARARGS, NULL},
    {"status_string", status_string, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
