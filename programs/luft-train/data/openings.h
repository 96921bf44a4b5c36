/* SPDX-License-Identifier: MIT */
/*
 * How games begin: from the standard start, a Chess960 start or a book position, then with a few random moves.
 */
#ifndef LUFT_TRAIN_DATA_OPENINGS_H
#define LUFT_TRAIN_DATA_OPENINGS_H

#include "games.h"

typedef struct openings {
    luft_compact *book; /* positions to start from */
    size_t book_count;
    size_t book_room;
    uint64_t book_percent;     /* share of the games that start from the book, if there is one */
    uint64_t chess960_percent; /* share of the others that start from a Chess960 position */
    uint64_t random_plies;     /* random moves from a start position: this number, or one more */
    uint64_t book_plies;       /* random moves from a book position, likewise */
} openings;

/*
 * Adds the positions of a book: the last of each game if the name ends in .pgn, else each line is an EPD or FEN. Skips
 * and counts entries that cannot be read. On failure false, and `reason` is a constant clause.
 */
bool openings_read_book(openings *list, const char *path, size_t *skipped, const char **reason);

/* The same for the option --book of `command`, NULL if it is not given: prints an error line, and what was skipped. */
bool openings_read_option(openings *list, const char *path, const char *command);

void openings_free(openings *list);

/* Sets up the start and the random moves of a game; false if they end the game. */
bool openings_choose(const openings *list, game_data *game, uint64_t *random);

#endif
