/* SPDX-License-Identifier: MIT */
/*
 * luft.PgnNode: a move of a PgnTree and the position after it. The object holds
 * the number of the node. The library may give the number of a deleted node to a
 * new one, so the tree keeps a list of its PgnNode objects, and those of deleted
 * nodes refuse every later call.
 */
#include "tree.h"

struct node_object {
    PyObject_HEAD PyObject *tree;
    luft_pgn_node node; /* LUFT_PGN_NO_NODE once it is deleted */
    uint32_t number;    /* what it was at first, for the hash */
    node_object *previous, *next;
    PyObject *weak_references;
};

/* --- Life --------------------------------------------------------------------------- */

PyObject *node_object_of(PyObject *tree, luft_pgn_node node) {
    if (node == LUFT_PGN_NO_NODE) {
        Py_RETURN_NONE;
    }
    node_object *self = (node_object *)PyType_GenericAlloc(core.node_type, 0);
    if (self) {
        tree_object *owner = (tree_object *)tree;
        self->tree = Py_NewRef(tree);
        self->node = self->number = node;
        self->next = owner->nodes;
        if (self->next) {
            self->next->previous = self;
        }
        owner->nodes = self;
    }
    return (PyObject *)self;
}

static void unlink_node(node_object *self) {
    if (self->next) {
        self->next->previous = self->previous;
    }
    if (self->previous) {
        self->previous->next = self->next;
    } else {
        ((tree_object *)self->tree)->nodes = self->next;
    }
}

