/* SPDX-License-Identifier: MIT */
/*
 * The PGN game tree: creating and freeing games, nodes and their order, tags and result.
 * Every function that allocates does so before it changes the game.
 */
#include "games/pgn_game.h"

#include "games/pgn_input.h"
#include "games/pgn_scan.h"

#include <stdlib.h>
#include <string.h>

/* --- Create and free ------------------------------------------------------- */

enum { FIRST_NODES = 16, FIRST_TAGS = 16 };

static void set_root(pgn_node *root) {
    *root = (pgn_node){
        .is_used = true,
        .parent = LUFT_PGN_NO_NODE,
        .first_child = LUFT_PGN_NO_NODE,
        .last_child = LUFT_PGN_NO_NODE,
        .previous = LUFT_PGN_NO_NODE,
        .next = LUFT_PGN_NO_NODE,
    };
}

luft_pgn_game *luft_pgn_game_allocate(void) {
    luft_pgn_game *const game = malloc(sizeof *game);
    pgn_node *const nodes = malloc(FIRST_NODES * sizeof *nodes);
    luft_pgn_tag *const tags = malloc(FIRST_TAGS * sizeof *tags);
    if (!game || !nodes || !tags) {
        free(game);
        free(nodes);
        free(tags);
        return NULL;
    }
    *game = (luft_pgn_game){
        .nodes = nodes,
        .node_end = 1,
        .node_capacity = FIRST_NODES,
        .node_count = 1,
        .free_node = LUFT_PGN_NO_NODE,
        .tags = tags,
        .tag_capacity = FIRST_TAGS,
        .result = LUFT_RESULT_UNKNOWN,
    };
    set_root(&nodes[LUFT_PGN_ROOT]);
    return game;
}

static bool is_same(const char *a, const char *b) {
    const size_t length = strlen(a);
    return length == strlen(b) && memcmp(a, b, length) == 0;
}

static luft_pgn_tag tag_of(const char *name, const char *value) {
    return (luft_pgn_tag){name, value, strlen(name), strlen(value)};
}

luft_error luft_pgn_game_add_roster(luft_pgn_game *game) {
    luft_error error = LUFT_OK;
    for (size_t i = 0; i < PGN_ROSTER_SIZE && error == LUFT_OK; i++) {
        const luft_pgn_tag tag = tag_of(luft_pgn_roster[i].name, luft_pgn_roster[i].unknown);
        error = luft_pgn_game_store_tag(game, i, &tag);
    }
    return error;
}

static luft_error add_setup_tags(luft_pgn_game *game, const luft_position *start) {
    char fen[LUFT_FEN_SIZE];
    luft_position_to_fen(fen, sizeof fen, start, LUFT_FEN_STANDARD);
    const luft_pgn_tag tags[] = {tag_of("SetUp", "1"), tag_of("FEN", fen)};
    const luft_error error = luft_pgn_game_store_tag(game, game->tag_count, &tags[0]);
    return error == LUFT_OK ? luft_pgn_game_store_tag(game, game->tag_count, &tags[1]) : error;
}

luft_error luft_pgn_game_create(luft_pgn_game **game, const luft_position *start) {
    const luft_position standard = luft_start_position();
    if (!game) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (start && luft_position_status(start) != LUFT_STATUS_VALID) {
        return LUFT_ERROR_POSITION;
    }
    luft_pgn_game *const created = luft_pgn_game_allocate();
    luft_error error = created ? luft_pgn_game_add_roster(created) : LUFT_ERROR_MEMORY;
    if (error == LUFT_OK && start && !luft_position_equal(start, &standard)) {
        error = add_setup_tags(created, start);
    }
    if (error != LUFT_OK) {
        luft_pgn_game_free(created);
        return error;
    }
    created->nodes[LUFT_PGN_ROOT].position = start ? *start : standard;
    created->has_start = true;
    *game = created;
    return LUFT_OK;
}

/* `name` begins the allocation of a tag, and is the library's own memory, although the public struct says const. */
static void free_tag(const luft_pgn_tag *tag) {
    union {
        const char *name;
        void *block;
    } owned = {.name = tag->name};
    free(owned.block);
}

void luft_pgn_game_free(luft_pgn_game *game) {
    if (!game) {
        return;
    }
    for (size_t i = 0; i < game->node_end; i++) {
        if (game->nodes[i].is_used) {
            luft_pgn_clear_notes(game, &game->nodes[i], false);
        }
    }
    for (size_t i = 0; i < game->tag_count; i++) {
        free_tag(&game->tags[i]);
    }
    free(game->nodes);
    free(game->tags);
    free(game);
}

