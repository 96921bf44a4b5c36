/* SPDX-License-Identifier: MIT */
/*
 * The UCI protocol: Luft as an engine for graphical boards, tournament managers
 * and scripts.
 */
#ifndef LUFT_UCI_UCI_H
#define LUFT_UCI_UCI_H

/* Talks UCI on standard input and output until `quit` or the end of the input. Returns an exit status. */
int uci_run(void);

#endif
