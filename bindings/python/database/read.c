/* SPDX-License-Identifier: MIT */
/* Questions to a database: statistics of a position, games that match a query, games as PGN, columns of facts. */
#include "store.h"

#include <stdlib.h>
#include <string.h>

/* --- Statistics -------------------------------------------------------------- */

/* (move, games, white, draws, black, rated, rating, opponents, performance, first_date, last_date) */
static PyObject *move_tuple(const luft_database_move *move) {
    return Py_BuildValue("(iKKKKKiiiii)", (int)move->move, (unsigned long long)move->games,
                         (unsigned long long)move->white, (unsigned long long)move->draws,
                         (unsigned long long)move->black, (unsigned long long)move->rated, (int)move->rating,
                         (int)move->opponents, (int)move->performance, (int)move->first_date, (int)move->last_date);
}

/* (total, moves, numbers of the best games, games that ended, from games?) */
static PyObject *statistics_tuple(const luft_database_statistics *found) {
    PyObject *moves = PyList_New(found->move_count), *best = PyList_New(found->best_count);
    bool is_good = moves && best;
    for (uint32_t i = 0; is_good && i < found->move_count; i++) {
        is_good = store_put(moves, i, move_tuple(&found->moves[i]));
    }
    for (uint32_t i = 0; is_good && i < found->best_count; i++) {
        is_good = store_put(best, i, PyLong_FromUnsignedLongLong(found->best[i]));
    }
    PyObject *total = is_good ? move_tuple(&found->total) : NULL;
    if (!total) {
        Py_XDECREF(moves);
        Py_XDECREF(best);
        return NULL;
    }
    return Py_BuildValue("NNNKO", total, moves, best, (unsigned long long)found->ended,
                         found->from_games ? Py_True : Py_False);
}

/* explore(fen, filter, threads); the filter is a tuple or None. */
PyObject *store_explore(store_object *self, PyObject *arguments) {
    const char *fen = NULL;
    Py_ssize_t length = 0;
    PyObject *conditions = NULL;
    int threads = 1;
    luft_position position;
    luft_database_filter filter;
    if (!PyArg_ParseTuple(arguments, "s#Oi", &fen, &length, &conditions, &threads) ||
        (conditions != Py_None && !store_filter(&filter, conditions))) {
        return NULL;
    }
    luft_error error = luft_position_from_fen(&position, fen, (size_t)length, NULL);
    luft_database_statistics *found = malloc(sizeof *found);
    if (error != LUFT_OK || !found) {
        free(found);
        return store_fail(error != LUFT_OK ? error : LUFT_ERROR_MEMORY, fen);
    }
    Py_BEGIN_ALLOW_THREADS error =
        luft_database_explore(found, self->database, &position, conditions != Py_None ? &filter : NULL, threads);
    Py_END_ALLOW_THREADS PyObject *result = error != LUFT_OK ? store_failed(error, self) : statistics_tuple(found);
    free(found);
    return result;
}

/* --- Searching --------------------------------------------------------------- */

static PyObject *match_list(const luft_database_matches *found) {
    PyObject *list = PyList_New((Py_ssize_t)found->count);
    for (size_t i = 0; list && i < found->count; i++) {
        const luft_database_match *match = &found->matches[i];
        if (!store_put(list, (Py_ssize_t)i, Py_BuildValue("(KI)", (unsigned long long)match->game, match->ply))) {
            Py_CLEAR(list);
        }
    }
    return list;
}