static void node_dealloc(PyObject *object) {
    node_object *self = (node_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    if (self->weak_references) {
        PyObject_ClearWeakRefs(object);
    }
    unlink_node(self);
    Py_DECREF(self->tree);
    PyObject_GC_Del(object);
    Py_DECREF((PyObject *)type);
}

/* An attribute of a subclass of PgnTree can refer to a node, so the garbage collector must see the reference. */
static int node_traverse(PyObject *object, visitproc visit, void *arg) {
    Py_VISIT((PyObject *)Py_TYPE(object));
    Py_VISIT(((node_object *)object)->tree);
    return 0;
}

void nodes_release_deleted(tree_object *tree) {
    for (node_object *node = tree->nodes; node; node = node->next) {
        if (!luft_pgn_node_exists(tree->game, node->node)) {
            node->node = LUFT_PGN_NO_NODE;
        }
    }
}

static luft_pgn_game *game_of(PyObject *self) {
    return ((tree_object *)((node_object *)self)->tree)->game;
}

/* False and an exception if the node was deleted. */
static bool node_of(luft_pgn_node *node, PyObject *self) {
    *node = ((node_object *)self)->node;
    if (*node == LUFT_PGN_NO_NODE) {
        core_fail(LUFT_ERROR_ARGUMENT, "this node was deleted from its game");
    }
    return *node != LUFT_PGN_NO_NODE;
}

/* None, or the exception of an error. */
static PyObject *answer(luft_error error) {
    return error ? core_fail(error, "") : Py_NewRef(Py_None);
}

static bool author_argument(luft_pgn_author *author, PyObject *object) {
    int number = LUFT_PGN_PERSON;
    if (object && !core_int(&number, object)) {
        return false;
    }
    if (number != LUFT_PGN_PERSON && number != LUFT_PGN_ENGINE) {
        core_fail(LUFT_ERROR_ARGUMENT, "not an author: %R", object);
        return false;
    }
    *author = (luft_pgn_author)number;
    return true;
}

/* A place in a list; an IndexError for what no list has. */
static bool place_argument(size_t *place, PyObject *object) {
    const Py_ssize_t number = PyNumber_AsSsize_t(object, PyExc_IndexError);
    if (number < 0 && !PyErr_Occurred()) {
        PyErr_Format(PyExc_IndexError, "there is no place %R", object);
    }
    *place = (size_t)number;
    return number >= 0;
}

/* --- Where it stands ------------------------------------------------------------------ */

static PyObject *node_tree(PyObject *self, void *Py_UNUSED(unused)) {
    return Py_NewRef(((node_object *)self)->tree);
}

typedef luft_pgn_node neighbour(const luft_pgn_game *game, luft_pgn_node node);

static PyObject *neighbour_of(PyObject *self, neighbour *find) {
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    return node_of(&node, self) ? node_object_of(((node_object *)self)->tree, find(game_of(self), node)) : NULL;
}

static PyObject *node_parent(PyObject *self, void *Py_UNUSED(unused)) {
    return neighbour_of(self, luft_pgn_node_parent);
}

static PyObject *node_next(PyObject *self, void *Py_UNUSED(unused)) {
    return neighbour_of(self, luft_pgn_node_next);
}

/* `node` and what `follow` finds after it, as PgnNode objects in a list. */
static PyObject *list_of(PyObject *tree, luft_pgn_node node, neighbour *follow) {
    PyObject *list = PyList_New(0);
    for (; list && node != LUFT_PGN_NO_NODE; node = follow(((tree_object *)tree)->game, node)) {
        PyObject *object = node_object_of(tree, node);
        if (!object || PyList_Append(list, object)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(object);
    }
    return list;
}

PyObject *node_line_of(PyObject *tree, luft_pgn_node node) {
    return list_of(tree, luft_pgn_node_next(((tree_object *)tree)->game, node), luft_pgn_node_next);
}

static PyObject *node_children(PyObject *self, void *Py_UNUSED(unused)) {
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    return node_of(&node, self)
               ? list_of(((node_object *)self)->tree, luft_pgn_node_next(game_of(self), node), luft_pgn_node_sibling)
               : NULL;
}

static PyObject *node_line(PyObject *self, void *Py_UNUSED(unused)) {
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    return node_of(&node, self) ? node_line_of(((node_object *)self)->tree, node) : NULL;
}

static PyObject *node_index(PyObject *self, void *Py_UNUSED(unused)) {
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    return node_of(&node, self) ? PyLong_FromSize_t(luft_pgn_node_index(game_of(self), node)) : NULL;
}

static PyObject *node_is_main_line(PyObject *self, void *Py_UNUSED(unused)) {
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    if (!node_of(&node, self)) {
        return NULL;
    }
    const luft_pgn_game *game = game_of(self);
    while (node != LUFT_PGN_ROOT && luft_pgn_node_next(game, luft_pgn_node_parent(game, node)) == node) {
        node = luft_pgn_node_parent(game, node);
    }
    return PyBool_FromLong(node == LUFT_PGN_ROOT);
}

/* --- Its move --------------------------------------------------------------------------- */

static PyObject *node_move(PyObject *self, void *Py_UNUSED(unused)) {
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    if (!node_of(&node, self)) {
        return NULL;
    }
    return node == LUFT_PGN_ROOT ? Py_NewRef(Py_None) : core_move_object(luft_pgn_node_move(game_of(self), node));
}

static PyObject *node_san(PyObject *self, void *Py_UNUSED(unused)) {
    char text[LUFT_SAN_SIZE];
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    if (!node_of(&node, self)) {
        return NULL;
    }
    if (node == LUFT_PGN_ROOT) {
        Py_RETURN_NONE;
    }
    const luft_pgn_game *game = game_of(self);
    const luft_position *before = luft_pgn_node_position(game, luft_pgn_node_parent(game, node));
    return PyUnicode_FromStringAndSize(
        text, (Py_ssize_t)luft_move_to_san(text, sizeof text, before, luft_pgn_node_move(game, node)));
}

static PyObject *node_position(PyObject *self, void *Py_UNUSED(unused)) {
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    return node_of(&node, self) ? core_position_object(((tree_object *)((node_object *)self)->tree)->position_type,
                                                       luft_pgn_node_position(game_of(self), node))
                                : NULL;
}

static PyObject *node_author(PyObject *self, void *Py_UNUSED(unused)) {
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    return node_of(&node, self) ? Py_NewRef(core.author[luft_pgn_node_author(game_of(self), node)]) : NULL;
}

/* What find(), add() and add_line() take: a settled move as positions take it, or "--" for a null move. */
static bool move_argument(luft_move *move, PyObject *object, const luft_position *position) {
    const bool is_null = PyUnicode_Check(object) && PyUnicode_CompareWithASCIIString(object, "--") == 0;
    *move = LUFT_MOVE_NONE;
    return is_null || core_move(move, object, position);
}

static PyObject *node_find(PyObject *self, PyObject *argument) {
    PyObject *settled = core_settled_move(argument);
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    luft_move move = LUFT_MOVE_NONE;
    const bool is_good =
        settled && node_of(&node, self) && move_argument(&move, settled, luft_pgn_node_position(game_of(self), node));
    Py_XDECREF(settled);
    return is_good ? node_object_of(((node_object *)self)->tree, luft_pgn_node_find(game_of(self), node, move)) : NULL;
}

/* The Game of the moves that lead to the node. */
static PyObject *node_game(PyObject *self, PyObject *Py_UNUSED(unused)) {
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    if (!node_of(&node, self)) {
        return NULL;
    }
    const luft_pgn_game *game = game_of(self);
    PyObject *moves = PyList_New(0);
    for (; moves && node != LUFT_PGN_ROOT; node = luft_pgn_node_parent(game, node)) {
        PyObject *move = core_move_object(luft_pgn_node_move(game, node));
        if (!move || PyList_Append(moves, move)) {
            Py_CLEAR(moves);
        }
        Py_XDECREF(move);
    }
    PyObject *start = moves && PyList_Reverse(moves) == 0 ? core_attribute(((node_object *)self)->tree, "start") : NULL;
    PyObject *restore = start ? core_attribute((PyObject *)core.game_type, "_restore") : NULL;
    PyObject *result = restore ? PyObject_CallFunction(restore, "OOn", start, moves, PyList_Size(moves)) : NULL;
    Py_XDECREF(restore);
    Py_XDECREF(start);
    Py_XDECREF(moves);
    return result;
}

/* --- Editing ------------------------------------------------------------------------------ */

/* Adds a settled move. */
static bool add_move(luft_pgn_node *node, PyObject *self, luft_pgn_node parent, PyObject *object,
                     luft_pgn_author author) {
    const luft_position *position = luft_pgn_node_position(game_of(self), parent);
    luft_move move = LUFT_MOVE_NONE;
    if (!move_argument(&move, object, position)) {
        return false;
    }
    const luft_error error = luft_pgn_node_add(node, game_of(self), parent, move, author);
    if (error == LUFT_ERROR_MOVE_ILLEGAL) {
        core_fail_move(error, object, position);
    } else if (error) {
        core_fail(error, "");
    }
    return error == LUFT_OK;
}

static PyObject *node_add(PyObject *self, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"", "author", NULL};
    PyObject *move = NULL, *by = NULL;
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    luft_pgn_author author = LUFT_PGN_PERSON;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|$O:add", keywords, &move, &by) ||
        !author_argument(&author, by)) {
        return NULL;
    }
    PyObject *settled = core_settled_move(move);
    const bool is_good = settled && node_of(&node, self) && add_move(&node, self, node, settled, author);
    Py_XDECREF(settled);
    return is_good ? node_object_of(((node_object *)self)->tree, node) : NULL;
}

