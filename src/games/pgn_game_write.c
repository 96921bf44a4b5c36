/* SPDX-License-Identifier: MIT */
/*
 * Writes the PGN game tree, and compares two of them. A line is written move by move; the
 * variations in place of a move follow that move, each to its end, before the line continues.
 */
#include "games/pgn_game.h"

#include <stdlib.h>
#include <string.h>

/* --- Comments -------------------------------------------------------------- */

/* What the mark of a node says. */
static pgn_mark mark_of(const luft_pgn_game *game, luft_pgn_node number) {
    const pgn_node *const nodes = game->nodes, *const node = &nodes[number];
    pgn_mark mark = {0};
    for (size_t i = 0; i < node->nag_count; i++) {
        if (node->nags[i] & PGN_NAG_BY_ENGINE) {
            mark.nags[mark.nag_count++] = (uint8_t)(node->nags[i] & 255);
        }
    }
    const bool continues = node->author == LUFT_PGN_ENGINE && nodes[node->parent].author == LUFT_PGN_ENGINE &&
                           node->previous == LUFT_PGN_NO_NODE;
    if (!continues) { /* the mark of an earlier move counts this one */
        for (luft_pgn_node i = number; i != LUFT_PGN_NO_NODE && nodes[i].author == LUFT_PGN_ENGINE;
             i = nodes[i].first_child) {
            mark.moves++;
        }
    }
    return mark;
}

/* Writes a comment, an engine's with the mark. The buffer has room for the longest. */
static luft_error write_comment(luft_pgn_writer *writer, char *buffer, const pgn_comment *comment, pgn_mark *mark) {
    if (comment->author == LUFT_PGN_PERSON) {
        return luft_pgn_write_comment(writer, comment->text, comment->length);
    }
    memcpy(buffer, comment->text, comment->length);
    mark->body = comment->length;
    return luft_pgn_write_comment(writer, buffer, luft_pgn_write_mark(buffer, mark));
}

/* Writes the comments on one side of a move. The first of the engine gets what the mark says beside its body. */
static luft_error write_comments(luft_pgn_writer *writer, char *buffer, const pgn_comments *comments, pgn_mark *mark) {
    luft_error error = LUFT_OK;
    for (uint32_t i = 0; i < comments->count && error == LUFT_OK; i++) {
        error = write_comment(writer, buffer, &comments->items[i], mark);
        if (comments->items[i].author == LUFT_PGN_ENGINE) {
            *mark = (pgn_mark){0};
        }
    }
    return error;
}

static bool has_engine_comment(const pgn_comments *comments) {
    for (uint32_t i = 0; i < comments->count; i++) {
        if (comments->items[i].author == LUFT_PGN_ENGINE) {
            return true;
        }
    }
    return false;
}

/* The length of the longest comment of the engine, with a mark. */
static size_t longest_comment(const luft_pgn_game *game) {
    size_t longest = 0;
    for (size_t i = 0; i < game->node_end; i++) {
        for (int side = LUFT_PGN_BEFORE; game->nodes[i].is_used && side <= LUFT_PGN_AFTER; side++) {
            const pgn_comments *const comments = &game->nodes[i].comments[side];
            for (uint32_t j = 0; j < comments->count; j++) {
                const pgn_comment *const comment = &comments->items[j];
                longest = comment->author == LUFT_PGN_ENGINE && comment->length > longest ? comment->length : longest;
            }
        }
    }
    return longest + PGN_MARK_MAX;
}

/* --- Writing --------------------------------------------------------------- */

