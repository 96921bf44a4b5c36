/* SPDX-License-Identifier: MIT */
/* `luft pgn`: finds the subcommand. Each describes itself as a job, which frame.c runs. */
#include "command.h"
#include "commands.h"

#include "util/decompress.h"
#include "util/output.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

#define NAME "luft pgn"

static const cli_command subcommands[] = {
    {"check", "check every move and report errors with their places", pgn_check},
    {"convert", "write games in export format or as UCI moves, or their positions as EPD or FEN", pgn_convert},
    {"stats", "count results, openings, lengths, players, ratings and years", pgn_stats},
    {"filter", "write the games that match, unchanged", pgn_filter},
    {"dedup", "leave out duplicate games", pgn_dedup},
};

#define SUBCOMMAND_COUNT (sizeof subcommands / sizeof subcommands[0])

static void print_help(void) {
    printf("Usage: luft pgn COMMAND [options] [FILE...]\n\n"
           "Reads games in PGN from files, or from standard input, whose name is -.\n"
           "Decompresses files as it reads them; this luft supports %s.\n\n",
           decompress_formats());
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
        printf("  %-10s %s\n", subcommands[i].name, subcommands[i].summary);
    }
    printf("\nluft pgn COMMAND --help lists the options of a command.\n");
}

static int run(int argc, char **argv) {
    char quoted[TEXT_QUOTED_SIZE];
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return STATUS_OK;
    }
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
        if (strcmp(argv[1], subcommands[i].name) == 0) {
            return subcommands[i].run(argc - 1, argv + 1);
        }
    }
    output_error(NAME, "unknown command %s (luft pgn --help lists them)", text_quote(quoted, argv[1], strlen(argv[1])));
    return STATUS_USAGE;
}

const cli_command pgn_command = {"pgn", "check, convert, count, filter and dedup files of games", run};