/* The settled moves of an iterable, a new list. */
static PyObject *settled_moves(PyObject *iterable) {
    if (PyUnicode_Check(iterable)) {
        return PyErr_Format(PyExc_TypeError, "expected a list of moves, got %R", iterable);
    }
    PyObject *moves = PySequence_List(iterable);
    for (Py_ssize_t i = 0; moves && i < PyList_Size(moves); i++) {
        PyObject *settled = core_settled_move(PyList_GetItem(moves, i));
        if (!settled || PyList_SetItem(moves, i, settled)) {
            Py_CLEAR(moves);
        }
    }
    return moves;
}

static PyObject *node_add_line(PyObject *self, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"", "author", NULL};
    PyObject *given = NULL, *by = NULL;
    luft_pgn_node start = LUFT_PGN_NO_NODE, first = LUFT_PGN_NO_NODE;
    luft_pgn_author author = LUFT_PGN_PERSON;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|$O:add_line", keywords, &given, &by) ||
        !author_argument(&author, by)) {
        return NULL;
    }
    PyObject *moves = settled_moves(given);
    if (!moves || !node_of(&start, self)) {
        Py_XDECREF(moves);
        return NULL;
    }
    luft_pgn_node node = start;
    for (Py_ssize_t i = 0; i < PyList_Size(moves); i++) {
        if (!add_move(&node, self, node, PyList_GetItem(moves, i), author)) {
            if (first != LUFT_PGN_NO_NODE) { /* all of the line or nothing; deleting cannot fail */
                (void)!luft_pgn_node_delete(game_of(self), first);
            }
            Py_DECREF(moves);
            return NULL;
        }
        first = i == 0 ? node : first;
    }
    Py_DECREF(moves);
    return node_object_of(((node_object *)self)->tree, node);
}

