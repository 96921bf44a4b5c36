/* SPDX-License-Identifier: MIT */
/*
 * Checks a file of games: `validate_pgn [FILE]`, or standard input. Plays every move and
 * prints each error with its place. Shows the PGN reader: it gets bytes from a function
 * and calls back with what it finds.
 */
#include <inttypes.h>
#include <stdio.h>

#include "luft/luft.h"

typedef struct totals {
    uint64_t games, moves, errors;
} totals;

/* The source of the reader: any function that fills a buffer. */
static size_t read_file(void *file, char *buffer, size_t size) {
    const size_t length = fread(buffer, 1, size, file);
    return length == 0 && ferror(file) ? LUFT_PGN_READ_FAILED : length;
}

/* Called for legal moves only, including those of variations. */
static luft_pgn_action on_move(void *payload, const luft_position *before, luft_move move, const luft_position *after) {
    (void)before, (void)move, (void)after;
    ((totals *)payload)->moves++;
    return LUFT_PGN_CONTINUE;
}

/* The reader continues with the next game. */
static luft_pgn_action on_error(void *payload, const luft_pgn_error *error) {
    printf("line %" PRIu64 ", column %" PRIu64 ": %s: %.*s\n", error->place.line, error->place.column, error->reason,
           (int)error->token_length, error->token);
    ((totals *)payload)->errors++;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_game_end(void *payload, luft_result result) {
    (void)result;
    ((totals *)payload)->games++;
    return LUFT_PGN_CONTINUE;
}

int main(int argc, char **argv) {
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : stdin;
    luft_pgn_reader *reader;
    if (!file || luft_pgn_reader_create(&reader, read_file, file) != LUFT_OK) {
        printf("cannot read %s\n", argc > 1 ? argv[1] : "standard input");
        return 2;
    }

    /* Callbacks may be NULL. */
    const luft_pgn_visitor visitor = {.move = on_move, .error = on_error, .game_end = on_game_end};
    totals sum = {0};
    const luft_error error = luft_pgn_read_all(reader, &visitor, &sum);
    luft_pgn_reader_free(reader);
    fclose(file);
    if (error != LUFT_OK) {
        printf("%s\n", luft_error_string(error));
        return 2;
    }
    printf("%" PRIu64 " games, %" PRIu64 " moves, %" PRIu64 " errors\n", sum.games, sum.moves, sum.errors);
    return sum.errors == 0 ? 0 : 1;
}
