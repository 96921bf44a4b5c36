/* SPDX-License-Identifier: MIT */
/*
 * What a subcommand of the program is: a name, a line for the help and a
 * function. Each lives in a file of its own; main.c lists them all.
 */
#ifndef LUFT_PROGRAM_COMMAND_H
#define LUFT_PROGRAM_COMMAND_H

#include "util/output.h"

typedef struct cli_command {
    const char *name;
    const char *summary;               /* one line for luft --help */
    int (*run)(int argc, char **argv); /* argv[0] is the name of the command; returns an exit status */
} cli_command;

extern const cli_command analyse_command;
extern const cli_command bench_command;
extern const cli_command epd_command;
extern const cli_command perft_command;
extern const cli_command play_command;
extern const cli_command pgn_command;
extern const cli_command show_command;

#endif
