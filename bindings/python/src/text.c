/* SPDX-License-Identifier: MIT */
/* EPD lines, and games as PGN text: what luft/_epd.py and luft/_pgn.py wrap. */
#include "core.h"

#include <stdlib.h>

/* --- EPD --------------------------------------------------------------------------- */

/* An operand as (text, quoted). */
static PyObject *read_operand(const luft_epd_operand *operand) {
    char *text = malloc(operand->length + 1);
    if (!text) {
        return PyErr_NoMemory();
    }
    const size_t length = luft_epd_unescape(text, operand->length + 1, operand);
    PyObject *words = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
    free(text);
    return Py_BuildValue("NO", words, operand->quoted ? Py_True : Py_False);
}

/* Appends and releases an item; false if there is none. */
static bool append(PyObject *list, PyObject *item) {
    const bool is_good = item && PyList_Append(list, item) == 0;
    Py_XDECREF(item);
    return is_good;
}

/* An operation as (opcode, operands). */
static PyObject *read_operation(const luft_epd_operation *operation) {
    luft_epd_cursor operands = operation->operands;
    luft_epd_operand operand;
    PyObject *list = PyList_New(0);
    while (list && luft_epd_next_operand(&operand, &operands) == LUFT_OK) {
        if (!append(list, read_operand(&operand))) {
            Py_CLEAR(list);
        }
    }
    return Py_BuildValue("NN", PyUnicode_DecodeUTF8(operation->opcode, (Py_ssize_t)operation->opcode_length, "replace"),
                         list);
}

/* read_epd(line): the position, the en passant square that the line names, and the operations. */
static PyObject *read_epd(PyObject *Py_UNUSED(module), PyObject *line) {
    core_text text;
    luft_position position;
    luft_epd_cursor cursor;
    luft_epd_operation operation;
    luft_fen_report report;
    if (!core_text_of(&text, line)) {
        return NULL;
    }
    PyObject *list = NULL;
    if (luft_epd_read(&position, &cursor, text.bytes, (size_t)text.length, &report)) {
        core_fail_report(&report, line);
    } else {
        list = PyList_New(0);
        while (list && luft_epd_next_operation(&operation, &cursor) == LUFT_OK) {
            if (!append(list, read_operation(&operation))) {
                Py_CLEAR(list);
            }
        }
    }
    core_text_free(&text);
    return list ? Py_BuildValue("NNN", core_position_object(core.position_type, &position),
                                core_square_object(report.ep_square), list)
                : NULL;
}

/* write_operation(opcode, operands as (bytes, quoted)): " bm e4;". */
static PyObject *write_operation(PyObject *Py_UNUSED(module), PyObject *arguments) {
    const char *opcode = NULL;
    PyObject *list = NULL, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "sO!", &opcode, (PyObject *)&PyList_Type, &list)) {
        return NULL;
    }
    const size_t count = (size_t)PyList_Size(list);
    luft_epd_operand *operands = calloc(count + 1, sizeof *operands);
    char *buffer = NULL;
    bool is_good = operands != NULL;
    for (size_t i = 0; is_good && i < count; i++) {
        Py_ssize_t length = 0;
        int quoted = 0;
        is_good = PyArg_ParseTuple(PyList_GetItem(list, (Py_ssize_t)i), "y#p", &operands[i].text, &length, &quoted);
        operands[i].length = (size_t)length;
        operands[i].quoted = quoted != 0;
    }
    if (is_good) {
        const size_t length = luft_epd_write_operation(NULL, 0, opcode, operands, count);
        buffer = malloc(length + 1);
        if (length && buffer) {
            luft_epd_write_operation(buffer, length + 1, opcode, operands, count);
            result = PyUnicode_DecodeUTF8(buffer, (Py_ssize_t)length, "replace");
        } else if (buffer) {
            core_fail(LUFT_ERROR_EPD, "%s cannot be written with these operands", opcode);
        }
    }
    if (!result && !PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    free(buffer);
    free(operands);
    return result;
}

/* --- Writing PGN --------------------------------------------------------------------- */

