/* SPDX-License-Identifier: MIT */
/*
 * Many positions at once. They cross the border as `words`: bytes objects that
 * hold luft_position structs. They are immutable, so what was valid when it was
 * made stays valid. luft/_batch.py and luft/_pgn.py wrap these functions; other
 * threads run while they work.
 */
#include "core.h"

#include <stdlib.h>

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