/* Writes a move with its annotations; of the root, these alone. */
static luft_error write_node(luft_pgn_writer *writer, char *buffer, const luft_pgn_game *game, luft_pgn_node number) {
    const pgn_node *const node = &game->nodes[number];
    const pgn_comments *const after = &node->comments[LUFT_PGN_AFTER];
    pgn_mark mark = {0};
    luft_error error = write_comments(writer, buffer, &node->comments[LUFT_PGN_BEFORE], &mark);
    if (error == LUFT_OK && number != LUFT_PGN_ROOT) {
        error = luft_pgn_write_move(writer, &game->nodes[node->parent].position, node->move);
    }
    for (size_t i = 0; i < node->nag_count && error == LUFT_OK; i++) {
        error = luft_pgn_write_nag(writer, node->nags[i] & 255);
    }
    mark = mark_of(game, number);
    if (error == LUFT_OK && (mark.nag_count > 0 || mark.moves > 0) && !has_engine_comment(after)) {
        error = luft_pgn_write_comment(writer, buffer, luft_pgn_write_mark(buffer, &mark));
    }
    return error == LUFT_OK ? write_comments(writer, buffer, after, &mark) : error;
}

/*
 * The node that is written after this one. Ends and starts variations on the way; LUFT_PGN_NO_NODE after the last. A
 * line is followed back to its start once, at its end, so all calls together take as many steps as there are nodes.
 */
static luft_pgn_node write_gap(luft_pgn_writer *writer, const luft_pgn_game *game, luft_pgn_node number) {
    const pgn_node *const nodes = game->nodes;
    luft_pgn_node next = nodes[number].previous == LUFT_PGN_NO_NODE ? nodes[number].next : LUFT_PGN_NO_NODE;
    while (next == LUFT_PGN_NO_NODE) { /* no variation begins here */
        if (nodes[number].first_child != LUFT_PGN_NO_NODE) {
            return nodes[number].first_child;
        }
        while (nodes[number].previous == LUFT_PGN_NO_NODE && number != LUFT_PGN_ROOT) {
            number = nodes[number].parent;
        }
        if (number == LUFT_PGN_ROOT) {
            return LUFT_PGN_NO_NODE;
        }
        luft_pgn_write_variation_end(writer); /* a failure stays with the writer, and the next call returns it */
        next = nodes[number].next;
        number = nodes[nodes[number].parent].first_child; /* continues if this was the last variation */
    }
    luft_pgn_write_variation_start(writer);
    return next;
}

luft_error luft_pgn_game_write(luft_pgn_writer *writer, const luft_pgn_game *game) {
    if (!writer || !game) {
        return LUFT_ERROR_ARGUMENT;
    }
    char *const buffer = malloc(longest_comment(game));
    if (!buffer) {
        return LUFT_ERROR_MEMORY;
    }
    luft_error error = luft_pgn_write_tags(writer, game->tags, game->tag_count);
    luft_pgn_node node = LUFT_PGN_ROOT;
    while (error == LUFT_OK && node != LUFT_PGN_NO_NODE) {
        error = write_node(writer, buffer, game, node);
        node = write_gap(writer, game, node);
    }
    free(buffer);
    return error == LUFT_OK ? luft_pgn_write_result(writer, game->result) : error;
}

/* --- Comparing ------------------------------------------------------------- */

static bool is_same_tag(const luft_pgn_tag *a, const luft_pgn_tag *b) {
    return a->name_length == b->name_length && a->value_length == b->value_length &&
           memcmp(a->name, b->name, a->name_length) == 0 && memcmp(a->value, b->value, a->value_length) == 0;
}

static bool has_same_head(const luft_pgn_game *a, const luft_pgn_game *b) {
    if (a->tag_count != b->tag_count || a->result != b->result || a->has_start != b->has_start ||
        a->node_count != b->node_count) {
        return false;
    }
    for (size_t i = 0; i < a->tag_count; i++) {
        if (!is_same_tag(&a->tags[i], &b->tags[i])) {
            return false;
        }
    }
    return !a->has_start || luft_position_equal(&a->nodes[LUFT_PGN_ROOT].position, &b->nodes[LUFT_PGN_ROOT].position);
}

