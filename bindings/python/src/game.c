/* SPDX-License-Identifier: MIT */
/*
 * luft.Game: a luft_game as a Python object. It is mutable, so it is equal by
 * value and has no hash. Its positions are of the class of its start position.
 */
#include "core.h"

typedef struct game_object {
    PyObject_HEAD luft_game *game;
    PyTypeObject *position_type;
    PyObject *weak_references;
} game_object;

static luft_game *value(PyObject *self) {
    return ((game_object *)self)->game;
}

luft_game *core_game(PyObject *object) {
    if (!PyObject_TypeCheck(object, core.game_type)) {
        PyErr_Format(PyExc_TypeError, "expected a Game, got %R", (PyObject *)Py_TYPE(object));
        return NULL;
    }
    return value(object);
}

/* --- Life ------------------------------------------------------------------------- */

/* A game object that takes over `game`; on failure it is freed. */
static PyObject *make_game(PyTypeObject *type, luft_game *game, PyTypeObject *position_type) {
    PyObject *self = PyType_GenericAlloc(type, 0);
    if (!self) {
        luft_game_free(game);
        return NULL;
    }
    game_object *object = (game_object *)self;
    object->game = game;
    object->position_type = (PyTypeObject *)Py_NewRef((PyObject *)position_type);
    return self;
}

static void game_dealloc(PyObject *self) {
    game_object *object = (game_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (object->weak_references) {
        PyObject_ClearWeakRefs(self);
    }
    luft_game_free(object->game);
    Py_XDECREF((PyObject *)object->position_type);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF((PyObject *)type);
}

static PyObject *game_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    luft_game *game = NULL;
    PyObject *position = core_start_position(arguments, names, "|O:Game");
    if (!position) {
        return NULL;
    }
    const luft_error error = luft_game_create(&game, core_position(position));
    PyObject *self = error ? core_fail(error, "") : make_game(type, game, Py_TYPE(position));
    Py_DECREF(position);
    return self;
}

static PyObject *game_copy(PyObject *self, PyObject *Py_UNUSED(unused)) {
    luft_game *game = NULL;
    const luft_error error = luft_game_copy(&game, value(self));
    if (error) {
        return core_fail(error, "");
    }
    PyObject *copy = make_game(Py_TYPE(self), game, ((game_object *)self)->position_type);
    if (copy && !core_copy_attributes(copy, self, NULL)) {
        Py_CLEAR(copy);
    }
    return copy;
}

/* All moves, those to redo included. */
static PyObject *all_moves(const luft_game *game, size_t count) {
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *move = core_move_object(luft_game_move_at(game, i));
        if (!move) {
            Py_CLEAR(list);
            break;
        }
        PyList_SetItem(list, (Py_ssize_t)i, move);
    }
    return list;
}

static PyObject *position_at(PyObject *self, size_t ply) {
    return core_position_object(((game_object *)self)->position_type, luft_game_position_at(value(self), ply));
}

static PyObject *game_reduce(PyObject *self, PyObject *Py_UNUSED(unused)) {
    const luft_game *game = value(self);
    return core_reduce(self, "_restore",
                       Py_BuildValue("NNn", position_at(self, 0), all_moves(game, luft_game_length(game)),
                                     (Py_ssize_t)luft_game_ply(game)));
}

/* --- Playing ------------------------------------------------------------------------ */

static bool play_one(luft_game *game, PyObject *object) {
    PyObject *settled = core_settled_move(object);
    if (!settled) {
        return false;
    }
    const luft_position *position = luft_game_position(game);
    luft_move move = LUFT_MOVE_NONE;
    bool is_good = core_move(&move, settled, position);
    const luft_error error = is_good ? luft_game_play(game, move) : LUFT_OK;
    if (error) {
        core_fail_move(error, settled, position);
        is_good = false;
    }
    Py_DECREF(settled);
    return is_good;
}

static PyObject *game_play(PyObject *self, PyObject *const *moves, Py_ssize_t count) {
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!play_one(value(self), moves[i])) {
            return NULL;
        }
    }
    Py_RETURN_NONE;
}

