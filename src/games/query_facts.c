/* SPDX-License-Identifier: MIT */
/*
 * What the facts of a game say about a query: the values of conditions on the game, and whether the game can match at
 * all. The latter gives each node the values that it can have at any position of the game; a condition on the position
 * can have both unless the summary of the game rules it out.
 */
#include "games/query.h"

#include <string.h>

/* --- Conditions on the game -------------------------------------------------- */

luft_query_fact luft_query_fact_of(query_op op) {
    switch (op) {
    case QUERY_PLAYER: return LUFT_QUERY_PLAYERS;
    case QUERY_EVENT: return LUFT_QUERY_EVENT;
    case QUERY_SITE: return LUFT_QUERY_SITE;
    case QUERY_ELO: return LUFT_QUERY_ELO;
    case QUERY_DATE: return LUFT_QUERY_DATE;
    case QUERY_RESULT: return LUFT_QUERY_RESULT;
    case QUERY_ECO: return LUFT_QUERY_ECO;
    case QUERY_PLIES: return LUFT_QUERY_PLIES;
    default: return LUFT_QUERY_POSITIONS;
    }
}

static char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char)(letter + ('a' - 'A')) : letter;
}

/* Does the name contain this text? Ignores the case of ASCII letters. */
static bool contains(luft_query_text name, luft_query_text part) {
    for (size_t start = 0; start + part.length <= name.length; start++) {
        size_t same = 0;
        while (same < part.length && lower(name.text[start + same]) == lower(part.text[same])) {
            same++;
        }
        if (same == part.length) {
            return true;
        }
    }
    return false;
}

/* A date with unknown parts is in the range only if it is for all their values. */
static bool date_within(const query_node *node, int date) {
    const int latest = date + (date % 10000 == 0 ? 9999 : date % 100 == 0 ? 99 : 0);
    return date >= 10000 && date >= node->from && latest <= node->to;
}

static bool elo_within(const query_node *node, int elo) {
    return elo > 0 && elo >= node->from && elo <= node->to;
}

static bool eco_within(const query_node *node, const char eco[4]) {
    const int code = eco[0] == '\0' ? -1 : luft_query_eco_number(eco, 3);
    return code >= 0 && code >= node->from && code <= node->to;
}

bool luft_query_game_value(const query_node *node, const luft_query_facts *facts) {
    const int color = node->color;
    switch (node->op) {
    case QUERY_PLAYER:
        return (color != LUFT_BLACK && contains(facts->player[LUFT_WHITE], node->text)) ||
               (color != LUFT_WHITE && contains(facts->player[LUFT_BLACK], node->text));
    case QUERY_EVENT: return contains(facts->event, node->text);
    case QUERY_SITE: return contains(facts->site, node->text);
    case QUERY_ELO:
        return (color == LUFT_BLACK || elo_within(node, facts->elo[LUFT_WHITE])) &&
               (color == LUFT_WHITE || elo_within(node, facts->elo[LUFT_BLACK]));
    case QUERY_DATE: return date_within(node, facts->date);
    case QUERY_RESULT: return facts->result != LUFT_RESULT_NONE && (int32_t)facts->result == node->from;
    case QUERY_ECO: return eco_within(node, facts->eco);
    case QUERY_PLIES: return (int64_t)facts->plies >= node->from && (int64_t)facts->plies <= node->to;
    default: return false;
    }
}

/* --- Summaries -------------------------------------------------------------- */

query_counts luft_query_count_pieces(const luft_board *board) {
    query_counts counts = 0;
    for (int color = 0; color < 2; color++) {
        for (int type = LUFT_PAWN; type <= LUFT_QUEEN; type++) {
            const luft_bitboard pieces = luft_pieces(board, (luft_color)color, (luft_piece_type)type);
            counts |= query_count(color, type - LUFT_PAWN, luft_popcount(pieces));
        }
    }
    return counts;
}

void luft_query_summary_add(luft_query_summary *summary, const luft_position *position, bool is_first) {
    if (!summary || !position) {
        return;
    }
    if (is_first) {
        memset(summary, 0, sizeof *summary);
        memset(summary->min, 0xff, sizeof summary->min);
    }
    for (int color = 0; color < 2; color++) {
        summary->pawns[color] |= position->board.pawns & position->board.color[color];
        for (int type = 0; type < 5; type++) {
            const luft_bitboard pieces =
                luft_pieces(&position->board, (luft_color)color, (luft_piece_type)(LUFT_PAWN + type));
            const uint8_t count = (uint8_t)luft_popcount(pieces);
            summary->min[color][type] = count < summary->min[color][type] ? count : summary->min[color][type];
            summary->max[color][type] = count > summary->max[color][type] ? count : summary->max[color][type];
        }
    }
}

