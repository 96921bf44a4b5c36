/* SPDX-License-Identifier: MIT */
/*
 * How games begin: the standard start, Chess960 starts, and the positions of books, then a few random moves.
 */
#ifndef LUFT_TRAIN_DATA_OPENINGS_H
#define LUFT_TRAIN_DATA_OPENINGS_H

#include "games.h"

typedef struct openings {
    luft_compact *book; /* positions to start from */
    size_t book_count;
    size_t book_room;
    uint64_t book_percent;     /* of the games start from the book, if there is one */
    uint64_t chess960_percent; /* of the others start from a Chess960 position */
    uint64_t random_plies;     /* from a start position: so many, or one more */
    uint64_t book_plies;       /* the same from a position of the book */
} openings;

/*
 * Adds the positions of a book: the last one of each game if the name ends in .pgn, else each line is an EPD or FEN. On
 * failure false, and `reason` is one clause of English, a constant. What cannot be read is skipped and counted.
 */
bool openings_read_book(openings *list, const char *path, size_t *skipped, const char **reason);
void openings_free(openings *list);

/* Sets up the start and the random moves of a game; false if the moves ended it. */
bool openings_choose(const openings *list, game_data *game, uint64_t *random);

#endif
