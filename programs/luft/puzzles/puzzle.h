/* SPDX-License-Identifier: MIT */
/* A puzzle: a position of a game with one move that wins, or saves, and the moves that follow. Its themes and its output. */
#ifndef LUFT_PROGRAM_PUZZLES_PUZZLE_H
#define LUFT_PROGRAM_PUZZLES_PUZZLE_H

#include "util/buffer.h"

#include "luft/luft.h"

enum { PUZZLE_MOVES_MAX = 15 }; /* plies of a solution */

typedef struct puzzle {
    luft_position before; /* the position before the move that allows it */
    luft_move last;       /* that move */
    luft_position start;  /* the position to solve */
    int length;           /* plies of the solution, odd: it begins and ends with the solver's move */
    luft_move moves[PUZZLE_MOVES_MAX];
    int score;       /* of the solution, for the solver, see thinking.h */
    bool is_quick;   /* a very short search finds the first move too */
    uint64_t number; /* of the game */
    int ply;         /* of `start` in the game */
} puzzle;

/* Appends the themes, separated by blanks, in lichess.org's words: "mate mateIn2 backRankMate short". */
void puzzle_append_themes(buffer *out, const puzzle *it);

/* An estimate of the rating of a player who solves it half of the time; not fitted to players. */
int puzzle_rating(const puzzle *it);

typedef enum puzzle_format { PUZZLE_CSV, PUZZLE_PGN, PUZZLE_EPD } puzzle_format;

/* Appends the puzzle in a format; `site` is a tag of the game and may be empty. */
void puzzle_append(buffer *out, const puzzle *it, puzzle_format format, const char *site, size_t site_length);

/* The first line of CSV, as lichess.org publishes its puzzles. */
#define PUZZLE_CSV_HEAD "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags\n"

#endif