/* True if nothing stands in PGN between the comments after this node and those before its first child. */
static bool joins_child(const luft_pgn_game *game, const pgn_node *node) {
    return node->first_child != LUFT_PGN_NO_NODE &&
           (node->previous != LUFT_PGN_NO_NODE || node->next == LUFT_PGN_NO_NODE) &&
           game->nodes[node->first_child].comments[LUFT_PGN_BEFORE].count > 0;
}

/* The comments after a node, and those before its first child that PGN does not tell from them. */
typedef struct joined_comments {
    const pgn_comments *first, *second;
} joined_comments;

static joined_comments comments_after(const luft_pgn_game *game, const pgn_node *node) {
    static const pgn_comments none = {0};
    return (joined_comments){
        &node->comments[LUFT_PGN_AFTER],
        joins_child(game, node) ? &game->nodes[node->first_child].comments[LUFT_PGN_BEFORE] : &none,
    };
}

/* The comments before a node, unless they belong to those after its parent. */
static joined_comments comments_before(const luft_pgn_game *game, const pgn_node *node) {
    static const pgn_comments none = {0};
    const bool is_joined = node->parent != LUFT_PGN_NO_NODE && node->previous == LUFT_PGN_NO_NODE &&
                           joins_child(game, &game->nodes[node->parent]);
    return (joined_comments){is_joined ? &none : &node->comments[LUFT_PGN_BEFORE], &none};
}

static const pgn_comment *joined_at(const joined_comments *joined, size_t index) {
    return index < joined->first->count ? &joined->first->items[index]
                                        : &joined->second->items[index - joined->first->count];
}

static bool has_same_comments(joined_comments a, joined_comments b) {
    const size_t count = (size_t)a.first->count + a.second->count;
    if (count != (size_t)b.first->count + b.second->count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const pgn_comment *const one = joined_at(&a, i), *const other = joined_at(&b, i);
        if (one->author != other->author || one->length != other->length ||
            memcmp(one->text, other->text, one->length) != 0) {
            return false;
        }
    }
    return true;
}

static bool is_same_node(const luft_pgn_game *a, const pgn_node *of_a, const luft_pgn_game *b, const pgn_node *of_b) {
    return of_a->move == of_b->move && of_a->author == of_b->author && of_a->nag_count == of_b->nag_count &&
           (of_a->nag_count == 0 || memcmp(of_a->nags, of_b->nags, of_a->nag_count * sizeof of_a->nags[0]) == 0) &&
           has_same_comments(comments_before(a, of_a), comments_before(b, of_b)) &&
           has_same_comments(comments_after(a, of_a), comments_after(b, of_b));
}

bool luft_pgn_game_equal(const luft_pgn_game *a, const luft_pgn_game *b) {
    if (!a || !b || !has_same_head(a, b)) {
        return false;
    }
    luft_pgn_node at_a = LUFT_PGN_ROOT, at_b = LUFT_PGN_ROOT;
    while (at_a != LUFT_PGN_NO_NODE) { /* both games step alike: to the first child, else to the next sibling */
        const pgn_node *of_a = &a->nodes[at_a], *of_b = &b->nodes[at_b];
        if (!is_same_node(a, of_a, b, of_b) ||
            (of_a->first_child == LUFT_PGN_NO_NODE) != (of_b->first_child == LUFT_PGN_NO_NODE) ||
            (of_a->next == LUFT_PGN_NO_NODE) != (of_b->next == LUFT_PGN_NO_NODE)) {
            return false;
        }
        if (of_a->first_child != LUFT_PGN_NO_NODE) {
            at_a = of_a->first_child;
            at_b = of_b->first_child;
            continue;
        }
        while (of_a->next == LUFT_PGN_NO_NODE && of_a->parent != LUFT_PGN_NO_NODE) {
            of_a = &a->nodes[of_a->parent];
            of_b = &b->nodes[of_b->parent];
        }
        at_a = of_a->next;
        at_b = of_b->next;
    }
    return true;
}
