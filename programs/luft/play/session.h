/* SPDX-License-Identifier: MIT */
/*
 * What the files of `luft play` share: the session, which is one person at one board,
 * and its steps. play.c reads the options, play_session.c runs the turns,
 * play_commands.c what the person can say.
 */
#ifndef LUFT_PROGRAM_PLAY_SESSION_H
#define LUFT_PROGRAM_PLAY_SESSION_H

#include "console.h"
#include "match.h"
#include "record.h"
#include "screen.h"
#include "thinking.h"

enum { PLAY_MOVE_MS = 1000 }; /* of the engine, where there is no clock */

/* How the engine plays. */
typedef struct play_settings {
    int level;       /* 1 to PLAY_LEVEL_MAX */
    int elo;         /* 0: the level counts */
    int64_t move_ms; /* for each move of the engine */
    int64_t nodes;   /* instead of time, LIMIT_NONE for no such limit */
} play_settings;

typedef struct play_session {
    match match;
    luft_engine *engine;
    thinking *found; /* by the last search */
    console keys;
    screen_style style;
    play_settings settings;
    record_facts facts;
    record_file file;
    luft_position start;   /* of the next new game; */
    bool any_chess960;     /* a Chess960 start position that is drawn anew for each game */
    const char *opening;   /* last shown, or NULL */
    int64_t turn_began_us; /* by clock_microseconds */
    bool flipped;          /* the board is shown from Black's side */
    bool changed;          /* since the game was last saved */
    bool save_failed;      /* the last time that a game was to be saved */
    bool told_end;         /* how the game ended was said */
    bool leaving;          /* the session is to end */
    bool asked_to_leave;   /* by ^C, once */
} play_session;

/* All that is not zero is set by the caller, the engine by play_create_engine; then this plays until the person leaves. */
void play_run(play_session *play);
void play_free(play_session *play);

/* An engine for the session, once its console is open: false if there is no memory. If there is one already, fine. */
bool play_create_engine(play_session *play);

/* --- Steps: play_session.c -------------------------------------------------------- */

/* The engine plays as the settings say, and has a name that tells. */
void play_set_strength(play_session *play);

/* The board as it stands now, clocks included. */
void play_show(play_session *play);

/* The position has changed: the turn begins, and the board is shown. */
void play_begin_turn(play_session *play);

/* Another start position, by lot, where the session wants that. */
void play_draw_start(play_session *play);

/* Begins a game from the start position of the session; false, and a line says why, if there is no memory. */
bool play_new_game(play_session *play);

/* A move of the person. */
void play_person_moves(play_session *play, luft_move move);

/*
 * Searches the present position at full strength for a short time, with so many lines; false, and a line says why, if it
 * cannot. The result is in `found`.
 */
bool play_look(play_session *play, int lines);

/* Saves without asking, under a new name if there is none yet; false, and a line says why, if that fails. */
bool play_save(play_session *play);

/* The game is to be kept in the file of this name; false, and a line says why, if that cannot be. */
bool play_choose_file(play_session *play, const char *name, size_t length);

/*
 * Saves if there is something to save, and asks first if it is not known where. If that fails it asks for another place, as
 * long as there are answers; at the end of the input it tries one. False if the game would be lost.
 */
bool play_offer_to_save(play_session *play);

/* One line of the person, after a prompt; false at the end of everything, when `leaving` is set, too. */
bool play_ask(play_session *play, const char *prompt, const char **line, size_t *length);

/* --- Words: play_commands.c --------------------------------------------------------- */

/* Does what a line says: a command, or a move. */
void play_obey(play_session *play, const char *line, size_t length);

/* Is this the word, which is in lower case, in whatever case it was typed? */
bool play_is_word(const char *word, size_t length, const char *expected);

/* What some of the words do, for others who have them. */
void play_hint(play_session *play);
void play_analyse(play_session *play);
void play_print_fen(const play_session *play);
void play_print_game(const play_session *play);
void play_print_moves(const play_session *play);

#endif
