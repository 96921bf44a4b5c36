/* SPDX-License-Identifier: MIT */
/* The subcommands of `luft pgn`, a file each. Each gets its arguments, the first its own name, and returns an exit status. */
#ifndef LUFT_PROGRAM_PGN_COMMANDS_H
#define LUFT_PROGRAM_PGN_COMMANDS_H

int pgn_check(int argc, char **argv);
int pgn_convert(int argc, char **argv);
int pgn_dedup(int argc, char **argv);
int pgn_filter(int argc, char **argv);
int pgn_stats(int argc, char **argv);

#endif
