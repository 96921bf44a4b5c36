/* SPDX-License-Identifier: MIT */
/*
 * luft.PgnTree: a luft_pgn_game as a Python object. It is mutable, so it is equal
 * by value and has no hash. It is copied and pickled as PGN, which gives an equal
 * game when it is read. Its positions are of the class of its start position.
 */
#include "tree.h"

#include <stdlib.h>

static luft_pgn_game *value(PyObject *self) {
    return ((tree_object *)self)->game;
}

bool tree_name(core_text *name, PyObject *object) {
    if (!core_text_of(name, object)) {
        return false;
    }
    if (strlen(name->bytes) != (size_t)name->length) {
        core_text_free(name);
        core_fail(LUFT_ERROR_ARGUMENT, "%.120R", object);
        return false;
    }
    return true;
}

/* --- Life --------------------------------------------------------------------------- */

/* The mistake at which reading cut the game, as a list of at most one PgnError. */
static PyObject *read_errors(const luft_pgn_game *game) {
    const luft_pgn_error *mistake = luft_pgn_game_error(game);
    PyObject *list = PyList_New(0);
    if (!list || !mistake) {
        return list;
    }
    PyObject *code = PyObject_CallFunction(core.error_code, "i", (int)mistake->error);
    PyObject *name = code ? core_attribute(code, "name") : NULL;
    PyObject *error =
        name ? PyObject_CallFunction(core.pgn_error, "OsNKK", name, mistake->reason,
                                     shared_text(mistake->token, mistake->token_length),
                                     (unsigned long long)mistake->place.line, (unsigned long long)mistake->place.column)
             : NULL;
    if (!error || PyList_Append(list, error)) {
        Py_CLEAR(list);
    }
    Py_XDECREF(error);
    Py_XDECREF(name);
    Py_XDECREF(code);
    return list;
}

PyObject *core_tree_object(PyTypeObject *type, luft_pgn_game *game, PyTypeObject *position_type) {
    PyObject *errors = read_errors(game);
    PyObject *self = errors ? PyType_GenericAlloc(type, 0) : NULL;
    if (!self) {
        Py_XDECREF(errors);
        luft_pgn_game_free(game);
        return NULL;
    }
    tree_object *object = (tree_object *)self;
    object->game = game;
    object->errors = errors;
    object->position_type = (PyTypeObject *)Py_NewRef((PyObject *)position_type);
    return self;
}

static void tree_dealloc(PyObject *self) {
    tree_object *object = (tree_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (object->weak_references) {
        PyObject_ClearWeakRefs(self);
    }
    luft_pgn_game_free(object->game);
    Py_XDECREF(object->errors);
    Py_XDECREF((PyObject *)object->position_type);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF((PyObject *)type);
}

static PyObject *tree_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    luft_pgn_game *game = NULL;
    PyObject *position = core_start_position(arguments, names, "|O:PgnTree");
    if (!position) {
        return NULL;
    }
    const luft_error error = luft_pgn_game_create(&game, core_position(position));
    PyObject *self = error ? core_fail(error, "") : core_tree_object(type, game, Py_TYPE(position));
    Py_DECREF(position);
    return self;
}

/* Reads the first game of a text. */
static PyObject *read_first(PyTypeObject *type, const char *text, size_t length, PyTypeObject *position_type) {
    luft_pgn_reader *reader = NULL;
    luft_pgn_game *game = NULL;
    luft_error error = luft_pgn_reader_create_text(&reader, text, length);
    if (!error) {
        error = luft_pgn_game_read(&game, reader);
    }
    luft_pgn_reader_free(reader);
    return error ? core_fail(error, "") : core_tree_object(type, game, position_type);
}

static PyObject *tree_parse(PyObject *type, PyObject *argument) {
    if (PyBytes_Check(argument)) {
        return read_first((PyTypeObject *)type, PyBytes_AsString(argument), (size_t)PyBytes_Size(argument),
                          core.position_type);
    }
    core_text text;
    if (!core_text_of(&text, argument)) {
        return NULL;
    }
    PyObject *self = read_first((PyTypeObject *)type, text.bytes, (size_t)text.length, core.position_type);
    core_text_free(&text);
    return self;
}

