/* SPDX-License-Identifier: MIT */
/* `luft pgn`: finds the subcommand. Each describes itself as a job, which frame.c runs. */
#include "command.h"
#include "commands.h"

#include "util/decompress.h"

#include <stdio.h>

static const cli_command subcommands[] = {
    {"check", "check every move and report errors with their places", pgn_check},
    {"convert", "write games in export format or as UCI moves, or their positions as EPD or FEN", pgn_convert},
    {"stats", "count results, openings, lengths, players, ratings and years", pgn_stats},
    {"filter", "write the games that match, unchanged", pgn_filter},
    {"dedup", "leave out duplicate games", pgn_dedup},
};

static int run(int argc, char **argv) {
    char about[256];
    snprintf(about, sizeof about,
             "Reads games in PGN from files, or from standard input, whose name is -.\n"
             "Decompresses files as it reads them; this luft supports %s.\n",
             decompress_formats());
    const cli_group group = {.name = "luft pgn",
                             .usage = "[options] [FILE...]",
                             .about = about,
                             .subcommands = subcommands,
                             .count = sizeof subcommands / sizeof subcommands[0]};
    return cli_run_subcommand(&group, argc, argv);
}

const cli_command pgn_command = {"pgn", "check, convert, count, filter and dedup files of games", run};
