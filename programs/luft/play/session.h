/* SPDX-License-Identifier: MIT */
/*
 * What the files of `luft play` share: the session of one person, and its steps. play.c reads the options, session.c
 * runs the turns, commands.c has the commands of the prompt.
 */
#ifndef LUFT_PROGRAM_PLAY_SESSION_H
#define LUFT_PROGRAM_PLAY_SESSION_H

#include "console.h"
#include "match.h"
#include "record.h"
#include "screen.h"
#include "thinking.h"

enum { PLAY_MOVE_MS = 1000 }; /* of the engine, without a clock */

/* How the engine plays. */
typedef struct play_settings {
    int level;       /* 1 to PLAY_LEVEL_MAX */
    int elo;         /* 0: the level counts */
    int64_t move_ms; /* for each move of the engine */
    int64_t nodes;   /* instead of time; LUFT_ENGINE_NO_LIMIT for no such limit */
} play_settings;

typedef struct play_session {
    match match;
    luft_engine *engine;
    luft_book *book;           /* the engine plays from it as long as it can; NULL for none */
    luft_tablebase *tablebase; /* NULL for none */
    thinking *found;           /* by the last search */
    console keys;
    screen_style style;
    play_settings settings;
    record_facts facts;
    record_file file;
    luft_position start;   /* of the next new game */
    bool any_chess960;     /* each new game begins from a random Chess960 position */
    const char *opening;   /* last shown, or NULL */
    int64_t turn_began_us; /* by clock_microseconds */
    bool flipped;          /* the board is shown from Black's side */
    bool changed;          /* since the game was last saved */
    bool save_failed;      /* the last attempt to save failed */
    bool has_new_name;     /* the file was chosen by the program, in … */
    int place;             /* … this folder, see record_file_choose_new */
    bool end_reported;     /* the end of the game was reported */
    bool leaving;          /* the session is to end */
    bool asked_to_leave;   /* by ^C, once */
} play_session;

/*
 * Plays until the person leaves. The caller has set the fields that do not begin as zeros, and the engine by
 * play_create_engine.
 */
void play_run(play_session *play);
void play_free(play_session *play);

/*
 * Creates the engine of the session, after its console is open. False if out of memory. Does nothing if there is one.
 */
bool play_create_engine(play_session *play);

/* --- Steps: session.c -------------------------------------------------------- */

/* Sets the strength of the engine, and a name that says so. */
void play_set_strength(play_session *play);

/* Prints the current board, clocks included. */
void play_show(play_session *play);

/* Begins a turn after the position has changed, and prints the board. */
void play_begin_turn(play_session *play);

/* Draws a random start position if the session asks for it. */
void play_draw_start(play_session *play);

/* Begins a game from the start position of the session; false, after a message, if out of memory. */
bool play_new_game(play_session *play);

/* Plays a move of the person. */
void play_person_moves(play_session *play, luft_move move);

/*
 * Searches the current position at full strength for a short time, with so many variations. False, after a message, if
 * it cannot. The result is in `found`.
 */
bool play_look(play_session *play, int lines);

/* Saves without asking, under a new name if there is none yet; false, after a message, if that fails. */
bool play_save(play_session *play);

/* Chooses the file for the game; false, after a message, if it cannot be used. */
bool play_choose_file(play_session *play, const char *name, size_t length);

/*
 * Saves if there is something to save, and asks first if no file is chosen. If that fails it asks for another file, as
 * long as there are answers; at the end of the input it tries other folders. False if the game would be lost.
 */
bool play_offer_to_save(play_session *play);

/* Reads a line after a prompt; false at the end of the input, which also sets `leaving`. */
bool play_ask(play_session *play, const char *prompt, const char **line, size_t *length);

/* --- Words: commands.c --------------------------------------------------------- */

/* Runs a line: a command or a move. */
void play_obey(play_session *play, const char *line, size_t length);

/* Is this the expected word, which is in lower case? Ignores the case of the typed word. */
bool play_is_word(const char *word, size_t length, const char *expected);

/* Commands that other callers use too. */
void play_hint(play_session *play);
void play_analyse(play_session *play);
void play_print_fen(const play_session *play);
void play_print_game(const play_session *play);
void play_print_moves(const play_session *play);

#endif
