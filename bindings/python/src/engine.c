/* SPDX-License-Identifier: MIT */
/*
 * luft._core.Searcher: a luft_engine, which luft/_engine.py wraps as luft.Engine.
 *
 * A search runs in threads of the engine. The thread that called search waits
 * without Python's lock, and looks for signals now and then, so that Control-C
 * ends a search. While a search runs, everything but stop, close and is_searching
 * is refused with LUFT_ERROR_BUSY; close takes effect when the search has ended.
 */
#include "core.h"

#include <pythread.h>
#include <stdlib.h>

#include "luft/engine.h"

/* How long a wait lasts at most until it looks for signals. */
#define SIGNAL_INTERVAL_US 100000

typedef struct searcher_object {
    PyObject_HEAD luft_engine *engine; /* NULL once it is closed */
    PyThread_type_lock ended;          /* held while a search runs */
    PyObject *tables;                  /* the TableProber whose tables the engine holds, or NULL */
    PyObject *report;                  /* called with each AnalysisLine, or NULL; borrowed from search's arguments */
    PyObject *type, *exception, *traceback; /* what stopped the search, or NULL */
    bool is_busy;                           /* a thread is inside of a call that runs without Python's lock */
    bool is_searching, is_closing;
    bool is_stopping; /* stop or close was called since the search began */
} searcher_object;

/* --- Life ------------------------------------------------------------------------------ */

static PyObject *searcher_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {NULL};
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "", keywords)) {
        return NULL;
    }
    searcher_object *self = (searcher_object *)PyType_GenericAlloc(type, 0);
    if (!self) {
        return NULL;
    }
    const luft_error error = luft_engine_create(&self->engine);
    self->ended = PyThread_allocate_lock();
    if (error || !self->ended) {
        Py_DECREF((PyObject *)self);
        return core_fail(error ? error : LUFT_ERROR_MEMORY, "");
    }
    return (PyObject *)self;
}

static void replace_tables(searcher_object *self, PyObject *prober) {
    PyObject *old = self->tables;
    self->tables = prober;
    if (old) {
        core_release_tables(old);
    }
}

static void free_engine(searcher_object *self) {
    luft_engine_free(self->engine);
    self->engine = NULL;
    replace_tables(self, NULL);
}

