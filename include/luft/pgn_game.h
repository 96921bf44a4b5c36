/* SPDX-License-Identifier: MIT */
/*
 * A PGN game as a tree that can be read, edited, compared and written: tags, moves,
 * variations, comments, NAGs, and commands such as [%clk 0:05:00] inside comments.
 *
 * A node is a move and the position after it; the root is the start position. The first
 * child of a node continues its line, the other children are variations in place of that
 * move. Nodes are numbers that stay the same until the node is deleted; a new node may then
 * get the number.
 *
 * Each move, comment and NAG has an author: a person or an engine. The author is written
 * into the PGN, so an engine can remove its own annotations in a later review and leave
 * everything that people wrote. docs/pgn.md describes the format.
 *
 * A game belongs to one thread at a time; several threads may read one. Pointers that are
 * returned hold until the game is next changed. Editing functions leave the game as it was
 * if they fail.
 */
#ifndef LUFT_PGN_GAME_H
#define LUFT_PGN_GAME_H

#include "pgn.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Games ----------------------------------------------------------------- */

typedef struct luft_pgn_game luft_pgn_game;

/*
 * Limits of a game, which keep it below 80 MB. What would exceed one is refused with LUFT_ERROR_OVERFLOW. A tag or a
 * comment counts 64 bytes in addition to its text, a NAG 8.
 */
#define LUFT_PGN_MAX_NODES (1 << 18)
#define LUFT_PGN_MAX_TAGS 4096
#define LUFT_PGN_MAX_TEXT (16 << 20) /* bytes */

/*
 * A game without moves that starts from `start`, or from the standard start position if that is NULL. Its tags are the
 * Seven Tag Roster, and SetUp and FEN for another start. LUFT_ERROR_POSITION if `start` is not a valid position. Ends
 * with luft_pgn_game_free.
 */
LUFT_API LUFT_NODISCARD luft_error luft_pgn_game_create(luft_pgn_game **game, const luft_position *start);

/*
 * Reads the next game. LUFT_OK also for a game with an error, which is kept up to there; else the errors of
 * luft_pgn_read_game, LUFT_ERROR_OVERFLOW and LUFT_ERROR_MEMORY; the next call reads the next game in any case. A game
 * whose tags set up no position has tags and a result, but no nodes. Free it with luft_pgn_game_free.
 *
 * Nested variations that replace the same move become siblings. A comment after a variation is a comment before the
 * move that follows it. Empty comments and variations, NAGs given twice, and a second Event tag are dropped.
 */
LUFT_API LUFT_NODISCARD luft_error luft_pgn_game_read(luft_pgn_game **game, luft_pgn_reader *reader);

/* Frees the game and what belongs to it. NULL is fine. */
LUFT_API void luft_pgn_game_free(luft_pgn_game *game);

/* The error at which reading cut the game, with at most 128 bytes of its token; NULL if there was none. */
LUFT_API const luft_pgn_error *luft_pgn_game_error(const luft_pgn_game *game);

/*
 * Writes the game. Reading that gives an equal game. LUFT_ERROR_WRITE if the sink refuses; LUFT_ERROR_MEMORY, and
 * nothing is written.
 */
LUFT_API LUFT_NODISCARD luft_error luft_pgn_game_write(luft_pgn_writer *writer, const luft_pgn_game *game);

/*
 * Do both games have the same tags, result, start, moves, variations and annotations in the same order, by the same
 * authors? A comment after a move and one before the next move are the same if no variation stands between, since PGN
 * does not tell them apart. False if either is NULL.
 */
LUFT_API LUFT_NODISCARD bool luft_pgn_game_equal(const luft_pgn_game *a, const luft_pgn_game *b);

/* --- Tags and result --------------------------------------------------------- */

/* How many tags there are, and the one at `index`, false beyond the last. The Seven Tag Roster comes first. */
LUFT_API size_t luft_pgn_game_tag_count(const luft_pgn_game *game);
LUFT_API bool luft_pgn_game_tag_at(luft_pgn_tag *tag, const luft_pgn_game *game, size_t index);

/* The value of the first tag with this name, ended by a NUL; NULL if there is none. `length` may be NULL. */
LUFT_API const char *luft_pgn_game_tag(const luft_pgn_game *game, const char *name, size_t *length);

