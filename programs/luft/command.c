/* SPDX-License-Identifier: MIT */
/* Commands with subcommands: their help, and the choice of one. */
#include "command.h"

#include "util/text.h"

#include <stdio.h>
#include <string.h>

static void print_help(const cli_group *group) {
    printf("Usage: %s COMMAND %s\n\n%s\n", group->name, group->usage, group->about);
    for (size_t i = 0; i < group->count; i++) {
        printf("  %-10s %s\n", group->subcommands[i].name, group->subcommands[i].summary);
    }
    printf("\n%s COMMAND --help lists the options of a command.\n", group->name);
}

int cli_run_subcommand(const cli_group *group, int argc, char **argv) {
    char quoted[TEXT_QUOTED_SIZE];
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(group);
        return STATUS_OK;
    }
    for (size_t i = 0; i < group->count; i++) {
        if (strcmp(argv[1], group->subcommands[i].name) == 0) {
            return group->subcommands[i].run(argc - 1, argv + 1);
        }
    }
    output_error(group->name, "unknown command %s (%s --help lists them)", text_quote(quoted, argv[1], strlen(argv[1])),
                 group->name);
    return STATUS_USAGE;
}
