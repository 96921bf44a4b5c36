/* SPDX-License-Identifier: MIT */
/*
 * luft._core.TableProber: a luft_tablebase, of which luft/_tablebase.py makes
 * luft.Tablebase.
 *
 * Nothing can be added after opening, so threads share it. Calls that may read
 * files run without Python's lock; close takes effect when the last of them has
 * ended.
 */
#include "core.h"

#include <stdlib.h>

typedef struct prober_object {
    PyObject_HEAD luft_tablebase *tablebase; /* NULL once it is closed */
    PyObject *memory;                        /* a dict that keeps the bytes of tables in memory */
    int running;                             /* calls that run without Python's lock */
    bool is_closing;
} prober_object;

/* --- Life ------------------------------------------------------------------------------ */

static void free_tablebase(prober_object *self) {
    luft_tablebase_free(self->tablebase);
    self->tablebase = NULL;
    Py_CLEAR(self->memory);
}

/* No call runs and no engine holds the tables: each has a reference. */
static void prober_dealloc(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    free_tablebase((prober_object *)object);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF((PyObject *)type);
}

/* Adds the tables of the dict: names and bytes. False and an exception on failure. */
static bool add_tables(luft_tablebase *tablebase, PyObject *tables) {
    PyObject *name = NULL, *bytes = NULL;
    Py_ssize_t next = 0;
    while (PyDict_Next(tables, &next, &name, &bytes)) {
        core_text text;
        char *data = NULL;
        Py_ssize_t size = 0;
        if (PyBytes_AsStringAndSize(bytes, &data, &size) || !core_text_of(&text, name)) {
            return false;
        }
        const bool has_nul = strlen(text.bytes) != (size_t)text.length;
        const luft_error error =
            has_nul ? LUFT_ERROR_ARGUMENT : luft_tablebase_add(tablebase, text.bytes, data, (size_t)size);
        core_text_free(&text);
        if (error) {
            core_fail(error, "expected the name of a table such as KQvK.rtbw, got %R", name);
            return false;
        }
    }
    return true;
}

/* TableProber(directories, tables, is_mapped): directories as luft_tablebase_open has them, tables a dict. */
static PyObject *prober_new(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(names)) {
    const char *directories = NULL;
    PyObject *tables = NULL;
    int is_mapped = 0;
    luft_error error = LUFT_OK;
    luft_tablebase *tablebase = NULL;
    if (!PyArg_ParseTuple(arguments, "yO!p", &directories, &PyDict_Type, &tables, &is_mapped)) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS error =
        luft_tablebase_open(&tablebase, directories, is_mapped ? LUFT_TABLEBASE_MAP : LUFT_TABLEBASE_READ);
    Py_END_ALLOW_THREADS if (error) {
        return core_fail(error, "%s", directories);
    }
    prober_object *self = (prober_object *)PyType_GenericAlloc(type, 0);
    if (!self) {
        luft_tablebase_free(tablebase);
        return NULL;
    }
    self->tablebase = tablebase;
    self->memory = PyDict_Copy(tables);
    if (!self->memory || !add_tables(tablebase, self->memory)) {
        Py_DECREF((PyObject *)self);
        return NULL;
    }
    return (PyObject *)self;
}

/* The tablebase if it is open; else NULL and an exception. */
static luft_tablebase *open_tablebase(PyObject *object) {
    const prober_object *self = (prober_object *)object;
    if (!self->tablebase || self->is_closing) {
        PyErr_SetString(PyExc_ValueError, "the tablebase is closed");
        return NULL;
    }
    return self->tablebase;
}

/* Around what runs without Python's lock: close waits for the end. */
static void begin_call(PyObject *object) {
    ((prober_object *)object)->running++;
}

static void end_call(PyObject *object) {
    prober_object *self = (prober_object *)object;
    self->running--;
    if (self->is_closing && self->running == 0) {
        free_tablebase(self);
    }
}

const luft_tablebase *core_hold_tables(PyObject *prober) {
    if (!PyObject_TypeCheck(prober, core.prober_type)) {
        PyErr_Format(PyExc_TypeError, "expected a Tablebase, got %R", (PyObject *)Py_TYPE(prober));
        return NULL;
    }
    const luft_tablebase *tablebase = open_tablebase(prober);
    if (tablebase) {
        begin_call(Py_NewRef(prober));
    }
    return tablebase;
}

void core_release_tables(PyObject *prober) {
    end_call(prober);
    Py_DECREF(prober);
}