/*
 * Sets the first tag with this name, or adds one. NULL as value removes all of that name, and sets a tag of the roster to
 * unknown. Control characters become blanks. The value of Result must be a result, which becomes that of the game, and
 * that of Variant a name of standard chess or Chess960. FEN and SetUp are refused, since the start is fixed:
 * LUFT_ERROR_ARGUMENT. LUFT_ERROR_OVERFLOW for a tag that is too long to be read, LUFT_ERROR_POSITION for Variant in a
 * game without a position.
 */
LUFT_API LUFT_NODISCARD luft_error luft_pgn_game_set_tag(luft_pgn_game *game, const char *name, const char *value,
                                                         size_t length);

/*
 * The result: that after the moves, or that of the tag where it is missing or unknown. Never LUFT_RESULT_NONE, but for
 * NULL. Setting it sets the tag too.
 */
LUFT_API luft_result luft_pgn_game_result(const luft_pgn_game *game);
LUFT_API LUFT_NODISCARD luft_error luft_pgn_game_set_result(luft_pgn_game *game, luft_result result);

/* --- Nodes ----------------------------------------------------------------- */

typedef uint32_t luft_pgn_node;

#define LUFT_PGN_ROOT ((luft_pgn_node)0)
#define LUFT_PGN_NO_NODE UINT32_MAX

/* Who made a move or an annotation. */
typedef enum luft_pgn_author { LUFT_PGN_PERSON = 0, LUFT_PGN_ENGINE = 1 } luft_pgn_author;

/* How many nodes there are, the root included; 0 for a game without a position. */
LUFT_API size_t luft_pgn_game_node_count(const luft_pgn_game *game);

/* Is there a node of this number? */
LUFT_API bool luft_pgn_node_exists(const luft_pgn_game *game, luft_pgn_node node);

/* The node before this one; LUFT_PGN_NO_NODE for the root and for a node that does not exist. */
LUFT_API luft_pgn_node luft_pgn_node_parent(const luft_pgn_game *game, luft_pgn_node node);

/* The first child, which continues the line; LUFT_PGN_NO_NODE at its end. */
LUFT_API luft_pgn_node luft_pgn_node_next(const luft_pgn_game *game, luft_pgn_node node);

/* The next child of the same parent, a variation in place of this move; LUFT_PGN_NO_NODE after the last. */
LUFT_API luft_pgn_node luft_pgn_node_sibling(const luft_pgn_game *game, luft_pgn_node node);

/* The first child with this move; LUFT_PGN_NO_NODE if there is none. */
LUFT_API luft_pgn_node luft_pgn_node_find(const luft_pgn_game *game, luft_pgn_node node, luft_move move);

/* The place among the children of its parent: 0 for the first, and for the root. */
LUFT_API size_t luft_pgn_node_index(const luft_pgn_game *game, luft_pgn_node node);

/* The move that leads to the node; LUFT_MOVE_NONE for a null move and for the root. */
LUFT_API luft_move luft_pgn_node_move(const luft_pgn_game *game, luft_pgn_node node);

/* The position at the node, after its move. NULL for a node that does not exist. */
LUFT_API const luft_position *luft_pgn_node_position(const luft_pgn_game *game, luft_pgn_node node);

/* Who added the move. */
LUFT_API luft_pgn_author luft_pgn_node_author(const luft_pgn_game *game, luft_pgn_node node);

/* --- Editing ----------------------------------------------------------------- */

/*
 * Adds a move as the last child of `parent`: the next move of a line if it is the first child, else a variation. A
 * second child with the same move is allowed; see luft_pgn_node_find. LUFT_MOVE_NONE is a null move.
 * LUFT_ERROR_MOVE_ILLEGAL if it is not legal. `node` may be NULL.
 */
LUFT_API LUFT_NODISCARD luft_error luft_pgn_node_add(luft_pgn_node *node, luft_pgn_game *game, luft_pgn_node parent,
                                                     luft_move move, luft_pgn_author author);

/* Deletes the node with everything that follows it. The root stays: LUFT_ERROR_ARGUMENT. */
LUFT_API LUFT_NODISCARD luft_error luft_pgn_node_delete(luft_pgn_game *game, luft_pgn_node node);

/* Moves the node to this place among the children of its parent, or to the last place if there are fewer. */
LUFT_API LUFT_NODISCARD luft_error luft_pgn_node_reorder(luft_pgn_game *game, luft_pgn_node node, size_t index);

/* Makes the node part of the main line: it and all nodes before it become first children. */
LUFT_API LUFT_NODISCARD luft_error luft_pgn_node_promote(luft_pgn_game *game, luft_pgn_node node);

