/* SPDX-License-Identifier: MIT */
/*
 * luft._store, the compiled part of luft.Database: what its files share. It is a module of its own because it needs
 * SQLite, which luft._core does not. It knows none of the types of luft._core: positions come as FEN, games go as PGN,
 * moves as numbers, and luft/_database.py makes values of them.
 */
#ifndef LUFT_PYTHON_STORE_H
#define LUFT_PYTHON_STORE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include "../shared/text.h"
#include "luft/database.h"

typedef struct store_object {
    PyObject_HEAD luft_database *database; /* NULL once it is closed */
} store_object;

/* Raises LuftError, or MemoryError for LUFT_ERROR_MEMORY, with this detail. Returns NULL. */
PyObject *store_fail(luft_error error, const char *detail);

/* The same with the reason of the database. What a signal handler has raised stays. */
PyObject *store_failed(luft_error error, const store_object *self);

/* A luft_database_progress that lets Python handle signals; false if a handler raises. */
bool store_progress(void *payload, double done);

/* Sets an item of a new list, which it steals; false if it is NULL. */
bool store_put(PyObject *list, Py_ssize_t index, PyObject *item);

/*
 * Reads a filter: the tuple of luft_database_filter's fields in their order, the colour last, -1 for none. Texts belong
 * to the tuple. False and an exception on failure.
 */
bool store_filter(luft_database_filter *filter, PyObject *tuple);

/* Methods: read.c, write.c. Called with a store that is open. */
PyObject *store_explore(store_object *self, PyObject *arguments);
PyObject *store_search(store_object *self, PyObject *arguments);
PyObject *store_pgn(store_object *self, PyObject *arguments);
PyObject *store_columns(store_object *self, PyObject *arguments);
PyObject *store_begin(store_object *self, PyObject *arguments);
PyObject *store_add(store_object *self, PyObject *arguments);
PyObject *store_commit(store_object *self, PyObject *arguments);

#endif