static PyObject *node_delete(PyObject *self, PyObject *Py_UNUSED(unused)) {
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    if (!node_of(&node, self)) {
        return NULL;
    }
    const luft_error error = luft_pgn_node_delete(game_of(self), node);
    nodes_release_deleted((tree_object *)((node_object *)self)->tree);
    return error ? core_fail(error, "the root of a game cannot be deleted") : Py_NewRef(Py_None);
}

static PyObject *node_reorder(PyObject *self, PyObject *argument) {
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    size_t place = 0;
    if (!place_argument(&place, argument) || !node_of(&node, self)) {
        return NULL;
    }
    return answer(luft_pgn_node_reorder(game_of(self), node, place));
}

static PyObject *node_promote(PyObject *self, PyObject *Py_UNUSED(unused)) {
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    return node_of(&node, self) ? answer(luft_pgn_node_promote(game_of(self), node)) : NULL;
}

/* --- NAGs ----------------------------------------------------------------------------------- */

static PyObject *node_nags(PyObject *self, void *Py_UNUSED(unused)) {
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    luft_pgn_nag nag;
    if (!node_of(&node, self)) {
        return NULL;
    }
    PyObject *nags = PyDict_New();
    for (size_t i = 0; nags && luft_pgn_node_nag_at(&nag, game_of(self), node, i); i++) {
        PyObject *number = PyLong_FromLong(nag.value);
        if (!number || PyDict_SetItem(nags, number, core.author[nag.author])) {
            Py_CLEAR(nags);
        }
        Py_XDECREF(number);
    }
    return nags;
}

static PyObject *node_add_nag(PyObject *self, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"", "author", NULL};
    PyObject *given = NULL, *by = NULL;
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    luft_pgn_author author = LUFT_PGN_PERSON;
    int nag = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|$O:add_nag", keywords, &given, &by) ||
        !author_argument(&author, by) || !core_int(&nag, given) || !node_of(&node, self)) {
        return NULL;
    }
    const luft_error error = luft_pgn_node_add_nag(game_of(self), node, nag, author);
    return error ? core_fail(error, "NAG %R", given) : Py_NewRef(Py_None);
}

static PyObject *node_remove_nag(PyObject *self, PyObject *argument) {
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    int nag = 0;
    return core_int(&nag, argument) && node_of(&node, self) ? answer(luft_pgn_node_remove_nag(game_of(self), node, nag))
                                                            : NULL;
}

/* --- Comments ------------------------------------------------------------------------------- */

