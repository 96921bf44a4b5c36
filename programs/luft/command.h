/* SPDX-License-Identifier: MIT */
/*
 * A command of the program: a name, a line for the help and a function. Each has its own file or folder; main.c lists
 * them. A command with subcommands describes them by a group.
 */
#ifndef LUFT_PROGRAM_COMMAND_H
#define LUFT_PROGRAM_COMMAND_H

#include "util/output.h"
#include "util/units.h"

#include <stddef.h>

typedef struct cli_command {
    const char *name;
    const char *summary;               /* one line for luft --help */
    int (*run)(int argc, char **argv); /* argv[0] is the name of the command; returns an exit status */
} cli_command;

typedef struct cli_group {
    const char *name;  /* all of it: "luft pgn" */
    const char *usage; /* what follows the subcommand: "[options] [FILE...]" */
    const char *about; /* a few lines for the help, each with its line feed */
    const cli_command *subcommands;
    size_t count;
} cli_group;

/* Runs the subcommand that argv[1] names; prints the help of the group if it is --help or missing. */
int cli_run_subcommand(const cli_group *group, int argc, char **argv);

extern const cli_command analyse_command;
extern const cli_command bench_command;
extern const cli_command book_command;
extern const cli_command db_command;
extern const cli_command epd_command;
extern const cli_command merge_command;
extern const cli_command perft_command;
extern const cli_command play_command;
extern const cli_command pgn_command;
extern const cli_command puzzles_command;
extern const cli_command show_command;
extern const cli_command tb_command;

/* The commands whose work is cut into units, by these workers. */
int analyse_run(int argc, char **argv, const unit_runner *runner);
int perft_run(int argc, char **argv, const unit_runner *runner);
int puzzles_run(int argc, char **argv, const unit_runner *runner);

#endif
