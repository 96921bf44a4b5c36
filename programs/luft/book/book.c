/* SPDX-License-Identifier: MIT */
/* `luft book`: finds the subcommand. */
#include "command.h"
#include "commands.h"

#include "util/output.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

#define NAME "luft book"

static const cli_command subcommands[] = {
    {"make", "make a book from games", book_make},
    {"merge", "merge books into one", book_merge},
    {"show", "print the moves of a position with their weights", book_show},
    {"info", "count the entries and positions of books", book_info},
    {"export", "write a book as a PGN game with variations", book_export},
};

#define SUBCOMMAND_COUNT (sizeof subcommands / sizeof subcommands[0])

static void print_help(void) {
    printf("Usage: luft book COMMAND [options] [FILE...]\n\n"
           "Makes and reads opening books in the Polyglot format.\n\n");
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
        printf("  %-10s %s\n", subcommands[i].name, subcommands[i].summary);
    }
    printf("\nluft book COMMAND --help lists the options of a command.\n");
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
    output_error(NAME, "unknown command %s (luft book --help lists them)",
                 text_quote(quoted, argv[1], strlen(argv[1])));
    return STATUS_USAGE;
}

const cli_command book_command = {"book", "make, merge and show opening books", run};
