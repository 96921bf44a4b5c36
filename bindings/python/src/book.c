/* SPDX-License-Identifier: MIT */
/*
 * luft._core.BookView: a luft_book, of which luft/_book.py makes luft.Book; and
 * the entries of books. A book is in memory once it is open, so its methods are
 * short and keep Python's lock.
 */
#include "core.h"

#include <stdlib.h>

typedef struct book_object {
    PyObject_HEAD luft_book *book; /* NULL once it is closed */
} book_object;

/* --- Life ------------------------------------------------------------------------------ */

static PyObject *fail_book(const luft_book_report *report, PyObject *source, bool is_path) {
    PyObject *name =
        is_path ? PyUnicode_DecodeFSDefault(PyBytes_AsString(source)) : PyUnicode_FromString("the bytes given");
    if (name && report->offset) {
        core_fail(report->error, "%s (byte %zu of %S)", report->reason, report->offset, name);
    } else if (name) {
        core_fail(report->error, "%s (%S)", report->reason, name);
    }
    Py_XDECREF(name);
    return NULL;
}

/* BookView(source, is_path): the bytes of a book, or the path of its file as bytes. */
static PyObject *book_new(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(names)) {
    PyObject *source = NULL;
    int is_path = 0;
    luft_book *book = NULL;
    luft_book_report report;
    luft_error error = LUFT_OK;
    if (!PyArg_ParseTuple(arguments, "Sp", &source, &is_path)) {
        return NULL;
    }
    const char *bytes = PyBytes_AsString(source);
    const size_t length = (size_t)PyBytes_Size(source);
    Py_BEGIN_ALLOW_THREADS error =
        is_path ? luft_book_open(&book, bytes, &report) : luft_book_open_bytes(&book, bytes, length, &report);
    Py_END_ALLOW_THREADS if (error) {
        return fail_book(&report, source, is_path != 0);
    }
    book_object *self = (book_object *)PyType_GenericAlloc(type, 0);
    if (!self) {
        luft_book_free(book);
        return NULL;
    }
    self->book = book;
    return (PyObject *)self;
}

static void free_book(book_object *self) {
    luft_book_free(self->book);
    self->book = NULL;
}

static void book_dealloc(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    free_book((book_object *)object);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF((PyObject *)type);
}

static PyObject *book_close(PyObject *self, PyObject *Py_UNUSED(unused)) {
    free_book((book_object *)self);
    Py_RETURN_NONE;
}

static PyObject *book_is_closed(PyObject *self, void *Py_UNUSED(unused)) {
    return PyBool_FromLong(((book_object *)self)->book == NULL);
}

/* The book if it is open; else NULL and an exception. */
static const luft_book *open_book(PyObject *self) {
    const luft_book *book = ((book_object *)self)->book;
    if (!book) {
        PyErr_SetString(PyExc_ValueError, "the book is closed");
    }
    return book;
}

/* --- Moves of a position -------------------------------------------------------------------- */

/* The en passant square: what the caller names, or else what the last move of a game passed over. */
static bool ep_of_target(luft_square *square, PyObject *where, const luft_position *position, const luft_game *game) {
    if (where == Py_None && game && luft_game_ply(game) > 0) {
        *square = luft_move_ep_square(luft_game_move_at(game, luft_game_ply(game) - 1));
        return true;
    }
    return core_ep_square(square, where, position);
}

static bool find_moves(luft_book_moves *moves, PyObject *self, PyObject *target, PyObject *where) {
    luft_position position;
    const luft_game *game = NULL;
    luft_square square = LUFT_NO_SQUARE;
    if (!core_target(&position, &game, target) || !ep_of_target(&square, where, &position, game)) {
        return false;
    }
    const luft_book *book = open_book(self);
    luft_book_find(moves, book, &position, square);
    return book != NULL;
}

static PyObject *book_find_all(PyObject *self, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"position", "en_passant", NULL};
    PyObject *target = NULL, *where = Py_None;
    luft_book_moves moves;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|$O:find_all", keywords, &target, &where) ||
        !find_moves(&moves, self, target, where)) {
        return NULL;
    }
    PyObject *list = PyList_New(moves.count);
    for (int i = 0; list && i < moves.count; i++) {
        const luft_book_move *move = &moves.moves[i];
        PyObject *object =
            core_named(core.book_move, Py_BuildValue("(NII)", core_move_object(move->move), move->weight, move->learn));
        if (!object || PyList_SetItem(list, i, object)) {
            Py_CLEAR(list);
        }
    }
    return list;
}