static PyObject *comments_of(PyObject *self, luft_pgn_comment_place place) {
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    luft_pgn_comment comment;
    if (!node_of(&node, self)) {
        return NULL;
    }
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && luft_pgn_node_comment_at(&comment, game_of(self), node, place, i); i++) {
        PyObject *item = core_named(core.comment, Py_BuildValue("(NO)", shared_text(comment.text, comment.length),
                                                                core.author[comment.author]));
        if (!item || PyList_Append(list, item)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *node_comments(PyObject *self, void *Py_UNUSED(unused)) {
    return comments_of(self, LUFT_PGN_AFTER);
}

static PyObject *node_comments_before(PyObject *self, void *Py_UNUSED(unused)) {
    return comments_of(self, LUFT_PGN_BEFORE);
}

static PyObject *node_comment(PyObject *self, void *Py_UNUSED(unused)) {
    PyObject *comments = comments_of(self, LUFT_PGN_AFTER);
    PyObject *texts = comments ? PyList_New(0) : NULL;
    for (Py_ssize_t i = 0; texts && i < PyList_Size(comments); i++) {
        if (PyList_Append(texts, PyTuple_GetItem(PyList_GetItem(comments, i), 0))) {
            Py_CLEAR(texts);
        }
    }
    PyObject *blank = texts ? PyUnicode_FromString(" ") : NULL;
    PyObject *text = blank ? PyUnicode_Join(blank, texts) : NULL;
    Py_XDECREF(blank);
    Py_XDECREF(texts);
    Py_XDECREF(comments);
    return text;
}

/* Puts one comment in place of all: the new one first, so that the old ones stay if that fails. */
static int node_set_comment_text(PyObject *self, PyObject *words, void *Py_UNUSED(unused)) {
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    core_text text = {"", 0, NULL};
    if (!node_of(&node, self) || (words && !core_text_of(&text, words))) {
        return -1;
    }
    luft_pgn_game *game = game_of(self);
    size_t count = luft_pgn_node_comment_count(game, node, LUFT_PGN_AFTER);
    luft_error error =
        luft_pgn_node_add_comment(game, node, LUFT_PGN_AFTER, text.bytes, (size_t)text.length, LUFT_PGN_PERSON);
    core_text_free(&text);
    while (!error && count > 0) {
        error = luft_pgn_node_remove_comment(game, node, LUFT_PGN_AFTER, --count);
    }
    if (error) {
        core_fail(error, "");
    }
    return error ? -1 : 0;
}

static PyObject *node_add_comment(PyObject *self, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"", "before", "author", NULL};
    PyObject *words = NULL, *by = NULL;
    int before = 0;
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    luft_pgn_author author = LUFT_PGN_PERSON;
    core_text text;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|$pO:add_comment", keywords, &words, &before, &by) ||
        !author_argument(&author, by) || !node_of(&node, self) || !core_text_of(&text, words)) {
        return NULL;
    }
    const luft_error error = luft_pgn_node_add_comment(game_of(self), node, before ? LUFT_PGN_BEFORE : LUFT_PGN_AFTER,
                                                       text.bytes, (size_t)text.length, author);
    core_text_free(&text);
    return answer(error);
}

/* The error of a place where there is no comment, as Python has it. */
static PyObject *comment_answer(luft_error error, PyObject *place) {
    return error == LUFT_ERROR_ARGUMENT ? PyErr_Format(PyExc_IndexError, "there is no comment %R", place)
                                        : answer(error);
}

static PyObject *node_set_comment(PyObject *self, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"", "", "before", "author", NULL};
    PyObject *given = NULL, *words = NULL, *by = NULL;
    int before = 0;
    size_t place = 0;
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    luft_pgn_author author = LUFT_PGN_PERSON;
    core_text text;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$pO:set_comment", keywords, &given, &words, &before, &by) ||
        !place_argument(&place, given) || !author_argument(&author, by) || !node_of(&node, self) ||
        !core_text_of(&text, words)) {
        return NULL;
    }
    const luft_error error = luft_pgn_node_set_comment(game_of(self), node, before ? LUFT_PGN_BEFORE : LUFT_PGN_AFTER,
                                                       place, text.bytes, (size_t)text.length, author);
    core_text_free(&text);
    return comment_answer(error, given);
}

static PyObject *node_remove_comment(PyObject *self, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"", "before", NULL};
    PyObject *given = NULL;
    int before = 0;
    size_t place = 0;
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|$p:remove_comment", keywords, &given, &before) ||
        !place_argument(&place, given) || !node_of(&node, self)) {
        return NULL;
    }
    return comment_answer(
        luft_pgn_node_remove_comment(game_of(self), node, before ? LUFT_PGN_BEFORE : LUFT_PGN_AFTER, place), given);
}

static PyObject *node_command(PyObject *self, PyObject *argument) {
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    core_text name;
    size_t length = 0;
    if (!node_of(&node, self) || !tree_name(&name, argument)) {
        return NULL;
    }
    const char *text = luft_pgn_node_command(game_of(self), node, name.bytes, &length);
    core_text_free(&name);
    return text ? shared_text(text, length) : Py_NewRef(Py_None);
}