/* search(query, filter, limit, threads): a list of (game, ply). */
PyObject *store_search(store_object *self, PyObject *arguments) {
    const char *text = NULL;
    Py_ssize_t length = 0;
    PyObject *conditions = NULL;
    unsigned long long limit = 0;
    int threads = 1;
    luft_database_filter filter;
    luft_query *query = NULL;
    luft_query_report report;
    luft_database_matches found = {0};
    if (!PyArg_ParseTuple(arguments, "s#O!Ki", &text, &length, &PyTuple_Type, &conditions, &limit, &threads) ||
        !store_filter(&filter, conditions)) {
        return NULL;
    }
    luft_error error = luft_query_compile(&query, text, (size_t)length, &report);
    if (error != LUFT_OK) {
        PyObject *detail = PyUnicode_FromFormat("%s (byte %zu)", report.reason, report.offset);
        const char *words = detail ? PyUnicode_AsUTF8AndSize(detail, NULL) : NULL;
        if (words) {
            store_fail(error, words);
        }
        Py_XDECREF(detail);
        return NULL;
    }
    const luft_database_search_options options = {.threads = threads, .limit = limit, .progress = store_progress};
    Py_BEGIN_ALLOW_THREADS error = luft_database_search(&found, self->database, query, &filter, &options);
    Py_END_ALLOW_THREADS luft_query_free(query);
    PyObject *list = error != LUFT_OK ? store_failed(error, self) : match_list(&found);
    luft_database_matches_free(&found);
    return list;
}

/* --- Games ------------------------------------------------------------------- */

/* pgn(number): the game as it was read, as bytes. */
PyObject *store_pgn(store_object *self, PyObject *arguments) {
    unsigned long long number = 0;
    luft_database_cursor *cursor = NULL;
    luft_database_game game;
    luft_pgn_writer writer;
    shared_buffer text = {NULL, 0, 0};
    if (!PyArg_ParseTuple(arguments, "K", &number)) {
        return NULL;
    }
    luft_error error;
    Py_BEGIN_ALLOW_THREADS error = luft_database_cursor_create(&cursor, self->database, NULL);
    error = error == LUFT_OK ? luft_database_cursor_seek(&game, cursor, number) : error;
    if (error == LUFT_OK) {
        luft_pgn_writer_init(&writer, shared_append, &text);
        error = luft_database_cursor_write(&writer, cursor);
    }
    luft_database_cursor_free(cursor);
    Py_END_ALLOW_THREADS PyObject *result = NULL;
    if (error == LUFT_ERROR_MISSING) {
        PyErr_Format(PyExc_IndexError, "the database has no game %llu", number);
    } else if (error != LUFT_OK) {
        store_fail(error == LUFT_ERROR_WRITE ? LUFT_ERROR_MEMORY : error, "cannot read the game");
    } else {
        result = PyBytes_FromStringAndSize(text.bytes, (Py_ssize_t)text.length);
    }
    free(text.bytes);
    return result;
}

/* --- Columns ----------------------------------------------------------------- */

/* In the order of luft._database.COLUMNS. */
typedef enum column {
    COLUMN_ID,
    COLUMN_WHITE,
    COLUMN_BLACK,
    COLUMN_WHITE_ELO,
    COLUMN_BLACK_ELO,
    COLUMN_RESULT,
    COLUMN_DATE,
    COLUMN_EVENT,
    COLUMN_SITE,
    COLUMN_ROUND,
    COLUMN_ECO,
    COLUMN_PLIES,
    COLUMN_TIME_CONTROL,
    COLUMN_FEN,
    COLUMNS
} column;

#define BLOCK_GAMES 1000 /* that are read before Python's lock is taken again */

/* A game whose texts are in the reader. */
typedef struct row {
    luft_database_game game;
    luft_database_text site; /* that has no number */
} row;

/* Reading columns: the chosen ones are lists. */
typedef struct column_reader {
    luft_database_cursor *cursor;
    PyObject *lists[COLUMNS]; /* NULL for those that nobody wants */
    PyObject *names;          /* a dict: names by kind and number, each one str, however many games have it */
    row *rows;                /* a block of games */
    size_t row_count;
    shared_buffer text; /* round, FEN and site of each row */
} column_reader;

static PyObject *text_or_none(const char *text, size_t length) {
    return length > 0 ? shared_text(text, length) : Py_NewRef(Py_None);
}

