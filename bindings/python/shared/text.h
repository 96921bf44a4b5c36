/* SPDX-License-Identifier: MIT */
/* Text that goes between C and Python, and files of Python: what luft._core and luft._store have in common. */
#ifndef LUFT_PYTHON_SHARED_TEXT_H
#define LUFT_PYTHON_SHARED_TEXT_H

#ifndef Py_LIMITED_API
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#endif
#include <Python.h>

#include <stdbool.h>

/* Text that grows: zeros at first, freed with free(bytes). */
typedef struct shared_buffer {
    char *bytes;
    size_t length, capacity;
} shared_buffer;

/* A luft_pgn_sink with a shared_buffer as payload. It may run without Python's lock. */
bool shared_append(void *payload, const char *text, size_t length);

/* Text of a PGN, in UTF-8 or else in Latin-1. */
PyObject *shared_text(const char *text, size_t length);

/*
 * Calls `read`, a method of a file in binary mode, for up to `size` bytes: a luft_pgn_source that holds Python's lock.
 * LUFT_PGN_READ_FAILED and an exception on failure.
 */
size_t shared_read(PyObject *read, char *buffer, size_t size);

#endif
