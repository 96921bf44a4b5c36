/* SPDX-License-Identifier: MIT */
/*
 * Nobody sits at a terminal: what a UCI session asks of it in the browser, and in the fuzzers. The program
 * itself has programs/luft/uci/terminal.c.
 */
#include "luft/uci/terminal.h"

bool terminal_set_game(terminal *person, const luft_position *start, const luft_move *moves, size_t count) {
    (void)person;
    (void)start;
    (void)moves;
    (void)count;
    return true;
}

void terminal_hush(terminal *person) {
    (void)person;
}

bool terminal_obey(terminal *person, uci_text line) {
    (void)person;
    (void)line;
    return true;
}

void terminal_help(void) {
}
