/* SPDX-License-Identifier: MIT */
/*
 * What stands at the nodes of a PGN game tree: NAGs, comments, and commands inside
 * comments. Texts are kept as the writer writes them, so writing and reading changes none.
 */
#include "games/pgn_game.h"

#include <stdlib.h>
#include <string.h>

/* --- NAGs ------------------------------------------------------------------ */

static int nag_value(uint16_t nag) {
    return nag & 255;
}

static luft_pgn_author nag_author(uint16_t nag) {
    return nag & PGN_NAG_BY_ENGINE ? LUFT_PGN_ENGINE : LUFT_PGN_PERSON;
}

static size_t find_nag(const pgn_node *node, int value) {
    size_t index = 0;
    while (index < node->nag_count && nag_value(node->nags[index]) != value) {
        index++;
    }
    return index;
}

static void remove_nag_at(luft_pgn_game *game, pgn_node *node, size_t index) {
    const size_t rest = --node->nag_count - index;
    memmove(node->nags + index, node->nags + index + 1, rest * sizeof node->nags[0]);
    game->text_cost -= PGN_NAG_COST;
}

size_t luft_pgn_node_nag_count(const luft_pgn_game *game, luft_pgn_node node) {
    const pgn_node *const found = pgn_game_node(game, node);
    return found ? found->nag_count : 0;
}

bool luft_pgn_node_nag_at(luft_pgn_nag *nag, const luft_pgn_game *game, luft_pgn_node node, size_t index) {
    const pgn_node *const found = pgn_game_node(game, node);
    if (!nag || !found || index >= found->nag_count) {
        return false;
    }
    *nag = (luft_pgn_nag){nag_value(found->nags[index]), nag_author(found->nags[index])};
    return true;
}

luft_error luft_pgn_node_add_nag(luft_pgn_game *game, luft_pgn_node node, int value, luft_pgn_author author) {
    pgn_node *const found = pgn_game_node(game, node);
    if (!found || value < 0 || value > 255 || !pgn_is_author(author)) {
        return LUFT_ERROR_ARGUMENT;
    }
    const size_t index = find_nag(found, value);
    if (index < found->nag_count) {
        if (author == LUFT_PGN_PERSON) {
            found->nags[index] = (uint16_t)value;
        }
        return LUFT_OK;
    }
    if (game->text_cost + PGN_NAG_COST > LUFT_PGN_MAX_TEXT) {
        return LUFT_ERROR_OVERFLOW;
    }
    uint16_t *const nags = realloc(found->nags, (found->nag_count + 1u) * sizeof *nags);
    if (!nags) {
        return LUFT_ERROR_MEMORY;
    }
    nags[found->nag_count++] = (uint16_t)(value | (author == LUFT_PGN_ENGINE ? PGN_NAG_BY_ENGINE : 0));
    found->nags = nags;
    game->text_cost += PGN_NAG_COST;
    return LUFT_OK;
}

luft_error luft_pgn_node_remove_nag(luft_pgn_game *game, luft_pgn_node node, int value) {
    pgn_node *const found = pgn_game_node(game, node);
    if (!found || value < 0 || value > 255) {
        return LUFT_ERROR_ARGUMENT;
    }
    const size_t index = find_nag(found, value);
    if (index < found->nag_count) {
        remove_nag_at(game, found, index);
    }
    return LUFT_OK;
}

/* --- Lists of comments ----------------------------------------------------- */

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

size_t luft_pgn_normalise_comment(char *out, const char *text, size_t length) {
    size_t written = 0;
    for (size_t i = 0; i < length; i++) {
        const bool blank = is_blank(text[i]);
        if (!blank) {
            out[written++] = text[i] == '}' ? ')' : text[i];
        } else if (written > 0 && out[written - 1] != ' ') {
            out[written++] = ' ';
        }
    }
    written -= written > 0 && out[written - 1] == ' ';
    out[written] = '\0';
    return written;
}

static luft_error check_cost(const luft_pgn_game *game, size_t freed, size_t length) {
    const bool fits = length <= LUFT_PGN_MAX_TEXT && game->text_cost - freed + length <= LUFT_PGN_MAX_TEXT;
    return fits ? LUFT_OK : LUFT_ERROR_OVERFLOW;
}

luft_error luft_pgn_insert_comment(luft_pgn_game *game, pgn_comments *comments, size_t index, pgn_comment comment) {
    const luft_error error = check_cost(game, 0, PGN_ENTRY_COST + comment.length);
    if (error != LUFT_OK) {
        return error;
    }
    if (comments->count == comments->capacity) {
        const uint32_t capacity = comments->capacity > 0 ? 2 * comments->capacity : 1;
        pgn_comment *const items = realloc(comments->items, capacity * sizeof *items);
        if (!items) {
            return LUFT_ERROR_MEMORY;
        }
        comments->items = items;
        comments->capacity = capacity;
    }
    pgn_comment *const place = comments->items + index;
    memmove(place + 1, place, (comments->count - index) * sizeof *place);
    *place = comment;
    comments->count++;
    game->text_cost += PGN_ENTRY_COST + comment.length;
    return LUFT_OK;
}

