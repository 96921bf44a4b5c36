/* SPDX-License-Identifier: MIT */
/*
 * One game between a person and the engine: the moves, the clocks, and how it ended.
 * No input or output, and no engine: only what is true of the game.
 */
#ifndef LUFT_PROGRAM_PLAY_MATCH_H
#define LUFT_PROGRAM_PLAY_MATCH_H

#include "luft/luft.h"

typedef enum match_end {
    MATCH_GOES_ON,
    MATCH_MATE,
    MATCH_STALEMATE,
    MATCH_DEAD,      /* no men left to mate with */
    MATCH_THREEFOLD, /* ends the game here without a claim, as it does on most boards */
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
    luft_color person; /* the side of the person; the other is the engine's */
    match_clock clock;
    match_end end;
    luft_color loser; /* for MATCH_RESIGNED and MATCH_TIME */
    /* Private: */
    int64_t *left_ms; /* for each move, what its player had on the clock after it */
    size_t left_capacity;
} match;

/* Begins a new game; what was there before is gone. False if there is no memory, and nothing changes. */
bool match_start(match *game, const luft_position *start);
void match_free(match *game);

/* Takes a game that was played before; it belongs to the match then. The clocks stand as at the start. */
bool match_adopt(match *game, luft_game *played);

/* Whose turn it is. */
luft_color match_turn(const match *game);
bool match_is_persons_turn(const match *game);

/* Plays a move that took so long. False if it is not legal or there is no memory. Sees whether the game is over. */
bool match_play(match *game, luft_move move, int64_t spent_ms);

/*
 * Back to the last position in which the person was to move, and forward to the next; on or back by one move of each
 * side, as a rule. False if there is none.
 */
bool match_undo(match *game);
bool match_redo(match *game);

/* Other clocks, which stand as at the start of a game, whatever was played before. */
void match_set_clock(match *game, match_clock clock);

/* What this side had on its clock when the present turn began, and what it has `spent_ms` later if the turn is its own. */
int64_t match_time_left(const match *game, luft_color side, int64_t spent_ms);

/* What a player had after the move with this number, from 0. */
int64_t match_time_after(const match *game, size_t ply);
void match_set_time_after(match *game, size_t ply, int64_t left_ms);

/* The flag of the player to move falls. */
void match_flag(match *game);
void match_resign(match *game, luft_color side);
void match_agree(match *game);

/* Looks again whether the game is over by the rules: after match_adopt. */
void match_judge(match *game);

luft_result match_result(const match *game);

/* "Checkmate: White wins.": one sentence, or two. Returns `buffer`. */
#define MATCH_EXPLANATION_SIZE 160
const char *match_explain(char buffer[MATCH_EXPLANATION_SIZE], const match *game);

/* "White" and "Black". */
const char *match_color_name(luft_color color);

#endif
