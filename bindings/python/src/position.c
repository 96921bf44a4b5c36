/* SPDX-License-Identifier: MIT */
/*
 * luft.Position: a luft_position as an immutable Python object. The attributes
 * that programs read most are slots, which Python reads without a call.
 *
 * Methods that make a new position make one of the same class, so subclasses
 * survive them; __init__ is not called again, and attributes of the instance are
 * not copied.
 */
#include "position.h"

const luft_position *core_position(PyObject *object) {
    if (!PyObject_TypeCheck(object, core.position_type)) {
        PyErr_Format(PyExc_TypeError, "expected a Position, got %R", (PyObject *)Py_TYPE(object));
        return NULL;
    }
    return position_value(object);
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

PyObject *core_start_position(PyObject *arguments, PyObject *names, const char *format) {
    static char *keywords[] = {"start", NULL};
    PyObject *object = Py_None;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, format, keywords, &object)) {
        return NULL;
    }
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
    const size_t length = luft_position_to_fen(text, sizeof text, position_value(self), style);
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
    const luft_error error = luft_compact_pack(&compact, position_value(self));
    return error ? core_fail(error, "") : PyBytes_FromStringAndSize((char *)compact.bytes, sizeof compact.bytes);
}

static PyObject *position_key(PyObject *self, void *Py_UNUSED(unused)) {
    return PyLong_FromUnsignedLongLong(luft_key(position_value(self)));
}

static PyObject *position_keys(PyObject *self, void *Py_UNUSED(unused)) {
    const luft_key_pair keys = luft_keys(position_value(self));
    return core_named(core.key_pair,
                      Py_BuildValue("(KK)", (unsigned long long)keys.own, (unsigned long long)keys.other));
}

static PyObject *position_polyglot_key(PyObject *self, void *Py_UNUSED(unused)) {
    return PyLong_FromUnsignedLongLong(luft_polyglot_key(position_value(self)));
}

static Py_hash_t position_hash(PyObject *self) {
    const luft_position *position = position_value(self);
    const uint64_t counters = (uint64_t)position->halfmove_clock << 16 | position->fullmove_number;
    const Py_hash_t hash = (Py_hash_t)(luft_key(position) ^ counters << 1 ^ position->side_to_move);
    return hash == -1 ? -2 : hash;
}

static PyObject *position_compare(PyObject *self, PyObject *other, int operation) {
    if ((operation != Py_EQ && operation != Py_NE) || !PyObject_TypeCheck(other, core.position_type)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return PyBool_FromLong(luft_position_equal(position_value(self), position_value(other)) == (operation == Py_EQ));
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
    PyObject *copy = core_position_object(Py_TYPE(self), position_value(self));
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
        *next++ = luft_piece_letter(luft_piece_at(&position_value(self)->board, (luft_square)square));
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
    return text_with_ep(luft_position_to_fen_with_ep, position_value(self),
                        shredder ? LUFT_FEN_SHREDDER : LUFT_FEN_STANDARD, where);
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
    {NULL, NULL, 0, NULL},
};
