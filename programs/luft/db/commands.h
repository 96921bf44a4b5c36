/* SPDX-License-Identifier: MIT */
/* The subcommands of `luft db`. Each gets its arguments, the first its own name, and returns an exit status. */
#ifndef LUFT_PROGRAM_DB_COMMANDS_H
#define LUFT_PROGRAM_DB_COMMANDS_H

int db_create(int argc, char **argv);
int db_append(int argc, char **argv);
int db_merge(int argc, char **argv);
int db_explore(int argc, char **argv);
int db_search(int argc, char **argv);
int db_serve(int argc, char **argv);
int db_stats(int argc, char **argv);
int db_players(int argc, char **argv);
int db_export(int argc, char **argv);
int db_check(int argc, char **argv);
int db_vacuum(int argc, char **argv);

#endif