static void remove_comment_at(luft_pgn_game *game, pgn_comments *comments, size_t index) {
    pgn_comment *const place = comments->items + index;
    game->text_cost -= PGN_ENTRY_COST + place->length;
    free(place->text);
    memmove(place, place + 1, (--comments->count - index) * sizeof *place);
}

void luft_pgn_free_comments(luft_pgn_game *game, pgn_comments *comments) {
    for (uint32_t i = 0; i < comments->count; i++) {
        game->text_cost -= PGN_ENTRY_COST + comments->items[i].length;
        free(comments->items[i].text);
    }
    free(comments->items);
    *comments = (pgn_comments){0};
}

/* Removes the engine's comments, in one pass. */
static void remove_engine_comments(luft_pgn_game *game, pgn_comments *comments) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < comments->count; i++) {
        const pgn_comment comment = comments->items[i];
        if (comment.author == LUFT_PGN_ENGINE) {
            game->text_cost -= PGN_ENTRY_COST + comment.length;
            free(comment.text);
        } else {
            comments->items[kept++] = comment;
        }
    }
    comments->count = kept;
}

void luft_pgn_clear_notes(luft_pgn_game *game, pgn_node *node, bool keep_people) {
    for (size_t i = node->nag_count; i-- > 0;) {
        if (!keep_people || nag_author(node->nags[i]) == LUFT_PGN_ENGINE) {
            remove_nag_at(game, node, i);
        }
    }
    if (node->nag_count == 0) {
        free(node->nags);
        node->nags = NULL;
    }
    for (int place = LUFT_PGN_BEFORE; place <= LUFT_PGN_AFTER; place++) {
        if (keep_people) {
            remove_engine_comments(game, &node->comments[place]);
        } else {
            luft_pgn_free_comments(game, &node->comments[place]);
        }
    }
}

/* --- Comments -------------------------------------------------------------- */

/* The comments of a node; NULL if there is no such node or place, or it has none by its nature. */
static pgn_comments *comments_of(const luft_pgn_game *game, luft_pgn_node node, luft_pgn_comment_place place) {
    pgn_node *const found = pgn_game_node(game, node);
    const bool is_place = place == LUFT_PGN_AFTER || (place == LUFT_PGN_BEFORE && node != LUFT_PGN_ROOT);
    return found && is_place ? &found->comments[place] : NULL;
}

/* A person's text must not end in a valid mark, which would make it the engine's when it is read: breaks the mark. */
static void break_mark(char *text, size_t length, luft_pgn_author author) {
    pgn_mark mark;
    if (author == LUFT_PGN_PERSON && luft_pgn_read_mark(&mark, text, length)) {
        text[length - 1] = ')';
    }
}

/* Makes a comment with a copy of the text in the form in which it is kept. */
static luft_error make_comment(pgn_comment *comment, const char *text, size_t length, luft_pgn_author author) {
    if (length > LUFT_PGN_MAX_TEXT) {
        return LUFT_ERROR_OVERFLOW;
    }
    char *const copy = malloc(length + 1);
    if (!copy) {
        return LUFT_ERROR_MEMORY;
    }
    const size_t copy_length = luft_pgn_normalise_comment(copy, text, length);
    break_mark(copy, copy_length, author);
    *comment = (pgn_comment){copy, (uint32_t)copy_length, (uint8_t)author};
    return LUFT_OK;
}

size_t luft_pgn_node_comment_count(const luft_pgn_game *game, luft_pgn_node node, luft_pgn_comment_place place) {
    const pgn_comments *const comments = comments_of(game, node, place);
    return comments ? comments->count : 0;
}

bool luft_pgn_node_comment_at(luft_pgn_comment *comment, const luft_pgn_game *game, luft_pgn_node node,
                              luft_pgn_comment_place place, size_t index) {
    const pgn_comments *const comments = comments_of(game, node, place);
    if (!comment || !comments || index >= comments->count) {
        return false;
    }
    const pgn_comment *const found = &comments->items[index];
    *comment = (luft_pgn_comment){found->text, found->length, (luft_pgn_author)found->author};
    return true;
}

/* Where a new comment goes: an engine's before those of people. */
static size_t place_of_author(const pgn_comments *comments, luft_pgn_author author) {
    size_t index = author == LUFT_PGN_PERSON ? comments->count : 0;
    while (index < comments->count && comments->items[index].author == LUFT_PGN_ENGINE) {
        index++;
    }
    return index;
}

