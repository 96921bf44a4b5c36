/* SPDX-License-Identifier: MIT */
/*
 * The facts of a game, from its tags and moves, as values that can be compared: players, ratings, date, result, length.
 * Several subcommands collect them, with the visitor below.
 */
#ifndef LUFT_PROGRAM_PGN_FACTS_H
#define LUFT_PROGRAM_PGN_FACTS_H

#include "work.h"

typedef struct pgn_facts {
    buffer player[2]; /* the tags White and Black; empty if missing */
    buffer date_text; /* the tag Date */
    buffer event;     /* the tags Event and Site */
    buffer site;
    int elo[2];         /* 0 if missing or not a number */
    int date;           /* 20190504; unknown parts are 0: 20190000 */
    char eco[4];        /* the tag ECO, such as "B90"; empty if missing or of another form */
    unsigned tags_seen; /* a bit for each kind of tag that the game had */
    bool has_tag_result;
    luft_result result; /* of the tag Result; without it, of the marker after the moves */
    uint32_t plies;     /* of the main line, up to an error */
    bool has_error;
} pgn_facts;

/*
 * Collects the facts of the main line and skips variations. The state of the worker must begin with a pgn_facts. A
 * subcommand that replaces a callback calls the one below from its own.
 */
luft_pgn_visitor pgn_facts_visitor(void);
void pgn_facts_free_state(void *state);

luft_pgn_action pgn_facts_on_game_start(void *payload, const luft_pgn_place *place);
luft_pgn_action pgn_facts_on_move(void *payload, const luft_position *before, luft_move move,
                                  const luft_position *after);
luft_pgn_action pgn_facts_on_game_end(void *payload, luft_result marker);

/* Does the name contain this text? Ignores the case of ASCII letters. */
bool pgn_name_contains(const buffer *name, const char *text);

/* The result of "1-0" and so on; false for other text. */
bool pgn_read_result(luft_result *result, const char *text, size_t length);

#endif