const luft_pgn_error *luft_pgn_game_error(const luft_pgn_game *game) {
    return game && game->has_mistake ? &game->mistake : NULL;
}

/* --- Tags ------------------------------------------------------------------ */

static luft_error reserve_tag(luft_pgn_game *game) {
    if (game->tag_count < game->tag_capacity) {
        return LUFT_OK;
    }
    if (game->tag_count >= LUFT_PGN_MAX_TAGS) {
        return LUFT_ERROR_OVERFLOW;
    }
    const size_t capacity = game->tag_capacity > 0 ? 2 * game->tag_capacity : FIRST_TAGS;
    luft_pgn_tag *const tags = realloc(game->tags, capacity * sizeof *tags);
    if (!tags) {
        return LUFT_ERROR_MEMORY;
    }
    game->tags = tags;
    game->tag_capacity = capacity;
    return LUFT_OK;
}

static size_t tag_cost(const luft_pgn_tag *tag) {
    return PGN_ENTRY_COST + tag->name_length + tag->value_length;
}

luft_error luft_pgn_game_store_tag(luft_pgn_game *game, size_t index, const luft_pgn_tag *tag) {
    const bool is_new = index == game->tag_count;
    if (tag->value_length > LUFT_PGN_MAX_TEXT) {
        return LUFT_ERROR_OVERFLOW;
    }
    const size_t cost = game->text_cost - (is_new ? 0 : tag_cost(&game->tags[index])) + tag_cost(tag);
    const luft_error error = cost > LUFT_PGN_MAX_TEXT ? LUFT_ERROR_OVERFLOW : is_new ? reserve_tag(game) : LUFT_OK;
    char *const block = error == LUFT_OK ? malloc(tag->name_length + tag->value_length + 2) : NULL;
    if (!block) {
        return error == LUFT_OK ? LUFT_ERROR_MEMORY : error;
    }
    char *const value = block + tag->name_length + 1;
    memcpy(block, tag->name, tag->name_length);
    value[-1] = '\0';
    for (size_t i = 0; i < tag->value_length; i++) {
        value[i] = (unsigned char)tag->value[i] < ' ' ? ' ' : tag->value[i];
    }
    value[tag->value_length] = '\0';
    if (is_new) {
        game->tag_count++;
    } else {
        free_tag(&game->tags[index]);
    }
    game->tags[index] = (luft_pgn_tag){block, value, tag->name_length, tag->value_length};
    game->text_cost = cost;
    return LUFT_OK;
}

size_t luft_pgn_game_find_tag(const luft_pgn_game *game, const char *name, size_t length) {
    size_t index = 0;
    while (index < game->tag_count &&
           !(game->tags[index].name_length == length && memcmp(game->tags[index].name, name, length) == 0)) {
        index++;
    }
    return index;
}

size_t luft_pgn_game_tag_count(const luft_pgn_game *game) {
    return game ? game->tag_count : 0;
}

bool luft_pgn_game_tag_at(luft_pgn_tag *tag, const luft_pgn_game *game, size_t index) {
    if (!tag || !game || index >= game->tag_count) {
        return false;
    }
    *tag = game->tags[index];
    return true;
}

const char *luft_pgn_game_tag(const luft_pgn_game *game, const char *name, size_t *length) {
    const size_t index = game && name ? luft_pgn_game_find_tag(game, name, strlen(name)) : SIZE_MAX;
    if (!game || index >= game->tag_count) {
        return NULL;
    }
    if (length) {
        *length = game->tags[index].value_length;
    }
    return game->tags[index].value;
}

/* Removes all tags of this name that are not in the roster. */
static void remove_tags(luft_pgn_game *game, const char *name, size_t length) {
    size_t kept = PGN_ROSTER_SIZE;
    for (size_t i = kept; i < game->tag_count; i++) {
        luft_pgn_tag *const tag = &game->tags[i];
        if (tag->name_length == length && memcmp(tag->name, name, length) == 0) {
            game->text_cost -= tag_cost(tag);
            free_tag(tag);
        } else {
            game->tags[kept++] = *tag;
        }
    }
    game->tag_count = kept;
}