/* --- Writing ------------------------------------------------------------------------- */

/* Writes the game; false and an exception if it cannot. The caller frees the bytes in any case. */
static bool write_game(shared_buffer *text, const luft_pgn_game *game) {
    luft_pgn_writer writer;
    luft_pgn_writer_init(&writer, shared_append, text);
    const luft_error error = luft_pgn_game_write(&writer, game);
    if (error == LUFT_ERROR_WRITE) {
        PyErr_NoMemory();
    } else if (error) {
        core_fail(error, "");
    }
    return error == LUFT_OK;
}

static PyObject *tree_str(PyObject *self) {
    shared_buffer text = {NULL, 0, 0};
    PyObject *result = write_game(&text, value(self)) ? shared_text(text.bytes, text.length) : NULL;
    free(text.bytes);
    return result;
}

/* Restores what __reduce__ gave: the class of positions, the PGN, and the mistakes. */
static PyObject *tree_restore(PyObject *type, PyObject *arguments) {
    PyObject *position_type = NULL, *pgn = NULL, *errors = NULL;
    if (!PyArg_ParseTuple(arguments, "O!SO!", (PyObject *)&PyType_Type, &position_type, &pgn, (PyObject *)&PyList_Type,
                          &errors)) {
        return NULL;
    }
    if (!PyType_IsSubtype((PyTypeObject *)position_type, core.position_type)) {
        return PyErr_Format(PyExc_TypeError, "expected a class of positions, got %R", position_type);
    }
    PyObject *self = read_first((PyTypeObject *)type, PyBytes_AsString(pgn), (size_t)PyBytes_Size(pgn),
                                (PyTypeObject *)position_type);
    if (self) {
        Py_DECREF(((tree_object *)self)->errors);
        ((tree_object *)self)->errors = PyList_GetSlice(errors, 0, PyList_Size(errors));
        if (!((tree_object *)self)->errors) {
            Py_CLEAR(self);
        }
    }
    return self;
}

static PyObject *tree_reduce(PyObject *self, PyObject *Py_UNUSED(unused)) {
    tree_object *object = (tree_object *)self;
    shared_buffer text = {NULL, 0, 0};
    PyObject *arguments = write_game(&text, object->game)
                              ? Py_BuildValue("(Oy#O)", (PyObject *)object->position_type, text.bytes,
                                              (Py_ssize_t)text.length, object->errors)
                              : NULL;
    free(text.bytes);
    return core_reduce(self, "_restore", arguments);
}

static PyObject *tree_copy(PyObject *self, PyObject *Py_UNUSED(unused)) {
    return core_call("copy", "copy", self, NULL);
}

static PyObject *tree_compare(PyObject *self, PyObject *other, int operation) {
    if ((operation != Py_EQ && operation != Py_NE) || !PyObject_TypeCheck(other, core.tree_type)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return PyBool_FromLong(luft_pgn_game_equal(value(self), value(other)) == (operation == Py_EQ));
}

static PyObject *tag_text(const luft_pgn_game *game, const char *name) {
    size_t length = 0;
    const char *text = luft_pgn_game_tag(game, name, &length);
    return text ? shared_text(text, length) : PyUnicode_FromString("?");
}

static PyObject *tree_repr(PyObject *self) {
    const luft_pgn_game *game = value(self);
    const size_t count = luft_pgn_game_node_count(game);
    PyObject *white = tag_text(game, "White"), *black = white ? tag_text(game, "Black") : NULL;
    PyObject *text = black ? PyUnicode_FromFormat("<PgnTree: %U - %U %s, %zu moves>", white, black,
                                                  luft_result_string(luft_pgn_game_result(game)), count ? count - 1 : 0)
                           : NULL;
    Py_XDECREF(white);
    Py_XDECREF(black);
    return text;
}

/* --- Tags and result ------------------------------------------------------------------ */

/*
 * What luft.Tags of luft/_pgn.py inherits: the operators of a mapping. The rest of its methods are those of Python's
 * MutableMapping.
 */
typedef struct tags_object {
    PyObject_HEAD PyObject *tree;
} tags_object;

/* Makes a luft.Tags without calling Python code. */
static PyObject *tree_tags(PyObject *self, void *Py_UNUSED(unused)) {
    if (!core.tags) {
        PyObject *module = PyImport_ImportModule("luft._pgn");
        core.tags = module ? (PyTypeObject *)core_attribute(module, "Tags") : NULL;
        Py_XDECREF(module);
    }
    PyObject *tags = core.tags ? PyType_GenericAlloc(core.tags, 0) : NULL;
    if (tags) {
        ((tags_object *)tags)->tree = Py_NewRef(self);
    }
    return tags;
}

static PyObject *tags_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"tree", NULL};
    PyObject *tree = NULL;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O!:Tags", keywords, (PyObject *)core.tree_type, &tree)) {
        return NULL;
    }
    PyObject *self = PyType_GenericAlloc(type, 0);
    if (self) {
        ((tags_object *)self)->tree = Py_NewRef(tree);
    }
    return self;
}

