/* SPDX-License-Identifier: MIT */
/*
 * Reading games of a PGN from bytes or from a Python file: many at once into flat
 * arrays, or one by one as trees. luft/_pgn.py wraps the reader; other threads run
 * while it works.
 */
#include "core.h"

#include <stdlib.h>

/*
 * Its read method must not be called from two threads at once, which luft/_pgn.py
 * sees to; close may be called at any time, also by the source while it is being
 * read, and takes effect when the read returns.
 */
typedef struct reader_object {
    PyObject_HEAD PyObject *source; /* bytes, or an object with a method read */
    luft_pgn_reader *reader;
    luft_batch_reader *batch;               /* NULL if games are read as trees */
    luft_batch_games games;                 /* the arrays that are filled again and again */
    PyObject *type, *exception, *traceback; /* what the source has raised, or NULL */
    PyThreadState *thread;                  /* of the thread that reads, while it runs without the lock */
    bool is_reading, is_closing;
} reader_object;

/* What the C reader calls for more bytes. What the source raises waits until the C code has returned. */
static size_t read_source(void *payload, char *buffer, size_t size) {
    reader_object *self = payload;
    PyEval_RestoreThread(self->thread);
    PyObject *read = core_attribute(self->source, "read");
    const size_t length = read ? shared_read(read, buffer, size) : LUFT_PGN_READ_FAILED;
    if (length == LUFT_PGN_READ_FAILED) {
        PyErr_Fetch(&self->type, &self->exception, &self->traceback);
    }
    Py_XDECREF(read);
    self->thread = PyEval_SaveThread();
    return length;
}

static void free_reader(reader_object *self) {
    luft_batch_reader_free(self->batch);
    luft_pgn_reader_free(self->reader);
    free(self->games.games);
    free(self->games.moves);
    free(self->games.text);
    self->batch = NULL;
    self->reader = NULL;
    memset(&self->games, 0, sizeof self->games);
    Py_CLEAR(self->source);
    Py_CLEAR(self->type);
    Py_CLEAR(self->exception);
    Py_CLEAR(self->traceback);
}

/* A source can refer to its reader, so the garbage collector must see the reference to the source. */
static int reader_traverse(PyObject *object, visitproc visit, void *arg) {
    const reader_object *self = (reader_object *)object;
    Py_VISIT((PyObject *)Py_TYPE(object));
    Py_VISIT(self->source);
    Py_VISIT(self->type);
    Py_VISIT(self->exception);
    Py_VISIT(self->traceback);
    return 0;
}

static int reader_clear(PyObject *self) {
    free_reader((reader_object *)self);
    return 0;
}

static void reader_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    free_reader((reader_object *)self);
    PyObject_GC_Del(self);
    Py_DECREF((PyObject *)type);
}

/* The arrays of batches. */
static luft_error open_batches(reader_object *self, size_t games, size_t moves, size_t text) {
    self->games.games = calloc(games, sizeof *self->games.games);
    self->games.moves = calloc(moves, sizeof *self->games.moves);
    self->games.text = calloc(text, 1);
    self->games.game_capacity = games;
    self->games.move_capacity = moves;
    self->games.text_capacity = text;
    if (!self->games.games || !self->games.moves || !self->games.text) {
        return LUFT_ERROR_MEMORY;
    }
    return luft_batch_reader_create(&self->batch, self->reader);
}

static luft_error open_reader(reader_object *self, size_t games, size_t moves, size_t text) {
    const luft_error error = PyBytes_Check(self->source)
                                 ? luft_pgn_reader_create_text(&self->reader, PyBytes_AsString(self->source),
                                                               (size_t)PyBytes_Size(self->source))
                                 : luft_pgn_reader_create(&self->reader, read_source, self);
    return error || games == 0 ? error : open_batches(self, games, moves, text);
}

