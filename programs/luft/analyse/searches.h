/* SPDX-License-Identifier: MIT */
/*
 * Searches as units (util/units.h). A request is a line of text with the limits, the position, and the moves since the
 * last capture or pawn move, which the engine needs to see repetitions:
 *
 *     nodes 10000 lines 1 fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e1d1 e8d8
 *
 * Each search begins with an empty transposition table, so a result depends on nothing else, and a position that comes
 * again in the same way is searched once. Its result is a line for each variation: score, depth, nodes, moves.
 */
#ifndef LUFT_PROGRAM_ANALYSE_SEARCHES_H
#define LUFT_PROGRAM_ANALYSE_SEARCHES_H

#include "analyse.h"

#include "util/units.h"

enum { SEARCHED_MOVES_MAX = 24, SEARCHED_LINES_MAX = 4 };

typedef struct searched_line {
    int score; /* from White's view, see thinking.h */
    int depth;
    int64_t nodes;
    int length; /* of the variation; at most SEARCHED_MOVES_MAX moves are kept */
    luft_move moves[SEARCHED_MOVES_MAX];
} searched_line;

typedef struct searched {
    luft_outcome outcome; /* if the game is over, there was no search */
    int line_count;       /* 0 if the game is over */
    searched_line lines[SEARCHED_LINES_MAX];
} searched;

/* How the requests are searched; `settings` must outlive it. */
unit_work searches_work(const analyse_settings *settings);

/* Appends the lines of a manifest that the results depend on. False after an error line. */
bool searches_append_manifest(buffer *out, const analyse_settings *settings);

/* Writes a request. Its text ends in a NUL that does not count; empty if the game is over in the position. */
void searches_write(buffer *request, const luft_engine_limits *limits, int lines, const luft_position *base,
                    const luft_move *moves, size_t count);

/* Reads a result of the position; an empty text means that the game is over. False if it is not a result. */
bool searches_read(searched *out, const luft_position *position, const char *text, size_t length);

#endif
