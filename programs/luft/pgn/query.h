/* SPDX-License-Identifier: MIT */
/*
 * Matches the games of a PGN stream against a query. The facts of a game are complete only at its end, so its positions
 * are kept until then, unless the tags rule the game out.
 */
#ifndef LUFT_PROGRAM_PGN_QUERY_H
#define LUFT_PROGRAM_PGN_QUERY_H

#include "facts.h"

/* One thread's part. All zeros is ready for the first game. */
typedef struct pgn_query {
    luft_query_matcher *matcher; /* NULL before the first game */
    buffer positions;            /* luft_position, of the current game */
} pgn_query;

/* Begins a game. False if it cannot match, by its tags or because memory ran out: `positions.failed`. */
bool pgn_query_start(pgn_query *state, const luft_query *query, const pgn_facts *facts, const luft_position *start);

void pgn_query_add(pgn_query *state, const luft_position *position);

/* Does the game match? `eco` is the code of its opening, empty if unknown. False if it was not started. */
bool pgn_query_finish(pgn_query *state, const pgn_facts *facts, const char eco[4]);

void pgn_query_free(pgn_query *state);

#endif
