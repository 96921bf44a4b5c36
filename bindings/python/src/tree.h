/* SPDX-License-Identifier: MIT */
/* What luft.PgnTree (tree.c) and luft.PgnNode (node.c) know of each other. */
#ifndef LUFT_PYTHON_TREE_H
#define LUFT_PYTHON_TREE_H

#include "core.h"

typedef struct node_object node_object;

typedef struct tree_object {
    PyObject_HEAD luft_pgn_game *game;
    PyTypeObject *position_type;
    PyObject *errors;   /* a list of PgnError */
    node_object *nodes; /* the PgnNode objects that exist, a list without references */
    PyObject *weak_references;
} tree_object;

/* The PgnNode of a node; None for LUFT_PGN_NO_NODE. */
PyObject *node_object_of(PyObject *tree, luft_pgn_node node);

/* Lets go of nodes that do not exist any more; their PgnNode objects refuse everything from then on. */
void nodes_release_deleted(tree_object *tree);

/* The nodes of the line that follows this one, as PgnNode objects in a list. */
PyObject *node_line_of(PyObject *tree, luft_pgn_node node);

/* The text of a name in C; false and an exception if it is not a str or holds a NUL. Ends with core_text_free. */
bool tree_name(core_text *name, PyObject *object);

#endif