/* _pick(position, number, en_passant): the move that a random number of 64 bits picks, or None. */
static PyObject *book_pick(PyObject *self, PyObject *arguments) {
    PyObject *target = NULL, *where = NULL;
    unsigned long long number = 0;
    luft_book_moves moves;
    if (!PyArg_ParseTuple(arguments, "OKO", &target, &number, &where) || !find_moves(&moves, self, target, where)) {
        return NULL;
    }
    const luft_move move = luft_book_pick(&moves, number);
    return move == LUFT_MOVE_NONE ? Py_NewRef(Py_None) : core_move_object(move);
}

/* --- Entries ---------------------------------------------------------------------------------- */

static PyObject *entry_object(const luft_book_entry *entry) {
    return core_named(core.book_entry, Py_BuildValue("(KiiI)", (unsigned long long)entry->key, (int)entry->move,
                                                     (int)entry->weight, entry->learn));
}

static Py_ssize_t book_length(PyObject *self) {
    const luft_book *book = open_book(self);
    return book ? (Py_ssize_t)luft_book_entry_count(book) : -1;
}

static PyObject *book_item(PyObject *self, PyObject *argument) {
    const Py_ssize_t given = PyNumber_AsSsize_t(argument, PyExc_IndexError);
    luft_book_entry entry;
    if (given == -1 && PyErr_Occurred()) {
        return NULL;
    }
    const luft_book *book = open_book(self);
    if (!book) {
        return NULL;
    }
    const Py_ssize_t index = given < 0 ? given + (Py_ssize_t)luft_book_entry_count(book) : given;
    return index >= 0 && luft_book_entry_at(&entry, book, (size_t)index)
               ? entry_object(&entry)
               : PyErr_Format(PyExc_IndexError, "the book has no entry %zd", given);
}

static bool append_bytes(void *payload, const void *bytes, size_t length) {
    return shared_append(payload, bytes, length);
}

static PyObject *finish_bytes(shared_buffer *buffer, luft_error error) {
    PyObject *bytes = error ? core_fail(error == LUFT_ERROR_WRITE ? LUFT_ERROR_MEMORY : error, "")
                            : PyBytes_FromStringAndSize(buffer->bytes, (Py_ssize_t)buffer->length);
    free(buffer->bytes);
    return bytes;
}

static PyObject *book_bytes(PyObject *self, PyObject *Py_UNUSED(unused)) {
    const luft_book *book = open_book(self);
    shared_buffer buffer = {NULL, 0, 0};
    luft_book_writer writer;
    luft_book_entry entry;
    luft_error error = LUFT_OK;
    luft_book_writer_init(&writer, append_bytes, &buffer);
    for (size_t i = 0; !error && luft_book_entry_at(&entry, book, i); i++) {
        error = luft_book_write(&writer, &entry);
    }
    return book ? finish_bytes(&buffer, error) : NULL;
}

/* An integer from 0 to `largest`. */
static bool read_number(uint64_t *number, PyObject *object, uint64_t largest, const char *name) {
    PyObject *index = PyNumber_Index(object);
    if (!index) {
        return false;
    }
    *number = PyLong_AsUnsignedLongLong(index);
    Py_DECREF(index);
    if (PyErr_Occurred() || *number > largest) {
        PyErr_Clear(); /* a negative number, or one of more than 64 bits */
        core_fail(LUFT_ERROR_ARGUMENT, "%s: expected an integer from 0 to %llu, got %R", name,
                  (unsigned long long)largest, object);
        return false;
    }
    return true;
}

