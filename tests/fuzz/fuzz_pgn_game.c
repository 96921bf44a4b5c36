/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: the PGN game tree. The input is a list of edits and a PGN. Before and after
 * each game is edited, writing and reading gives an equal game, and the links and positions
 * of the tree are right. Removing what the engine wrote leaves what people wrote.
 */
#include "decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(bool condition, const char *what) {
    const luft_position start = luft_start_position();
    if (!condition) {
        report(&start, what);
    }
}

/* --- Text ------------------------------------------------------------------ */

typedef struct text {
    char *data;
    size_t length, capacity;
} text;

static bool append(void *payload, const char *data, size_t length) {
    text *const to = payload;
    if (to->length + length > to->capacity) {
        to->capacity = (to->length + length) * 2;
        to->data = realloc(to->data, to->capacity);
    }
    memcpy(to->data + to->length, data, length);
    to->length += length;
    return true;
}

static text write_game(const luft_pgn_game *game) {
    text out = {0};
    luft_pgn_writer writer;
    luft_pgn_writer_init(&writer, append, &out);
    expect(luft_pgn_game_write(&writer, game) == LUFT_OK, "the game is written");
    return out;
}

static luft_pgn_game *read_game(const text *from) {
    luft_pgn_reader *reader;
    luft_pgn_game *game = NULL, *second = NULL;
    expect(luft_pgn_reader_create_text(&reader, from->data, from->length) == LUFT_OK, "a reader");
    expect(luft_pgn_game_read(&game, reader) == LUFT_OK, "what is written is read");
    expect(luft_pgn_game_read(&second, reader) == LUFT_ERROR_END, "as one game");
    luft_pgn_reader_free(reader);
    return game;
}

/* --- What must hold -------------------------------------------------------- */

/* What people have put into a game. */
typedef struct people {
    size_t moves, nags, comments, bytes;
} people;

static void check_move(const luft_pgn_game *game, luft_pgn_node parent, luft_pgn_node node) {
    const luft_position *const before = luft_pgn_node_position(game, parent);
    const luft_position *const after = luft_pgn_node_position(game, node);
    const luft_move move = luft_pgn_node_move(game, node);
    luft_position played;
    expect((move == LUFT_MOVE_NONE ? luft_make_null(&played, before) : luft_play(&played, before, move)) == LUFT_OK,
           "the move is legal");
    expect(luft_position_equal(&played, after), "the position after the move");
}

static void count_notes(people *sum, const luft_pgn_game *game, luft_pgn_node node) {
    luft_pgn_nag nag;
    luft_pgn_comment comment;
    sum->moves += luft_pgn_node_author(game, node) == LUFT_PGN_PERSON;
    for (size_t i = 0; luft_pgn_node_nag_at(&nag, game, node, i); i++) {
        expect(nag.value >= 0 && nag.value <= 255, "the range of a NAG");
        sum->nags += nag.author == LUFT_PGN_PERSON;
    }
    for (int place = LUFT_PGN_BEFORE; place <= LUFT_PGN_AFTER; place++) {
        for (size_t i = 0; luft_pgn_node_comment_at(&comment, game, node, (luft_pgn_comment_place)place, i); i++) {
            expect(comment.length > 0 && comment.text[comment.length] == '\0', "a comment has text");
            sum->comments += comment.author == LUFT_PGN_PERSON;
            sum->bytes += comment.author == LUFT_PGN_PERSON ? comment.length : 0;
        }
    }
}

