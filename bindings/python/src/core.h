/* SPDX-License-Identifier: MIT */
/*
 * luft._core, the compiled part of the Python package: what its files share.
 *
 * The module is written for CPython's limited API of version 3.11, so that one
 * binary serves every later version. libluft is linked into it. Enumerations,
 * named tuples and LuftError are Python classes of luft/_types.py; the module
 * imports them once and returns their instances.
 *
 * The module keeps its types and the table of moves in one static struct: it
 * belongs to the main interpreter, and Python refuses to load it in another.
 */
#ifndef LUFT_PYTHON_CORE_H
#define LUFT_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#include <limits.h>
#include <string.h>
#include <structmember.h>

#include "../shared/text.h"
#include "luft/luft.h"

/* --- Shared state ---------------------------------------------------------- */

/* Every move by number, then every move that was read without a position, by squares and promotion. */
#define MOVE_COUNT 65536
#define TEXT_MOVE_COUNT (5 * 64 * 64)

typedef struct core_state {
    PyTypeObject *move_type, *set_type, *position_type, *game_type, *tree_type, *node_type, *tags_type, *reader_type,
        *searcher_type, *prober_type, *book_type;
    PyTypeObject *tags;                           /* luft.Tags, NULL until it is first needed */
    PyObject *error, *missing_table, *error_code; /* LuftError, MissingTableError, Error */
    PyObject *outcome, *opening, *key_pair, *king_constraints, *planes, *claim, *status;
    PyObject *pgn_error, *comment; /* named tuples */
    PyObject *author[2];
    PyObject *score, *wdl, *analysis_line, *analysis;                    /* named tuples */
    PyObject *tablebase_move, *tablebase_table, *book_move, *book_entry; /* named tuples */
    PyObject *tablebase_result[5];                                       /* from LUFT_WDL_LOSS on */
    PyObject *bound[3];
    PyObject *color[2];
    PyObject *termination[LUFT_FIVEFOLD_REPETITION + 1];
    PyObject *piece[LUFT_BLACK_KING + 1]; /* NULL where there is no such piece */
    PyObject *square_name[64];
    PyObject *piece_type[LUFT_KING + 1];          /* NULL for none */
    PyObject *move[MOVE_COUNT + TEXT_MOVE_COUNT]; /* each made when it first comes up */
} core_state;

extern core_state core;

/* --- Errors and arguments: convert.c --------------------------------------- */

/*
 * Raises LuftError, MissingTableError for LUFT_ERROR_MISSING or MemoryError for LUFT_ERROR_MEMORY, with a detail as
 * PyUnicode_FromFormat makes it. Returns NULL.
 */
PyObject *core_fail(luft_error error, const char *format, ...);

/* The same for a refused FEN or EPD. */
PyObject *core_fail_report(const luft_fen_report *report, PyObject *text);

/* Raises MOVE_ILLEGAL or another error of reading a move. `move` is what the caller gave. */
PyObject *core_fail_move(luft_error error, PyObject *move, const luft_position *position);

/* Text as UTF-8; what UTF-8 cannot express becomes question marks. Ends with core_text_free. */
typedef struct core_text {
    const char *bytes;
    Py_ssize_t length;
    PyObject *owner; /* NULL if the str itself owns the bytes */
} core_text;

/* False, and a TypeError, if the object is not a str. */
bool core_text_of(core_text *text, PyObject *object);
void core_text_free(core_text *text);

/* An integer, cut to the range of int. False and an exception for what is not an integer. */
bool core_int(int *number, PyObject *object);

/* A square from its number or its name. A number off the board is LUFT_NO_SQUARE; another name is a ValueError. */
bool core_square(luft_square *square, PyObject *object);

/* The same, but a number off the board is a ValueError too. */
bool core_board_square(luft_square *square, PyObject *object);

/* A colour; LuftError ARGUMENT for any other number. */
bool core_color(luft_color *color, PyObject *object);

/* A set of squares: a SquareSet or an integer of 64 bits. */
bool core_set(luft_bitboard *set, PyObject *object);