/* The tags of a list of (name, value) in UTF-8, as bytes objects. */
static luft_pgn_tag *tags_argument(PyObject *list) {
    luft_pgn_tag *tags = calloc((size_t)PyList_Size(list) + 1, sizeof *tags);
    for (Py_ssize_t i = 0; tags && i < PyList_Size(list); i++) {
        Py_ssize_t name_length = 0, value_length = 0;
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "y#y#", &tags[i].name, &name_length, &tags[i].value,
                              &value_length)) {
            free(tags);
            return NULL;
        }
        tags[i].name_length = (size_t)name_length;
        tags[i].value_length = (size_t)value_length;
    }
    return tags;
}

/* Raises the error that names the tag which cannot be written, after a failed luft_pgn_write_tags. */
static void fail_tag(PyObject *list, const luft_pgn_tag *tags, luft_pgn_writer *writer) {
    Py_ssize_t i = 0;
    while (i + 1 < PyList_Size(list) && luft_pgn_write_tags(writer, &tags[i], 1) != LUFT_ERROR_ARGUMENT) {
        i++;
    }
    PyObject *name = PyUnicode_DecodeUTF8(tags[i].name, (Py_ssize_t)tags[i].name_length, "replace");
    if (name) {
        core_fail(LUFT_ERROR_ARGUMENT, "the tag %.120R cannot be written", name);
        Py_DECREF(name);
    }
}

/* write_pgn(tags, start, moves as bytes, result as luft_result): a game in export format. */
static PyObject *write_pgn(PyObject *Py_UNUSED(module), PyObject *arguments) {
    PyObject *list = NULL, *start = NULL, *result = NULL;
    const char *bytes = NULL;
    Py_ssize_t length = 0;
    int marker = 0;
    if (!PyArg_ParseTuple(arguments, "O!Oy#i", (PyObject *)&PyList_Type, &list, &start, &bytes, &length, &marker)) {
        return NULL;
    }
    const luft_position *given = core_position(start);
    luft_pgn_tag *tags = given ? tags_argument(list) : NULL;
    if (!tags) {
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    shared_buffer text = {NULL, 0, 0};
    luft_pgn_writer writer;
    luft_position position = *given;
    luft_pgn_writer_init(&writer, shared_append, &text);
    luft_error error = luft_pgn_write_tags(&writer, tags, (size_t)PyList_Size(list));
    size_t count = (size_t)length / sizeof(luft_move), ply = 0;
    const bool is_bad_tag = error == LUFT_ERROR_ARGUMENT;
    for (; !error && ply < count; ply++) {
        luft_move move;
        memcpy(&move, bytes + ply * sizeof move, sizeof move);
        error = luft_pgn_write_move(&writer, &position, move);
        if (!error) {
            error =
                move == LUFT_MOVE_NONE ? luft_make_null(&position, &position) : luft_play(&position, &position, move);
        }
    }
    error = error ? error : luft_pgn_write_result(&writer, (luft_result)marker);
    if (error == LUFT_ERROR_WRITE) {
        PyErr_NoMemory();
    } else if (is_bad_tag) {
        fail_tag(list, tags, &writer);
    } else if (error) {
        core_fail(error, "move %zu of a game", ply);
    } else {
        result = PyUnicode_DecodeUTF8(text.bytes, (Py_ssize_t)text.length, "replace");
    }
    free(text.bytes);
    free(tags);
    return result;
}

static PyObject *can_cut_pgn(PyObject *Py_UNUSED(module), PyObject *arguments) {
    Py_buffer text;
    Py_ssize_t at = 0;
    if (!PyArg_ParseTuple(arguments, "y*n", &text, &at)) {
        return NULL;
    }
    const bool can_cut = luft_pgn_can_cut(text.buf, (size_t)text.len, (size_t)at);
    PyBuffer_Release(&text);
    return PyBool_FromLong(can_cut);
}

static PyObject *error_string(PyObject *Py_UNUSED(module), PyObject *argument) {
    int code = 0;
    return core_int(&code, argument) ? PyUnicode_FromString(luft_error_string((luft_error)code)) : NULL;
}

PyMethodDef core_text_functions[] = {
    {"read_epd", read_epd, METH_O, NULL},
    {"write_operation", write_operation, METH_VARARGS, NULL},
    {"write_pgn", write_pgn, METH_VARARGS, NULL},
    {"can_cut_pgn", can_cut_pgn, METH_VARARGS,
     "May a PGN be cut before this byte, so that its parts give the games of the whole? Lines that begin a game are\n"
     "such places, unless another tag stands directly above."},
    {"error_string", error_string, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
