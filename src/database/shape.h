/* SPDX-License-Identifier: MIT */
/*
 * The shape of a game: which tags it has and in which order. Most games of a file have the same few shapes, so a game
 * stores the number of its shape and the values that have no column.
 *
 * A shape is a text of tag names, each with a line feed after it, in their order. The seven tags of the roster come
 * first in every game and are not in it. A name alone has its value in a column of the game. A name after '+' has it
 * among the values. A name after '=' is a tag of the roster whose column is not what the game says, such as a date of
 * another form; the value says it.
 */
#ifndef LUFT_DATABASE_SHAPE_H
#define LUFT_DATABASE_SHAPE_H

#include <stddef.h>

/* Tags that have columns; the roster first, in its order. */
typedef enum shape_tag {
    SHAPE_EVENT,
    SHAPE_SITE,
    SHAPE_DATE,
    SHAPE_ROUND,
    SHAPE_WHITE,
    SHAPE_BLACK,
    SHAPE_RESULT,
    SHAPE_WHITE_ELO,
    SHAPE_BLACK_ELO,
    SHAPE_ECO,
    SHAPE_TIME_CONTROL,
    SHAPE_FEN,
    SHAPE_PLY_COUNT,
    SHAPE_OTHER
} shape_tag;

#define SHAPE_ROSTER 7 /* tags */

enum { SHAPE_VALUE = '+', SHAPE_OVERRIDE = '=', SHAPE_END = '\n' };

/* The tag with this name, SHAPE_OTHER if it has no column. */
shape_tag shape_tag_of(const char *name, size_t length);

/* The name of a tag, never of SHAPE_OTHER. */
const char *shape_tag_name(shape_tag tag);

#endif