static bool read_entry(luft_book_entry *entry, PyObject *object) {
    PyObject *key = NULL, *move = NULL, *weight = NULL, *learn = NULL;
    uint64_t numbers[4];
    if (!PyTuple_Check(object) || PyTuple_Size(object) != 4) {
        PyErr_Format(PyExc_TypeError, "expected a BookEntry, got %R", object);
        return false;
    }
    if (!PyArg_ParseTuple(object, "OOOO", &key, &move, &weight, &learn) ||
        !read_number(&numbers[0], key, UINT64_MAX, "key") || !read_number(&numbers[1], move, UINT16_MAX, "raw_move") ||
        !read_number(&numbers[2], weight, UINT16_MAX, "weight") ||
        !read_number(&numbers[3], learn, UINT32_MAX, "learn")) {
        return false;
    }
    *entry = (luft_book_entry){numbers[0], (uint16_t)numbers[1], (uint16_t)numbers[2], (uint32_t)numbers[3]};
    return true;
}

/* write_book(entries): the bytes of a book with these entries, a list that is sorted by key. */
static PyObject *write_book(PyObject *Py_UNUSED(module), PyObject *list) {
    shared_buffer buffer = {NULL, 0, 0};
    luft_book_writer writer;
    luft_book_entry entry;
    luft_error error = LUFT_OK;
    luft_book_writer_init(&writer, append_bytes, &buffer);
    PyObject *entries = PySequence_Tuple(list); /* reading an entry can call Python code, which could change a list */
    for (Py_ssize_t i = 0; entries && !error && i < PyTuple_Size(entries); i++) {
        if (!read_entry(&entry, PyTuple_GetItem(entries, i))) {
            Py_CLEAR(entries);
            break;
        }
        error = luft_book_write(&writer, &entry);
    }
    if (!entries) {
        free(buffer.bytes);
        return NULL;
    }
    Py_DECREF(entries);
    return finish_bytes(&buffer, error);
}

/* book_entry(position, move, weight, learn, en_passant): a BookEntry. */
static PyObject *book_entry(PyObject *Py_UNUSED(module), PyObject *arguments) {
    PyObject *target = NULL, *given = NULL, *weight = NULL, *learn = NULL, *where = NULL;
    luft_position position;
    const luft_game *game = NULL;
    luft_square square = LUFT_NO_SQUARE;
    luft_move move = LUFT_MOVE_NONE;
    uint64_t numbers[2];
    luft_book_entry entry;
    if (!PyArg_ParseTuple(arguments, "OOOOO", &target, &given, &weight, &learn, &where) ||
        !core_target(&position, &game, target) || !ep_of_target(&square, where, &position, game) ||
        !core_legal_move(&move, given, &position) || !read_number(&numbers[0], weight, UINT16_MAX, "weight") ||
        !read_number(&numbers[1], learn, UINT32_MAX, "learn")) {
        return NULL;
    }
    const luft_error error = luft_book_make_entry(&entry, &position, square, move, (uint16_t)numbers[0]);
    if (error) {
        return core_fail_move(error, given, &position);
    }
    entry.learn = (uint32_t)numbers[1];
    return entry_object(&entry);
}

/* --- The type -------------------------------------------------------------------------------- */

static PyGetSetDef book_properties[] = {
    {"is_closed", book_is_closed, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef book_methods[] = {
    {"find_all", CORE_METHOD(book_find_all), METH_VARARGS | METH_KEYWORDS,
     "The legal moves that the book has in a Position or a Game, the highest weight first: a list of BookMove.\n\n"
     "The key of the format counts a double push beside a pawn that may not capture. A Game knows its last move;\n"
     "for a Position, `en_passant` is the last move or the square that it passed over."},
    {"_pick", book_pick, METH_VARARGS, NULL},
    {"close", book_close, METH_NOARGS, "Frees the book."},
    {"__bytes__", book_bytes, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot book_slots[] = {
    {Py_tp_new, book_new},
    {Py_tp_dealloc, book_dealloc},
    {Py_tp_methods, book_methods},
    {Py_tp_getset, book_properties},
    {Py_mp_length, book_length},
    {Py_mp_subscript, book_item},
    {0, NULL},
};

PyType_Spec core_book_spec = {"luft._core.BookView", sizeof(book_object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                              book_slots};

PyMethodDef core_book_functions[] = {
    {"book_entry", book_entry, METH_VARARGS, NULL},
    {"write_book", write_book, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
