/* SPDX-License-Identifier: MIT */
/*
 * Compiles the text of a query by recursive descent. From the weakest operator to the strongest: `then`, `or`, `and`
 * (which may be left out), the prefixes `not`, `once`, `flip` and `mirror`, and `for` after its operand.
 *
 * The nodes of an operand are contiguous and end with its root. `flip` and `mirror` copy them, exchange colours or wings
 * in the copy, and join both by `or`; so matching knows neither.
 */
#include "games/query.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 64

typedef struct parser {
    const char *text;
    size_t length;
    size_t at; /* the next byte */
    luft_query_text token;
    size_t token_at;
    char kind; /* of the token: ( or ), w for a word, q for quoted text, 0 at the end */
    int depth;
    query_node *nodes;
    size_t count;
    size_t room;
    luft_error error; /* the first */
    const char *reason;
    size_t offset;
} parser;

/* --- Tokens ----------------------------------------------------------------- */

static bool refuse_at(parser *p, luft_error error, const char *reason, size_t offset) {
    if (p->error == LUFT_OK) {
        p->error = error;
        p->reason = reason;
        p->offset = offset;
    }
    return false;
}

static bool refuse(parser *p, const char *reason) {
    return refuse_at(p, LUFT_ERROR_QUERY, reason, p->token_at);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_word(char c) {
    return !is_blank(c) && c != '(' && c != ')' && c != '"';
}

/* Reads the next token. False after an error: text in quotes must end. */
static bool advance(parser *p) {
    while (p->at < p->length && is_blank(p->text[p->at])) {
        p->at++;
    }
    p->token_at = p->at;
    p->token = (luft_query_text){p->text + p->at, 0};
    p->kind = 0;
    if (p->at == p->length) {
        return true;
    }
    const char first = p->text[p->at];
    if (first == '(' || first == ')') {
        p->kind = first;
        p->at++;
        return true;
    }
    if (first == '"') {
        const char *start = p->text + p->at + 1;
        const char *end = memchr(start, '"', p->length - p->at - 1);
        if (!end) {
            return refuse(p, "the text in quotes does not end");
        }
        p->kind = 'q';
        p->token = (luft_query_text){start, (size_t)(end - start)};
        p->at += p->token.length + 2;
        return true;
    }
    p->kind = 'w';
    while (p->at < p->length && is_word(p->text[p->at])) {
        p->at++;
        p->token.length++;
    }
    return true;
}

static bool is_keyword(const parser *p, const char *word) {
    return p->kind == 'w' && p->token.length == strlen(word) && memcmp(p->token.text, word, p->token.length) == 0;
}

/* Skips the token if it is this word. */
static bool accept(parser *p, const char *word, bool *accepted) {
    *accepted = is_keyword(p, word);
    return !*accepted || advance(p);
}

/* --- Nodes ------------------------------------------------------------------ */

/* Appends a node, NULL after an error. It holds until the next is appended. */
static query_node *add_node(parser *p, query_op op) {
    if (p->count == LUFT_QUERY_NODES_MAX) {
        refuse(p, "the query is too large");
        return NULL;
    }
    if (p->count == p->room) {
        const size_t room = p->room == 0 ? 8 : 2 * p->room;
        query_node *nodes = realloc(p->nodes, room * sizeof *nodes);
        if (!nodes) {
            refuse_at(p, LUFT_ERROR_MEMORY, "out of memory", 0);
            return NULL;
        }
        p->nodes = nodes;
        p->room = room;
    }
    query_node *node = &p->nodes[p->count++];
    memset(node, 0, sizeof *node);
    node->op = op;
    node->color = NO_COLOR;
    return node;
}

/* Appends an operator on two operands, the later of which ends at the last node. */
static query_node *join(parser *p, query_op op, size_t left) {
    const size_t right = p->count - 1;
    query_node *node = add_node(p, op);
    if (node) {
        node->left = (uint16_t)left;
        node->right = (uint16_t)right;
    }
    return node;
}

/* Joins the nodes from `first` on with a changed copy of them. */
static bool join_variant(parser *p, size_t first, void (*change)(query_node *node)) {
    const size_t end = p->count, shift = end - first;
    for (size_t i = first; i < end; i++) {
        query_node *node = add_node(p, p->nodes[i].op);
        if (!node) {
            return false;
        }
        *node = p->nodes[i];
        if (query_is_operator(node->op)) {
            node->left = (uint16_t)(node->left + shift);
            node->right = (uint16_t)(node->right + shift);
        } else {
            change(node);
        }
    }
    return join(p, QUERY_OR, end - 1) != NULL;
}

/* --- Conditions ------------------------------------------------------------- */

typedef struct condition {
    const char *name;
    query_op op;
    uint8_t color;
    const char *(*read)(query_node *node, const char *text, size_t length); /* NULL: it has no value */
} condition;

static const condition conditions[] = {
    {"position", QUERY_PATTERN, NO_COLOR, luft_query_read_position},
    {"board", QUERY_PATTERN, NO_COLOR, luft_query_read_board},
    {"pawns", QUERY_PATTERN, NO_COLOR, luft_query_read_pawns},
    {"material", QUERY_MATERIAL, NO_COLOR, luft_query_read_material},
    {"imbalance", QUERY_IMBALANCE, NO_COLOR, luft_query_read_imbalance},
    {"balance", QUERY_BALANCE, NO_COLOR, luft_query_read_range},
    {"passed", QUERY_PASSED, NO_COLOR, luft_query_read_pawn_counts},
    {"isolated", QUERY_ISOLATED, NO_COLOR, luft_query_read_pawn_counts},
    {"doubled", QUERY_DOUBLED, NO_COLOR, luft_query_read_pawn_counts},
    {"opposite-bishops", QUERY_OPPOSITE_BISHOPS, NO_COLOR, NULL},
    {"turn", QUERY_TURN, NO_COLOR, luft_query_read_color},
    {"check", QUERY_CHECK, NO_COLOR, NULL},
    {"checkmate", QUERY_CHECKMATE, NO_COLOR, NULL},
    {"stalemate", QUERY_STALEMATE, NO_COLOR, NULL},
    {"ply", QUERY_PLY, NO_COLOR, luft_query_read_range},
    {"end", QUERY_END, NO_COLOR, NULL},
    {"player", QUERY_PLAYER, NO_COLOR, luft_query_read_name},
    {"white", QUERY_PLAYER, LUFT_WHITE, luft_query_read_name},
    {"black", QUERY_PLAYER, LUFT_BLACK, luft_query_read_name},
    {"event", QUERY_EVENT, NO_COLOR, luft_query_read_name},
    {"site", QUERY_SITE, NO_COLOR, luft_query_read_name},
    {"elo", QUERY_ELO, NO_COLOR, luft_query_read_range},
    {"white-elo", QUERY_ELO, LUFT_WHITE, luft_query_read_range},
    {"black-elo", QUERY_ELO, LUFT_BLACK, luft_query_read_range},
    {"date", QUERY_DATE, NO_COLOR, luft_query_read_date},
    {"result", QUERY_RESULT, NO_COLOR, luft_query_read_result},
    {"eco", QUERY_ECO, NO_COLOR, luft_query_read_eco},
    {"plies", QUERY_PLIES, NO_COLOR, luft_query_read_range},
};

/* Reads a value into the node; the token is the value. */
static bool read_value(parser *p, query_node *node,
                       const char *(*read)(query_node *node, const char *text, size_t length)) {
    if (p->kind != 'w' && p->kind != 'q') {
        /* The reader says what it expects of empty text. */
        p->token = (luft_query_text){"", 0};
    }
    const char *reason = read(node, p->token.text, p->token.length);
    return reason ? refuse(p, reason) : advance(p);
}

static bool parse_condition(parser *p) {
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
        const condition *found = &conditions[i];
        if (!is_keyword(p, found->name)) {
            continue;
        }
        query_node *node = add_node(p, found->op);
        if (!node) {
            return false;
        }
        node->color = found->color;
        return advance(p) && (!found->read || read_value(p, node, found->read));
    }
    return refuse(p, p->kind == 0 ? "expected a condition" : "unknown condition");
}