static PyObject *reader_new(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(names)) {
    PyObject *source = NULL;
    Py_ssize_t games = 0, moves = 0, text = 0;
    if (!PyArg_ParseTuple(arguments, "O|nnn", &source, &games, &moves, &text)) {
        return NULL;
    }
    const bool is_batch = PyTuple_Size(arguments) > 1;
    if (is_batch && (games < 1 || moves < 1 || text < LUFT_BATCH_MIN_TEXT)) {
        return core_fail(LUFT_ERROR_ARGUMENT, "a batch needs room for a game, a move and %d bytes of text",
                         LUFT_BATCH_MIN_TEXT);
    }
    reader_object *self = (reader_object *)PyType_GenericAlloc(type, 0);
    if (!self) {
        return NULL;
    }
    self->source = Py_NewRef(source);
    const luft_error error = open_reader(self, (size_t)games, (size_t)moves, (size_t)text);
    if (error) {
        Py_DECREF((PyObject *)self);
        return core_fail(error, "");
    }
    return (PyObject *)self;
}

/* Raises what the source has raised, if it is time: an interrupt at once, a failure after the games before it. */
static bool raise_failure(reader_object *self, luft_error error) {
    if (!self->type || (error == LUFT_OK && PyErr_GivenExceptionMatches(self->type, PyExc_Exception))) {
        return false;
    }
    PyObject *type = self->type, *exception = self->exception, *traceback = self->traceback;
    self->type = self->exception = self->traceback = NULL;
    free_reader(self);
    PyErr_Restore(type, exception, traceback);
    return true;
}

/* The arrays of a batch that was read. */
static PyObject *batch_tuple(const luft_batch_games *games) {
    return Py_BuildValue("y#y#y#", games->games, (Py_ssize_t)(games->game_count * sizeof *games->games), games->moves,
                         (Py_ssize_t)(games->move_count * sizeof *games->moves), games->text,
                         (Py_ssize_t)games->text_count);
}

/* What a read returned: its result, None at the end and after close, or an exception. Takes over `tree`. */
static PyObject *finish_read(reader_object *self, luft_error error, luft_pgn_game *tree) {
    const bool is_batch = self->batch != NULL;
    /* What a source raises because it was closed is of no interest; an interrupt always is. */
    if (raise_failure(self, self->is_closing ? LUFT_OK : error)) {
        luft_pgn_game_free(tree);
        return NULL;
    }
    if (self->is_closing) {
        luft_pgn_game_free(tree);
        free_reader(self);
        Py_RETURN_NONE;
    }
    if (error) {
        if (error != LUFT_ERROR_OVERFLOW) { /* of one game: the next can be read */
            free_reader(self);
        }
        return error == LUFT_ERROR_END ? Py_NewRef(Py_None) : core_fail(error, "");
    }
    return is_batch ? batch_tuple(&self->games) : core_tree_object(core.tree_type, tree, core.position_type);
}

/* read(): the records, moves and text of the next games as bytes, or the next game as a PgnTree; None after the last. */
static PyObject *reader_read(PyObject *object, PyObject *Py_UNUSED(unused)) {
    reader_object *self = (reader_object *)object;
    luft_pgn_game *tree = NULL;
    if (self->is_reading) {
        return PyErr_Format(PyExc_RuntimeError, "the source of a PgnReader reads from that reader");
    }
    if (!self->reader) {
        Py_RETURN_NONE;
    }
    self->is_reading = true;
    self->thread = PyEval_SaveThread();
    const luft_error error =
        self->batch ? luft_batch_read(&self->games, self->batch) : luft_pgn_game_read(&tree, self->reader);
    PyEval_RestoreThread(self->thread);
    self->is_reading = false;
    return finish_read(self, error, tree);
}

static PyObject *reader_close(PyObject *object, PyObject *Py_UNUSED(unused)) {
    reader_object *self = (reader_object *)object;
    if (self->is_reading) {
        self->is_closing = true;
    } else {
        free_reader(self);
    }
    Py_RETURN_NONE;
}

static PyMethodDef reader_methods[] = {
    {"read", reader_read, METH_NOARGS, NULL},
    {"close", reader_close, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot reader_slots[] = {
    {Py_tp_new, reader_new},     {Py_tp_dealloc, reader_dealloc}, {Py_tp_traverse, reader_traverse},
    {Py_tp_clear, reader_clear}, {Py_tp_methods, reader_methods}, {0, NULL},
};

PyType_Spec core_reader_spec = {"luft._core.Reader", sizeof(reader_object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                                reader_slots};
