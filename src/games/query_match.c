/* SPDX-License-Identifier: MIT */
/*
 * Matches a query against the positions of a game, one after the other. Nodes with a state are brought up to date at
 * each position, operands first; the others are evaluated only as far as needed.
 */
#include "games/query.h"

#include <stdlib.h>

struct luft_query_matcher {
    const luft_query *query;
    uint32_t ply;
    query_counts counts; /* of the pieces of the last position */
    int occupied_count;  /* of the last position; 0 before the first */
    int pawn_count;
    /* By node: the value of a condition on the game, and at this position that of an operator with a state. */
    bool value[LUFT_QUERY_NODES_MAX];
    uint32_t state[LUFT_QUERY_NODES_MAX]; /* `then`: 1 + the last ply of its left operand; `for`: positions in a row */
};

/* A position of the game and what surrounds it. */
typedef struct place {
    const luft_query_matcher *matcher;
    const luft_position *position;
    bool is_last;
} place;

luft_error luft_query_matcher_create(luft_query_matcher **matcher, const luft_query *query) {
    if (!matcher || !query) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_query_matcher *made = calloc(1, sizeof *made);
    if (!made) {
        return LUFT_ERROR_MEMORY;
    }
    made->query = query;
    *matcher = made;
    return LUFT_OK;
}

void luft_query_matcher_free(luft_query_matcher *matcher) {
    free(matcher);
}

void luft_query_begin(luft_query_matcher *matcher, const luft_query_facts *facts) {
    if (!matcher || !facts) {
        return;
    }
    matcher->ply = 0;
    matcher->occupied_count = 0;
    for (size_t i = 0; i < matcher->query->count; i++) {
        const query_node *node = &matcher->query->nodes[i];
        matcher->value[i] = query_is_on_game(node->op) && luft_query_game_value(node, facts);
        matcher->state[i] = 0;
    }
}

/* --- Conditions on the position ------------------------------------------------- */

static bool has_pattern(const query_node *node, const luft_position *position) {
    const query_pattern *pattern = &node->pattern;
    const luft_board *board = &position->board;
    const luft_bitboard words[WORD_COUNT] = {
        board->pawns,         board->knights,           board->diagonal,          board->orthogonal,
        board->kings,         board->color[LUFT_WHITE], board->color[LUFT_BLACK], board->castling,
        luft_occupied(board),
    };
    luft_bitboard wrong = 0;
    for (int word = 0; word < WORD_COUNT; word++) {
        wrong |= (words[word] ^ pattern->value[word]) & pattern->care[word];
    }
    return wrong == 0 && (!pattern->is_position ||
                          (position->ep_square == pattern->ep_square && position->side_to_move == node->color));
}

/* What White has more of each type, with an offset. */
static query_counts imbalance_of(query_counts counts) {
    const query_counts offset = (COUNT_ONES & COUNT_SIDE_MASK) * IMBALANCE_OFFSET;
    return (counts & COUNT_SIDE_MASK) + offset - (counts >> 5 * COUNT_BITS);
}

/* White's material minus Black's, in pawns. */
static int balance_of(query_counts counts) {
    static const int values[5] = {1, 3, 3, 5, 9};
    int balance = 0;
    for (int type = 0; type < 5; type++) {
        const int white = (int)(counts >> COUNT_BITS * type & 63),
                  black = (int)(counts >> COUNT_BITS * (type + 5) & 63);
        balance += values[type] * (white - black);
    }
    return balance;
}

/* The set and all squares north of it, or south. */
static luft_bitboard fill_north(luft_bitboard set) {
    set |= set >> 8;
    set |= set >> 16;
    return set | set >> 32;
}

static luft_bitboard fill_south(luft_bitboard set) {
    set |= set << 8;
    set |= set << 16;
    return set | set << 32;
}

static luft_bitboard beside(luft_bitboard set) {
    return luft_east(set) | luft_west(set);
}

/* The squares in front of the pawns of a colour. */
static luft_bitboard in_front(luft_bitboard pawns, luft_color color) {
    return color == LUFT_WHITE ? fill_north(luft_north(pawns)) : fill_south(luft_south(pawns));
}

/* The pawns of a colour that are passed, isolated or doubled. */
static luft_bitboard special_pawns(query_op op, const luft_board *board, luft_color color) {
    const luft_bitboard own = board->pawns & board->color[color];
    const luft_bitboard enemy_front = in_front(board->pawns & ~board->color[color], luft_opposite(color));
    switch (op) {
    case QUERY_PASSED: return own & ~(enemy_front | beside(enemy_front));
    case QUERY_ISOLATED: return own & ~beside(fill_north(own) | fill_south(own));
    default: return own & in_front(own, luft_opposite(color)); /* another is in front of it */
    }
}