/* --- Operators -------------------------------------------------------------- */

static bool parse_sequence(parser *p);

/* A condition or a sequence in parentheses, and any number of `for N` after it. */
// NOLINTNEXTLINE(misc-no-recursion): no deeper than DEPTH_MAX
static bool parse_operand(parser *p) {
    if (p->kind == '(') {
        if (!advance(p) || !parse_sequence(p)) {
            return false;
        }
        if (p->kind != ')') {
            return refuse(p, p->kind == 0 ? "expected a closing parenthesis"
                                          : "expected `then`, `or`, `and` or a condition");
        }
        if (!advance(p)) {
            return false;
        }
    } else if (!parse_condition(p)) {
        return false;
    }
    bool has_duration;
    while (accept(p, "for", &has_duration) && has_duration) {
        const size_t left = p->count - 1;
        query_node *node = add_node(p, QUERY_FOR);
        if (!node) {
            return false;
        }
        node->left = node->right = (uint16_t)left;
        if (!read_value(p, node, luft_query_read_number)) {
            return false;
        }
    }
    return p->error == LUFT_OK;
}

/* An operand and the prefixes before it, the last of which applies first. */
// NOLINTNEXTLINE(misc-no-recursion): no deeper than DEPTH_MAX
static bool parse_prefixed(parser *p) {
    static const char *const prefixes[] = {"not", "once", "flip", "mirror"};
    size_t which = 0;
    while (which < 4 && !is_keyword(p, prefixes[which])) {
        which++;
    }
    const size_t first = p->count;
    if (++p->depth > DEPTH_MAX) {
        return refuse(p, "the query is nested too deeply");
    }
    const bool is_good = which == 4 ? parse_operand(p) : advance(p) && parse_prefixed(p);
    p->depth--;
    if (!is_good || which == 4) {
        return is_good;
    }
    if (which >= 2) {
        return join_variant(p, first, which == 2 ? luft_query_flip_node : luft_query_mirror_node);
    }
    return join(p, which == 0 ? QUERY_NOT : QUERY_ONCE, p->count - 1) != NULL;
}