static PyObject *name_object(column_reader *me, luft_database_name_kind kind, uint32_t number) {
    PyObject *key = PyLong_FromUnsignedLongLong((unsigned long long)kind << 32 | number);
    PyObject *name = key ? PyDict_GetItemWithError(me->names, key) : NULL;
    Py_XINCREF(name);
    if (key && !name && !PyErr_Occurred()) {
        luft_database_text text;
        const luft_error error = luft_database_cursor_name(&text, me->cursor, kind, number);
        name = error == LUFT_OK ? shared_text(text.text, text.length) : store_fail(error, "cannot read a name");
        if (name && PyDict_SetItem(me->names, key, name) != 0) {
            Py_CLEAR(name);
        }
    }
    Py_XDECREF(key);
    return name;
}

static PyObject *number_or_none(long number) {
    return number != 0 ? PyLong_FromLong(number) : Py_NewRef(Py_None);
}

static PyObject *value_object(column_reader *me, const row *from, column which) {
    const luft_database_game *game = &from->game;
    switch (which) {
    case COLUMN_ID: return PyLong_FromUnsignedLongLong(game->id);
    case COLUMN_WHITE: return name_object(me, LUFT_DATABASE_PLAYER, game->player[LUFT_WHITE]);
    case COLUMN_BLACK: return name_object(me, LUFT_DATABASE_PLAYER, game->player[LUFT_BLACK]);
    case COLUMN_WHITE_ELO: return number_or_none(game->rating[LUFT_WHITE]);
    case COLUMN_BLACK_ELO: return number_or_none(game->rating[LUFT_BLACK]);
    case COLUMN_RESULT: return PyUnicode_InternFromString(luft_result_string((luft_result)game->result));
    case COLUMN_DATE: return number_or_none(game->date);
    case COLUMN_EVENT: return name_object(me, LUFT_DATABASE_EVENT, game->event);
    case COLUMN_SITE:
        return game->site != 0 ? name_object(me, LUFT_DATABASE_SITE, game->site)
                               : shared_text(from->site.text, from->site.length);
    case COLUMN_ROUND: return text_or_none(game->round.text, game->round.length);
    case COLUMN_ECO: return text_or_none(game->eco, strlen(game->eco));
    case COLUMN_PLIES: return PyLong_FromUnsignedLong(game->plies);
    case COLUMN_TIME_CONTROL:
        return game->time_control ? name_object(me, LUFT_DATABASE_TEXT, game->time_control) : Py_NewRef(Py_None);
    case COLUMN_FEN: return text_or_none(game->fen.text, game->fen.length);
    case COLUMNS: break;
    }
    return Py_NewRef(Py_None);
}

/* Reads a game without Python's lock: the one with a number, or the next that passes. */
static luft_error read_row(row *to, column_reader *me, const uint64_t *number) {
    luft_database_game *game = &to->game;
    luft_error error =
        number ? luft_database_cursor_seek(game, me->cursor, *number) : luft_database_cursor_next(game, me->cursor);
    to->site = (luft_database_text){"", 0};
    if (error == LUFT_OK && game->site == 0 && me->lists[COLUMN_SITE]) {
        error = luft_database_cursor_site(&to->site, me->cursor);
    }
    if (error != LUFT_OK) {
        return error;
    }
    const bool has_room = shared_append(&me->text, game->round.text, game->round.length) &&
                          shared_append(&me->text, game->fen.text, game->fen.length) &&
                          shared_append(&me->text, to->site.text, to->site.length);
    return has_room ? LUFT_OK : LUFT_ERROR_MEMORY;
}

/*
 * Reads `limit` games into the rows while other threads run: those with the numbers, or all that pass if `numbers` is
 * NULL. The error is that of the game after the last row.
 */
static luft_error read_block(column_reader *me, const uint64_t *numbers, size_t limit) {
    luft_error error = LUFT_OK;
    me->text.length = 0;
    me->row_count = 0;
    Py_BEGIN_ALLOW_THREADS while (error == LUFT_OK && me->row_count < limit) {
        error = read_row(&me->rows[me->row_count], me, numbers ? &numbers[me->row_count] : NULL);
        me->row_count += error == LUFT_OK;
    }
    Py_END_ALLOW_THREADS const char *next = me->text.bytes;
    for (size_t i = 0; i < me->row_count; i++) { /* the buffer stays where it is now */
        luft_database_text *const texts[] = {&me->rows[i].game.round, &me->rows[i].game.fen, &me->rows[i].site};
        for (int which = 0; which < 3; which++) {
            texts[which]->text = next;
            next += texts[which]->length;
        }
    }
    return error;
}

