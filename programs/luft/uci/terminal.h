/* SPDX-License-Identifier: MIT */
/*
 * `luft` without a command, with a person at a terminal: an extension of UCI that accepts moves and plain words, shows
 * the board, and can start a game. In a pipe there is no terminal.
 */
#ifndef LUFT_PROGRAM_UCI_TERMINAL_H
#define LUFT_PROGRAM_UCI_TERMINAL_H

#include "uci/uci.h"

typedef struct terminal terminal;

/* Extends the session, greets and shows the board. NULL if out of memory: UCI works without it. */
terminal *terminal_open(uci_session *uci);

/* NULL is fine, here and below. Close it after the session has ended. */
void terminal_close(terminal *person);

/* Prints the prompt for the next line, unless a job is printing or the session has ended. */
void terminal_prompt(terminal *person);

#endif
