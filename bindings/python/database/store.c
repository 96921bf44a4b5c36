/* SPDX-License-Identifier: MIT */
/* luft._store.Store: a luft_database that is opened and closed. luft/_database.py holds a lock around each call. */
#include "store.h"

#include <string.h>

/* --- Errors, text, filters --------------------------------------------------- */

PyObject *store_fail(luft_error error, const char *detail) {
    if (error == LUFT_ERROR_MEMORY) {
        return PyErr_NoMemory();
    }
    PyObject *types = PyImport_ImportModule("luft._types");
    PyObject *class = types ? PyObject_GetAttrString(types, "LuftError") : NULL;
    PyObject *text = class ? shared_text(detail, strlen(detail)) : NULL;
    PyObject *exception = text ? PyObject_CallFunction(class, "iO", (int)error, text) : NULL;
    if (exception) {
        PyErr_SetObject(class, exception);
    }
    Py_XDECREF(exception);
    Py_XDECREF(text);
    Py_XDECREF(class);
    Py_XDECREF(types);
    return NULL;
}

PyObject *store_failed(luft_error error, const store_object *self) {
    return PyErr_Occurred() ? NULL : store_fail(error, luft_database_reason(self->database));
}

bool store_progress(void *payload, double done) {
    (void)payload;
    (void)done;
    const PyGILState_STATE state = PyGILState_Ensure();
    const bool goes_on = !PyErr_Occurred() && PyErr_CheckSignals() == 0;
    PyGILState_Release(state);
    return goes_on;
}

bool store_put(PyObject *list, Py_ssize_t index, PyObject *item) {
    return item && PyList_SetItem(list, index, item) == 0;
}

bool store_filter(luft_database_filter *filter, PyObject *tuple) {
    int color = -1;
    unsigned long long first = 0, last = 0;
    *filter = (luft_database_filter){0};
    if (!PyArg_ParseTuple(tuple, "zzzzzzziiiiIIIKKi", &filter->player, &filter->white, &filter->black, &filter->event,
                          &filter->site, &filter->time_control, &filter->eco, &filter->min_rating, &filter->max_rating,
                          &filter->from_date, &filter->to_date, &filter->results, &filter->min_plies,
                          &filter->max_plies, &first, &last, &color)) {
        return false;
    }
    filter->first_game = first;
    filter->last_game = last;
    filter->player_has_color = color >= 0;
    filter->player_color = color > 0 ? LUFT_BLACK : LUFT_WHITE;
    return true;
}

/* --- Life -------------------------------------------------------------------- */

/* Store(path, mode): the path as bytes, a luft_database_mode. */
static PyObject *store_new(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(names)) {
    const char *path = NULL;
    int mode = 0;
    char reason[LUFT_DATABASE_REASON_SIZE] = "";
    luft_database *database = NULL;
    if (!PyArg_ParseTuple(arguments, "yi", &path, &mode)) {
        return NULL;
    }
    luft_error error;
    Py_BEGIN_ALLOW_THREADS error = luft_database_open(&database, path, (luft_database_mode)mode, reason);
    Py_END_ALLOW_THREADS if (error != LUFT_OK) {
        return store_fail(error, reason);
    }
    store_object *self = (store_object *)PyType_GenericAlloc(type, 0);
    if (self) {
        self->database = database;
    } else {
        luft_database_free(database);
    }
    return (PyObject *)self;
}

static void close_database(store_object *self) {
    luft_database *database = self->database;
    self->database = NULL;
    Py_BEGIN_ALLOW_THREADS luft_database_free(database);
    Py_END_ALLOW_THREADS
}

static void store_dealloc(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    close_database((store_object *)object);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF((PyObject *)type);
}

static PyObject *store_close(PyObject *self, PyObject *Py_UNUSED(unused)) {
    close_database((store_object *)self);
    Py_RETURN_NONE;
}

static PyObject *store_info(store_object *self, PyObject *Py_UNUSED(unused)) {
    luft_database_info info;
    luft_error error;
    Py_BEGIN_ALLOW_THREADS error = luft_database_get_info(&info, self->database);
    Py_END_ALLOW_THREADS return error != LUFT_OK
        ? store_failed(error, self)
        : Py_BuildValue("KKKKKKKKK", (unsigned long long)info.games, (unsigned long long)info.plies,
                        (unsigned long long)info.players, (unsigned long long)info.events,
                        (unsigned long long)info.sites, (unsigned long long)info.positions,
                        (unsigned long long)info.position_moves, (unsigned long long)info.indexed_games,
                        (unsigned long long)info.bytes);
}

static PyObject *store_rollback(store_object *self, PyObject *Py_UNUSED(unused)) {
    luft_database_rollback(self->database);
    Py_RETURN_NONE;
}

/* --- The module -------------------------------------------------------------- */

/* A method that needs the database to be open. */
#define OPEN_METHOD(name, function)                                                                                    \
    static PyObject *name(PyObject *self, PyObject *arguments) {                                                       \
        store_object *store = (store_object *)self;                                                                    \
        if (!store->database) {                                                                                        \
            PyErr_SetString(PyExc_ValueError, "the database is closed");                                               \
            return NULL;                                                                                               \
        }                                                                                                              \
        return function(store, arguments);                                                                             \
    }

OPEN_METHOD(method_info, store_info)
OPEN_METHOD(method_rollback, store_rollback)
OPEN_METHOD(method_explore, store_explore)
OPEN_METHOD(method_search, store_search)
OPEN_METHOD(method_pgn, store_pgn)
OPEN_METHOD(method_columns, store_columns)
OPEN_METHOD(method_begin, store_begin)
OPEN_METHOD(method_add, store_add)
OPEN_METHOD(method_commit, store_commit)

static PyMethodDef store_methods[] = {
    {"close", store_close, METH_NOARGS, NULL},
    {"info", method_info, METH_NOARGS, NULL},
    {"explore", method_explore, METH_VARARGS, NULL},
    {"search", method_search, METH_VARARGS, NULL},
    {"pgn", method_pgn, METH_VARARGS, NULL},
    {"columns", method_columns, METH_VARARGS, NULL},
    {"begin", method_begin, METH_NOARGS, NULL},
    {"add", method_add, METH_VARARGS, NULL},
    {"commit", method_commit, METH_VARARGS, NULL},
    {"rollback", method_rollback, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot store_slots[] = {
    {Py_tp_new, store_new}, {Py_tp_dealloc, store_dealloc}, {Py_tp_methods, store_methods}, {0, NULL}};

static PyType_Spec store_spec = {"luft._store.Store", sizeof(store_object), 0, Py_TPFLAGS_DEFAULT, store_slots};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "luft._store", "The compiled part of luft.Database.", -1, NULL, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__store(void);

PyMODINIT_FUNC PyInit__store(void) {
    PyObject *module = PyModule_Create(&definition);
    PyTypeObject *type = module ? (PyTypeObject *)PyType_FromSpec(&store_spec) : NULL;
    if (module && (!type || PyModule_AddType(module, type) != 0)) {
        Py_CLEAR(module);
    }
    Py_XDECREF((PyObject *)type);
    return module;
}