static PyObject *node_set_command(PyObject *self, PyObject *arguments, PyObject *names) {
    static char *keywords[] = {"", "", "author", NULL};
    PyObject *key = NULL, *words = NULL, *by = NULL;
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    luft_pgn_author author = LUFT_PGN_PERSON;
    core_text name, text = {NULL, 0, NULL};
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$O:set_command", keywords, &key, &words, &by) ||
        !author_argument(&author, by) || !node_of(&node, self) || !tree_name(&name, key)) {
        return NULL;
    }
    if (words != Py_None && !core_text_of(&text, words)) {
        core_text_free(&name);
        return NULL;
    }
    const luft_error error =
        luft_pgn_node_set_command(game_of(self), node, name.bytes, text.bytes, (size_t)text.length, author);
    core_text_free(&name);
    core_text_free(&text);
    return error ? core_fail(error, "the command %.120R cannot be set to %.120R", key, words) : Py_NewRef(Py_None);
}

/* --- Identity --------------------------------------------------------------------------------- */

/* The same node of the same PgnTree object; a deleted one is equal to itself only. */
static PyObject *node_compare(PyObject *self, PyObject *other, int operation) {
    if ((operation != Py_EQ && operation != Py_NE) || Py_TYPE(other) != core.node_type) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    const node_object *a = (node_object *)self, *b = (node_object *)other;
    const bool is_equal = a == b || (a->node != LUFT_PGN_NO_NODE && a->node == b->node && a->tree == b->tree);
    return PyBool_FromLong(is_equal == (operation == Py_EQ));
}

static Py_hash_t node_hash(PyObject *self) {
    const Py_hash_t hash = (Py_hash_t)((uintptr_t)((node_object *)self)->tree >> 4) ^ ((node_object *)self)->number;
    return hash == -1 ? -2 : hash;
}

static PyObject *node_repr(PyObject *self) {
    const luft_pgn_node node = ((node_object *)self)->node;
    if (node == LUFT_PGN_NO_NODE || node == LUFT_PGN_ROOT) {
        return PyUnicode_FromString(node == LUFT_PGN_ROOT ? "<PgnNode: start>" : "<PgnNode: deleted>");
    }
    PyObject *san = node_san(self, NULL);
    const luft_position *position = luft_pgn_node_position(game_of(self), node);
    const bool is_black = position->side_to_move == LUFT_WHITE;
    PyObject *text = san ? PyUnicode_FromFormat("<PgnNode: %d%s %U>", position->fullmove_number - is_black,
                                                is_black ? "..." : ".", san)
                         : NULL;
    Py_XDECREF(san);
    return text;
}

/* A node is its tree and the places among the children on the way to it. */
static PyObject *node_reduce(PyObject *self, PyObject *Py_UNUSED(unused)) {
    luft_pgn_node node = LUFT_PGN_NO_NODE;
    if (!node_of(&node, self)) {
        return NULL;
    }
    PyObject *path = PyList_New(0);
    for (; path && node != LUFT_PGN_ROOT; node = luft_pgn_node_parent(game_of(self), node)) {
        PyObject *index = PyLong_FromSize_t(luft_pgn_node_index(game_of(self), node));
        if (!index || PyList_Append(path, index)) {
            Py_CLEAR(path);
        }
        Py_XDECREF(index);
    }
    if (!path || PyList_Reverse(path)) {
        Py_XDECREF(path);
        return NULL;
    }
    PyObject *restore = core_attribute((PyObject *)core.node_type, "_restore");
    return Py_BuildValue("N(ON)", restore, ((node_object *)self)->tree, path);
}

static PyObject *node_restore(PyObject *Py_UNUSED(type), PyObject *arguments) {
    PyObject *tree = NULL, *path = NULL;
    if (!PyArg_ParseTuple(arguments, "O!O!", (PyObject *)core.tree_type, &tree, (PyObject *)&PyList_Type, &path)) {
        return NULL;
    }
    const luft_pgn_game *game = ((tree_object *)tree)->game;
    luft_pgn_node node = luft_pgn_node_exists(game, LUFT_PGN_ROOT) ? LUFT_PGN_ROOT : LUFT_PGN_NO_NODE;
    for (Py_ssize_t i = 0; i < PyList_Size(path) && node != LUFT_PGN_NO_NODE; i++) {
        size_t place = 0;
        if (!place_argument(&place, PyList_GetItem(path, i))) {
            return NULL;
        }
        node = luft_pgn_node_next(game, node);
        while (place-- > 0 && node != LUFT_PGN_NO_NODE) {
            node = luft_pgn_node_sibling(game, node);
        }
    }
    return node == LUFT_PGN_NO_NODE ? core_fail(LUFT_ERROR_PGN, "the game has no such node")
                                    : node_object_of(tree, node);
}

