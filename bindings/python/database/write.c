/* SPDX-License-Identifier: MIT */
/* Adding games to a database: a PGN, from bytes or from a Python file, into one transaction. */
#include "store.h"

#define BATCH_MAX ((size_t)4 << 20) /* bytes of a batch that is added before the next game is read */

/* What games are read from. */
typedef struct pgn_file {
    PyObject *read;        /* a method of the caller's file */
    PyThreadState *thread; /* of the caller, while other threads run */
} pgn_file;

/* What the method raises waits until the C code has returned. */
static size_t read_file(void *payload, char *buffer, size_t size) {
    pgn_file *file = payload;
    PyEval_RestoreThread(file->thread);
    const size_t length = PyErr_Occurred() ? LUFT_PGN_READ_FAILED : shared_read(file->read, buffer, size);
    file->thread = PyEval_SaveThread();
    return length;
}

/* Reads all games; `read` counts them. */
static luft_error add_all(luft_database_counts *counts, uint64_t *read, luft_database *database,
                          luft_pgn_reader *reader, luft_database_batch *batch, bool keep_duplicates) {
    const luft_pgn_visitor visitor = luft_database_batch_visitor();
    luft_error error = LUFT_OK;
    while (error == LUFT_OK) {
        error = luft_pgn_read_game(reader, &visitor, batch);
        *read += error == LUFT_OK;
        const luft_error failed = luft_database_batch_error(batch);
        error = failed != LUFT_OK ? failed : error;
        if (error == LUFT_ERROR_END || (error == LUFT_OK && luft_database_batch_size(batch) > BATCH_MAX)) {
            const luft_error added = luft_database_append(database, batch, keep_duplicates, counts);
            luft_database_batch_clear(batch);
            error = added != LUFT_OK ? added : error;
        }
    }
    return error == LUFT_ERROR_END ? LUFT_OK : error;
}

/* add(source, keep_broken, keep_duplicates): (games read, added, duplicates). The source is bytes or a read method. */
PyObject *store_add(store_object *self, PyObject *arguments) {
    PyObject *source = NULL;
    int keep_broken = 0, keep_duplicates = 0;
    uint64_t read = 0;
    luft_database_counts counts = {0};
    luft_pgn_reader *reader = NULL;
    luft_database_batch *batch = NULL;
    if (!PyArg_ParseTuple(arguments, "Opp", &source, &keep_broken, &keep_duplicates)) {
        return NULL;
    }
    pgn_file file = {.read = source};
    luft_error error = PyBytes_Check(source) ? luft_pgn_reader_create_text(&reader, PyBytes_AsString(source),
                                                                           (size_t)PyBytes_Size(source))
                                             : luft_pgn_reader_create(&reader, read_file, &file);
    error = error != LUFT_OK
                ? error
                : luft_database_batch_create(&batch, keep_broken ? LUFT_DATABASE_KEEP_START : LUFT_DATABASE_LEAVE_OUT);
    file.thread = PyEval_SaveThread();
    error = error != LUFT_OK ? error : add_all(&counts, &read, self->database, reader, batch, keep_duplicates != 0);
    PyEval_RestoreThread(file.thread);
    luft_pgn_reader_free(reader);
    luft_database_batch_free(batch);
    return error != LUFT_OK ? store_failed(error, self)
                            : Py_BuildValue("KKK", (unsigned long long)read, (unsigned long long)counts.added,
                                            (unsigned long long)counts.duplicates);
}

PyObject *store_begin(store_object *self, PyObject *Py_UNUSED(unused)) {
    luft_error error;
    Py_BEGIN_ALLOW_THREADS error = luft_database_begin(self->database);
    Py_END_ALLOW_THREADS return error != LUFT_OK ? store_failed(error, self) : Py_NewRef(Py_None);
}

/* commit(threads, statistics) */
PyObject *store_commit(store_object *self, PyObject *arguments) {
    int threads = 1, statistics = 1;
    luft_error error;
    if (!PyArg_ParseTuple(arguments, "ip", &threads, &statistics)) {
        return NULL;
    }
    const luft_database_build build = {.threads = threads, .skip = !statistics, .progress = store_progress};
    Py_BEGIN_ALLOW_THREADS error = luft_database_commit(self->database, &build);
    Py_END_ALLOW_THREADS return error != LUFT_OK ? store_failed(error, self) : Py_NewRef(Py_None);
}
