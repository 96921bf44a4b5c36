/* SPDX-License-Identifier: MIT */
/* `luft book`: finds the subcommand. */
#include "command.h"
#include "commands.h"

static const cli_command subcommands[] = {
    {"make", "make a book from games", book_make},
    {"merge", "merge books into one", book_merge},
    {"show", "print the moves of a position with their weights", book_show},
    {"info", "count the entries and positions of books", book_info},
    {"export", "write a book as a PGN game with variations", book_export},
};

static int run(int argc, char **argv) {
    const cli_group group = {.name = "luft book",
                             .usage = "[options] [FILE...]",
                             .about = "Makes and reads opening books in the Polyglot format.\n",
                             .subcommands = subcommands,
                             .count = sizeof subcommands / sizeof subcommands[0]};
    return cli_run_subcommand(&group, argc, argv);
}

const cli_command book_command = {"book", "make, merge and show opening books", run};
