/* SPDX-License-Identifier: MIT */
/*
 * Edits games: `edit_pgn [FILE]`, or standard input, writes them to standard output. Marks
 * each checkmate with a comment and $3 (!!), as an engine would: run twice, it writes its marks
 * once, and leaves what people wrote. Shows the PGN game tree.
 */
#include <stdio.h>
#include <string.h>

#include "luft/luft.h"

static size_t read_file(void *file, char *buffer, size_t size) {
    const size_t length = fread(buffer, 1, size, file);
    return length == 0 && ferror(file) ? LUFT_PGN_READ_FAILED : length;
}

static bool write_file(void *file, const char *text, size_t length) {
    return fwrite(text, 1, length, file) == length;
}

/* Adds the annotations of a checkmate. */
static luft_error mark_mate(luft_pgn_game *game, luft_pgn_node node) {
    static const char text[] = "Checkmate!";
    const luft_error error = luft_pgn_node_add_nag(game, node, 3, LUFT_PGN_ENGINE);
    return error != LUFT_OK
               ? error
               : luft_pgn_node_add_comment(game, node, LUFT_PGN_AFTER, text, strlen(text), LUFT_PGN_ENGINE);
}

/* Visits a move, then what follows it, then the variations in its place. */
static luft_pgn_node next_node(const luft_pgn_game *game, luft_pgn_node node) {
    luft_pgn_node next = luft_pgn_node_next(game, node);
    while (next == LUFT_PGN_NO_NODE && node != LUFT_PGN_NO_NODE) {
        next = luft_pgn_node_sibling(game, node);
        node = luft_pgn_node_parent(game, node);
    }
    return next;
}

static luft_error annotate(luft_pgn_game *game) {
    luft_error error = LUFT_OK;
    luft_pgn_game_remove_engine(game); /* what an earlier run has added */
    for (luft_pgn_node node = next_node(game, LUFT_PGN_ROOT); node != LUFT_PGN_NO_NODE && error == LUFT_OK;
         node = next_node(game, node)) {
        if (luft_position_outcome(luft_pgn_node_position(game, node)).termination == LUFT_CHECKMATE) {
            error = mark_mate(game, node);
        }
    }
    return error;
}

int main(int argc, char **argv) {
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : stdin;
    luft_pgn_reader *reader;
    luft_pgn_writer writer;
    luft_pgn_game *game;
    luft_error error;
    if (!file || luft_pgn_reader_create(&reader, read_file, file) != LUFT_OK) {
        printf("cannot read %s\n", argc > 1 ? argv[1] : "standard input");
        return 2;
    }
    luft_pgn_writer_init(&writer, write_file, stdout);
    while ((error = luft_pgn_game_read(&game, reader)) == LUFT_OK) {
        error = annotate(game);
        error = error == LUFT_OK ? luft_pgn_game_write(&writer, game) : error;
        luft_pgn_game_free(game);
        if (error != LUFT_OK) {
            break;
        }
    }
    luft_pgn_reader_free(reader);
    fclose(file);
    if (error != LUFT_ERROR_END) {
        fprintf(stderr, "%s\n", luft_error_string(error));
    }
    return error == LUFT_ERROR_END ? 0 : 2;
}
