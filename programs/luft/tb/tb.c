/* SPDX-License-Identifier: MIT */
/* `luft tb`: finds the subcommand. */
#include "command.h"
#include "commands.h"

#include "util/output.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

#define NAME "luft tb"

static const cli_command subcommands[] = {
    {"probe", "print results, distances and moves of positions", tb_probe},
    {"check", "check the structure and the checksums of tables", tb_check},
    {"stats", "count tables by their number of pieces", tb_stats},
};

#define SUBCOMMAND_COUNT (sizeof subcommands / sizeof subcommands[0])

static void print_help(void) {
    printf("Usage: luft tb COMMAND [options] [ARGUMENT...]\n\n"
           "Reads Syzygy tablebases.\n\n");
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
        printf("  %-10s %s\n", subcommands[i].name, subcommands[i].summary);
    }
    printf("\nluft tb COMMAND --help lists the options of a command.\n");
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
    output_error(NAME, "unknown command %s (luft tb --help lists them)", text_quote(quoted, argv[1], strlen(argv[1])));
    return STATUS_USAGE;
}

const cli_command tb_command = {"tb", "probe and check Syzygy tablebases", run};
