/* SPDX-License-Identifier: MIT */
/*
 * The arguments of a subcommand, described by a table: the same table reads them, refuses what is wrong in one
 * line and prints the help. Understood are --name VALUE, --name=VALUE, --flag, operands in any place,
 * and -- after which all is operands. It is luft's way (src/util/options.h) with less of it.
 */
#ifndef LUFT_TRAIN_ARGUMENTS_H
#define LUFT_TRAIN_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What luft-train exits with. */
enum {
    STATUS_OK = 0,
    STATUS_FAILED = 1, /* something in the data is wrong, or the output could not be written */
    STATUS_USAGE = 2   /* the arguments, or a file that they name, cannot be used */
};

/* One option. Exactly one of the three targets is not NULL; it holds the default. */
typedef struct argument {
    const char *name;  /* "seed" for --seed */
    const char *value; /* the name of its value in the help; NULL for a flag */
    const char *help;  /* one line */
    bool *flag;
    const char **text;
    uint64_t *number; /* from `minimum` to `maximum` */
    uint64_t minimum;
    uint64_t maximum;
} argument;

typedef struct argument_table {
    const char *command; /* "generate" */
    const char *usage;   /* what follows it */
    const char *about;   /* lines for the help, each with its line feed */
    const argument *arguments;
    size_t count;
    size_t *operand_count; /* NULL if there may be no operands */
} argument_table;

/*
 * Reads the arguments behind the name of the command. The operands come to the front of argv, in their order.
 * False if the program is to end, with this status.
 */
bool arguments_read(const argument_table *table, int argc, char **argv, int *status);

/* Prints "luft-train COMMAND: REASON" as one line on standard error. */
void complain(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