/* Sets a tag of the roster to unknown, and removes every other of this name. */
static luft_error clear_tag(luft_pgn_game *game, const char *given) {
    char name[PGN_NAME_MAX + 1]; /* the given one may be that of a tag which is removed */
    const size_t length = strlen(given);
    memcpy(name, given, length + 1);
    const size_t index = luft_pgn_game_find_tag(game, name, length);
    if (index < PGN_ROSTER_SIZE) {
        const luft_pgn_tag tag = tag_of(luft_pgn_roster[index].name, luft_pgn_roster[index].unknown);
        const luft_error error = luft_pgn_game_store_tag(game, index, &tag);
        if (error != LUFT_OK) {
            return error;
        }
    }
    remove_tags(game, name, length);
    if (is_same(name, "Result")) {
        game->result = LUFT_RESULT_UNKNOWN;
    }
    return LUFT_OK;
}

static bool is_tag_name(const char *name, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (!pgn_is_name(name[i])) {
            return false;
        }
    }
    return length > 0 && length <= PGN_NAME_MAX && !is_same(name, "FEN") && !is_same(name, "SetUp");
}

/* The length of the tag pair in a file, where quotes and backslashes have a backslash before them. */
static size_t written_length(const luft_pgn_tag *tag) {
    size_t length = tag->name_length + tag->value_length + strlen("[ \"\"]");
    for (size_t i = 0; i < tag->value_length; i++) {
        length += tag->value[i] == '"' || tag->value[i] == '\\';
    }
    return length;
}

luft_error luft_pgn_game_set_tag(luft_pgn_game *game, const char *name, const char *value, size_t length) {
    if (!game || !name || !is_tag_name(name, strlen(name))) {
        return LUFT_ERROR_ARGUMENT;
    }
    const bool is_result = is_same(name, "Result"), is_variant = is_same(name, "Variant");
    if (is_variant && !game->has_start) {
        return LUFT_ERROR_POSITION; /* another variant could set up a position that the game does not have */
    }
    if (!value) {
        return clear_tag(game, name);
    }
    const luft_pgn_tag tag = {name, value, strlen(name), length};
    luft_result result = game->result;
    if ((is_result && !luft_pgn_game_parse_result(&result, value, length)) ||
        (is_variant && !luft_pgn_is_chess(value, length))) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (length > PGN_PART || written_length(&tag) > PGN_PART) {
        return LUFT_ERROR_OVERFLOW;
    }
    const luft_error error = luft_pgn_game_store_tag(game, luft_pgn_game_find_tag(game, name, tag.name_length), &tag);
    game->result = error == LUFT_OK ? result : game->result;
    return error;
}

/* --- Result ---------------------------------------------------------------- */

bool luft_pgn_game_parse_result(luft_result *result, const char *text, size_t length) {
    for (luft_result i = LUFT_RESULT_WHITE; i <= LUFT_RESULT_UNKNOWN; i++) {
        const char *const name = luft_result_string(i);
        if (length == strlen(name) && memcmp(text, name, length) == 0) {
            *result = i;
            return true;
        }
    }
    return false;
}

luft_result luft_pgn_game_result(const luft_pgn_game *game) {
    return game ? game->result : LUFT_RESULT_NONE;
}

luft_error luft_pgn_game_set_result(luft_pgn_game *game, luft_result result) {
    if (result < LUFT_RESULT_WHITE || result > LUFT_RESULT_UNKNOWN) {
        return LUFT_ERROR_ARGUMENT;
    }
    const char *const text = luft_result_string(result);
    return luft_pgn_game_set_tag(game, "Result", text, strlen(text));
}

/* --- Nodes ----------------------------------------------------------------- */

size_t luft_pgn_game_node_count(const luft_pgn_game *game) {
    return game && game->has_start ? game->node_count : 0;
}

bool luft_pgn_node_exists(const luft_pgn_game *game, luft_pgn_node node) {
    return pgn_game_node(game, node) != NULL;
}

luft_pgn_node luft_pgn_node_parent(const luft_pgn_game *game, luft_pgn_node node) {
    const pgn_node *const found = pgn_game_node(game, node);
    return found ? found->parent : LUFT_PGN_NO_NODE;
}

luft_pgn_node luft_pgn_node_next(const luft_pgn_game *game, luft_pgn_node node) {
    const pgn_node *const found = pgn_game_node(game, node);
    return found ? found->first_child : LUFT_PGN_NO_NODE;
}

