/* SPDX-License-Identifier: MIT */
/*
 * The PGN game tree inside, and what its parts share. pgn_game.c holds nodes and tags,
 * pgn_game_notes.c comments, NAGs and commands, pgn_game_mark.c the mark of the engine's
 * annotations, pgn_game_read.c and pgn_game_write.c read and write PGN.
 *
 * Nodes are elements of one array, linked by their indices. Each keeps its position, so
 * none has to be computed. All walks over the tree follow the links without recursion,
 * because a line or a nest of variations may be as deep as the game is large.
 */
#ifndef LUFT_GAMES_PGN_GAME_H
#define LUFT_GAMES_PGN_GAME_H

#include "luft/pgn_game.h"

enum {
    PGN_TOKEN_KEPT = 128, /* bytes of the token of a mistake */
    PGN_ENTRY_COST = 64,  /* bytes that a tag or a comment counts beside its text: its structs and allocation */
    PGN_NAG_COST = 8,     /* the same for a NAG, which has no text */
    PGN_MARK_MAX = 16 + 9 + 256 * 8 + 13 /* longest mark: its frame, checksum, NAGs and number of moves */
};

typedef struct pgn_comment {
    char *text; /* as the writer writes it; a NUL follows */
    uint32_t length;
    uint8_t author;
} pgn_comment;

typedef struct pgn_comments {
    pgn_comment *items;
    uint32_t count, capacity;
} pgn_comments;

typedef struct pgn_node {
    luft_position position;   /* after the move */
    pgn_comments comments[2]; /* by luft_pgn_comment_place */
    uint16_t *nags;           /* each a value, plus PGN_NAG_BY_ENGINE */
    uint16_t nag_count;       /* at most 256: no value comes twice */
    luft_move move;
    uint8_t author;
    bool is_used; /* false for a deleted node, which is in the list of free ones */
    luft_pgn_node parent, first_child, last_child;
    luft_pgn_node previous, next; /* siblings; the next free node if it is not used */
} pgn_node;

enum { PGN_NAG_BY_ENGINE = 256 };

struct luft_pgn_game {
    pgn_node *nodes; /* the root first */
    size_t node_end; /* nodes in use or in the list of free ones */
    size_t node_capacity;
    size_t node_count; /* in use */
    luft_pgn_node free_node;
    luft_pgn_tag *tags; /* the roster first; a name and its value are one allocation, which begins with the name */
    size_t tag_count, tag_capacity;
    size_t text_cost; /* what counts towards LUFT_PGN_MAX_TEXT */
    luft_result result;
    bool has_start; /* the tags set up a position; without one there are no nodes but the root, which is hidden */
    bool has_mistake;
    luft_pgn_error mistake;
    char mistake_token[PGN_TOKEN_KEPT];
};

/* The node of this number; NULL if there is none, and in a game without a start. */
static inline pgn_node *pgn_game_node(const luft_pgn_game *game, luft_pgn_node node) {
    const bool is_node = game && game->has_start && node < game->node_end && game->nodes[node].is_used;
    return is_node ? &game->nodes[node] : NULL;
}

static inline bool pgn_is_author(luft_pgn_author author) {
    return author == LUFT_PGN_PERSON || author == LUFT_PGN_ENGINE;
}

/* --- pgn_game.c ------------------------------------------------------------ */

/* A game with a root that has no position, and without tags. NULL if out of memory. */
luft_pgn_game *luft_pgn_game_allocate(void);

/* Adds the roster with unknown values. */
luft_error luft_pgn_game_add_roster(luft_pgn_game *game);

/* Adds a last child with this position after its move. */
luft_error luft_pgn_game_attach(luft_pgn_node *node, luft_pgn_game *game, luft_pgn_node parent, luft_move move,
                                const luft_position *after, luft_pgn_author author);

/* Stores a tag at `index`, which is an existing one to replace or tag_count. */
luft_error luft_pgn_game_store_tag(luft_pgn_game *game, size_t index, const luft_pgn_tag *tag);

/* Index of the first tag with this name; tag_count if there is none. */
size_t luft_pgn_game_find_tag(const luft_pgn_game *game, const char *name, size_t length);

/* Reads exactly "1-0", "0-1", "1/2-1/2" or "*". */
bool luft_pgn_game_parse_result(luft_result *result, const char *text, size_t length);

/* --- pgn_game_notes.c ------------------------------------------------------ */

/* Writes the text as the writer would, with a NUL, to at least length + 1 bytes, and returns the new length. */
size_t luft_pgn_normalise_comment(char *out, const char *text, size_t length);

/* Inserts a comment and takes its text, which has been allocated; on failure the text is still the caller's. */
luft_error luft_pgn_insert_comment(luft_pgn_game *game, pgn_comments *comments, size_t index, pgn_comment comment);

/* Removes and frees the annotations of one author, or of all authors, at a node. */
void luft_pgn_clear_notes(luft_pgn_game *game, pgn_node *node, bool keep_people);

void luft_pgn_free_comments(luft_pgn_game *game, pgn_comments *comments);

/* --- pgn_game_mark.c ------------------------------------------------------- */

/* The mark [%luft ...] at the end of an engine's comment; docs/pgn.md. */
typedef struct pgn_mark {
    size_t body;    /* length of the comment without the mark */
    uint32_t moves; /* this move and those after it that are the engine's */
    uint16_t nag_count;
    uint8_t nags[256]; /* the NAGs of this move that are the engine's */
} pgn_mark;

/* Reads the mark at the end of a normalised comment; false if there is no valid one: the comment is a person's. */
bool luft_pgn_read_mark(pgn_mark *mark, const char *text, size_t length);

/* Writes the mark after a body of mark->body bytes; there must be PGN_MARK_MAX more. Returns the length of both. */
size_t luft_pgn_write_mark(char *text, const pgn_mark *mark);

#endif
