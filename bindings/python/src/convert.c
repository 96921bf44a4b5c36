/* SPDX-License-Identifier: MIT */
/*
 * Arguments from Python and results to Python: errors, text, squares, colours and
 * moves. Every method of the module checks its arguments here and nowhere else.
 */
#include "core.h"

#include <stdarg.h>

/* --- Errors ------------------------------------------------------------------ */

static PyObject *raise_luft_error(luft_error error, PyObject *detail, unsigned status) {
    if (error == LUFT_ERROR_MEMORY) {
        Py_XDECREF(detail);
        return PyErr_NoMemory();
    }
    if (!detail) {
        return NULL;
    }
    PyObject *type = error == LUFT_ERROR_MISSING ? core.missing_table : core.error;
    PyObject *exception = PyObject_CallFunction(type, "iOI", (int)error, detail, status);
    Py_DECREF(detail);
    if (exception) {
        PyErr_SetObject(type, exception);
        Py_DECREF(exception);
    }
    return NULL;
}

PyObject *core_fail(luft_error error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    PyObject *detail = PyUnicode_FromFormatV(format, arguments);
    va_end(arguments);
    return raise_luft_error(error, detail, 0);
}

PyObject *core_fail_report(const luft_fen_report *report, PyObject *text) {
    PyObject *detail = report->error == LUFT_ERROR_POSITION
                           ? PyUnicode_FromFormat("%s (%.120R)", report->reason, text)
                           : PyUnicode_FromFormat("%s (byte %zu of %.120R)", report->reason, report->offset, text);
    return raise_luft_error(report->error, detail, report->status);
}

PyObject *core_fail_move(luft_error error, PyObject *move, const luft_position *position) {
    char fen[LUFT_FEN_SIZE];
    luft_position_to_fen(fen, sizeof fen, position, LUFT_FEN_STANDARD);
    return core_fail(error, PyUnicode_Check(move) ? "%.120R in %s" : "%.120S in %s", move, fen);
}

/* --- Arguments ---------------------------------------------------------------- */

bool core_text_of(core_text *text, PyObject *object) {
    text->owner = NULL;
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "expected a str, got %R", (PyObject *)Py_TYPE(object));
        return false;
    }
    text->bytes = PyUnicode_AsUTF8AndSize(object, &text->length);
    if (text->bytes) {
        return true;
    }
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
        return false;
    }
    PyErr_Clear();
    text->owner = PyUnicode_AsEncodedString(object, "utf-8", "replace");
    char *bytes = NULL;
    if (!text->owner || PyBytes_AsStringAndSize(text->owner, &bytes, &text->length)) {
        Py_CLEAR(text->owner);
        return false;
    }
    text->bytes = bytes;
    return true;
}

void core_text_free(core_text *text) {
    Py_CLEAR(text->owner);
}

bool core_int(int *number, PyObject *object) {
    PyObject *index = PyNumber_Index(object);
    if (!index) {
        return false;
    }
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(index, &overflow);
    Py_DECREF(index);
    *number = overflow ? (overflow > 0 ? INT_MAX : INT_MIN)
                       : (int)(value > INT_MAX ? INT_MAX : (value < INT_MIN ? INT_MIN : value));
    return true;
}

bool core_square(luft_square *square, PyObject *object) {
    if (PyUnicode_Check(object)) {
        core_text text;
        if (!core_text_of(&text, object)) {
            return false;
        }
        const luft_error error = luft_square_from_text(square, text.bytes, (size_t)text.length);
        core_text_free(&text);
        if (error) {
            PyErr_Format(PyExc_ValueError, "not a square: %.120R", object);
        }
        return error == LUFT_OK;
    }
    int number = 0;
    if (!core_int(&number, object)) {
        return false;
    }
    *square = number >= 0 && number < 64 ? (luft_square)number : LUFT_NO_SQUARE;
    return true;
}

bool core_board_square(luft_square *square, PyObject *object) {
    if (!core_square(square, object)) {
        return false;
    }
    if (*square == LUFT_NO_SQUARE) {
        PyErr_Format(PyExc_ValueError, "not a square: %.120R", object);
    }
    return *square != LUFT_NO_SQUARE;
}

bool core_color(luft_color *color, PyObject *object) {
    int number = 0;
    if (!core_int(&number, object)) {
        return false;
    }
    if (number != LUFT_WHITE && number != LUFT_BLACK) {
        core_fail(LUFT_ERROR_ARGUMENT, "not a colour: %R", object);
        return false;
    }
    *color = (luft_color)number;
    return true;
}

bool core_set(luft_bitboard *set, PyObject *object) {
    if (Py_TYPE(object) == core.set_type) {
        *set = core_set_value(object);
        return true;
    }
    PyObject *index = PyNumber_Index(object);
    if (!index) {
        return false;
    }
    *set = PyLong_AsUnsignedLongLong(index);
    Py_DECREF(index);
    if (PyErr_Occurred()) {
        PyErr_Format(PyExc_ValueError, "not a set of squares: %.120R", object);
        return false;
    }
    return true;
}

bool core_target(luft_position *position, const struct luft_game **game, PyObject *object) {
    *game = NULL;
    if (PyObject_TypeCheck(object, core.position_type)) {
        *position = *core_position(object);
        return true;
    }
    if (PyObject_TypeCheck(object, core.game_type)) {
        *game = core_game(object);
        *position = *luft_game_position_at(*game, luft_game_ply(*game));
        return true;
    }
    PyErr_Format(PyExc_TypeError, "expected a Position or a Game, got %R", (PyObject *)Py_TYPE(object));
    return false;
}