/*
 * Removes the engine's comments, NAGs and moves. A move stays if it leads to something that a person wrote, and in the
 * main line, where it becomes a person's. NULL is fine.
 */
LUFT_API void luft_pgn_game_remove_engine(luft_pgn_game *game);

/* --- NAGs ------------------------------------------------------------------ */

typedef struct luft_pgn_nag {
    int value; /* 0 to 255; 1 is !, 2 is ? */
    luft_pgn_author author;
} luft_pgn_nag;

/* How many NAGs the node has, and the one at `index`, false beyond the last. */
LUFT_API size_t luft_pgn_node_nag_count(const luft_pgn_game *game, luft_pgn_node node);
LUFT_API bool luft_pgn_node_nag_at(luft_pgn_nag *nag, const luft_pgn_game *game, luft_pgn_node node, size_t index);

/* Adds a NAG. One that the node has stays where it is, and becomes a person's if a person adds it. */
LUFT_API LUFT_NODISCARD luft_error luft_pgn_node_add_nag(luft_pgn_game *game, luft_pgn_node node, int value,
                                                         luft_pgn_author author);

/* Removes a NAG; fine if the node does not have it. */
LUFT_API LUFT_NODISCARD luft_error luft_pgn_node_remove_nag(luft_pgn_game *game, luft_pgn_node node, int value);

/* --- Comments ---------------------------------------------------------------- */

/* Where a comment stands. A comment before the first move of a game is read as one after the root. */
typedef enum luft_pgn_comment_place { LUFT_PGN_BEFORE = 0, LUFT_PGN_AFTER = 1 } luft_pgn_comment_place;

/*
 * The text is what the writer writes: without blanks at its ends, each run of blanks as one, closing braces as
 * parentheses. A NUL follows it.
 */
typedef struct luft_pgn_comment {
    const char *text;
    size_t length;
    luft_pgn_author author;
} luft_pgn_comment;

/* How many comments stand before or after the move, and the one at `index`, false beyond the last. */
LUFT_API size_t luft_pgn_node_comment_count(const luft_pgn_game *game, luft_pgn_node node,
                                            luft_pgn_comment_place place);
LUFT_API bool luft_pgn_node_comment_at(luft_pgn_comment *comment, const luft_pgn_game *game, luft_pgn_node node,
                                       luft_pgn_comment_place place, size_t index);

/*
 * Adds a comment: a person's after all others, an engine's before those of people, so that an evaluation stands next
 * to its move. A text of blanks adds none. The root has no move, so none stands before it: LUFT_ERROR_ARGUMENT.
 */
LUFT_API LUFT_NODISCARD luft_error luft_pgn_node_add_comment(luft_pgn_game *game, luft_pgn_node node,
                                                             luft_pgn_comment_place place, const char *text,
                                                             size_t length, luft_pgn_author author);

/* Replaces the text and the author of a comment. A text of blanks removes it. LUFT_ERROR_ARGUMENT beyond the last. */
LUFT_API LUFT_NODISCARD luft_error luft_pgn_node_set_comment(luft_pgn_game *game, luft_pgn_node node,
                                                             luft_pgn_comment_place place, size_t index,
                                                             const char *text, size_t length, luft_pgn_author author);

/* Removes a comment. LUFT_ERROR_ARGUMENT beyond the last. */
LUFT_API LUFT_NODISCARD luft_error luft_pgn_node_remove_comment(luft_pgn_game *game, luft_pgn_node node,
                                                                luft_pgn_comment_place place, size_t index);

/* --- Commands in comments ------------------------------------------------------ */

/*
 * The value of the first command [%name value] in the comments after the move: "0:05:00" of [%clk 0:05:00]. It is not
 * ended by a NUL, and empty if the command has none. NULL if there is no such command. `length` may be NULL.
 */
LUFT_API const char *luft_pgn_node_command(const luft_pgn_game *game, luft_pgn_node node, const char *name,
                                           size_t *length);

/*
 * Sets a command: replaces its value in the first comment of this author that has it, else puts it at the start of the
 * author's first comment, or of a new one. It is removed from all other comments after the move. NULL as value removes
 * it from all. A name is 1 to 32 letters, digits and underscores; `luft` is reserved. A value has no brackets.
 * LUFT_ERROR_ARGUMENT for others.
 */
LUFT_API LUFT_NODISCARD luft_error luft_pgn_node_set_command(luft_pgn_game *game, luft_pgn_node node, const char *name,
                                                             const char *value, size_t length, luft_pgn_author author);

#ifdef __cplusplus
}
#endif

#endif
