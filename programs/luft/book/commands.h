/* SPDX-License-Identifier: MIT */
/* The subcommands of `luft book`, a file each. Each gets its arguments, the first its own name, and returns an exit status. */
#ifndef LUFT_PROGRAM_BOOK_COMMANDS_H
#define LUFT_PROGRAM_BOOK_COMMANDS_H

int book_make(int argc, char **argv);
int book_merge(int argc, char **argv);
int book_show(int argc, char **argv);
int book_info(int argc, char **argv);
int book_export(int argc, char **argv);

#endif