/* Walks all nodes by their numbers and checks their links. */
static people check_tree(const luft_pgn_game *game) {
    people sum = {0};
    const size_t count = luft_pgn_game_node_count(game);
    size_t nodes = 0, children = count > 0; /* the root is nobody's child */
    for (luft_pgn_node node = LUFT_PGN_ROOT; nodes < count; node++) {
        if (!luft_pgn_node_exists(game, node)) {
            continue;
        }
        size_t index = 0;
        nodes++;
        for (luft_pgn_node child = luft_pgn_node_next(game, node); child != LUFT_PGN_NO_NODE;
             child = luft_pgn_node_sibling(game, child)) {
            expect(luft_pgn_node_exists(game, child) && luft_pgn_node_parent(game, child) == node, "a child's parent");
            expect(luft_pgn_node_index(game, child) == index, "a child's place");
            check_move(game, node, child);
            index++;
        }
        children += index;
        count_notes(&sum, game, node);
    }
    expect(children == count, "every node is a child");
    return sum;
}

static void check_round_trip(const luft_pgn_game *game) {
    text first = write_game(game);
    luft_pgn_game *const again = read_game(&first);
    expect(luft_pgn_game_equal(game, again) && luft_pgn_game_equal(again, game), "equal after writing and reading");
    text second = write_game(again);
    luft_pgn_game *const third_game = read_game(&second);
    text third = write_game(third_game);
    expect(second.length == third.length && memcmp(second.data, third.data, third.length) == 0,
           "the text of a game that was written stays");
    luft_pgn_game_free(again);
    luft_pgn_game_free(third_game);
    free(first.data);
    free(second.data);
    free(third.data);
}

/* --- Edits ----------------------------------------------------------------- */

typedef struct edits {
    const uint8_t *data;
    size_t left;
} edits;

static unsigned take(edits *from) {
    if (from->left == 0) {
        return 0;
    }
    from->left--;
    return *from->data++;
}

/* Some bytes of the input as text; NULL now and then. */
static const char *take_text(size_t *length, edits *from) {
    const unsigned wanted = take(from);
    *length = (wanted & 63) < from->left ? wanted & 63 : from->left;
    const char *const found = (const char *)from->data;
    from->data += *length;
    from->left -= *length;
    return wanted & 64 ? NULL : *length > 0 ? found : "";
}

static luft_pgn_node take_node(edits *from, const luft_pgn_game *game) {
    const size_t count = luft_pgn_game_node_count(game);
    size_t wanted = count > 0 ? take(from) % count : 0;
    luft_pgn_node node = LUFT_PGN_ROOT;
    while (wanted > 0) {
        wanted -= luft_pgn_node_exists(game, ++node);
    }
    return node;
}

static luft_move take_move(edits *from, const luft_position *position) {
    luft_move_list list;
    const unsigned wanted = take(from);
    const int count = position ? luft_generate(&list, position, LUFT_ALL_MOVES) : 0;
    return count == 0 || wanted == 255 ? LUFT_MOVE_NONE : list.moves[wanted % (unsigned)count];
}

/* One of the names, or that of a tag of the game. */
static const char *take_tag_name(edits *from, const luft_pgn_game *game) {
    static const char *const names[8] = {"Event", "White", "Result", "FEN", "Variant", "ECO", "[", "Annotator"};
    const unsigned wanted = take(from);
    luft_pgn_tag tag;
    return wanted & 8 && luft_pgn_game_tag_at(&tag, game, wanted >> 4) ? tag.name : names[wanted & 7];
}

/* One of the names, or the text of a comment of the node. */
static const char *take_command_name(edits *from, const luft_pgn_game *game, luft_pgn_node node) {
    static const char *const names[8] = {"clk", "eval", "cal", "csl", "emt", "luft", "a b", ""};
    const unsigned wanted = take(from);
    luft_pgn_comment comment;
    const bool has_text = luft_pgn_node_comment_at(&comment, game, node, LUFT_PGN_AFTER, wanted >> 4);
    return wanted & 8 && has_text ? comment.text : names[wanted & 7];
}