static bool ends_conjunction(const parser *p) {
    return p->kind == 0 || p->kind == ')' || is_keyword(p, "or") || is_keyword(p, "then");
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than DEPTH_MAX
static bool parse_and(parser *p) {
    if (!parse_prefixed(p)) {
        return false;
    }
    while (!ends_conjunction(p)) {
        const size_t left = p->count - 1;
        bool has_word;
        if (!accept(p, "and", &has_word) || !parse_prefixed(p) || !join(p, QUERY_AND, left)) {
            return false;
        }
    }
    return true;
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than DEPTH_MAX
static bool parse_or(parser *p) {
    bool has_more = true;
    if (!parse_and(p)) {
        return false;
    }
    while (accept(p, "or", &has_more) && has_more) {
        const size_t left = p->count - 1;
        if (!parse_and(p) || !join(p, QUERY_OR, left)) {
            return false;
        }
    }
    return p->error == LUFT_OK;
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than DEPTH_MAX
static bool parse_sequence(parser *p) {
    bool has_more = true;
    if (!parse_or(p)) {
        return false;
    }
    while (accept(p, "then", &has_more) && has_more) {
        const size_t left = p->count - 1;
        query_node limit = {.to = INT32_MAX};
        bool is_limited;
        if (!accept(p, "within", &is_limited) || (is_limited && !read_value(p, &limit, luft_query_read_number)) ||
            !parse_or(p)) {
            return false;
        }
        query_node *node = join(p, QUERY_THEN, left);
        if (!node) {
            return false;
        }
        node->to = limit.to;
    }
    return p->error == LUFT_OK;
}

/* --- Compiling -------------------------------------------------------------- */

static unsigned needs_of(const query_node *nodes, size_t count) {
    unsigned needs = 0;
    for (size_t i = 0; i < count; i++) {
        if (query_is_on_game(nodes[i].op)) {
            needs |= luft_query_fact_of(nodes[i].op);
        } else if (!query_is_operator(nodes[i].op) || query_has_state(nodes[i].op)) {
            needs |= LUFT_QUERY_POSITIONS;
        }
    }
    return needs;
}

static bool any_state(const query_node *nodes, size_t count) {
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        any |= query_has_state(nodes[i].op);
    }
    return any;
}

/* Parses the copied text; the query takes the text and the nodes if that succeeds. */
static bool build(luft_query **query, parser *p, char *copy) {
    p->text = copy;
    if (!advance(p) || !parse_sequence(p)) {
        return false;
    }
    if (p->kind != 0) {
        return refuse(p, "no parenthesis is open");
    }
    luft_query *made = malloc(sizeof *made);
    if (!made) {
        return refuse_at(p, LUFT_ERROR_MEMORY, "out of memory", 0);
    }
    *made = (luft_query){.text = copy,
                         .nodes = p->nodes,
                         .count = p->count,
                         .needs = needs_of(p->nodes, p->count),
                         .has_state = any_state(p->nodes, p->count)};
    *query = made;
    return true;
}

static luft_error finish(luft_query_report *report, luft_error error, size_t offset, const char *reason) {
    if (report) {
        *report = (luft_query_report){error, offset, reason};
    }
    return error;
}

luft_error luft_query_compile(luft_query **query, const char *text, size_t length, luft_query_report *report) {
    if (!query || (!text && length > 0)) {
        return finish(report, LUFT_ERROR_ARGUMENT, 0, "a pointer is NULL");
    }
    if (length > LUFT_QUERY_TEXT_MAX) {
        return finish(report, LUFT_ERROR_QUERY, LUFT_QUERY_TEXT_MAX, "the query is longer than 4096 bytes");
    }
    char *copy = malloc(length + 1);
    if (!copy) {
        return finish(report, LUFT_ERROR_MEMORY, 0, "out of memory");
    }
    if (length > 0) {
        memcpy(copy, text, length);
    }
    copy[length] = '\0';
    parser p = {.length = length};
    if (!build(query, &p, copy)) {
        free(copy);
        free(p.nodes);
        return finish(report, p.error, p.offset, p.reason);
    }
    return finish(report, LUFT_OK, 0, "a query");
}

void luft_query_free(luft_query *query) {
    if (query) {
        free(query->text);
        free(query->nodes);
        free(query);
    }
}

unsigned luft_query_needs(const luft_query *query) {
    return query ? query->needs : 0;
}
