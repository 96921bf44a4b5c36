/* SPDX-License-Identifier: MIT */
/* The subcommands of `luft tb`, one file each. */
#ifndef LUFT_PROGRAM_TB_COMMANDS_H
#define LUFT_PROGRAM_TB_COMMANDS_H

#include "luft/luft.h"

int tb_probe(int argc, char **argv);
int tb_check(int argc, char **argv);
int tb_stats(int argc, char **argv);

/* Opens the tables of directories; NULL after an error line. */
luft_tablebase *tb_open(const char *command, const char *directories);

#endif
