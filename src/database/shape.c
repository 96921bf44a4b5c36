/* SPDX-License-Identifier: MIT */
/* Tags that have columns; see shape.h. */
#include "database/shape.h"

#include <string.h>

static const char *const names[SHAPE_OTHER] = {"Event",       "Site",   "Date",     "Round",    "White",
                                               "Black",       "Result", "WhiteElo", "BlackElo", "ECO",
                                               "TimeControl", "FEN",    "PlyCount"};

shape_tag shape_tag_of(const char *name, size_t length) {
    shape_tag tag = SHAPE_EVENT;
    while (tag < SHAPE_OTHER && !(names[tag][0] == (length > 0 ? name[0] : 0) && strlen(names[tag]) == length &&
                                  memcmp(names[tag], name, length) == 0)) {
        tag++;
    }
    return tag;
}

const char *shape_tag_name(shape_tag tag) {
    return names[tag];
}
