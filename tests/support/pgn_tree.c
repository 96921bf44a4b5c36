/* SPDX-License-Identifier: MIT */
/* Game trees read, written and compared: see pgn_tree.h. */
#include "support/pgn_tree.h"

#include <string.h>

static bool keep(void *payload, const char *text, size_t length) {
    text_sink *sink = payload;
    if (sink->length + length >= TEXT_SIZE) {
        return false;
    }
    memcpy(sink->text + sink->length, text, length);
    sink->length += length;
    sink->text[sink->length] = '\0';
    return true;
}

luft_error write_game(text_sink *sink, const luft_pgn_game *game) {
    luft_pgn_writer writer;
    sink->length = 0;
    luft_pgn_writer_init(&writer, keep, sink);
    return luft_pgn_game_write(&writer, game);
}

luft_pgn_game *read_bytes(const char *pgn, size_t length) {
    luft_pgn_reader *reader;
    luft_pgn_game *game = NULL;
    assert_int_equal(luft_pgn_reader_create_text(&reader, pgn, length), LUFT_OK);
    assert_int_equal(luft_pgn_game_read(&game, reader), LUFT_OK);
    luft_pgn_reader_free(reader);
    return game;
}

luft_pgn_game *read_text(const char *pgn) {
    return read_bytes(pgn, strlen(pgn));
}

const char *moves_of(text_sink *sink) {
    char *moves = strstr(sink->text, "\n\n") + 2;
    for (char *line_end = moves; (line_end = strchr(line_end, '\n'));) {
        *line_end = line_end[1] == '\n' ? '\0' : ' ';
    }
    return moves;
}

void assert_moves(const luft_pgn_game *game, const char *expected) {
    static text_sink sink;
    assert_int_equal(write_game(&sink, game), LUFT_OK);
    luft_pgn_game *again = read_bytes(sink.text, sink.length);
    assert_true(luft_pgn_game_equal(game, again));
    assert_true(luft_pgn_game_equal(again, game));
    luft_pgn_game_free(again);
    assert_string_equal(moves_of(&sink), expected);
}

void assert_reads(const char *pgn, const char *expected) {
    luft_pgn_game *game = read_text(pgn);
    assert_moves(game, expected);
    luft_pgn_game_free(game);
}

luft_pgn_node node_after(const luft_pgn_game *game, const char *moves) {
    luft_pgn_node node = LUFT_PGN_ROOT;
    while (*moves) {
        const size_t length = strcspn(moves, " ");
        luft_move move;
        assert_int_equal(luft_move_from_san(&move, luft_pgn_node_position(game, node), moves, length), LUFT_OK);
        node = luft_pgn_node_find(game, node, move);
        assert_true(node != LUFT_PGN_NO_NODE);
        moves += length + (moves[length] == ' ');
    }
    return node;
}

luft_pgn_node add_moves(luft_pgn_game *game, luft_pgn_node node, const char *moves, luft_pgn_author author) {
    while (*moves) {
        const size_t length = strcspn(moves, " ");
        luft_move move;
        assert_int_equal(luft_move_from_san(&move, luft_pgn_node_position(game, node), moves, length), LUFT_OK);
        assert_int_equal(luft_pgn_node_add(&node, game, node, move, author), LUFT_OK);
        moves += length + (moves[length] == ' ');
    }
    return node;
}

void add_comment(luft_pgn_game *game, luft_pgn_node node, luft_pgn_comment_place place, const char *text,
                 luft_pgn_author author) {
    assert_int_equal(luft_pgn_node_add_comment(game, node, place, text, strlen(text), author), LUFT_OK);
}

luft_error set_command(luft_pgn_game *game, luft_pgn_node node, const char *name, const char *value,
                       luft_pgn_author author) {
    return luft_pgn_node_set_command(game, node, name, value, value ? strlen(value) : 0, author);
}

luft_error set_tag(luft_pgn_game *game, const char *name, const char *value) {
    return luft_pgn_game_set_tag(game, name, value, value ? strlen(value) : 0);
}

void assert_comment(const luft_pgn_game *game, luft_pgn_node node, luft_pgn_comment_place place, size_t index,
                    const char *expected, luft_pgn_author author) {
    luft_pgn_comment comment;
    assert_true(luft_pgn_node_comment_at(&comment, game, node, place, index));
    assert_string_equal(comment.text, expected);
    assert_int_equal(comment.length, strlen(expected));
    assert_int_equal(comment.author, author);
}