static PyObject *game_undo(PyObject *self, PyObject *Py_UNUSED(unused)) {
    const luft_error error = luft_game_undo(value(self));
    return error ? core_fail(error, "") : Py_NewRef(Py_None);
}

static PyObject *game_redo(PyObject *self, PyObject *Py_UNUSED(unused)) {
    const luft_error error = luft_game_redo(value(self));
    return error ? core_fail(error, "") : Py_NewRef(Py_None);
}

/* A ply; an IndexError for what no game can have. */
static bool ply_argument(size_t *ply, PyObject *object) {
    PyObject *index = PyNumber_Index(object);
    if (!index) {
        return false;
    }
    const Py_ssize_t number = PyLong_AsSsize_t(index);
    Py_DECREF(index);
    if (number < 0) {
        PyErr_Format(PyExc_IndexError, "the game has no ply %R", object);
        return false;
    }
    *ply = (size_t)number;
    return true;
}

static PyObject *game_go_to(PyObject *self, PyObject *argument) {
    size_t ply = 0;
    if (!ply_argument(&ply, argument)) {
        return NULL;
    }
    if (ply > luft_game_length(value(self))) {
        return PyErr_Format(PyExc_IndexError, "the game has no ply %zu", ply);
    }
    const luft_error error = luft_game_go_to(value(self), ply);
    return error ? core_fail(error, "ply %zu", ply) : Py_NewRef(Py_None);
}

static PyObject *game_restore(PyObject *type, PyObject *arguments) {
    PyObject *start = NULL, *moves = NULL;
    Py_ssize_t ply = 0;
    if (!PyArg_ParseTuple(arguments, "OO!n", &start, (PyObject *)&PyList_Type, &moves, &ply)) {
        return NULL;
    }
    const luft_position *position = core_position(start);
    luft_game *game = NULL;
    luft_error error = position ? luft_game_create(&game, position) : LUFT_ERROR_ARGUMENT;
    if (error) {
        return position ? core_fail(error, "") : NULL;
    }
    PyObject *self = make_game((PyTypeObject *)type, game, Py_TYPE(start));
    for (Py_ssize_t i = 0; self && i < PyList_Size(moves); i++) {
        if (!play_one(game, PyList_GetItem(moves, i))) {
            Py_CLEAR(self);
        }
    }
    if (self && (error = luft_game_go_to(game, (size_t)ply))) {
        Py_CLEAR(self);
        core_fail(error, "ply %zd", ply);
    }
    return self;
}

/* --- Questions ------------------------------------------------------------------------ */

static Py_ssize_t game_length(PyObject *self) {
    return (Py_ssize_t)luft_game_length(value(self));
}

static int game_bool(PyObject *Py_UNUSED(self)) {
    return 1; /* a game without moves is a game */
}

static PyObject *game_ply(PyObject *self, void *Py_UNUSED(unused)) {
    return PyLong_FromSize_t(luft_game_ply(value(self)));
}

static PyObject *game_moves(PyObject *self, void *Py_UNUSED(unused)) {
    return all_moves(value(self), luft_game_ply(value(self)));
}

static bool append_san(PyObject *list, const luft_position *position, luft_move move) {
    char text[LUFT_SAN_SIZE];
    const size_t length = luft_move_to_san(text, sizeof text, position, move);
    PyObject *san = PyUnicode_FromStringAndSize(text, (Py_ssize_t)length);
    const bool is_good = san && PyList_Append(list, san) == 0;
    Py_XDECREF(san);
    return is_good;
}

static PyObject *game_sans(PyObject *self, void *Py_UNUSED(unused)) {
    const luft_game *game = value(self);
    PyObject *list = PyList_New(0);
    for (size_t ply = 0; list && ply < luft_game_ply(game); ply++) {
        if (!append_san(list, luft_game_position_at(game, ply), luft_game_move_at(game, ply))) {
            Py_CLEAR(list);
        }
    }
    return list;
}