luft_error luft_pgn_node_add_comment(luft_pgn_game *game, luft_pgn_node node, luft_pgn_comment_place place,
                                     const char *text, size_t length, luft_pgn_author author) {
    pgn_comments *const comments = comments_of(game, node, place);
    if (!comments || !text || !pgn_is_author(author)) {
        return LUFT_ERROR_ARGUMENT;
    }
    pgn_comment comment;
    luft_error error = make_comment(&comment, text, length, author);
    if (error != LUFT_OK) {
        return error;
    }
    if (comment.length > 0) {
        error = luft_pgn_insert_comment(game, comments, place_of_author(comments, author), comment);
    }
    if (error != LUFT_OK || comment.length == 0) {
        free(comment.text);
    }
    return error;
}

/* Replaces a comment by one whose text has been allocated; its cost has been checked. An empty one is removed. */
static void replace_comment(luft_pgn_game *game, pgn_comments *comments, size_t index, pgn_comment comment) {
    pgn_comment *const old = &comments->items[index];
    free(old->text);
    game->text_cost += (size_t)comment.length - old->length;
    *old = comment;
    if (comment.length == 0) {
        remove_comment_at(game, comments, index);
    }
}

luft_error luft_pgn_node_set_comment(luft_pgn_game *game, luft_pgn_node node, luft_pgn_comment_place place,
                                     size_t index, const char *text, size_t length, luft_pgn_author author) {
    pgn_comments *const comments = comments_of(game, node, place);
    if (!comments || index >= comments->count || !text || !pgn_is_author(author)) {
        return LUFT_ERROR_ARGUMENT;
    }
    pgn_comment comment;
    luft_error error = make_comment(&comment, text, length, author);
    if (error != LUFT_OK) {
        return error;
    }
    error = check_cost(game, comments->items[index].length, comment.length);
    if (error == LUFT_OK) {
        replace_comment(game, comments, index, comment);
    } else {
        free(comment.text);
    }
    return error;
}

luft_error luft_pgn_node_remove_comment(luft_pgn_game *game, luft_pgn_node node, luft_pgn_comment_place place,
                                        size_t index) {
    pgn_comments *const comments = comments_of(game, node, place);
    if (!comments || index >= comments->count) {
        return LUFT_ERROR_ARGUMENT;
    }
    remove_comment_at(game, comments, index);
    return LUFT_OK;
}

/* --- Commands -------------------------------------------------------------- */

enum { COMMAND_NAME_MAX = 32 };

/* A command in a text: [%name value]. */
typedef struct command {
    size_t start, end; /* of all of it, brackets included */
    size_t value;      /* where the value begins; end - 1 if there is none */
} command;

/* Finds the next command of this name at or after `from`. */
static bool find_command(command *found, const pgn_comment *comment, size_t from, const char *name,
                         size_t name_length) {
    const char *const text = comment->text;
    for (size_t at = from; at + name_length + 3 <= comment->length; at++) {
        const char *const open = memchr(text + at, '[', comment->length - at - name_length - 2);
        if (!open) {
            return false;
        }
        at = (size_t)(open - text);
        const size_t after = at + 2 + name_length;
        if (open[1] == '%' && memcmp(open + 2, name, name_length) == 0 && (text[after] == ' ' || text[after] == ']')) {
            const char *const close = memchr(text + after, ']', comment->length - after);
            if (close) {
                *found = (command){at, (size_t)(close - text) + 1, after + (text[after] == ' ')};
            }
            return close != NULL;
        }
    }
    return false;
}

const char *luft_pgn_node_command(const luft_pgn_game *game, luft_pgn_node node, const char *name, size_t *length) {
    const pgn_comments *const comments = comments_of(game, node, LUFT_PGN_AFTER);
    command found;
    for (uint32_t i = 0; comments && name && i < comments->count; i++) {
        const pgn_comment *const comment = &comments->items[i];
        if (find_command(&found, comment, 0, name, strlen(name))) {
            if (length) {
                *length = found.end - 1 - found.value;
            }
            return comment->text + found.value;
        }
    }
    return NULL;
}

/*
 * Cuts all commands of this name at or after `from` out of a comment, in place. Each leaves a blank, so that the text
 * around it cannot become a command. Removes a comment that becomes empty, and returns false then.
 */
static bool cut_commands(luft_pgn_game *game, pgn_comments *comments, size_t index, size_t from, const char *name) {
    pgn_comment *const comment = &comments->items[index];
    const size_t old_length = comment->length, name_length = strlen(name);
    char *const text = comment->text;
    size_t kept = from, at = from;
    command found;
    while (find_command(&found, comment, at, name, name_length)) {
        memmove(text + kept, text + at, found.start - at);
        kept += found.start - at;
        text[kept++] = ' ';
        at = found.end;
    }
    if (at == from) {
        return true;
    }
    memmove(text + kept, text + at, old_length - at);
    comment->length = (uint32_t)luft_pgn_normalise_comment(text, text, kept + old_length - at);
    break_mark(text, comment->length, (luft_pgn_author)comment->author);
    game->text_cost -= old_length - comment->length;
    if (comment->length == 0) {
        remove_comment_at(game, comments, index);
        return false;
    }
    return true;
}

