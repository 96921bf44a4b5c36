/* SPDX-License-Identifier: MIT */
/* luft._core: makes the types and fetches the Python classes of which the module returns instances. */
#include "core.h"

core_state core;

/* Fetches a class of luft/_types.py; false if there is none. */
static bool fetch(PyObject **object, PyObject *types, const char *name) {
    *object = PyObject_GetAttrString(types, name);
    return *object != NULL;
}

/* Fetches the member of an enumeration with this value. */
static bool fetch_member(PyObject **member, PyObject *types, const char *name, PyObject *number) {
    PyObject *enumeration = number ? PyObject_GetAttrString(types, name) : NULL;
    *member = enumeration ? PyObject_CallFunctionObjArgs(enumeration, number, NULL) : NULL;
    Py_XDECREF(enumeration);
    Py_XDECREF(number);
    return *member != NULL;
}

static bool fetch_classes(PyObject *types) {
    bool is_good = fetch(&core.error, types, "LuftError") && fetch(&core.error_code, types, "Error") &&
                   fetch(&core.missing_table, types, "MissingTableError") &&
                   fetch(&core.tablebase_move, types, "TablebaseMove") &&
                   fetch(&core.tablebase_table, types, "TablebaseTable") && fetch(&core.book_move, types, "BookMove") &&
                   fetch(&core.book_entry, types, "BookEntry") && fetch(&core.outcome, types, "Outcome") &&
                   fetch(&core.opening, types, "Opening") && fetch(&core.key_pair, types, "KeyPair") &&
                   fetch(&core.king_constraints, types, "KingConstraints") && fetch(&core.planes, types, "Planes") &&
                   fetch(&core.claim, types, "Claim") && fetch(&core.status, types, "Status") &&
                   fetch(&core.pgn_error, types, "PgnError") && fetch(&core.comment, types, "Comment") &&
                   fetch(&core.score, types, "Score") && fetch(&core.wdl, types, "Wdl") &&
                   fetch(&core.analysis_line, types, "AnalysisLine") && fetch(&core.analysis, types, "Analysis");
    for (int i = 0; is_good && i < 2; i++) {
        is_good = fetch_member(&core.color[i], types, "Color", PyLong_FromLong(i)) &&
                  fetch_member(&core.author[i], types, "Author", PyLong_FromLong(i));
    }
    for (int i = 0; is_good && i < 3; i++) {
        is_good = fetch_member(&core.bound[i], types, "Bound", PyLong_FromLong(i));
    }
    for (int i = LUFT_WDL_LOSS; is_good && i <= LUFT_WDL_WIN; i++) {
        is_good = fetch_member(&core.tablebase_result[i - LUFT_WDL_LOSS], types, "TablebaseResult", PyLong_FromLong(i));
    }
    for (int i = LUFT_NOT_OVER; is_good && i <= LUFT_FIVEFOLD_REPETITION; i++) {
        is_good = fetch_member(&core.termination[i], types, "Termination", PyLong_FromLong(i));
    }
    for (int i = LUFT_PAWN; is_good && i <= LUFT_KING; i++) {
        is_good = fetch_member(&core.piece_type[i], types, "PieceType", PyLong_FromLong(i));
    }
    for (int i = 0; is_good && i <= LUFT_BLACK_KING; i++) {
        const char letter = luft_piece_letter((luft_piece)i);
        is_good =
            letter == '.' || fetch_member(&core.piece[i], types, "Piece", PyUnicode_FromStringAndSize(&letter, 1));
    }
    for (int i = 0; is_good && i < 64; i++) {
        char name[3];
        luft_square_to_text(name, sizeof name, (luft_square)i);
        core.square_name[i] = PyUnicode_InternFromString(name);
        is_good = core.square_name[i] != NULL;
    }
    return is_good;
}

/* Makes a type and, where it is public, an attribute of the module. */
static bool add_type(PyTypeObject **type, PyObject *module, PyType_Spec *spec) {
    *type = (PyTypeObject *)PyType_FromSpec(spec);
    return *type && PyModule_AddType(module, *type) == 0;
}

static bool add_functions(PyObject *module) {
    PyMethodDef *const tables[] = {core_position_functions, core_board_functions,  core_move_functions,
                                   core_setup_functions,    core_game_functions,   core_batch_functions,
                                   core_text_functions,     core_square_functions, core_book_functions};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (PyModule_AddFunctions(module, tables[i])) {
            return false;
        }
    }
    return true;
}

static bool fill_module(PyObject *module, PyObject *types) {
    if (!fetch_classes(types) || !add_type(&core.move_type, module, &core_move_spec) ||
        !add_type(&core.set_type, module, &core_set_spec) ||
        !add_type(&core.position_type, module, &core_position_spec) ||
        !add_type(&core.game_type, module, &core_game_spec) || !add_type(&core.tree_type, module, &core_tree_spec) ||
        !add_type(&core.node_type, module, &core_node_spec) || !add_type(&core.tags_type, module, &core_tags_spec) ||
        !add_type(&core.reader_type, module, &core_reader_spec) ||
        !add_type(&core.searcher_type, module, &core_searcher_spec) ||
        !add_type(&core.prober_type, module, &core_prober_spec) ||
        !add_type(&core.book_type, module, &core_book_spec) || !add_functions(module) ||
        PyModule_AddStringConstant(module, "version", luft_version()) ||
        PyModule_AddStringConstant(module, "variant", LUFT_ARCH)) {
        return false;
    }
    PyObject *none = core_move_object(LUFT_MOVE_NONE);
    const bool is_good = none && PyObject_SetAttrString((PyObject *)core.move_type, "NONE", none) == 0;
    Py_XDECREF(none);
    return is_good;
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "luft._core", "The compiled part of luft. Use luft.", -1, NULL, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void) {
    PyObject *types = PyImport_ImportModule("luft._types");
    PyObject *module = types ? PyModule_Create(&definition) : NULL;
    if (module && !fill_module(module, types)) {
        Py_CLEAR(module);
    }
    Py_XDECREF(types);
    return module;
}
