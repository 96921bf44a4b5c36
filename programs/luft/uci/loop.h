/* SPDX-License-Identifier: MIT */
/*
 * `luft` without a command: the engine, for graphical boards, tournament managers and
 * scripts, and for a person at a terminal.
 */
#ifndef LUFT_PROGRAM_UCI_LOOP_H
#define LUFT_PROGRAM_UCI_LOOP_H

/* Runs a UCI session on standard input and output until `quit` or the end of the input. Returns an exit status. */
int uci_run(void);

#endif