luft_pgn_node luft_pgn_node_sibling(const luft_pgn_game *game, luft_pgn_node node) {
    const pgn_node *const found = pgn_game_node(game, node);
    return found ? found->next : LUFT_PGN_NO_NODE;
}

luft_pgn_node luft_pgn_node_find(const luft_pgn_game *game, luft_pgn_node node, luft_move move) {
    luft_pgn_node child = luft_pgn_node_next(game, node);
    while (child != LUFT_PGN_NO_NODE && game->nodes[child].move != move) {
        child = game->nodes[child].next;
    }
    return child;
}

size_t luft_pgn_node_index(const luft_pgn_game *game, luft_pgn_node node) {
    const pgn_node *found = pgn_game_node(game, node);
    size_t index = 0;
    while (found && found->previous != LUFT_PGN_NO_NODE) {
        found = &game->nodes[found->previous];
        index++;
    }
    return index;
}

luft_move luft_pgn_node_move(const luft_pgn_game *game, luft_pgn_node node) {
    const pgn_node *const found = pgn_game_node(game, node);
    return found ? found->move : LUFT_MOVE_NONE;
}

const luft_position *luft_pgn_node_position(const luft_pgn_game *game, luft_pgn_node node) {
    const pgn_node *const found = pgn_game_node(game, node);
    return found ? &found->position : NULL;
}

luft_pgn_author luft_pgn_node_author(const luft_pgn_game *game, luft_pgn_node node) {
    const pgn_node *const found = pgn_game_node(game, node);
    return found ? (luft_pgn_author)found->author : LUFT_PGN_PERSON;
}

/* --- Links between nodes --------------------------------------------------- */

/* Takes a node out of the children of its parent. */
static void unlink_node(luft_pgn_game *game, const pgn_node *node) {
    pgn_node *const nodes = game->nodes, *const parent = &nodes[node->parent];
    *(node->previous == LUFT_PGN_NO_NODE ? &parent->first_child : &nodes[node->previous].next) = node->next;
    *(node->next == LUFT_PGN_NO_NODE ? &parent->last_child : &nodes[node->next].previous) = node->previous;
}

/* Puts a node among the children of its parent, before `next`, or last if that is LUFT_PGN_NO_NODE. */
static void link_node(luft_pgn_game *game, luft_pgn_node number, luft_pgn_node next) {
    pgn_node *const nodes = game->nodes, *const node = &nodes[number], *const parent = &nodes[node->parent];
    luft_pgn_node *const after = next == LUFT_PGN_NO_NODE ? &parent->last_child : &nodes[next].previous;
    node->previous = *after;
    node->next = next;
    *(*after == LUFT_PGN_NO_NODE ? &parent->first_child : &nodes[*after].next) = number;
    *after = number;
}

/* Frees a node without children, which has been unlinked. */
static void release_node(luft_pgn_game *game, luft_pgn_node number) {
    pgn_node *const node = &game->nodes[number];
    luft_pgn_clear_notes(game, node, false);
    node->is_used = false;
    node->next = game->free_node;
    game->free_node = number;
    game->node_count--;
}

/* Makes a node from the list of free ones, or a new one, that the next call of use_node returns. */
static luft_error reserve_node(luft_pgn_game *game) {
    if (game->free_node != LUFT_PGN_NO_NODE || game->node_end < game->node_capacity) {
        return LUFT_OK;
    }
    if (game->node_end >= LUFT_PGN_MAX_NODES) {
        return LUFT_ERROR_OVERFLOW;
    }
    const size_t capacity = 2 * game->node_capacity;
    pgn_node *const nodes = realloc(game->nodes, capacity * sizeof *nodes);
    if (!nodes) {
        return LUFT_ERROR_MEMORY;
    }
    game->nodes = nodes;
    game->node_capacity = capacity;
    return LUFT_OK;
}

static luft_pgn_node use_node(luft_pgn_game *game) {
    const luft_pgn_node number = game->free_node;
    game->node_count++;
    if (number == LUFT_PGN_NO_NODE) {
        return (luft_pgn_node)game->node_end++;
    }
    game->free_node = game->nodes[number].next;
    return number;
}

