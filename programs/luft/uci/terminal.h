/* SPDX-License-Identifier: MIT */
/*
 * `luft` alone, with a person at a terminal: beside UCI it takes moves and plain
 * words, shows the board, and can begin a game. In a pipe none of this is there.
 */
#ifndef LUFT_PROGRAM_UCI_TERMINAL_H
#define LUFT_PROGRAM_UCI_TERMINAL_H

#include "uci/session.h"

typedef struct terminal terminal;

/* Greets and shows the board. NULL if there is no memory: UCI works all the same. */
terminal *terminal_open(uci_session *uci);

/* NULL is fine, here and below. */
void terminal_close(terminal *person);

/* UCI has set up this position: the moves are part of the game, which can be taken back. False if there is no memory. */
bool terminal_set_game(terminal *person, const luft_position *start, const luft_move *moves, size_t count);

/* Asks for the next line, unless a search is talking. */
void terminal_prompt(terminal *person);

/* Somebody has said `uci`: that is a program, which needs no prompt. */
void terminal_hush(terminal *person);

/* Does what a line says that is no command of UCI. False if the program is to end. */
bool terminal_obey(terminal *person, uci_text line);

/* The words that it knows, for `help`. */
void terminal_help(void);

#endif
