/* SPDX-License-Identifier: MIT */
/*
 * Many positions and many games at once. Positions cross the border as `words`:
 * bytes objects that hold luft_position structs. They are immutable, so what was
 * valid when it was made stays valid. luft/_batch.py and luft/_pgn.py wrap these
 * functions; other threads run while they work.
 */
#include "core.h"

#include <stdlib.h>

/* --- Positions ------------------------------------------------------------------------ */

/* Two bytes objects in a tuple, of which the references are stolen. */
static PyObject *pair(PyObject *first, PyObject *second) {
    return Py_BuildValue("NN", first, second);
}

/* A bytes object of zeros to be filled; `memory` is what it holds. */
static PyObject *new_bytes(void **memory, size_t count, size_t size) {
    PyObject *bytes = count <= (size_t)PY_SSIZE_T_MAX / size
                          ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * size))
                          : PyErr_NoMemory();
    *memory = bytes ? PyBytes_AsString(bytes) : NULL;
    return bytes;
}

/* read_positions(text): the words and the errors of lines of FEN. */
static PyObject *read_positions(PyObject *Py_UNUSED(module), PyObject *text) {
    char *bytes = NULL;
    Py_ssize_t length = 0;
    if (PyBytes_AsStringAndSize(text, &bytes, &length)) {
        return NULL;
    }
    size_t lines = 0;
    for (const char *at = bytes, *end = bytes + length; at < end; lines++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    void *positions = NULL, *errors = NULL;
    PyObject *words = new_bytes(&positions, lines, sizeof(luft_position));
    PyObject *codes = words ? new_bytes(&errors, lines, sizeof(luft_error)) : NULL;
    if (!codes) {
        Py_XDECREF(words);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS luft_batch_positions(positions, errors, lines, bytes, (size_t)length, NULL);
    Py_END_ALLOW_THREADS return pair(words, codes);
}

/* The positions that words hold; false and an exception for bytes of another length. */
static bool words_argument(const luft_position **positions, size_t *count, PyObject *words) {
    char *bytes = NULL;
    Py_ssize_t length = 0;
    if (PyBytes_AsStringAndSize(words, &bytes, &length)) {
        return false;
    }
    if (length % (Py_ssize_t)sizeof(luft_position)) {
        PyErr_SetString(PyExc_ValueError, "not the words of positions");
        return false;
    }
    *positions = (const luft_position *)(const void *)bytes; /* the data of a bytes object is aligned to 8 bytes */
    *count = (size_t)length / sizeof(luft_position);
    return true;
}

/* join_positions(iterable): the words of Position objects. */
static PyObject *join_positions(PyObject *Py_UNUSED(module), PyObject *iterable) {
    PyObject *list = PySequence_List(iterable);
    if (!list) {
        return NULL;
    }
    void *memory = NULL;
    const Py_ssize_t count = PyList_Size(list);
    PyObject *words = new_bytes(&memory, (size_t)count, sizeof(luft_position));
    for (Py_ssize_t i = 0; words && i < count; i++) {
        const luft_position *position = core_position(PyList_GetItem(list, i));
        if (position) {
            ((luft_position *)memory)[i] = *position;
        } else {
            Py_CLEAR(words);
        }
    }
    Py_DECREF(list);
    return words;
}

/* position_of(words, index): one of the positions. */
static PyObject *position_of(PyObject *Py_UNUSED(module), PyObject *arguments) {
    PyObject *words = NULL;
    Py_ssize_t index = 0;
    const luft_position *positions = NULL;
    size_t count = 0;
    if (!PyArg_ParseTuple(arguments, "On", &words, &index) || !words_argument(&positions, &count, words)) {
        return NULL;
    }
    if (index < 0 || (size_t)index >= count) {
        return PyErr_Format(PyExc_IndexError, "there is no position %zd", index);
    }
    return core_position_object(core.position_type, &positions[index]);
}

/* are_valid(words, errors): is each position valid where its error is 0, and all zeros elsewhere? For what was pickled. */
static PyObject *are_valid(PyObject *Py_UNUSED(module), PyObject *arguments) {
    static const luft_position nothing;
    PyObject *words = NULL;
    const char *errors = NULL;
    Py_ssize_t length = 0;
    const luft_position *positions = NULL;
    size_t count = 0;
    if (!PyArg_ParseTuple(arguments, "Oy#", &words, &errors, &length) || !words_argument(&positions, &count, words)) {
        return NULL;
    }
    bool is_valid = (size_t)length == count * sizeof(luft_error);
    for (size_t i = 0; is_valid && i < count; i++) {
        luft_error error;
        memcpy(&error, errors + i * sizeof error, sizeof error);
        is_valid = error == LUFT_OK ? luft_position_status(&positions[i]) == LUFT_STATUS_VALID
                                    : memcmp(&positions[i], &nothing, sizeof nothing) == 0;
    }
    return PyBool_FromLong(is_valid);
}

/* legal_moves(words): the moves of all positions, and the offsets of their lists. */
static PyObject *legal_moves(PyObject *Py_UNUSED(module), PyObject *words) {
    const luft_position *positions = NULL;
    size_t count = 0;
    if (!words_argument(&positions, &count, words)) {
        return NULL;
    }
    void *offsets = NULL;
    PyObject *ends = new_bytes(&offsets, count + 1, sizeof(uint64_t));
    if (!ends) {
        return NULL;
    }
    size_t capacity = LUFT_MAX_MOVES + 48 * count; /* mostly enough: positions of games have some 35 moves */
    luft_move *moves = NULL;
    for (;;) {
        luft_move *larger = realloc(moves, capacity * sizeof *moves);
        size_t done = 0;
        if (!larger) {
            free(moves);
            Py_DECREF(ends);
            return PyErr_NoMemory();
        }
        moves = larger;
        Py_BEGIN_ALLOW_THREADS done = luft_batch_legal_moves(moves, capacity, offsets, positions, count);
        Py_END_ALLOW_THREADS if (done == count) {
            break;
        }
        capacity *= 2;
    }
    const size_t total = count ? (size_t)((uint64_t *)offsets)[count] : 0;
    if (count == 0) {
        memset(offsets, 0, sizeof(uint64_t));
    }
    PyObject *values = PyBytes_FromStringAndSize((const char *)moves, (Py_ssize_t)(total * sizeof *moves));
    free(moves);
    return pair(values, ends);
}

/* perfts(words, depth): the perft of each position. */
static PyObject *perfts(PyObject *Py_UNUSED(module), PyObject *arguments) {
    PyObject *words = NULL, *given = NULL;
    const luft_position *positions = NULL;
    size_t count = 0;
    int depth = 0;
    if (!PyArg_ParseTuple(arguments, "OO", &words, &given) || !words_argument(&positions, &count, words) ||
        !core_int(&depth, given)) {
        return NULL;
    }
    void *counts = NULL;
    PyObject *result = new_bytes(&counts, count, sizeof(uint64_t));
    if (!result || count == 0) {
        return result;
    }
    luft_error error = LUFT_OK;
    Py_BEGIN_ALLOW_THREADS error = luft_batch_perft(counts, positions, count, depth);
    Py_END_ALLOW_THREADS if (error) {
        Py_DECREF(result);
        return core_fail(error, "depth %R", given);
    }
    return result;
}

/* play_line(position, moves as bytes): the words of the positions after each move. */
static PyObject *play_line(PyObject *Py_UNUSED(module), PyObject *arguments) {
    PyObject *start = NULL;
    const char *bytes = NULL;
    Py_ssize_t length = 0;
    if (!PyArg_ParseTuple(arguments, "Oy#", &start, &bytes, &length)) {
        return NULL;
    }
    const luft_position *given = core_position(start);
    if (!given) {
        return NULL;
    }
    const luft_position position = *given;
    const size_t count = (size_t)length / sizeof(luft_move);
    const luft_move *moves = (const luft_move *)(const void *)bytes;
    void *memory = NULL;
    PyObject *words = new_bytes(&memory, count, sizeof(luft_position));
    if (!words) {
        return NULL;
    }
    size_t played = 0;
    Py_BEGIN_ALLOW_THREADS played = luft_batch_line(memory, &position, moves, count);
    Py_END_ALLOW_THREADS if (played < count) {
        char fen[LUFT_FEN_SIZE], uci[LUFT_UCI_MOVE_SIZE];
        Py_DECREF(words);
        luft_position_to_fen(fen, sizeof fen, &position, LUFT_FEN_STANDARD);
        luft_move_to_uci(uci, sizeof uci, moves[played], LUFT_CASTLING_STANDARD);
        return core_fail(LUFT_ERROR_MOVE_ILLEGAL, "%s, number %zu of a line from %s", uci, played + 1, fen);
    }
    return words;
}

/* moves_of(bytes): the moves with these numbers, a list. */
static PyObject *moves_of(PyObject *Py_UNUSED(module), PyObject *values) {
    char *bytes = NULL;
    Py_ssize_t length = 0;
    if (PyBytes_AsStringAndSize(values, &bytes, &length)) {
        return NULL;
    }
    return core_move_list((const luft_move *)(const void *)bytes, (size_t)length / sizeof(luft_move));
}

/* --- Games of a PGN ---------------------------------------------------------------------- */

/*
 * Reads games in batches. Its read method must not be called from two threads at
 * once, which luft.PgnReader sees to; close may be called at any time, also by the
 * source while it is being read, and takes effect when the read returns.
 */
typedef struct reader_object {
    PyObject_HEAD PyObject *source; /* bytes, or an object with a method read */
    luft_pgn_reader *reader;
    luft_batch_reader *batch;
    luft_batch_games games;                 /* the arrays that are filled again and again */
    PyObject *type, *exception, *traceback; /* what the source has raised, or NULL */
    PyThreadState *thread;                  /* of the thread that reads, while it runs without the lock */
    bool is_reading, is_closing;
} reader_object;

/* What the C reader calls for more bytes. What the source raises waits until the C code has returned. */
static size_t read_source(void *payload, char *buffer, size_t size) {
    reader_object *self = payload;
    size_t length = LUFT_PGN_READ_FAILED;
    PyEval_RestoreThread(self->thread);
    PyObject *read = core_attribute(self->source, "read");
    PyObject *data = read ? PyObject_CallFunction(read, "n", (Py_ssize_t)size) : NULL;
    Py_XDECREF(read);
    if (data && PyBytes_Check(data) && (size_t)PyBytes_Size(data) <= size) {
        length = (size_t)PyBytes_Size(data);
        memcpy(buffer, PyBytes_AsString(data), length);
    } else {
        if (data) {
            PyErr_SetString(PyExc_TypeError, "a PGN is read from a file that is open in binary mode");
        }
        PyErr_Fetch(&self->type, &self->exception, &self->traceback);
    }
    Py_XDECREF(data);
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

static luft_error open_reader(reader_object *self, size_t games, size_t moves, size_t text) {
    self->games.games = calloc(games, sizeof *self->games.games);
    self->games.moves = calloc(moves, sizeof *self->games.moves);
    self->games.text = calloc(text, 1);
    self->games.game_capacity = games;
    self->games.move_capacity = moves;
    self->games.text_capacity = text;
    if (!self->games.games || !self->games.moves || !self->games.text) {
        return LUFT_ERROR_MEMORY;
    }
    const luft_error error = PyBytes_Check(self->source)
                                 ? luft_pgn_reader_create_text(&self->reader, PyBytes_AsString(self->source),
                                                               (size_t)PyBytes_Size(self->source))
                                 : luft_pgn_reader_create(&self->reader, read_source, self);
    return error ? error : luft_batch_reader_create(&self->batch, self->reader);
}

static PyObject *reader_new(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(names)) {
    PyObject *source = NULL;
    Py_ssize_t games = 0, moves = 0, text = 0;
    if (!PyArg_ParseTuple(arguments, "Onnn", &source, &games, &moves, &text)) {
        return NULL;
    }
    if (games < 1 || moves < 1 || text < LUFT_BATCH_MIN_TEXT) {
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

/* read(): the records, moves and text of the next games as bytes; None after the last and after close. */
static PyObject *reader_read(PyObject *object, PyObject *Py_UNUSED(unused)) {
    reader_object *self = (reader_object *)object;
    if (self->is_reading) {
        return PyErr_Format(PyExc_RuntimeError, "the source of a PgnReader reads from that reader");
    }
    if (!self->batch) {
        Py_RETURN_NONE;
    }
    self->is_reading = true;
    self->thread = PyEval_SaveThread();
    const luft_error error = luft_batch_read(&self->games, self->batch);
    PyEval_RestoreThread(self->thread);
    self->is_reading = false;
    const luft_batch_games *games = &self->games;
    /* What a source raises because it was closed is of no interest; an interrupt always is. */
    if (raise_failure(self, self->is_closing ? LUFT_OK : error)) {
        return NULL;
    }
    if (self->is_closing) {
        free_reader(self);
        Py_RETURN_NONE;
    }
    if (error) {
        free_reader(self);
        return error == LUFT_ERROR_END ? Py_NewRef(Py_None) : core_fail(error, "");
    }
    return Py_BuildValue("y#y#y#", games->games, (Py_ssize_t)(games->game_count * sizeof *games->games), games->moves,
                         (Py_ssize_t)(games->move_count * sizeof *games->moves), games->text,
                         (Py_ssize_t)games->text_count);
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

PyType_Spec core_reader_spec = {"luft._core.BatchReader", sizeof(reader_object), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, reader_slots};

PyMethodDef core_batch_functions[] = {
    {"read_positions", read_positions, METH_O, NULL},
    {"join_positions", join_positions, METH_O, NULL},
    {"position_of", position_of, METH_VARARGS, NULL},
    {"are_valid", are_valid, METH_VARARGS, NULL},
    {"legal_moves", legal_moves, METH_O, NULL},
    {"perfts", perfts, METH_VARARGS, NULL},
    {"play_line", play_line, METH_VARARGS, NULL},
    {"moves_of", moves_of, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