/* sans(start, words of the positions after each move, moves): the moves of a line in SAN, "--" for a null move. */
static PyObject *sans(PyObject *Py_UNUSED(module), PyObject *arguments) {
    PyObject *start = NULL;
    const char *words = NULL, *moves = NULL;
    Py_ssize_t words_length = 0, moves_length = 0;
    if (!PyArg_ParseTuple(arguments, "Oy#y#", &start, &words, &words_length, &moves, &moves_length)) {
        return NULL;
    }
    const luft_position *given = core_position(start);
    const size_t count = (size_t)moves_length / sizeof(luft_move);
    if (!given || (size_t)words_length != count * sizeof(luft_position)) {
        return given ? PyErr_Format(PyExc_ValueError, "as many positions as moves are needed") : NULL;
    }
    PyObject *list = PyList_New(0);
    luft_position position = *given;
    for (size_t i = 0; list && i < count; i++) {
        luft_move move;
        memcpy(&move, moves + i * sizeof move, sizeof move);
        if (!append_san(list, &position, move)) {
            Py_CLEAR(list);
        }
        memcpy(&position, words + i * sizeof position, sizeof position);
    }
    return list;
}

/* line_sans(position, moves): a tuple of moves in SAN, each after the one before. */
static PyObject *line_sans(PyObject *Py_UNUSED(module), PyObject *arguments) {
    PyObject *start = NULL, *moves = NULL;
    if (!PyArg_ParseTuple(arguments, "O!O!", (PyObject *)core.position_type, &start, (PyObject *)&PyTuple_Type,
                          &moves)) {
        return NULL;
    }
    PyObject *list = PyList_New(0);
    luft_position position = *core_position(start);
    for (Py_ssize_t i = 0; list && i < PyTuple_Size(moves); i++) {
        luft_move move = LUFT_MOVE_NONE;
        if (!core_legal_move(&move, PyTuple_GetItem(moves, i), &position) || !append_san(list, &position, move) ||
            luft_play(&position, &position, move)) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject *game_position(PyObject *self, void *Py_UNUSED(unused)) {
    return position_at(self, luft_game_ply(value(self)));
}

static PyObject *game_start(PyObject *self, void *Py_UNUSED(unused)) {
    return position_at(self, 0);
}

static PyObject *game_position_at(PyObject *self, PyObject *argument) {
    size_t ply = 0;
    if (!ply_argument(&ply, argument)) {
        return NULL;
    }
    if (ply > luft_game_length(value(self))) {
        return PyErr_Format(PyExc_IndexError, "the game has no ply %zu", ply);
    }
    return position_at(self, ply);
}

static PyObject *game_repetitions(PyObject *self, void *Py_UNUSED(unused)) {
    return PyLong_FromLong(luft_game_repetitions(value(self)));
}

static PyObject *game_outcome(PyObject *self, void *Py_UNUSED(unused)) {
    return core_outcome(luft_game_outcome(value(self)));
}

static PyObject *game_claims(PyObject *self, void *Py_UNUSED(unused)) {
    return PyObject_CallFunction(core.claim, "I", luft_game_claims(value(self)));
}

static PyObject *game_claims_by(PyObject *self, PyObject *argument) {
    PyObject *settled = core_settled_move(argument);
    luft_move move = LUFT_MOVE_NONE;
    const bool is_good = settled && core_legal_move(&move, settled, luft_game_position(value(self)));
    Py_XDECREF(settled);
    return is_good ? PyObject_CallFunction(core.claim, "I", luft_game_claims_by(value(self), move)) : NULL;
}

static PyObject *game_opening(PyObject *self, void *Py_UNUSED(unused)) {
    luft_opening opening;
    return luft_opening_of_game(&opening, value(self)) ? core_opening(&opening) : Py_NewRef(Py_None);
}

/* The same start, the same moves, those to redo included, and the same ply. */
static bool are_equal(const luft_game *a, const luft_game *b) {
    if (luft_game_ply(a) != luft_game_ply(b) || luft_game_length(a) != luft_game_length(b) ||
        !luft_position_equal(luft_game_position_at(a, 0), luft_game_position_at(b, 0))) {
        return false;
    }
    for (size_t i = 0; i < luft_game_length(a); i++) {
        if (luft_game_move_at(a, i) != luft_game_move_at(b, i)) {
            return false;
        }
    }
    return true;
}

static PyObject *game_compare(PyObject *self, PyObject *other, int operation) {
    if ((operation != Py_EQ && operation != Py_NE) || !PyObject_TypeCheck(other, core.game_type)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return PyBool_FromLong(are_equal(value(self), value(other)) == (operation == Py_EQ));
}

static PyObject *game_repr(PyObject *self) {
    char fen[LUFT_FEN_SIZE];
    luft_position_to_fen(fen, sizeof fen, luft_game_position(value(self)), LUFT_FEN_STANDARD);
    return PyUnicode_FromFormat("<Game of %zu moves, at ply %zu: %s>", luft_game_length(value(self)),
                                luft_game_ply(value(self)), fen);
}

/* --- The type ---------------------------------------------------------------------------- */

static PyMemberDef game_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(game_object, weak_references), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

#define PROPERTY(name, text)                                                                                           \
    { #name, game_##name, NULL, text, NULL }
static PyGetSetDef game_properties[] = {
    PROPERTY(ply, "How many moves lead to the present position."),
    PROPERTY(moves, "The moves that lead to the present position, a new list."),
    PROPERTY(sans, "The same in SAN."),
    PROPERTY(position, "The present position."),
    PROPERTY(start, "The position before the first move."),
    PROPERTY(repetitions, "How often the present position has occurred, this time included."),
    PROPERTY(outcome, "How the game stands: everything that ends it by itself."),
    PROPERTY(claims, "The draws that the side to move may claim in the present position."),
    PROPERTY(opening, "The last opening on the way to the present position, or None."),
    {NULL, NULL, NULL, NULL, NULL},
};

#define METHOD(name, flags, text)                                                                                      \
    { #name, CORE_METHOD(game_##name), flags, text }
static PyMethodDef game_methods[] = {
    METHOD(play, METH_FASTCALL, "Plays moves, each a Move or its text. Those before one that is refused stay played."),
    METHOD(undo, METH_NOARGS, "Undoes a move. The error is HISTORY if there is none."),
    METHOD(redo, METH_NOARGS, "Plays the move again that was undone last. The error is HISTORY if there is none."),
    METHOD(go_to, METH_O, "Goes to the position after the first `ply` moves, back or forward."),
    METHOD(position_at, METH_O, "The position after the first `ply` moves, 0 for the start."),
    METHOD(claims_by, METH_O, "The draws that the side to move may claim by announcing this legal move."),
    METHOD(copy, METH_NOARGS, "A game of its own, equal to this one."),
    {"__copy__", game_copy, METH_NOARGS, NULL},
    {"_restore", game_restore, METH_VARARGS | METH_CLASS, NULL},
    {"__reduce__", game_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot game_slots[] = {
    {Py_tp_doc, "A start position and moves, with undo and redo, repetitions, outcome and claims.\n\n"
                "len(game) is the number of moves, those to redo included."},
    {Py_tp_new, game_new},
    {Py_tp_dealloc, game_dealloc},
    {Py_tp_members, game_members},
    {Py_tp_getset, game_properties},
    {Py_tp_methods, game_methods},
    {Py_tp_repr, game_repr},
    {Py_tp_hash, PyObject_HashNotImplemented},
    {Py_tp_richcompare, game_compare},
    {Py_sq_length, game_length},
    {Py_nb_bool, game_bool},
    {0, NULL},
};

PyType_Spec core_game_spec = {"luft.Game", sizeof(game_object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                              game_slots};

PyMethodDef core_game_functions[] = {
    {"line_sans", line_sans, METH_VARARGS, NULL},
    {"sans", sans, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