/* The en passant square that a caller gave: None, a square, or the last move. */
bool core_ep_square(luft_square *square, PyObject *object, const luft_position *position);

/* A Position, or the current position of a Game; `game` is NULL for a Position. */
bool core_target(luft_position *position, const struct luft_game **game, PyObject *object);

/* A legal move of the position: a Move, a number, or text in UCI or SAN. */
bool core_legal_move(luft_move *move, PyObject *object, const luft_position *position);

/* As above, but a number is not checked for legality: the caller's next call does that. */
bool core_move(luft_move *move, PyObject *object, const luft_position *position);

/*
 * A new reference to a move argument with nothing left that calls Python code: a Move, a str or an int. What calls Python
 * code can change the object whose method is running, so mutable objects settle their arguments first.
 */
PyObject *core_settled_move(PyObject *object);

/* Reads text as UCI or SAN. */
luft_error core_read_move(luft_move *move, const luft_position *position, const core_text *text);

/* --- Results ---------------------------------------------------------------- */

/* An instance of a named tuple of luft/_types.py; steals its items, a tuple or NULL. */
PyObject *core_named(PyObject *type, PyObject *items);

PyObject *core_square_object(int square); /* None for a number off the board */
PyObject *core_outcome(luft_outcome outcome);
PyObject *core_opening(const luft_opening *opening);

/*
 * An attribute by its name. The name is interned: Python's cache of attributes keeps the names that it has seen, and
 * PyObject_GetAttrString would fill it with copies.
 */
PyObject *core_attribute(PyObject *object, const char *name);

/* Copies the attributes of an instance of a subclass; deeply, if there is a memo. False and an exception on failure. */
bool core_copy_attributes(PyObject *copy, PyObject *self, PyObject *memo);

/* Calls a function of a module of the package. */
PyObject *core_call(const char *module, const char *function, PyObject *first, PyObject *second);

/* The three items of __reduce__: a callable of the class, its arguments (stolen), and the instance's dictionary. */
PyObject *core_reduce(PyObject *self, const char *method, PyObject *arguments);

/* --- Types ------------------------------------------------------------------ */

extern PyType_Spec core_move_spec, core_set_spec, core_position_spec, core_game_spec, core_tree_spec, core_node_spec,
    core_tags_spec, core_reader_spec, core_searcher_spec, core_prober_spec, core_book_spec;
extern PyMethodDef core_position_functions[], core_board_functions[], core_move_functions[], core_setup_functions[],
    core_game_functions[], core_batch_functions[], core_text_functions[], core_square_functions[],
    core_book_functions[];

PyObject *core_move_object(luft_move move);
PyObject *core_move_list(const luft_move *moves, size_t count);

/* Is it a Move that was read without a position? Then `text` is its UCI text. */
bool core_is_text_move(PyObject *move, PyObject **text);
luft_move core_move_value(PyObject *move);

PyObject *core_set_object(luft_bitboard set);
luft_bitboard core_set_value(PyObject *set);

PyObject *core_position_object(PyTypeObject *type, const luft_position *position);
const luft_position *core_position(PyObject *object); /* NULL and a TypeError for anything else */
/* The only argument of a constructor, `start`: a Position, a FEN or None. `format` is "|O:" and its name. A new reference. */
PyObject *core_start_position(PyObject *arguments, PyObject *names, const char *format);

struct luft_game *core_game(PyObject *object); /* NULL and a TypeError for anything but a Game */

/* The tables of a TableProber, which stay open until they are released. NULL and an exception if it is closed or none. */
const struct luft_tablebase *core_hold_tables(PyObject *prober);
void core_release_tables(PyObject *prober);

/* A PgnTree that takes over `game`; on failure it is freed. */
PyObject *core_tree_object(PyTypeObject *type, luft_pgn_game *game, PyTypeObject *position_type);

/* The functions of a type's methods with the signature that PyMethodDef wants. */
#define CORE_METHOD(function) ((PyCFunction)(void (*)(void))(function))

#endif