/* Squares and a promotion, as UCI has them; everything else is read as SAN. */
static bool looks_like_uci(const core_text *text) {
    const char *t = text->bytes;
    return (text->length == 4 || (text->length == 5 && strchr("nbrq", t[4]))) && luft_file_from_letter(t[0]) >= 0 &&
           t[1] >= '1' && t[1] <= '8' && luft_file_from_letter(t[2]) >= 0 && t[3] >= '1' && t[3] <= '8';
}

luft_error core_read_move(luft_move *move, const luft_position *position, const core_text *text) {
    return looks_like_uci(text) ? luft_move_from_uci(move, position, text->bytes, (size_t)text->length)
                                : luft_move_from_san(move, position, text->bytes, (size_t)text->length);
}

/* Reads the text of a move, or what a Move without a position says. */
static bool move_from_text(luft_move *move, PyObject *object, PyObject *words, const luft_position *position) {
    core_text text;
    if (!core_text_of(&text, words)) {
        return false;
    }
    const luft_error error = core_read_move(move, position, &text);
    core_text_free(&text);
    if (error) {
        core_fail_move(error, object, position);
    }
    return error == LUFT_OK;
}

PyObject *core_settled_move(PyObject *object) {
    if (Py_TYPE(object) == core.move_type || PyUnicode_Check(object)) {
        return Py_NewRef(object);
    }
    return PyIndex_Check(object)
               ? PyNumber_Index(object)
               : PyErr_Format(PyExc_TypeError, "expected a Move or its text, got %R", (PyObject *)Py_TYPE(object));
}

bool core_move(luft_move *move, PyObject *object, const luft_position *position) {
    if (Py_TYPE(object) == core.move_type) {
        PyObject *text = NULL;
        if (core_is_text_move(object, &text)) {
            return move_from_text(move, object, text, position);
        }
        *move = core_move_value(object);
        return true;
    }
    if (PyUnicode_Check(object)) {
        return move_from_text(move, object, object, position);
    }
    if (!PyIndex_Check(object)) {
        PyErr_Format(PyExc_TypeError, "expected a Move or its text, got %R", (PyObject *)Py_TYPE(object));
        return false;
    }
    int number = 0;
    if (!core_int(&number, object)) {
        return false;
    }
    if (number < 0 || number >= MOVE_COUNT) {
        core_fail_move(LUFT_ERROR_MOVE_ILLEGAL, object, position);
        return false;
    }
    *move = (luft_move)number;
    return true;
}

bool core_legal_move(luft_move *move, PyObject *object, const luft_position *position) {
    if (!core_move(move, object, position)) {
        return false;
    }
    if (!luft_is_legal(position, *move)) {
        core_fail_move(LUFT_ERROR_MOVE_ILLEGAL, object, position);
        return false;
    }
    return true;
}

/* --- Results ------------------------------------------------------------------ */

PyObject *core_square_object(int square) {
    if (square < 0 || square >= 64) {
        Py_RETURN_NONE;
    }
    return PyLong_FromLong(square);
}

/* Calls tuple.__new__, as the __new__ of a named tuple would, but without the detour through Python. */
PyObject *core_named(PyObject *type, PyObject *items) {
    PyObject *arguments = items ? PyTuple_Pack(1, items) : NULL;
    Py_XDECREF(items);
    if (!arguments) {
        return NULL;
    }
    PyObject *tuple = ((newfunc)PyType_GetSlot(&PyTuple_Type, Py_tp_new))((PyTypeObject *)type, arguments, NULL);
    Py_DECREF(arguments);
    return tuple;
}

PyObject *core_outcome(luft_outcome outcome) {
    PyObject *winner = outcome.winner == LUFT_NO_WINNER ? Py_None : core.color[outcome.winner];
    return core_named(core.outcome, PyTuple_Pack(2, core.termination[outcome.termination], winner));
}

PyObject *core_opening(const luft_opening *opening) {
    return core_named(core.opening, Py_BuildValue("(ss)", opening->eco, opening->name));
}

PyObject *core_attribute(PyObject *object, const char *name) {
    PyObject *interned = PyUnicode_InternFromString(name);
    PyObject *attribute = interned ? PyObject_GetAttr(object, interned) : NULL;
    Py_XDECREF(interned);
    return attribute;
}

bool core_copy_attributes(PyObject *copy, PyObject *self, PyObject *memo) {
    PyObject *attributes = core_attribute(self, "__dict__");
    if (!attributes) {
        PyErr_Clear(); /* only instances of subclasses have one */
        return true;
    }
    PyObject *copied = memo ? core_call("copy", "deepcopy", attributes, memo) : Py_NewRef(attributes);
    PyObject *own = copied ? core_attribute(copy, "__dict__") : NULL;
    const bool is_good = own && PyDict_Update(own, copied) == 0;
    Py_XDECREF(own);
    Py_XDECREF(copied);
    Py_DECREF(attributes);
    return is_good;
}

PyObject *core_call(const char *module, const char *function, PyObject *first, PyObject *second) {
    PyObject *imported = PyImport_ImportModule(module);
    PyObject *callable = imported ? core_attribute(imported, function) : NULL;
    PyObject *result = callable ? PyObject_CallFunctionObjArgs(callable, first, second, NULL) : NULL;
    Py_XDECREF(callable);
    Py_XDECREF(imported);
    return result;
}

PyObject *core_reduce(PyObject *self, const char *method, PyObject *arguments) {
    if (!arguments) {
        return NULL;
    }
    PyObject *callable = core_attribute((PyObject *)Py_TYPE(self), method);
    PyObject *state = callable ? core_attribute(self, "__dict__") : NULL;
    if (callable && !state) { /* only instances of subclasses have one */
        PyErr_Clear();
        state = Py_None;
        Py_INCREF(state);
    }
    return Py_BuildValue("(NNN)", callable, arguments, state);
}