static PyObject *prober_close(PyObject *object, PyObject *Py_UNUSED(unused)) {
    prober_object *self = (prober_object *)object;
    self->is_closing = true;
    if (self->running == 0) {
        free_tablebase(self);
    }
    Py_RETURN_NONE;
}

static PyObject *prober_is_closed(PyObject *object, void *Py_UNUSED(unused)) {
    const prober_object *self = (prober_object *)object;
    return PyBool_FromLong(self->is_closing || !self->tablebase);
}

/* --- The tables --------------------------------------------------------------------------- */

static Py_ssize_t prober_length(PyObject *self) {
    const luft_tablebase *tablebase = open_tablebase(self);
    return tablebase ? (Py_ssize_t)luft_tablebase_count(tablebase) : -1;
}

static PyObject *prober_largest(PyObject *self, void *Py_UNUSED(unused)) {
    const luft_tablebase *tablebase = open_tablebase(self);
    return tablebase ? PyLong_FromLong(luft_tablebase_largest(tablebase)) : NULL;
}

static PyObject *table_object(const luft_tablebase_table *table) {
    PyObject *path = table->path ? PyUnicode_DecodeFSDefault(table->path) : Py_NewRef(Py_None);
    PyObject *error = path ? PyObject_CallFunction(core.error_code, "i", (int)table->error) : NULL;
    if (!error) {
        Py_XDECREF(path);
        return NULL;
    }
    return core_named(core.tablebase_table,
                      Py_BuildValue("(ssiKNNz)", table->name, table->kind == LUFT_TABLEBASE_WDL ? "wdl" : "dtz",
                                    table->piece_count, (unsigned long long)table->size, path, error, table->reason));
}

static PyObject *prober_tables(PyObject *self, void *Py_UNUSED(unused)) {
    const luft_tablebase *tablebase = open_tablebase(self);
    const size_t count = luft_tablebase_count(tablebase);
    PyObject *list = tablebase ? PyList_New((Py_ssize_t)count) : NULL;
    for (size_t i = 0; list && i < count; i++) {
        luft_tablebase_table table = {.error = LUFT_OK};
        luft_tablebase_get_table(&table, tablebase, i);
        PyObject *object = table_object(&table);
        if (!object || PyList_SetItem(list, (Py_ssize_t)i, object)) {
            Py_CLEAR(list);
        }
    }
    return list;
}

/* check(number): reads a whole table; what is wrong with it is then in `tables`. */
static PyObject *prober_check(PyObject *self, PyObject *argument) {
    int number = 0;
    const luft_tablebase *tablebase = core_int(&number, argument) ? open_tablebase(self) : NULL;
    luft_error error = LUFT_OK;
    if (!tablebase) {
        return NULL;
    }
    begin_call(self);
    Py_BEGIN_ALLOW_THREADS error = luft_tablebase_check_sum(tablebase, (size_t)number);
    Py_END_ALLOW_THREADS end_call(self);
    return error == LUFT_ERROR_MEMORY || error == LUFT_ERROR_ARGUMENT ? core_fail(error, "%R", argument)
                                                                      : Py_NewRef(Py_None);
}

/* --- Probing --------------------------------------------------------------------------------- */

static PyObject *fail_probe(luft_error error, const luft_position *position) {
    char fen[LUFT_FEN_SIZE];
    luft_position_to_fen(fen, sizeof fen, position, LUFT_FEN_STANDARD);
    return core_fail(error, error == LUFT_ERROR_MISSING ? "%s" : "%s (`faults` names the table)", fen);
}

static PyObject *result_object(luft_wdl wdl) {
    return Py_NewRef(core.tablebase_result[wdl - LUFT_WDL_LOSS]);
}

static PyObject *prober_probe_wdl(PyObject *self, PyObject *argument) {
    const luft_position *position = core_position(argument);
    const luft_tablebase *tablebase = position ? open_tablebase(self) : NULL;
    luft_error error = LUFT_OK;
    luft_wdl wdl = LUFT_WDL_DRAW;
    if (!tablebase) {
        return NULL;
    }
    begin_call(self);
    Py_BEGIN_ALLOW_THREADS error = luft_tablebase_probe_wdl(&wdl, tablebase, position);
    Py_END_ALLOW_THREADS end_call(self);
    return error ? fail_probe(error, position) : result_object(wdl);
}

static PyObject *prober_probe_dtz(PyObject *self, PyObject *argument) {
    const luft_position *position = core_position(argument);
    const luft_tablebase *tablebase = position ? open_tablebase(self) : NULL;
    luft_error error = LUFT_OK;
    int dtz = 0;
    if (!tablebase) {
        return NULL;
    }
    begin_call(self);
    Py_BEGIN_ALLOW_THREADS error = luft_tablebase_probe_dtz(&dtz, tablebase, position);
    Py_END_ALLOW_THREADS end_call(self);
    return error ? fail_probe(error, position) : PyLong_FromLong(dtz);
}

