/* SPDX-License-Identifier: MIT */
/* Reads books, and chooses how a game begins. */
#define _POSIX_C_SOURCE 200809L

#include "openings.h"

#include "util/random.h"

#include "luft/luft.h"
#include "util/atomic_file.h"
#include "util/input.h"
#include "util/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STANDARD_START = 518, CHESS960_STARTS = 960 };

/* --- Books ------------------------------------------------------------------- */

static bool add_position(openings *list, const luft_position *position) {
    if (list->book_count == list->book_room) {
        const size_t room = list->book_room ? 2 * list->book_room : 1024;
        luft_compact *grown = realloc(list->book, room * sizeof *grown);
        if (!grown) {
            return false;
        }
        list->book = grown;
        list->book_room = room;
    }
    return luft_compact_pack(&list->book[list->book_count++], position) == LUFT_OK;
}

/* The state of the PGN visitor. */
typedef struct book_game {
    openings *list;
    luft_position last; /* of the main line */
    bool has_last;      /* a position was set up */
    size_t skipped;
    bool failed;
} book_game;

static luft_pgn_action on_start(void *payload, const luft_position *start) {
    book_game *game = payload;
    game->last = *start;
    game->has_last = true;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_move(void *payload, const luft_position *before, luft_move move, const luft_position *after) {
    (void)before, (void)move;
    ((book_game *)payload)->last = *after;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_variation(void *payload, const luft_position *before) {
    (void)payload, (void)before;
    return LUFT_PGN_SKIP_VARIATION;
}

static luft_pgn_action on_error(void *payload, const luft_pgn_error *error) {
    (void)error;
    book_game *game = payload;
    game->has_last = false;
    game->skipped++;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_end(void *payload, luft_result result) {
    (void)result;
    book_game *game = payload;
    if (game->has_last && luft_has_legal_move(&game->last)) {
        game->failed |= !add_position(game->list, &game->last);
    }
    game->has_last = false;
    return game->failed ? LUFT_PGN_STOP : LUFT_PGN_CONTINUE;
}

static size_t read_stream(void *payload, char *bytes, size_t size) {
    const size_t count = fread(bytes, 1, size, payload);
    return count == 0 && ferror((FILE *)payload) ? LUFT_PGN_READ_FAILED : count;
}

static const char *read_pgn(openings *list, FILE *stream, size_t *skipped) {
    const luft_pgn_visitor visitor = {.moves_start = on_start,
                                      .move = on_move,
                                      .variation_start = on_variation,
                                      .error = on_error,
                                      .game_end = on_end};
    book_game game = {.list = list};
    luft_pgn_reader *reader;
    if (luft_pgn_reader_create(&reader, read_stream, stream) != LUFT_OK) {
        return "out of memory";
    }
    const luft_error error = luft_pgn_read_all(reader, &visitor, &game);
    luft_pgn_reader_free(reader);
    *skipped = game.skipped;
    return game.failed ? "out of memory" : error != LUFT_OK ? "it cannot be read" : NULL;
}

static const char *read_epd(openings *list, FILE *stream, size_t *skipped) {
    char *line = NULL;
    size_t room = 0;
    const char *reason = NULL;
    ssize_t length;
    while (!reason && (length = getline(&line, &room, stream)) >= 0) {
        luft_position position;
        luft_epd_cursor cursor;
        if (line[strspn(line, " \t\r\n")] == '\0') {
            continue;
        }
        if (luft_epd_read(&position, &cursor, line, (size_t)length, NULL) != LUFT_OK ||
            !luft_has_legal_move(&position)) {
            ++*skipped;
        } else if (!add_position(list, &position)) {
            reason = "out of memory";
        }
    }
    free(line);
    return reason ? reason : ferror(stream) ? "it cannot be read" : NULL;
}

bool openings_read_book(openings *list, const char *path, size_t *skipped, const char **reason) {
    const size_t before = list->book_count;
    const size_t length = strlen(path);
    const bool is_pgn = length > 4 && strcmp(path + length - 4, ".pgn") == 0;
    FILE *stream = input_is_regular_file(path) ? fopen(path, "rb") : NULL;
    *skipped = 0;
    *reason = "it cannot be opened, or is not a regular file";
    if (stream) {
        *reason = is_pgn ? read_pgn(list, stream, skipped) : read_epd(list, stream, skipped);
        fclose(stream);
    }
    if (!*reason && list->book_count == before) {
        *reason = "it has no position to play from";
    }
    return *reason == NULL;
}

bool openings_read_option(openings *list, const char *path, const char *command) {
    const char *reason;
    size_t skipped = 0;
    if (path && !openings_read_book(list, path, &skipped, &reason)) {
        output_error(command, "%s: %s", path, reason);
        return false;
    }
    if (skipped > 0) {
        output_error(command, "%s: skipped %zu entries without a position to play from", path, skipped);
    }
    return true;
}

void openings_free(openings *list) {
    free(list->book);
    *list = (openings){0};
}

/* --- Choosing ---------------------------------------------------------------- */

bool openings_choose(const openings *list, game_data *game, uint64_t *random) {
    uint64_t plies = list->random_plies;
    if (list->book_count > 0 && random_below(random, 100) < list->book_percent) {
        game->start_number = -1;
        plies = list->book_plies;
        const luft_compact *start = &list->book[random_below(random, list->book_count)];
        if (luft_compact_unpack(&game->positions[0], start) != LUFT_OK) {
            return false;
        }
    } else {
        const bool chess960 = random_below(random, 100) < list->chess960_percent;
        game->start_number = chess960 ? (int)random_below(random, CHESS960_STARTS) : STANDARD_START;
        luft_chess960_position(&game->positions[0], game->start_number);
    }
    plies += random_below(random, 2);
    game->plies = game->opening = 0;
    game->has_last = false;
    for (; game->plies < (int)plies; game->plies++) {
        luft_move_list moves;
        const luft_position *position = &game->positions[game->plies];
        if (luft_generate(&moves, position, LUFT_ALL_MOVES) == 0) {
            return false;
        }
        const luft_move move = moves.moves[random_below(random, (uint64_t)moves.count)];
        game->ply[game->plies] = (game_ply){.move = move};
        luft_make(&game->positions[game->plies + 1], position, move);
    }
    game->opening = game->plies;
    return luft_has_legal_move(&game->positions[game->plies]);
}
