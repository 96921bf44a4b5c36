/* SPDX-License-Identifier: MIT */
/*
 * The arguments of a subcommand, described by a table: the same table reads them,
 * refuses what is wrong in one clear line and prints the help. A subcommand
 * points each entry at a variable of its own that holds the default.
 *
 * Understood are --name VALUE, --name=VALUE, --flag, -x VALUE for the few options
 * that have a letter, operands in any place, and -- after which all is operands. Given twice, the last one counts.
 */
#ifndef LUFT_UTIL_OPTIONS_H
#define LUFT_UTIL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One option or operand. Exactly one of the four targets is not NULL. */
typedef struct option {
    const char *name;           /* "fen" for --fen; an operand has a name in capitals: "DEPTH" */
    const char *value;          /* the name of its value in the help; NULL for a flag or an operand */
    const char *help;           /* one line */
    bool *flag;                 /* set to true */
    const char **text;          /* set to the argument itself */
    uint64_t *number;           /* set to a number from `minimum` to `maximum` */
    uint64_t minimum;           /* for a number */
    uint64_t maximum;           /* for a number */
    int *choice;                /* set to the place of the argument in `choices` */
    const char *const *choices; /* for a choice: the words, and a NULL at the end */
    char letter;                /* 'o' for -o beside --name; 0 for none */
} option;

typedef struct option_table {
    const char *command; /* the name of the subcommand */
    const char *usage;   /* what follows it: "[options] DEPTH" */
    const char *about;   /* a few lines for the help, each with its line feed */
    const option *options;
    size_t option_count;
    const option *operands; /* in order; each may be missing */
    size_t operand_count;
    const char **rest;  /* room for all further operands, argc of them; NULL if there may be none */
    size_t *rest_count; /* how many there were */
} option_table;

typedef enum options_result {
    OPTIONS_READ, /* go on */
    OPTIONS_HELP, /* help was asked for and printed: leave with success */
    OPTIONS_BAD   /* an error line was printed: leave with the status for bad arguments */
} options_result;

/* Reads argv[1] … argv[argc - 1] into the targets of the table. */
options_result options_parse(const option_table *table, int argc, char **argv);

#endif
