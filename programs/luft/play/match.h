/* SPDX-License-Identifier: MIT */
/*
 * One game between a person and the engine: the moves, the clocks, and how it ended. No input or output, and no
 * engine.
 */
#ifndef LUFT_PROGRAM_PLAY_MATCH_H
#define LUFT_PROGRAM_PLAY_MATCH_H

#include "luft/luft.h"

typedef enum match_end {
    MATCH_GOES_ON,
    MATCH_MATE,
    MATCH_STALEMATE,
    MATCH_DEAD,      /* not enough material to mate */
    MATCH_THREEFOLD, /* ends the game without a claim, as in most programs */
    MATCH_FIFTY,     /* likewise */
    MATCH_RESIGNED,
    MATCH_AGREED,   /* a draw */
    MATCH_TIME,     /* lost on time */
    MATCH_TIME_DRAW /* the flag fell, but the opponent has only the king */
} match_end;

typedef struct match_clock {
    bool on;
    int64_t base_ms;
    int64_t increment_ms; /* added after each move */
} match_clock;

typedef struct match {
    luft_game *game;
    luft_color person; /* the person's side; the engine has the other */
    match_clock clock;
    match_end end;
    luft_color loser; /* for MATCH_RESIGNED and MATCH_TIME */
    /* Private: */
    int64_t *left_ms; /* for each move, the time its player had left after it */
    size_t left_capacity;
} match;

/* Begins a new game and frees the old one. False, with no change, if out of memory. */
bool match_start(match *game, const luft_position *start);
void match_free(match *game);

/* Takes over a game that was played before, and owns it. The clocks are reset. False if out of memory. */
bool match_adopt(match *game, luft_game *played);

/* Whose turn it is. */
luft_color match_turn(const match *game);
bool match_is_persons_turn(const match *game);

/* Plays a move that took this time, and checks whether the game is over. False if it is illegal or memory runs out. */
bool match_play(match *game, luft_move move, int64_t spent_ms);

/*
 * Goes back to the last position with the person to move, and forward to the next; usually one move of each side.
 * False if there is none.
 */
bool match_undo(match *game);
bool match_redo(match *game);

/* Sets other clocks and resets them to their start. */
void match_set_clock(match *game, match_clock clock);

/* The time of this side when the current turn began, less `spent_ms` if it is to move. */
int64_t match_time_left(const match *game, luft_color side, int64_t spent_ms);

/* The time left after the move with this number, from 0. */
int64_t match_time_after(const match *game, size_t ply);
void match_set_time_after(match *game, size_t ply, int64_t left_ms);

/* The side to move has run out of time. */
void match_flag(match *game);
void match_resign(match *game, luft_color side);
void match_agree(match *game);

/* Checks again whether the game is over by the rules. */
void match_judge(match *game);

luft_result match_result(const match *game);

/* "Checkmate: White wins.": one sentence, or two. Returns `buffer`. */
#define MATCH_EXPLANATION_SIZE 160
const char *match_explain(char buffer[MATCH_EXPLANATION_SIZE], const match *game);

/* "White" and "Black". */
const char *match_color_name(luft_color color);

#endif