static void tags_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_XDECREF(((tags_object *)self)->tree);
    PyObject_GC_Del(self);
    Py_DECREF((PyObject *)type);
}

static int tags_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT((PyObject *)Py_TYPE(self));
    Py_VISIT(((tags_object *)self)->tree);
    return 0;
}

/* The value of a tag, NULL if there is none of that name. */
static const char *find_tag(PyObject *self, PyObject *key, size_t *length) {
    core_text name;
    if (!PyUnicode_Check(key) || !core_text_of(&name, key)) {
        PyErr_Clear();
        return NULL;
    }
    const bool has_name = strlen(name.bytes) == (size_t)name.length;
    const char *text = has_name ? luft_pgn_game_tag(value(((tags_object *)self)->tree), name.bytes, length) : NULL;
    core_text_free(&name);
    return text;
}

static PyObject *tags_get(PyObject *self, PyObject *key) {
    size_t length = 0;
    const char *text = find_tag(self, key, &length);
    if (!text) {
        PyErr_SetObject(PyExc_KeyError, key);
        return NULL;
    }
    return shared_text(text, length);
}

static int tags_contain(PyObject *self, PyObject *key) {
    return find_tag(self, key, NULL) != NULL;
}

/* Sets a tag, or removes it if the value is NULL. */
static int tags_set(PyObject *self, PyObject *key, PyObject *words) {
    core_text name, text = {NULL, 0, NULL};
    if (!words && !find_tag(self, key, NULL)) {
        PyErr_SetObject(PyExc_KeyError, key);
        return -1;
    }
    if (!tree_name(&name, key)) {
        return -1;
    }
    if (words && !core_text_of(&text, words)) {
        core_text_free(&name);
        return -1;
    }
    const luft_error error =
        luft_pgn_game_set_tag(value(((tags_object *)self)->tree), name.bytes, text.bytes, (size_t)text.length);
    core_text_free(&name);
    core_text_free(&text);
    if (error) {
        core_fail(error, words ? "the tag %.120U cannot be set to %.120R" : "the tag %.120U cannot be removed", key,
                  words);
    }
    return error ? -1 : 0;
}

/* The names in order; of one that comes twice, the first. */
static PyObject *tag_names(PyObject *self) {
    PyObject *names = PyDict_New();
    luft_pgn_tag tag;
    for (size_t i = 0; names && luft_pgn_game_tag_at(&tag, value(((tags_object *)self)->tree), i); i++) {
        PyObject *name = shared_text(tag.name, tag.name_length);
        if (!name || PyDict_SetItem(names, name, Py_None)) {
            Py_CLEAR(names);
        }
        Py_XDECREF(name);
    }
    return names;
}

static PyObject *tags_iter(PyObject *self) {
    PyObject *names = tag_names(self);
    PyObject *iterator = names ? PyObject_GetIter(names) : NULL;
    Py_XDECREF(names);
    return iterator;
}