/* No search runs: the thread that waits for one holds a reference. */
static void searcher_dealloc(PyObject *object) {
    searcher_object *self = (searcher_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    free_engine(self);
    if (self->ended) {
        PyThread_free_lock(self->ended);
    }
    PyObject_GC_Del(object);
    Py_DECREF((PyObject *)type);
}

/* An attribute of a subclass of Tablebase can refer to the engine, so the garbage collector must see the reference. */
static int searcher_traverse(PyObject *object, visitproc visit, void *arg) {
    Py_VISIT((PyObject *)Py_TYPE(object));
    Py_VISIT(((searcher_object *)object)->tables);
    return 0;
}

/* The engine, if it is open and no search runs; else NULL and an exception. */
static luft_engine *idle_engine(PyObject *object) {
    searcher_object *self = (searcher_object *)object;
    if (!self->engine || self->is_closing) {
        PyErr_SetString(PyExc_ValueError, "the engine is closed");
        return NULL;
    }
    if (self->is_busy) {
        core_fail(LUFT_ERROR_BUSY, "the engine is %s", self->is_searching ? "searching" : "being changed");
        return NULL;
    }
    return self->engine;
}

/* Around what runs without Python's lock: other threads are refused, and close waits for the end. */
static void begin_busy(PyObject *object) {
    ((searcher_object *)object)->is_busy = true;
}

static void end_busy(PyObject *object) {
    searcher_object *self = (searcher_object *)object;
    self->is_busy = false;
    if (self->is_closing) {
        free_engine(self);
    }
}

static PyObject *searcher_stop(PyObject *object, PyObject *Py_UNUSED(unused)) {
    searcher_object *self = (searcher_object *)object;
    self->is_stopping = true;
    luft_engine_stop(self->engine);
    Py_RETURN_NONE;
}

static PyObject *searcher_close(PyObject *object, PyObject *Py_UNUSED(unused)) {
    searcher_object *self = (searcher_object *)object;
    self->is_closing = true;
    if (self->is_busy) {
        self->is_stopping = true;
        luft_engine_stop(self->engine);
    } else {
        free_engine(self);
    }
    Py_RETURN_NONE;
}

static PyObject *searcher_is_searching(PyObject *object, void *Py_UNUSED(unused)) {
    return PyBool_FromLong(((searcher_object *)object)->is_searching);
}

static PyObject *searcher_is_closed(PyObject *object, void *Py_UNUSED(unused)) {
    const searcher_object *self = (searcher_object *)object;
    return PyBool_FromLong(self->is_closing || !self->engine);
}

/* --- Settings --------------------------------------------------------------------------- */

/* None, or the exception of a setting that was refused. */
static PyObject *answer(luft_error error, const char *name, PyObject *given) {
    return error ? core_fail(error, "%s cannot be set to %.120R", name, given) : Py_NewRef(Py_None);
}

/* The same for an integer from 1 to a maximum. */
static PyObject *answer_number(luft_error error, const char *name, size_t max, PyObject *given) {
    return error == LUFT_ERROR_ARGUMENT
               ? core_fail(error, "%s: expected an integer from 1 to %zu, got %.120R", name, max, given)
               : answer(error, name, given);
}

static PyObject *searcher_set_threads(PyObject *self, PyObject *argument) {
    int number = 0;
    luft_engine *engine = core_int(&number, argument) ? idle_engine(self) : NULL;
    return engine ? answer_number(luft_engine_set_threads(engine, number), "threads", (size_t)luft_engine_max_threads(),
                                  argument)
                  : NULL;
}

static PyObject *searcher_set_hash(PyObject *self, PyObject *argument) {
    int number = 0;
    luft_engine *engine = core_int(&number, argument) ? idle_engine(self) : NULL;
    luft_error error = LUFT_OK;
    if (!engine) {
        return NULL;
    }
    begin_busy(self);
    Py_BEGIN_ALLOW_THREADS error = luft_engine_set_hash(engine, number < 0 ? 0 : (size_t)number);
    Py_END_ALLOW_THREADS end_busy(self);
    return answer_number(error, "hash", luft_engine_max_hash_mb(), argument);
}

static PyObject *searcher_set_overhead(PyObject *self, PyObject *argument) {
    int number = 0;
    luft_engine *engine = core_int(&number, argument) ? idle_engine(self) : NULL;
    return engine ? answer(luft_engine_set_overhead(engine, number), "overhead", argument) : NULL;
}

static PyObject *searcher_set_seed(PyObject *self, PyObject *argument) {
    const unsigned long long seed = PyLong_AsUnsignedLongLong(argument);
    if (seed == (unsigned long long)-1 && PyErr_Occurred()) {
        return NULL;
    }
    luft_engine *engine = idle_engine(self);
    return engine ? answer(luft_engine_set_seed(engine, seed), "seed", argument) : NULL;
}

/* Full strength is level LUFT_ENGINE_MAX_LEVEL and the Elo 0. False and an exception for other numbers. */
static bool set_strength(luft_engine *engine, int level, int elo) {
    const luft_error bad_level = luft_engine_set_level(engine, level);
    const luft_error bad_elo = luft_engine_set_elo(engine, elo);
    if (bad_level) {
        core_fail(bad_level, "level: expected an integer from 0 to %d, got %d", LUFT_ENGINE_MAX_LEVEL, level);
    } else if (bad_elo) {
        core_fail(bad_elo, "elo: expected an integer from %d to %d, got %d", LUFT_ENGINE_MIN_ELO, LUFT_ENGINE_MAX_ELO,
                  elo);
    }
    return !bad_level && !bad_elo;
}

/* The bytes of a network file; None for the network in the library. */
static PyObject *searcher_set_network(PyObject *self, PyObject *argument) {
    char *bytes = NULL;
    Py_ssize_t length = 0;
    const char *reason = "";
    if (argument != Py_None && PyBytes_AsStringAndSize(argument, &bytes, &length)) {
        return NULL;
    }
    luft_engine *engine = idle_engine(self);
    if (!engine) {
        return NULL;
    }
    /* A network of no bytes is refused; NULL would mean the network in the library. */
    const luft_error error =
        luft_engine_set_network(engine, argument == Py_None ? NULL : bytes, (size_t)length, &reason);
    return error ? core_fail(error, "%s", reason) : Py_NewRef(Py_None);
}

/* A TableProber or None. */
static PyObject *searcher_set_tablebase(PyObject *self, PyObject *argument) {
    luft_engine *engine = idle_engine(self);
    const luft_tablebase *tables = engine && argument != Py_None ? core_hold_tables(argument) : NULL;
    if (!engine || (!tables && argument != Py_None)) {
        return NULL;
    }
    const luft_error error = luft_engine_set_tablebase(engine, tables, 1, LUFT_TABLEBASE_PIECES_MAX, true);
    if (!error) {
        replace_tables((searcher_object *)self, tables ? argument : NULL);
    } else if (tables) {
        core_release_tables(argument);
    }
    return answer(error, "tablebase", argument);
}

static PyObject *searcher_network_text(PyObject *self, void *Py_UNUSED(unused)) {
    luft_engine *engine = idle_engine(self);
    return engine ? PyUnicode_DecodeUTF8(luft_engine_network_text(engine),
                                         (Py_ssize_t)strlen(luft_engine_network_text(engine)), "replace")
                  : NULL;
}

static PyObject *searcher_clear(PyObject *self, PyObject *Py_UNUSED(unused)) {
    luft_engine *engine = idle_engine(self);
    luft_error error = LUFT_OK;
    if (!engine) {
        return NULL;
    }
    begin_busy(self);
    Py_BEGIN_ALLOW_THREADS error = luft_engine_clear(engine);
    Py_END_ALLOW_THREADS end_busy(self);
    return error ? core_fail(error, "") : Py_NewRef(Py_None);
}

static PyObject *searcher_evaluate(PyObject *self, PyObject *argument) {
    const luft_position *position = core_position(argument);
    luft_engine *engine = position ? idle_engine(self) : NULL;
    int centipawns = 0;
    const luft_error error = engine ? luft_engine_evaluate(&centipawns, engine, position) : LUFT_OK;
    return error ? core_fail(error, "") : engine ? PyLong_FromLong(centipawns) : NULL;
}

/* --- Results ------------------------------------------------------------------------------ */

static PyObject *score_object(luft_engine_score score) {
    PyObject *number = PyLong_FromLong(score.value);
    PyObject *items = number ? PyTuple_Pack(3, score.kind == LUFT_ENGINE_CENTIPAWNS ? number : Py_None,
                                            score.kind == LUFT_ENGINE_MATE ? number : Py_None, core.bound[score.bound])
                             : NULL;
    Py_XDECREF(number);
    return core_named(core.score, items);
}

static PyObject *wdl_object(luft_engine_wdl wdl) {
    return core_named(core.wdl, Py_BuildValue("(iii)", wdl.win, wdl.draw, wdl.loss));
}

static PyObject *move_or_none(luft_move move) {
    return move == LUFT_MOVE_NONE ? Py_NewRef(Py_None) : core_move_object(move);
}

static PyObject *line_object(const luft_engine_line *line) {
    PyObject *list = core_move_list(line->moves, (size_t)line->move_count);
    PyObject *moves = list ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    if (!moves) {
        return NULL;
    }
    return core_named(core.analysis_line,
                      Py_BuildValue("(NNNiiLdi)", moves, score_object(line->score), wdl_object(line->wdl), line->depth,
                                    line->seldepth, (long long)line->nodes, (double)line->time_ms / 1000,
                                    line->number));
}

static PyObject *lines_object(const luft_engine_result *result) {
    PyObject *lines = PyTuple_New(result->line_count);
    for (int i = 0; lines && i < result->line_count; i++) {
        PyObject *line = line_object(result->lines[i]);
        if (!line || PyTuple_SetItem(lines, i, line)) {
            Py_CLEAR(lines);
        }
    }
    return lines;
}

static PyObject *analysis_object(PyObject *position, const luft_engine_result *result) {
    return core_named(core.analysis,
                      Py_BuildValue("(ONNNNiiLdNO)", position, move_or_none(result->best), move_or_none(result->ponder),
                                    score_object(result->score), wdl_object(result->wdl), result->depth,
                                    result->seldepth, (long long)result->nodes, (double)result->time_ms / 1000,
                                    lines_object(result), result->no_mate ? Py_True : Py_False));
}

/* --- Searching ------------------------------------------------------------------------------ */

/* Keeps the exception that is set, if it is the first, and asks the search to end. */
static void keep_exception(searcher_object *self) {
    if (self->type) {
        PyErr_Clear();
    } else {
        PyErr_Fetch(&self->type, &self->exception, &self->traceback);
    }
    luft_engine_stop(self->engine);
}

/* Calls the report with a line, from a thread of the engine. */
static void on_line(void *payload, const luft_engine_line *line) {
    searcher_object *self = payload;
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject *object = self->type ? NULL : line_object(line); /* nothing more after an exception */
    PyObject *answer = object ? PyObject_CallFunctionObjArgs(self->report, object, NULL) : NULL;
    if (!answer && PyErr_Occurred()) {
        keep_exception(self);
    }
    Py_XDECREF(answer);
    Py_XDECREF(object);
    PyGILState_Release(state);
}

static void on_done(void *payload, const luft_engine_result *result) {
    (void)result; /* luft_engine_last_result has it */
    PyThread_release_lock(((searcher_object *)payload)->ended);
}

/* Starts the search and waits for its end, without Python's lock. */
static luft_error run(searcher_object *self, const luft_engine_limits *limits) {
    luft_engine_callbacks callbacks = {sizeof callbacks, self->report ? on_line : NULL, NULL, NULL, on_done, self};
    luft_error error = LUFT_OK;
    PyLockStatus status = PY_LOCK_FAILURE;
    PyThread_acquire_lock(self->ended, NOWAIT_LOCK);
    Py_BEGIN_ALLOW_THREADS error = luft_engine_start(self->engine, limits, &callbacks);
    Py_END_ALLOW_THREADS if (!error && self->is_stopping) {
        luft_engine_stop(self->engine); /* the first call may have come before the search was started */
    }
    while (!error && status != PY_LOCK_ACQUIRED) {
        Py_BEGIN_ALLOW_THREADS status = PyThread_acquire_lock_timed(self->ended, SIGNAL_INTERVAL_US, 1);
        Py_END_ALLOW_THREADS if (PyErr_CheckSignals()) {
            keep_exception(self);
        }
    }
    if (!error) {
        Py_BEGIN_ALLOW_THREADS error = luft_engine_wait(self->engine);
        Py_END_ALLOW_THREADS
    }
    PyThread_release_lock(self->ended);
    return error;
}

/* Searches the position that is set. Raises what the report or a signal raised. */
static PyObject *search(searcher_object *self, PyObject *position, const luft_engine_limits *limits) {
    PyObject *analysis = NULL;
    self->is_searching = true;
    self->is_stopping = false;
    begin_busy((PyObject *)self);
    const luft_error error = run(self, limits);
    if (self->type) {
        PyErr_Restore(self->type, self->exception, self->traceback);
        self->type = self->exception = self->traceback = NULL;
    } else if (error) {
        core_fail(error, "");
    } else {
        analysis = analysis_object(position, luft_engine_last_result(self->engine));
    }
    self->is_searching = false;
    end_busy((PyObject *)self);
    return analysis;
}

/* Sets a Position or a Game, which has the moves that led to its position. */
static luft_error set_position(luft_engine *engine, PyObject *target) {
    if (PyObject_TypeCheck(target, core.position_type)) {
        return luft_engine_set_position(engine, core_position(target), NULL, 0, NULL);
    }
    const luft_game *game = core_game(target);
    const size_t count = luft_game_ply(game);
    luft_move *moves = malloc((count + 1) * sizeof *moves);
    if (!moves) {
        return LUFT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        moves[i] = luft_game_move_at(game, i);
    }
    const luft_error error = luft_engine_set_position(engine, luft_game_position_at(game, 0), moves, count, NULL);
    free(moves);
    return error;
}

/*
 * search(target, position, limits, moves, lines, level, elo, report): `limits` has the numbers of luft_engine_limits, in
 * its order, and `moves` those to search, or none for all. All settings come with the search, so that nothing comes
 * between them and it.
 */
static PyObject *searcher_search(PyObject *object, PyObject *arguments) {
    searcher_object *self = (searcher_object *)object;
    luft_engine_limits limits = luft_engine_no_limits();
    PyObject *target = NULL, *position = NULL, *report = NULL;
    const char *moves = NULL;
    Py_ssize_t length = 0;
    int lines = 1, infinite = 0, level = 0, elo = 0;
    long long numbers[7];
    if (!PyArg_ParseTuple(arguments, "OO!(LLLLLLLiiip)y#iiiO", &target, (PyObject *)core.position_type, &position,
                          &numbers[0], &numbers[1], &numbers[2], &numbers[3], &numbers[4], &numbers[5], &numbers[6],
                          &limits.moves_to_go, &limits.depth, &limits.mate, &infinite, &moves, &length, &lines, &level,
                          &elo, &report)) {
        return NULL;
    }
    limits.time_ms[0] = numbers[0];
    limits.time_ms[1] = numbers[1];
    limits.increment_ms[0] = numbers[2];
    limits.increment_ms[1] = numbers[3];
    limits.movetime_ms = numbers[4];
    limits.nodes = numbers[5];
    limits.soft_nodes = numbers[6];
    limits.infinite = infinite != 0;
    limits.search_moves = length ? (const luft_move *)(const void *)moves : NULL;
    limits.search_move_count = (size_t)length / sizeof(luft_move);
    luft_engine *engine = idle_engine(object);
    if (!engine || !set_strength(engine, level, elo)) {
        return NULL;
    }
    luft_error error = luft_engine_set_lines(engine, lines);
    if (error) {
        return core_fail(error, "expected 1 to %d lines, got %d", LUFT_ENGINE_MAX_LINES, lines);
    }
    error = set_position(engine, target);
    if (error) {
        return core_fail(error, "");
    }
    self->report = report == Py_None ? NULL : report;
    return search(self, position, &limits);
}

/* --- The type -------------------------------------------------------------------------------- */

static PyGetSetDef searcher_properties[] = {
    {"is_searching", searcher_is_searching, NULL, NULL, NULL},
    {"is_closed", searcher_is_closed, NULL, NULL, NULL},
    {"network_text", searcher_network_text, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef searcher_methods[] = {
    {"search", searcher_search, METH_VARARGS, NULL},
    {"stop", searcher_stop, METH_NOARGS, NULL},
    {"close", searcher_close, METH_NOARGS, NULL},
    {"clear", searcher_clear, METH_NOARGS, NULL},
    {"evaluate", searcher_evaluate, METH_O, NULL},
    {"set_threads", searcher_set_threads, METH_O, NULL},
    {"set_hash", searcher_set_hash, METH_O, NULL},
    {"set_overhead", searcher_set_overhead, METH_O, NULL},
    {"set_seed", searcher_set_seed, METH_O, NULL},
    {"set_network", searcher_set_network, METH_O, NULL},
    {"set_tablebase", searcher_set_tablebase, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot searcher_slots[] = {
    {Py_tp_new, searcher_new},           {Py_tp_dealloc, searcher_dealloc}, {Py_tp_traverse, searcher_traverse},
    {Py_tp_getset, searcher_properties}, {Py_tp_methods, searcher_methods}, {0, NULL},
};

PyType_Spec core_searcher_spec = {"luft._core.Searcher", sizeof(searcher_object), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, searcher_slots};
