/* SPDX-License-Identifier: MIT */
/*
 * A game of a PGN file with everything in it, kept in memory so that it can be written again with evaluations.
 */
#ifndef LUFT_PROGRAM_ANALYSE_GAME_H
#define LUFT_PROGRAM_ANALYSE_GAME_H

#include "judge.h"
#include "pgn/fault.h"

#include "util/buffer.h"

typedef enum event_kind { EVENT_MOVE, EVENT_NAG, EVENT_COMMENT, EVENT_START, EVENT_END } event_kind;

/* A move, a mark, a comment, or the start or end of a variation. */
typedef struct game_event {
    event_kind kind;
    bool is_main;   /* a move of the main line */
    luft_move move; /* for a move; LUFT_MOVE_NONE is the null move */
    int nag;        /* for a mark */
    size_t text;    /* for a comment: its offset in the text */
    size_t length;
    bool is_open;         /* more of the comment follows */
    luft_position before; /* for a move */
} game_event;

typedef struct game_tag {
    size_t name; /* offset in the text */
    size_t name_length;
    size_t value;
    size_t value_length;
} game_tag;

typedef struct pgn_game {
    buffer text; /* of tags and comments */
    game_tag *tags;
    size_t tag_count;
    game_event *events;
    size_t event_count;
    size_t plies; /* of the main line */
    luft_position start;
    bool has_start; /* the tags set up a position */
    luft_result result;
    bool has_fault;
    pgn_fault fault;  /* the error that cut it */
    bool is_too_long; /* and not complete */
    /* Private: */
    size_t tag_capacity;
    size_t event_capacity;
    size_t depth; /* of open variations */
    bool failed;  /* out of memory */
} pgn_game;

/*
 * Reads the next game into `game`, which begins as zeros and can be used again. Errors are those of
 * luft_pgn_read_game, and LUFT_ERROR_MEMORY.
 */
luft_error game_read(pgn_game *game, luft_pgn_reader *reader);
void game_free(pgn_game *game);

/* The value of the first tag with this name; "?" if there is none. */
const char *game_tag_value(const pgn_game *game, const char *name, size_t *length);

/* Writes the game with the evaluations of its plies + 1 positions. */
void game_write(buffer *out, const pgn_game *game, const evaluation *evaluations);

#endif