static Py_ssize_t tags_length(PyObject *self) {
    PyObject *names = tag_names(self);
    const Py_ssize_t length = names ? PyDict_Size(names) : -1;
    Py_XDECREF(names);
    return length;
}

static PyType_Slot tags_slots[] = {
    {Py_tp_new, tags_new},          {Py_tp_dealloc, tags_dealloc},   {Py_tp_traverse, tags_traverse},
    {Py_mp_subscript, tags_get},    {Py_mp_ass_subscript, tags_set}, {Py_mp_length, tags_length},
    {Py_sq_contains, tags_contain}, {Py_tp_iter, tags_iter},         {0, NULL},
};

PyType_Spec core_tags_spec = {"luft._core.TagView", sizeof(tags_object), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, tags_slots};

static PyObject *tree_result(PyObject *self, void *Py_UNUSED(unused)) {
    return PyUnicode_FromString(luft_result_string(luft_pgn_game_result(value(self))));
}

static int tree_set_result(PyObject *self, PyObject *result, void *Py_UNUSED(unused)) {
    core_text text;
    luft_error error = LUFT_ERROR_ARGUMENT;
    if (!result) {
        PyErr_SetString(PyExc_AttributeError, "a game has a result: set it to * if it is unknown");
        return -1;
    }
    if (!core_text_of(&text, result)) {
        return -1;
    }
    for (int i = LUFT_RESULT_WHITE; i <= LUFT_RESULT_UNKNOWN; i++) {
        if (strcmp(text.bytes, luft_result_string((luft_result)i)) == 0) {
            error = luft_pgn_game_set_result(value(self), (luft_result)i);
        }
    }
    core_text_free(&text);
    if (error) {
        core_fail(error, "not a result: %.120R", result);
    }
    return error ? -1 : 0;
}

static PyObject *tree_errors(PyObject *self, void *Py_UNUSED(unused)) {
    return PySequence_List(((tree_object *)self)->errors);
}

/* --- Moves ----------------------------------------------------------------------------- */

static PyObject *fail_start(void) {
    return core_fail(LUFT_ERROR_POSITION, "the game has no start position");
}

static PyObject *tree_root(PyObject *self, void *Py_UNUSED(unused)) {
    return luft_pgn_node_exists(value(self), LUFT_PGN_ROOT) ? node_object_of(self, LUFT_PGN_ROOT) : fail_start();
}

static PyObject *tree_start(PyObject *self, void *Py_UNUSED(unused)) {
    const luft_position *start = luft_pgn_node_position(value(self), LUFT_PGN_ROOT);
    return start ? core_position_object(((tree_object *)self)->position_type, start) : fail_start();
}

static PyObject *tree_main_line(PyObject *self, void *Py_UNUSED(unused)) {
    return node_line_of(self, LUFT_PGN_ROOT);
}

