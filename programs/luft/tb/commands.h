/* SPDX-License-Identifier: MIT */
/* The subcommands of `luft tb`, one file each. */
#ifndef LUFT_PROGRAM_TB_COMMANDS_H
#define LUFT_PROGRAM_TB_COMMANDS_H

int tb_probe(int argc, char **argv);
int tb_check(int argc, char **argv);
int tb_stats(int argc, char **argv);

#endif