/* Appends the values of the rows to the lists. */
static bool append_rows(column_reader *me) {
    bool is_good = true;
    for (size_t i = 0; i < me->row_count && is_good; i++) {
        for (int which = 0; which < COLUMNS && is_good; which++) {
            PyObject *list = me->lists[which], *value = list ? value_object(me, &me->rows[i], (column)which) : NULL;
            is_good = !list || (value && PyList_Append(list, value) == 0);
            Py_XDECREF(value);
        }
    }
    return is_good && PyErr_CheckSignals() == 0;
}

/* The games with these numbers, in this order. */
static bool append_numbered(column_reader *me, PyObject *list) {
    const Py_ssize_t count = PyList_Size(list);
    uint64_t numbers[BLOCK_GAMES];
    for (Py_ssize_t first = 0; first < count; first += BLOCK_GAMES) {
        const Py_ssize_t size = count - first < BLOCK_GAMES ? count - first : BLOCK_GAMES;
        for (Py_ssize_t i = 0; i < size; i++) {
            numbers[i] = PyLong_AsUnsignedLongLong(PyList_GetItem(list, first + i));
            if (PyErr_Occurred()) {
                return false;
            }
        }
        const luft_error error = read_block(me, numbers, (size_t)size);
        if (!append_rows(me)) {
            return false;
        }
        if (error == LUFT_ERROR_MISSING) {
            PyErr_Format(PyExc_IndexError, "the database has no game %llu", (unsigned long long)numbers[me->row_count]);
            return false;
        }
        if (error != LUFT_OK) {
            store_fail(error, "cannot read a game");
            return false;
        }
    }
    return true;
}

static bool append_filtered(column_reader *me) {
    luft_error error = LUFT_OK;
    while (error == LUFT_OK) {
        error = read_block(me, NULL, BLOCK_GAMES);
        if (!append_rows(me)) {
            return false;
        }
    }
    if (error != LUFT_ERROR_END) {
        store_fail(error, "cannot read a game");
        return false;
    }
    return true;
}

/* columns(chosen, filter, numbers): a list for each chosen column, of all games that pass, or of those with the numbers. */
PyObject *store_columns(store_object *self, PyObject *arguments) {
    unsigned chosen = 0;
    PyObject *conditions = NULL, *numbers = NULL;
    luft_database_filter filter;
    column_reader me = {0};
    if (!PyArg_ParseTuple(arguments, "IO!O", &chosen, &PyTuple_Type, &conditions, &numbers) ||
        !store_filter(&filter, conditions)) {
        return NULL;
    }
    luft_error error;
    Py_BEGIN_ALLOW_THREADS error = luft_database_cursor_create(&me.cursor, self->database, &filter);
    Py_END_ALLOW_THREADS me.rows = malloc(BLOCK_GAMES * sizeof *me.rows);
    me.names = PyDict_New();
    error = error == LUFT_OK && (!me.rows || !me.names) ? LUFT_ERROR_MEMORY : error;
    PyObject *result = error == LUFT_OK ? PyList_New(0) : store_failed(error, self);
    bool is_good = result != NULL;
    for (int i = 0; i < COLUMNS && is_good; i++) {
        if (chosen >> i & 1) {
            me.lists[i] = PyList_New(0);
            is_good = me.lists[i] && PyList_Append(result, me.lists[i]) == 0;
        }
    }
    is_good = is_good && (PyList_Check(numbers) ? append_numbered(&me, numbers) : append_filtered(&me));
    for (int i = 0; i < COLUMNS; i++) {
        Py_XDECREF(me.lists[i]);
    }
    Py_XDECREF(me.names);
    free(me.rows);
    free(me.text.bytes);
    luft_database_cursor_free(me.cursor);
    if (!is_good) {
        Py_CLEAR(result);
    }
    return result;
}