luft_error luft_pgn_game_attach(luft_pgn_node *node, luft_pgn_game *game, luft_pgn_node parent, luft_move move,
                                const luft_position *after, luft_pgn_author author) {
    const luft_error error = reserve_node(game);
    if (error != LUFT_OK) {
        return error;
    }
    const luft_pgn_node number = use_node(game);
    game->nodes[number] = (pgn_node){
        .position = *after,
        .move = move,
        .author = (uint8_t)author,
        .is_used = true,
        .parent = parent,
        .first_child = LUFT_PGN_NO_NODE,
        .last_child = LUFT_PGN_NO_NODE,
    };
    link_node(game, number, LUFT_PGN_NO_NODE);
    *node = number;
    return LUFT_OK;
}

/* --- Editing --------------------------------------------------------------- */

luft_error luft_pgn_node_add(luft_pgn_node *node, luft_pgn_game *game, luft_pgn_node parent, luft_move move,
                             luft_pgn_author author) {
    const pgn_node *const found = pgn_game_node(game, parent);
    if (!found || !pgn_is_author(author)) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_position after;
    luft_pgn_node added;
    luft_error error =
        move == LUFT_MOVE_NONE ? luft_make_null(&after, &found->position) : luft_play(&after, &found->position, move);
    if (error == LUFT_OK) {
        error = luft_pgn_game_attach(&added, game, parent, move, &after, author);
    }
    if (error == LUFT_OK && node) {
        *node = added;
    }
    return error;
}

luft_error luft_pgn_node_delete(luft_pgn_game *game, luft_pgn_node node) {
    if (!pgn_game_node(game, node) || node == LUFT_PGN_ROOT) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_pgn_node current = node;
    for (bool is_done = false; !is_done;) {
        const luft_pgn_node child = game->nodes[current].first_child, parent = game->nodes[current].parent;
        if (child != LUFT_PGN_NO_NODE) {
            current = child;
            continue;
        }
        unlink_node(game, &game->nodes[current]);
        release_node(game, current);
        is_done = current == node;
        current = parent;
    }
    return LUFT_OK;
}

luft_error luft_pgn_node_reorder(luft_pgn_game *game, luft_pgn_node node, size_t index) {
    pgn_node *const found = pgn_game_node(game, node);
    if (!found || node == LUFT_PGN_ROOT) {
        return LUFT_ERROR_ARGUMENT;
    }
    unlink_node(game, found);
    luft_pgn_node next = game->nodes[found->parent].first_child;
    while (index > 0 && next != LUFT_PGN_NO_NODE) {
        next = game->nodes[next].next;
        index--;
    }
    link_node(game, node, next);
    return LUFT_OK;
}

luft_error luft_pgn_node_promote(luft_pgn_game *game, luft_pgn_node node) {
    if (!pgn_game_node(game, node)) {
        return LUFT_ERROR_ARGUMENT;
    }
    for (; node != LUFT_PGN_ROOT; node = game->nodes[node].parent) {
        const luft_error error = luft_pgn_node_reorder(game, node, 0);
        if (error != LUFT_OK) {
            return error;
        }
    }
    return LUFT_OK;
}

/* The leaf at which a walk that visits children before their parents begins. */
static luft_pgn_node first_leaf(const luft_pgn_game *game, luft_pgn_node node) {
    while (game->nodes[node].first_child != LUFT_PGN_NO_NODE) {
        node = game->nodes[node].first_child;
    }
    return node;
}

/* The main line is the game itself: a move that the engine has added there, or that was promoted, stays. */
static void adopt_main_line(luft_pgn_game *game) {
    for (luft_pgn_node node = LUFT_PGN_ROOT; node != LUFT_PGN_NO_NODE; node = game->nodes[node].first_child) {
        game->nodes[node].author = LUFT_PGN_PERSON;
    }
}

void luft_pgn_game_remove_engine(luft_pgn_game *game) {
    if (game) {
        adopt_main_line(game);
    }
    luft_pgn_node current = game ? first_leaf(game, LUFT_PGN_ROOT) : LUFT_PGN_NO_NODE;
    while (current != LUFT_PGN_NO_NODE) {
        pgn_node *const node = &game->nodes[current];
        const luft_pgn_node next = node->next == LUFT_PGN_NO_NODE ? node->parent : first_leaf(game, node->next);
        luft_pgn_clear_notes(game, node, true);
        const bool is_bare =
            node->nag_count + node->comments[LUFT_PGN_BEFORE].count + node->comments[LUFT_PGN_AFTER].count == 0;
        if (node->author == LUFT_PGN_ENGINE && node->first_child == LUFT_PGN_NO_NODE && is_bare) {
            unlink_node(game, node);
            release_node(game, current);
        }
        current = next;
    }
}
