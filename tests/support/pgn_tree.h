/* SPDX-License-Identifier: MIT */
/*
 * PGN game trees in tests: reading and writing them, finding and adding moves by their SAN, and assertions about what
 * stands at a node.
 */
#ifndef LUFT_TESTS_PGN_TREE_H
#define LUFT_TESTS_PGN_TREE_H

#include "support/check.h"

enum { TEXT_SIZE = 1 << 16 };

/* A sink of fixed size, so that it allocates nothing. */
typedef struct text_sink {
    size_t length;
    char text[TEXT_SIZE];
} text_sink;

luft_error write_game(text_sink *sink, const luft_pgn_game *game);

/* The first game of a PGN. */
luft_pgn_game *read_bytes(const char *pgn, size_t length);
luft_pgn_game *read_text(const char *pgn);

/* The movetext, with line ends as blanks. */
const char *moves_of(text_sink *sink);

/* Requires that the movetext of the game is this, with line ends as blanks, and that reading it gives an equal game. */
void assert_moves(const luft_pgn_game *game, const char *expected);

/* Requires that the game is read and written as this. */
void assert_reads(const char *pgn, const char *expected);

/* The node after moves in SAN, separated by blanks; each is the first child with that move. */
luft_pgn_node node_after(const luft_pgn_game *game, const char *moves);

/* Adds moves in SAN after a node and returns the last. */
luft_pgn_node add_moves(luft_pgn_game *game, luft_pgn_node node, const char *moves, luft_pgn_author author);

void add_comment(luft_pgn_game *game, luft_pgn_node node, luft_pgn_comment_place place, const char *text,
                 luft_pgn_author author);
luft_error set_command(luft_pgn_game *game, luft_pgn_node node, const char *name, const char *value,
                       luft_pgn_author author);
luft_error set_tag(luft_pgn_game *game, const char *name, const char *value);

void assert_comment(const luft_pgn_game *game, luft_pgn_node node, luft_pgn_comment_place place, size_t index,
                    const char *expected, luft_pgn_author author);

#endif
