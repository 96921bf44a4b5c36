/* SPDX-License-Identifier: MIT */
/* The subcommands of `luft tb`, one file each. */
#ifndef LUFT_PROGRAM_TB_COMMANDS_H
#define LUFT_PROGRAM_TB_COMMANDS_H

#include "luft/luft.h"
#include "util/options.h"

int tb_probe(int argc, char **argv);
int tb_check(int argc, char **argv);
int tb_stats(int argc, char **argv);

/*
 * Reads the arguments of a subcommand with the operand DIR, and opens the tables there. NULL if the subcommand is to end
 * with this exit status, after the help or an error line.
 */
luft_tablebase *tb_open_operand(const char *command, const char *about, const option *options, size_t option_count,
                                int argc, char **argv, int *status);

#endif