static luft_error edit_command(luft_pgn_game *game, luft_pgn_node node, edits *from, luft_pgn_author author) {
    char name[64];
    size_t length;
    const char *const given = take_command_name(from, game, node), *const value = take_text(&length, from);
    snprintf(name, sizeof name, "%s", given);
    const luft_error error = luft_pgn_node_set_command(game, node, given, value, length, author);
    expect(error != LUFT_OK || value || !luft_pgn_node_command(game, node, name, NULL), "a removed command");
    expect(error != LUFT_OK || !value || luft_pgn_node_command(game, node, name, NULL), "a command that was set");
    return error;
}

static void edit(luft_pgn_game *game, edits *from) {
    const unsigned kind = take(from);
    const luft_pgn_author author = kind & 128 ? LUFT_PGN_ENGINE : LUFT_PGN_PERSON;
    const luft_pgn_comment_place place = kind & 64 ? LUFT_PGN_BEFORE : LUFT_PGN_AFTER;
    const luft_pgn_node node = take_node(from, game);
    const size_t index = kind & 32 ? 1 : 0;
    const char *name, *value;
    size_t length;
    luft_error error = LUFT_OK;
    switch ((kind & 31) % 13) {
    case 0:
    case 1:
    case 2:
        error = luft_pgn_node_add(NULL, game, node, take_move(from, luft_pgn_node_position(game, node)), author);
        break;
    case 3: error = luft_pgn_node_delete(game, node); break;
    case 4: error = luft_pgn_node_reorder(game, node, take(from) & 3); break;
    case 5: error = luft_pgn_node_promote(game, node); break;
    case 6: error = luft_pgn_node_add_nag(game, node, (int)take(from), author); break;
    case 7: error = luft_pgn_node_remove_nag(game, node, (int)take(from)); break;
    case 8:
        value = take_text(&length, from);
        error = luft_pgn_node_add_comment(game, node, place, value, length, author);
        break;
    case 9:
        value = take_text(&length, from);
        error = luft_pgn_node_set_comment(game, node, place, index, value, length, author);
        break;
    case 10: error = luft_pgn_node_remove_comment(game, node, place, index); break;
    case 11: error = edit_command(game, node, from, author); break;
    default:
        name = take_tag_name(from, game);
        value = take_text(&length, from);
        error = luft_pgn_game_set_tag(game, name, value, length);
        break;
    }
    expect(error == LUFT_OK || error == LUFT_ERROR_ARGUMENT || error == LUFT_ERROR_MOVE_ILLEGAL ||
               error == LUFT_ERROR_POSITION,
           "the error of an edit");
}

/* --- The target ------------------------------------------------------------ */

static void check_game(luft_pgn_game *game, edits from) {
    check_tree(game);
    check_round_trip(game);
    while (from.left > 0) {
        edit(game, &from);
    }
    people before = check_tree(game);
    check_round_trip(game);
    for (luft_pgn_node node = LUFT_PGN_ROOT; node != LUFT_PGN_NO_NODE; node = luft_pgn_node_next(game, node)) {
        before.moves += luft_pgn_node_author(game, node) == LUFT_PGN_ENGINE; /* become a person's */
    }
    luft_pgn_game_remove_engine(game);
    const people after = check_tree(game);
    expect(memcmp(&before, &after, sizeof after) == 0, "what people wrote stays");
    check_round_trip(game);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char nothing[1];
    const size_t edit_length = size == 0 ? 0 : data[0] < size ? data[0] : size - 1;
    const size_t start = size == 0 ? 0 : 1 + edit_length;
    const edits from = {data + (size > 0), edit_length};
    const char *const pgn = size > start ? (const char *)data + start : nothing;
    luft_pgn_reader *reader;
    luft_pgn_game *game;
    expect(luft_pgn_reader_create_text(&reader, pgn, size - start) == LUFT_OK, "a reader");
    for (int i = 0; i < 4 && luft_pgn_game_read(&game, reader) == LUFT_OK; i++) {
        check_game(game, from);
        luft_pgn_game_free(game);
    }
    luft_pgn_reader_free(reader);
    return 0;
}
