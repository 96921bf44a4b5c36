/* SPDX-License-Identifier: MIT */
/* `luft db`: finds the subcommand. A build without SQLite has none of them and says so. */
#include "command.h"
#include "commands.h"

#include "util/output.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

#define NAME "luft db"

#ifdef LUFT_WITH_SQLITE

static const cli_command subcommands[] = {
    {"create", "make a database from PGN files", db_create},
    {"append", "add the games of PGN files to a database", db_append},
    {"merge", "add the games of other databases to a database", db_merge},
    {"explore", "print the moves that were played in a position", db_explore},
    {"search", "find games by what happens in them", db_search},
    {"serve", "serve explore, search and games to browsers of this machine", db_serve},
    {"stats", "count games, results and positions", db_stats},
    {"players", "print the scores of players", db_players},
    {"export", "write games as PGN, CSV or NDJSON", db_export},
    {"check", "replay every game and count the statistics again", db_check},
    {"vacuum", "bring the statistics up to date and make the file small", db_vacuum},
};

#define SUBCOMMAND_COUNT (sizeof subcommands / sizeof subcommands[0])

static void print_help(void) {
    printf("Usage: luft db COMMAND [options] [ARGUMENT...]\n\n"
           "Keeps games in a database, with statistics of their positions.\n\n");
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
        printf("  %-10s %s\n", subcommands[i].name, subcommands[i].summary);
    }
    printf("\nluft db COMMAND --help lists the options of a command.\n");
}

static int run_subcommand(int argc, char **argv) {
    char quoted[TEXT_QUOTED_SIZE];
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
        if (strcmp(argv[1], subcommands[i].name) == 0) {
            return subcommands[i].run(argc - 1, argv + 1);
        }
    }
    output_error(NAME, "unknown command %s (luft db --help lists them)", text_quote(quoted, argv[1], strlen(argv[1])));
    return STATUS_USAGE;
}

#else

static void print_help(void) {
    printf("Usage: luft db COMMAND [options] [ARGUMENT...]\n\n"
           "This build of Luft has no database: it was compiled without SQLite.\n");
}

static int run_subcommand(int argc, char **argv) {
    (void)argc, (void)argv;
    output_error(NAME, "this build has no database: it was compiled without SQLite");
    return STATUS_USAGE;
}

#endif

static int run(int argc, char **argv) {
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return STATUS_OK;
    }
    return run_subcommand(argc, argv);
}

const cli_command db_command = {"db", "keep games in a database and explore it", run};