static PyObject *move_list(const luft_tablebase_moves *moves) {
    PyObject *list = PyList_New(moves->count);
    for (int i = 0; list && i < moves->count; i++) {
        const luft_tablebase_move *move = &moves->moves[i];
        PyObject *dtz = moves->has_dtz ? PyLong_FromLong(move->dtz) : Py_NewRef(Py_None);
        PyObject *object =
            dtz ? core_named(core.tablebase_move, Py_BuildValue("(NNNi)", core_move_object(move->move),
                                                                result_object(move->wdl), dtz, move->rank))
                : NULL;
        if (!object || PyList_SetItem(list, i, object)) {
            Py_CLEAR(list);
        }
    }
    return list;
}

/* The keys of the positions before the current one; NULL without a game or before its first move. */
static luft_error earlier_keys(uint64_t **keys, size_t *count, const luft_game *game) {
    *count = game ? luft_game_ply(game) : 0;
    *keys = *count ? malloc(*count * sizeof **keys) : NULL;
    for (size_t i = 0; *keys && i < *count; i++) {
        (*keys)[i] = luft_key(luft_game_position_at(game, i));
    }
    return *count && !*keys ? LUFT_ERROR_MEMORY : LUFT_OK;
}

static PyObject *prober_probe_root(PyObject *self, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"position", "fifty_move_rule", NULL};
    PyObject *target = NULL;
    int fifty_move_rule = 1;
    luft_position position;
    const luft_game *game = NULL;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|$p:probe_root", keywords, &target, &fifty_move_rule) ||
        !core_target(&position, &game, target)) {
        return NULL;
    }
    const luft_tablebase *tablebase = open_tablebase(self);
    luft_tablebase_moves moves = {.count = 0};
    uint64_t *keys = NULL;
    size_t key_count = 0;
    if (!tablebase) {
        return NULL;
    }
    luft_error error = earlier_keys(&keys, &key_count, game);
    if (!error) {
        begin_call(self);
        Py_BEGIN_ALLOW_THREADS error =
            luft_tablebase_probe_root(&moves, tablebase, &position, keys, key_count, fifty_move_rule != 0);
        Py_END_ALLOW_THREADS end_call(self);
    }
    free(keys);
    return error ? fail_probe(error, &position) : move_list(&moves);
}

/* --- The type -------------------------------------------------------------------------------- */

static PyGetSetDef prober_properties[] = {
    {"is_closed", prober_is_closed, NULL, NULL, NULL},
    {"largest", prober_largest, NULL,
     "The number of pieces of the largest WDL table, 0 without any. Positions with more are not in it.", NULL},
    {"tables", prober_tables, NULL, "All tables, damaged ones included; those with fewer pieces first. A new list.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef prober_methods[] = {
    {"probe_wdl", prober_probe_wdl, METH_O,
     "The result for the side to move, a TablebaseResult, if the halfmove clock is 0.\n\n"
     "Raises MissingTableError if a table is missing, or if the position has castling rights."},
    {"probe_dtz", prober_probe_dtz, METH_O,
     "The distance in plies to the next capture, pawn move or mate on the way to the best result.\n\n"
     "Positive if the side to move wins, negative if it loses, 0 for a draw; beyond 100 if the fifty-move rule draws.\n"
     "It can be one ply too short. Raises MissingTableError as probe_wdl does."},
    {"probe_root", CORE_METHOD(prober_probe_root), METH_VARARGS | METH_KEYWORDS,
     "All legal moves of a Position or a Game, the best first: a list of TablebaseMove.\n\n"
     "Counts the halfmove clock and, in a Game, repetitions. Whoever always plays the first move reaches the best\n"
     "result. fifty_move_rule=False counts a win that takes too long as a win."},
    {"close", prober_close, METH_NOARGS, "Closes the files. Calls that run in other threads end first."},
    {"_check", prober_check, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot prober_slots[] = {
    {Py_tp_new, prober_new},           {Py_tp_dealloc, prober_dealloc}, {Py_tp_methods, prober_methods},
    {Py_tp_getset, prober_properties}, {Py_mp_length, prober_length},   {0, NULL},
};

PyType_Spec core_prober_spec = {"luft._core.TableProber", sizeof(prober_object), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, prober_slots};