/* --- The type ----------------------------------------------------------------------------------- */

static PyMemberDef node_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(node_object, weak_references), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

#define PROPERTY(name, text)                                                                                           \
    { #name, node_##name, NULL, text, NULL }
static PyGetSetDef node_properties[] = {
    PROPERTY(tree, "The game to which the node belongs."),
    PROPERTY(parent, "The node before this one, None for the root."),
    PROPERTY(next, "The first child, which continues the line; None at its end."),
    PROPERTY(children, "The moves that follow, a new list: the next move of the line, then the variations."),
    PROPERTY(line, "The nodes of the line that follows, a new list."),
    PROPERTY(index, "The place among the children of the parent: 0 for the first, and for the root."),
    PROPERTY(is_main_line, "Is the node part of the main line?"),
    PROPERTY(move, "The move that leads to the node, Move.NONE for a null move, None for the root."),
    PROPERTY(san, "The same in SAN."),
    PROPERTY(position, "The position after the move."),
    PROPERTY(author, "Who added the move, an Author."),
    PROPERTY(nags, "The NAGs by number, a new dict; each value is the Author. 1 is !, 2 is ?."),
    PROPERTY(comments, "The comments after the move, a new list of Comment."),
    PROPERTY(comments_before, "The comments before the move, a new list of Comment."),
    {"comment", node_comment, node_set_comment_text,
     "The comments after the move as one text. Setting it puts one comment of a person in place of all.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

#define METHOD(name, flags, text)                                                                                      \
    { #name, CORE_METHOD(node_##name), flags, text }
static PyMethodDef node_methods[] = {
    METHOD(find, METH_O, "The first child with this move, or None."),
    METHOD(game, METH_NOARGS, "A Game of the moves that lead here. The error is MOVE_ILLEGAL if one is a null move."),
    METHOD(add, METH_VARARGS | METH_KEYWORDS,
           "Adds a move as the last child and returns its node: the next move of the line, or a variation."),
    METHOD(add_line, METH_VARARGS | METH_KEYWORDS,
           "Adds moves, each after the one before, and returns the last node. Adds all or, if one is refused, none."),
    METHOD(delete, METH_NOARGS, "Deletes the node with everything that follows it."),
    METHOD(reorder, METH_O, "Moves the node to this place among the children of its parent, or to the last."),
    METHOD(promote, METH_NOARGS, "Makes the node part of the main line."),
    METHOD(add_nag, METH_VARARGS | METH_KEYWORDS, "Adds a NAG, 0 to 255."),
    METHOD(remove_nag, METH_O, "Removes a NAG; fine if there is none."),
    METHOD(add_comment, METH_VARARGS | METH_KEYWORDS,
           "Adds a comment after or before the move: a person's after the others, an engine's before those of people."),
    METHOD(set_comment, METH_VARARGS | METH_KEYWORDS, "Replaces the comment at this place of the list."),
    METHOD(remove_comment, METH_VARARGS | METH_KEYWORDS, "Removes the comment at this place of the list."),
    METHOD(command, METH_O, "The value of a command in the comments, \"0:05:00\" of [%clk 0:05:00]; None without it."),
    METHOD(set_command, METH_VARARGS | METH_KEYWORDS, "Sets a command in a comment; None as value removes it."),
    {"_restore", node_restore, METH_VARARGS | METH_CLASS, NULL},
    {"__reduce__", node_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot node_slots[] = {
    {Py_tp_doc, "A move of a PgnTree and the position after it; the root is the start position.\n\n"
                "Nodes are equal if they are the same node of the same tree. One that was deleted refuses every call."},
    {Py_tp_dealloc, node_dealloc},
    {Py_tp_traverse, node_traverse},
    {Py_tp_members, node_members},
    {Py_tp_getset, node_properties},
    {Py_tp_methods, node_methods},
    {Py_tp_repr, node_repr},
    {Py_tp_hash, node_hash},
    {Py_tp_richcompare, node_compare},
    {0, NULL},
};

PyType_Spec core_node_spec = {"luft.PgnNode", sizeof(node_object), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, node_slots};