static void cut_all_commands(luft_pgn_game *game, pgn_comments *comments, const char *name) {
    for (size_t i = 0; i < comments->count;) {
        i += cut_commands(game, comments, i, 0, name);
    }
}

static bool is_command_name(const char *name) {
    const size_t length = strlen(name);
    for (size_t i = 0; i < length; i++) {
        const char c = name[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) {
            return false;
        }
    }
    return length > 0 && length <= COMMAND_NAME_MAX && !(length == 4 && memcmp(name, "luft", 4) == 0);
}

/* The comment that gets the command: the author's first that has it, else the author's first, else a new one. */
static size_t choose_comment(command *old, const pgn_comments *comments, const char *name, luft_pgn_author author) {
    size_t chosen = comments->count;
    *old = (command){0};
    for (size_t i = 0; i < comments->count; i++) {
        const pgn_comment *const comment = &comments->items[i];
        if (comment->author != author) {
            continue;
        }
        if (find_command(old, comment, 0, name, strlen(name))) {
            return i;
        }
        chosen = chosen < i ? chosen : i;
    }
    return chosen;
}

static size_t put(char *out, const char *text, size_t length) {
    memcpy(out, text, length);
    return length;
}

/*
 * Writes the new text of a comment: `rest` with the command in place of the old one, or before everything. There must
 * be room for all of them and 6 bytes more. Returns its length; `end` is where the command ends.
 */
static size_t build_text(char *out, size_t *end, const pgn_comment *rest, const command *old, const char *name,
                         const char *value, size_t value_length) {
    size_t length = put(out, rest->text, old->start);
    length += put(out + length, "[%", 2);
    length += put(out + length, name, strlen(name));
    const size_t written = luft_pgn_normalise_comment(out + length + 1, value, value_length);
    if (written > 0) {
        out[length] = ' ';
        length += 1 + written;
    }
    out[length++] = ']';
    *end = length;
    if (old->end == 0 && rest->length > 0) {
        out[length++] = ' ';
    }
    length += put(out + length, rest->text + old->end, rest->length - old->end);
    out[length] = '\0';
    return length;
}

/* Puts the command where it belongs and cuts it from all other comments. */
static luft_error put_command(luft_pgn_game *game, pgn_comments *comments, const char *name, const char *value,
                              size_t length, luft_pgn_author author) {
    if (length > LUFT_PGN_MAX_TEXT) {
        return LUFT_ERROR_OVERFLOW;
    }
    char nothing[1] = "";
    command old;
    const size_t chosen = choose_comment(&old, comments, name, author);
    const bool is_new = chosen == comments->count;
    const pgn_comment empty = {.text = nothing}, rest = is_new ? empty : comments->items[chosen];
    char *const text = malloc(rest.length + strlen(name) + length + sizeof "[% ] ");
    if (!text) {
        return LUFT_ERROR_MEMORY;
    }
    size_t command_end;
    const size_t text_length = build_text(text, &command_end, &rest, &old, name, value, length);
    break_mark(text, text_length, author);
    const pgn_comment comment = {text, (uint32_t)text_length, (uint8_t)author};
    const luft_error error = is_new
                                 ? luft_pgn_insert_comment(game, comments, place_of_author(comments, author), comment)
                                 : check_cost(game, rest.length, text_length);
    if (error != LUFT_OK) {
        free(text);
        return error;
    }
    if (!is_new) {
        replace_comment(game, comments, chosen, comment);
    }
    for (size_t i = 0; i < comments->count;) {
        i += cut_commands(game, comments, i, comments->items[i].text == text ? command_end : 0, name);
    }
    return LUFT_OK;
}

luft_error luft_pgn_node_set_command(luft_pgn_game *game, luft_pgn_node node, const char *name, const char *value,
                                     size_t length, luft_pgn_author author) {
    pgn_comments *const comments = comments_of(game, node, LUFT_PGN_AFTER);
    if (!comments || !name || !is_command_name(name) || !pgn_is_author(author) ||
        (value && length > 0 && (memchr(value, '[', length) || memchr(value, ']', length)))) {
        return LUFT_ERROR_ARGUMENT;
    }
    char own_name[COMMAND_NAME_MAX + 1]; /* the given one may be part of a comment that changes */
    memcpy(own_name, name, strlen(name) + 1);
    if (!value) {
        cut_all_commands(game, comments, own_name);
        return LUFT_OK;
    }
    return put_command(game, comments, own_name, value, length, author);
}