static bool has_pawn_counts(const query_node *node, const luft_board *board) {
    query_counts counts = 0;
    for (int color = 0; color < 2; color++) {
        counts |= query_count(color, 0, luft_popcount(special_pawns(node->op, board, (luft_color)color)));
    }
    return query_counts_within(counts, node->min, node->max);
}

/* Does each side have one bishop, and do they stand on squares of different colours? */
static bool has_opposite_bishops(const luft_board *board) {
    const luft_bitboard light = UINT64_C(0xaa55aa55aa55aa55); /* a8 is light */
    const luft_bitboard bishops = luft_bishops(board);
    const luft_bitboard white = bishops & board->color[LUFT_WHITE], black = bishops & board->color[LUFT_BLACK];
    return white && black && !luft_more_than_one(white) && !luft_more_than_one(black) &&
           !(white & light) != !(black & light);
}

static bool position_value(const query_node *node, const place *here) {
    const luft_position *position = here->position;
    const query_counts counts = here->matcher->counts;
    switch (node->op) {
    case QUERY_PATTERN: return has_pattern(node, position);
    case QUERY_MATERIAL: return query_counts_within(counts, node->min, node->max);
    case QUERY_IMBALANCE: return query_counts_within(imbalance_of(counts), node->min, node->max);
    case QUERY_BALANCE: {
        const int balance = balance_of(counts);
        return balance >= node->from && balance <= node->to;
    }
    case QUERY_PASSED:
    case QUERY_ISOLATED:
    case QUERY_DOUBLED: return has_pawn_counts(node, &position->board);
    case QUERY_OPPOSITE_BISHOPS: return has_opposite_bishops(&position->board);
    case QUERY_TURN: return position->side_to_move == node->color;
    case QUERY_CHECK: return luft_in_check(position);
    case QUERY_CHECKMATE: return luft_in_check(position) && !luft_has_legal_move(position);
    case QUERY_STALEMATE: return !luft_in_check(position) && !luft_has_legal_move(position);
    case QUERY_PLY: return (int64_t)here->matcher->ply >= node->from && (int64_t)here->matcher->ply <= node->to;
    default: return here->is_last; /* end */
    }
}

/* --- Operators -------------------------------------------------------------- */

/* The value of a node here. Those with a state are up to date if they come before it. */
// NOLINTNEXTLINE(misc-no-recursion): no deeper than the query
static bool value_of(const place *here, size_t index) {
    const query_node *node = &here->matcher->query->nodes[index];
    switch (node->op) {
    case QUERY_AND: return value_of(here, node->left) && value_of(here, node->right);
    case QUERY_OR: return value_of(here, node->left) || value_of(here, node->right);
    case QUERY_NOT: return !value_of(here, node->left);
    default: break;
    }
    return query_has_state(node->op) || query_is_on_game(node->op) ? here->matcher->value[index]
                                                                   : position_value(node, here);
}

/* Brings a node with a state up to date. */
static void update(luft_query_matcher *matcher, const place *here, size_t index) {
    const query_node *node = &matcher->query->nodes[index];
    uint32_t *state = &matcher->state[index];
    switch (node->op) {
    case QUERY_THEN:
        matcher->value[index] =
            *state > 0 && matcher->ply + 1 - *state <= (uint32_t)node->to && value_of(here, node->right);
        *state = value_of(here, node->left) ? matcher->ply + 1 : *state;
        break;
    case QUERY_FOR:
        *state = value_of(here, node->left) ? *state + 1 : 0;
        matcher->value[index] = *state >= (uint32_t)node->from;
        break;
    default: /* once */ matcher->value[index] |= value_of(here, node->left); break;
    }
}

/* Counts the pieces again if a capture or a promotion changed them. */
static void update_counts(luft_query_matcher *matcher, const luft_board *board) {
    const int occupied_count = luft_popcount(luft_occupied(board)), pawn_count = luft_popcount(board->pawns);
    if (occupied_count != matcher->occupied_count || pawn_count != matcher->pawn_count) {
        matcher->counts = luft_query_count_pieces(board);
        matcher->occupied_count = occupied_count;
        matcher->pawn_count = pawn_count;
    }
}

bool luft_query_feed(luft_query_matcher *matcher, const luft_position *position, bool is_last) {
    if (!matcher || !position) {
        return false;
    }
    const luft_query *query = matcher->query;
    const place here = {matcher, position, is_last};
    update_counts(matcher, &position->board);
    for (size_t i = 0; query->has_state && i < query->count; i++) {
        if (query_has_state(query->nodes[i].op)) {
            update(matcher, &here, i);
        }
    }
    const bool matches = value_of(&here, query->count - 1);
    matcher->ply++;
    return matches;
}