static query_counts pack(const uint8_t counts[2][5]) {
    query_counts packed = 0;
    for (int color = 0; color < 2; color++) {
        for (int type = 0; type < 5; type++) {
            packed |= query_count(color, type, counts[color][type] < COUNT_MAX ? counts[color][type] : COUNT_MAX);
        }
    }
    return packed;
}

/* --- Can the game match? ------------------------------------------------------ */

enum { CAN_BE_FALSE = 1, CAN_BE_TRUE = 2, CAN_BE_BOTH = 3 };

typedef struct game_bounds {
    const luft_query_facts *facts;
    query_counts min, max; /* of the summary */
} game_bounds;

/* Have two ranges of ten counts a common value in each field? */
static bool counts_overlap(const query_node *node, const game_bounds *bounds) {
    return ((node->max + COUNT_TOPS - bounds->min) & (bounds->max + COUNT_TOPS - node->min) & COUNT_TOPS) == COUNT_TOPS;
}

/* The squares on which the pattern wants a pawn of this colour. */
static luft_bitboard wanted_pawns(const query_pattern *pattern, int color) {
    return pattern->value[WORD_PAWNS] & pattern->value[WORD_WHITE + color];
}

static bool can_be_true(const query_node *node, const game_bounds *bounds) {
    const luft_query_facts *facts = bounds->facts;
    const luft_query_summary *summary = facts->summary;
    switch (node->op) {
    case QUERY_PATTERN:
        return !summary || ((wanted_pawns(&node->pattern, LUFT_WHITE) & ~summary->pawns[LUFT_WHITE]) == 0 &&
                            (wanted_pawns(&node->pattern, LUFT_BLACK) & ~summary->pawns[LUFT_BLACK]) == 0 &&
                            counts_overlap(node, bounds));
    case QUERY_MATERIAL: return !summary || counts_overlap(node, bounds);
    case QUERY_PLY:
        return node->to >= 0 && ((facts->pending & LUFT_QUERY_PLIES) || node->from <= (int64_t)facts->plies);
    default: return true;
    }
}

/* The values that a node can have, given those of its operands. */
static unsigned operator_values(const query_node *node, unsigned left, unsigned right, const luft_query_facts *facts) {
    const unsigned both = left & right, any = left | right;
    switch (node->op) {
    case QUERY_AND: return (both & CAN_BE_TRUE) | (any & CAN_BE_FALSE);
    case QUERY_OR: return (any & CAN_BE_TRUE) | (both & CAN_BE_FALSE);
    case QUERY_NOT: return (left & CAN_BE_TRUE ? CAN_BE_FALSE : 0) | (left & CAN_BE_FALSE ? CAN_BE_TRUE : 0);
    case QUERY_THEN: return (both & CAN_BE_TRUE) | CAN_BE_FALSE;
    case QUERY_FOR: {
        const bool is_long = (facts->pending & LUFT_QUERY_PLIES) || node->from <= (int64_t)facts->plies + 1;
        return (is_long ? left & CAN_BE_TRUE : 0) | CAN_BE_FALSE;
    }
    default: return left; /* once */
    }
}

bool luft_query_possible(const luft_query *query, const luft_query_facts *facts) {
    if (!query || !facts) {
        return false;
    }
    game_bounds bounds = {.facts = facts};
    if (facts->summary) {
        bounds.min = pack(facts->summary->min);
        bounds.max = pack(facts->summary->max);
    }
    uint8_t values[LUFT_QUERY_NODES_MAX];
    unsigned value = CAN_BE_FALSE; /* of the last node, the root */
    for (size_t i = 0; i < query->count; i++) {
        const query_node *node = &query->nodes[i];
        if (query_is_operator(node->op)) {
            value = operator_values(node, values[node->left], values[node->right], facts);
        } else if (!query_is_on_game(node->op)) {
            value = can_be_true(node, &bounds) ? CAN_BE_BOTH : CAN_BE_FALSE;
        } else if (facts->pending & luft_query_fact_of(node->op)) {
            value = CAN_BE_BOTH;
        } else {
            value = luft_query_game_value(node, facts) ? CAN_BE_TRUE : CAN_BE_FALSE;
        }
        values[i] = (uint8_t)value;
    }
    return (value & CAN_BE_TRUE) != 0;
}
