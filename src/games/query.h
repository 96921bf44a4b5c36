/* SPDX-License-Identifier: MIT */
/*
 * A compiled query, shared by its parts: a tree of nodes in one array, operands before their operators, the root last.
 * Each node has a value at each position of a game. Those of conditions on the game are the same at all positions; those
 * of `then`, `for` and `once` depend on earlier positions. The query matches where the value of the root is true.
 */
#ifndef LUFT_GAMES_QUERY_H
#define LUFT_GAMES_QUERY_H

#include "luft/query.h"

typedef enum query_op {
    /* operators */
    QUERY_AND,
    QUERY_OR,
    QUERY_NOT,
    QUERY_THEN, /* the right operand, and at an earlier position, at most `to` plies ago, the left one */
    QUERY_FOR,  /* the left operand here and at the `from` - 1 positions before */
    QUERY_ONCE, /* the left operand here or earlier */
    /* conditions on the game */
    QUERY_PLAYER, /* of `color`, NO_COLOR for either */
    QUERY_EVENT,
    QUERY_SITE,
    QUERY_ELO, /* of `color`, NO_COLOR for both */
    QUERY_DATE,
    QUERY_RESULT, /* `from` is a luft_result */
    QUERY_ECO,
    QUERY_PLIES,
    /* conditions on the position */
    QUERY_PATTERN,
    QUERY_MATERIAL,
    QUERY_IMBALANCE,
    QUERY_BALANCE,
    QUERY_PASSED,
    QUERY_ISOLATED,
    QUERY_DOUBLED,
    QUERY_OPPOSITE_BISHOPS,
    QUERY_TURN, /* of `color` */
    QUERY_CHECK,
    QUERY_CHECKMATE,
    QUERY_STALEMATE,
    QUERY_PLY,
    QUERY_END,
} query_op;

#define NO_COLOR 2

static inline bool query_is_operator(query_op op) {
    return op <= QUERY_ONCE;
}

/* Does the value depend on earlier positions? */
static inline bool query_has_state(query_op op) {
    return op >= QUERY_THEN && op <= QUERY_ONCE;
}

static inline bool query_is_on_game(query_op op) {
    return op >= QUERY_PLAYER && op <= QUERY_PLIES;
}

/* --- Patterns --------------------------------------------------------------- */

/* The words of a pattern: those of luft_board in their order, and the occupied squares. */
enum { WORD_PAWNS, WORD_KNIGHTS, WORD_DIAGONAL, WORD_ORTHOGONAL, WORD_KINGS, WORD_WHITE, WORD_BLACK, WORD_CASTLING };
enum { WORD_OCCUPIED = WORD_CASTLING + 1, WORD_COUNT };

/* Matches a board if each word has these values on the squares of `care`. */
typedef struct query_pattern {
    luft_bitboard value[WORD_COUNT];
    luft_bitboard care[WORD_COUNT];
    bool is_position; /* the en passant square must be `ep_square`, too */
    uint8_t ep_square;
} query_pattern;

/* --- Counts of pieces --------------------------------------------------------- */

/*
 * Ten counts in fields of six bits: pawns to queens of White, then of Black. A count is at most 15, so bit 5 of a field
 * is free, and one subtraction compares all fields with a bound.
 */
typedef uint64_t query_counts;

#define COUNT_BITS 6
#define COUNT_MAX 15
#define COUNT_TOPS UINT64_C(0x820820820820820) /* bit 5 of each of the ten fields */
#define COUNT_ONES (COUNT_TOPS >> 5)
#define COUNT_SIDE_MASK UINT64_C(0x3fffffff) /* the five fields of White */
#define IMBALANCE_OFFSET 16                  /* a difference of -15 to 15 as a count */

static inline query_counts query_count(int color, int type, int count) {
    return (query_counts)count << COUNT_BITS * (5 * color + type);
}

static inline bool query_counts_within(query_counts counts, query_counts min, query_counts max) {
    return ((counts + COUNT_TOPS - min) & (max + COUNT_TOPS - counts) & COUNT_TOPS) == COUNT_TOPS;
}

/* --- Nodes ------------------------------------------------------------------ */

typedef struct query_node {
    query_op op;
    uint16_t left; /* the operands of an operator */
    uint16_t right;
    uint8_t color;
    int32_t from; /* a range, both ends included */
    int32_t to;
    luft_query_text text;  /* part of the text of the query */
    query_counts min, max; /* of material, imbalance (five fields) and pawns (the fields of pawns) */
    query_pattern pattern;
} query_node;

struct luft_query {
    char *text; /* a copy, for the names in conditions */
    query_node *nodes;
    size_t count;
    unsigned needs;
    bool has_state; /* any node with state */
};

/* --- Values of conditions: query_values.c ---------------------------------------- */

/* Each reads a value into a node and returns NULL, or what was expected. The node may be changed in any case. */
const char *luft_query_read_position(query_node *node, const char *text, size_t length);
const char *luft_query_read_board(query_node *node, const char *text, size_t length);
const char *luft_query_read_pawns(query_node *node, const char *text, size_t length);
const char *luft_query_read_material(query_node *node, const char *text, size_t length);
const char *luft_query_read_imbalance(query_node *node, const char *text, size_t length);
const char *luft_query_read_pawn_counts(query_node *node, const char *text, size_t length);
const char *luft_query_read_range(query_node *node, const char *text, size_t length);
const char *luft_query_read_number(query_node *node, const char *text, size_t length);
const char *luft_query_read_date(query_node *node, const char *text, size_t length);
const char *luft_query_read_eco(query_node *node, const char *text, size_t length);
const char *luft_query_read_result(query_node *node, const char *text, size_t length);
const char *luft_query_read_color(query_node *node, const char *text, size_t length);
const char *luft_query_read_name(query_node *node, const char *text, size_t length);

/* The number of an ECO code, 0 for A00 to 499 for E99; -1 for other text. */
int luft_query_eco_number(const char *text, size_t length);

/* Exchanges the colours of a condition, or the wings. */
void luft_query_flip_node(query_node *node);
void luft_query_mirror_node(query_node *node);

/* --- Conditions on the game: query_facts.c ----------------------------------------- */

/* The fact that a condition on the game asks for. */
luft_query_fact luft_query_fact_of(query_op op);

/* The value of a condition on the game. */
bool luft_query_game_value(const query_node *node, const luft_query_facts *facts);

/* The counts of a board. */
query_counts luft_query_count_pieces(const luft_board *board);

#endif