static PyObject *tree_moves(PyObject *self, void *Py_UNUSED(unused)) {
    const luft_pgn_game *game = value(self);
    PyObject *list = PyList_New(0);
    for (luft_pgn_node node = luft_pgn_node_next(game, LUFT_PGN_ROOT); list && node != LUFT_PGN_NO_NODE;
         node = luft_pgn_node_next(game, node)) {
        PyObject *move = core_move_object(luft_pgn_node_move(game, node));
        if (!move || PyList_Append(list, move)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(move);
    }
    return list;
}

static PyObject *tree_sans(PyObject *self, void *Py_UNUSED(unused)) {
    const luft_pgn_game *game = value(self);
    PyObject *list = PyList_New(0);
    luft_pgn_node node = LUFT_PGN_ROOT, next = luft_pgn_node_next(game, node);
    for (; list && next != LUFT_PGN_NO_NODE; node = next, next = luft_pgn_node_next(game, node)) {
        char text[LUFT_SAN_SIZE];
        luft_move_to_san(text, sizeof text, luft_pgn_node_position(game, node), luft_pgn_node_move(game, next));
        PyObject *san = PyUnicode_FromString(text);
        if (!san || PyList_Append(list, san)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(san);
    }
    return list;
}

/* The node after this one, in the order in which a PGN holds them: a move, what follows it, its alternatives. */
static luft_pgn_node next_node(const luft_pgn_game *game, luft_pgn_node node) {
    luft_pgn_node next = luft_pgn_node_next(game, node);
    while (next == LUFT_PGN_NO_NODE && node != LUFT_PGN_NO_NODE) {
        next = luft_pgn_node_sibling(game, node);
        node = luft_pgn_node_parent(game, node);
    }
    return next;
}

static PyObject *tree_nodes(PyObject *self, PyObject *Py_UNUSED(unused)) {
    PyObject *list = PyList_New(0);
    luft_pgn_node node = luft_pgn_node_exists(value(self), LUFT_PGN_ROOT) ? LUFT_PGN_ROOT : LUFT_PGN_NO_NODE;
    for (; list && node != LUFT_PGN_NO_NODE; node = next_node(value(self), node)) {
        PyObject *object = node_object_of(self, node);
        if (!object || PyList_Append(list, object)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(object);
    }
    return list;
}

static PyObject *tree_remove_engine(PyObject *self, PyObject *Py_UNUSED(unused)) {
    luft_pgn_game_remove_engine(value(self));
    nodes_release_deleted((tree_object *)self);
    Py_RETURN_NONE;
}

/* --- The type ---------------------------------------------------------------------------- */

static PyMemberDef tree_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(tree_object, weak_references), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

#define PROPERTY(name, set, text)                                                                                      \
    { #name, tree_##name, set, text, NULL }
static PyGetSetDef tree_properties[] = {
    PROPERTY(tags, NULL, "The tags by name, a mapping: setting and deleting its items changes the game."),
    PROPERTY(result, tree_set_result, "\"1-0\", \"0-1\", \"1/2-1/2\" or \"*\". Setting it sets the tag too."),
    PROPERTY(errors, NULL, "What was wrong with the game that was read: nothing, or the one mistake that cut it."),
    PROPERTY(root, NULL, "The node before the first move. The error is POSITION if the tags set up no position."),
    PROPERTY(start, NULL, "The position before the first move. The error is POSITION if the tags set up none."),
    PROPERTY(main_line, NULL, "The nodes of the main line without the root, a new list."),
    PROPERTY(moves, NULL, "The moves of the main line, a new list. A null move is Move.NONE."),
    PROPERTY(sans, NULL, "The same in SAN."),
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef tree_methods[] = {
    {"parse", tree_parse, METH_O | METH_CLASS,
     "The first game of a PGN, a str or bytes. The error is END if it has none."},
    {"nodes", tree_nodes, METH_NOARGS,
     "All nodes: the root, then each line before the variations that replace its moves."},
    {"remove_engine", tree_remove_engine, METH_NOARGS,
     "Removes the engine's comments, NAGs and moves.\n\n"
     "A move stays if it leads to something that a person wrote, and in the main line, where it becomes a person's."},
    {"copy", tree_copy, METH_NOARGS, "A game of its own, equal to this one."},
    {"_restore", tree_restore, METH_VARARGS | METH_CLASS, NULL},
    {"__reduce__", tree_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot tree_slots[] = {
    {Py_tp_doc,
     "A PGN game as a tree: tags, moves, variations, comments and NAGs, to be read, edited and written.\n\n"
     "PgnTree(start) is a game without moves. str(tree) is the PGN. Changes go through its nodes, its `tags`\n"
     "and its `result`."},
    {Py_tp_new, tree_new},
    {Py_tp_dealloc, tree_dealloc},
    {Py_tp_members, tree_members},
    {Py_tp_getset, tree_properties},
    {Py_tp_methods, tree_methods},
    {Py_tp_str, tree_str},
    {Py_tp_repr, tree_repr},
    {Py_tp_hash, PyObject_HashNotImplemented},
    {Py_tp_richcompare, tree_compare},
    {0, NULL},
};

PyType_Spec core_tree_spec = {"luft.PgnTree", sizeof(tree_object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                              tree_slots};
