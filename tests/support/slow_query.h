/* SPDX-License-Identifier: MIT */
/*
 * A second, slow and plain implementation of queries to compare the library with. A query is a tree made at random; it
 * is written as text for the library and evaluated here by the definition of each condition, on boards of 64 letters.
 * `flip` and `mirror` evaluate their operand on a game with colours or wings exchanged.
 */
#ifndef LUFT_TESTS_SLOW_QUERY_H
#define LUFT_TESTS_SLOW_QUERY_H

#include "support/oracle.h"
#include "support/random_positions.h"

#define SLOW_PLIES_MAX 120
#define SLOW_NODES_MAX 64
#define SLOW_TEXT_SIZE 4096

/* A game: its boards, and facts as a query sees them. */
typedef struct slow_game {
    oracle_board boards[SLOW_PLIES_MAX + 1];
    bool is_over[SLOW_PLIES_MAX + 1]; /* no legal move */
    int count;                        /* of boards */
    const char *player[2];
    int elo[2];
    int date;
    luft_result result;
    const char *eco;
} slow_game;

typedef struct slow_node {
    const char *name; /* as in the text */
    int left, right;  /* operands, -1 for none */
    int from, to;
    int min[10], max[10]; /* PNBRQpnbrq */
    char value[160];
    oracle_board board;
} slow_node;

typedef struct slow_query {
    slow_node nodes[SLOW_NODES_MAX];
    int count; /* the last is the root */
    char text[SLOW_TEXT_SIZE];
} slow_query;

/* Makes a query of at most this depth whose conditions hold in some positions of the game. */
void slow_query_make(slow_query *query, random_source *source, const slow_game *game, int depth);

/* The value of the query at a position of the game. */
bool slow_query_value(const slow_query *query, const slow_game *game, int ply);

#endif
