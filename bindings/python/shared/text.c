/* SPDX-License-Identifier: MIT */
#include "text.h"

#include "luft/luft.h"

#include <stdlib.h>
#include <string.h>

bool shared_append(void *payload, const char *text, size_t length) {
    shared_buffer *all = payload;
    if (length >= all->capacity - all->length) {
        const size_t capacity = 2 * (all->length + length) + 256;
        char *larger = realloc(all->bytes, capacity);
        if (!larger) {
            return false;
        }
        all->bytes = larger;
        all->capacity = capacity;
    }
    memcpy(all->bytes + all->length, text, length);
    all->length += length;
    return true;
}

PyObject *shared_text(const char *text, size_t length) {
    PyObject *words = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "strict");
    if (!words && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) {
        PyErr_Clear();
        words = PyUnicode_DecodeLatin1(text, (Py_ssize_t)length, "strict");
    }
    return words;
}

size_t shared_read(PyObject *read, char *buffer, size_t size) {
    size_t length = LUFT_PGN_READ_FAILED;
    PyObject *data = PyObject_CallFunction(read, "n", (Py_ssize_t)size);
    if (data && PyBytes_Check(data) && (size_t)PyBytes_Size(data) <= size) {
        length = (size_t)PyBytes_Size(data);
        memcpy(buffer, PyBytes_AsString(data), length);
    } else if (data) {
        PyErr_SetString(PyExc_TypeError, "a PGN is read from a file that is open in binary mode");
    }
    Py_XDECREF(data);
    return length;
}
