/* SPDX-License-Identifier: MIT */
/*
 * The arguments of a command, described by a table: the same table reads them, refuses what is wrong in one line and
 * prints the help. A command points each entry at a variable of its own, which holds the default.
 *
 * Accepts --name VALUE, --name=VALUE, --flag, -x VALUE for the few options that have a letter, operands in any place,
 * and -- after which all arguments are operands. Of an option given twice, the last counts.
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
    uint64_t *number;           /* set to an integer from `minimum` to `maximum` */
    uint64_t minimum;           /* for a number */
    uint64_t maximum;           /* for a number */
    int *choice;                /* set to the index of the argument in `choices` */
    const char *const *choices; /* for a choice: the words, and a NULL at the end */
    char letter;                /* 'o' for -o beside --name; 0 for none */
    bool required;              /* for a text: refused if it is missing or empty */
} option;

/* An option or operand of each kind; an operand has no `value`. Letters and required entries need a full initializer. */
static inline option option_flag(const char *name, const char *help, bool *flag) {
    return (option){.name = name, .help = help, .flag = flag};
}

static inline option option_text(const char *name, const char *value, const char *help, const char **text) {
    return (option){.name = name, .value = value, .help = help, .text = text};
}

static inline option option_number(const char *name, const char *value, const char *help, uint64_t *number,
                                   uint64_t minimum, uint64_t maximum) {
    return (option){
        .name = name, .value = value, .help = help, .number = number, .minimum = minimum, .maximum = maximum};
}

static inline option option_choice(const char *name, const char *value, const char *help, int *choice,
                                   const char *const *choices) {
    return (option){.name = name, .value = value, .help = help, .choice = choice, .choices = choices};
}

typedef struct option_table {
    const char *command; /* all of it: "luft pgn check" */
    const char *usage;   /* what follows it: "[options] DEPTH" */
    const char *about;   /* a few lines for the help, each with its line feed */
    const option *options;
    size_t option_count;
    const option *operands; /* in order; each may be missing unless it is required */
    size_t operand_count;
    const char *const **rest; /* set to all further operands, which come to the front of argv; NULL to refuse them */
    size_t *rest_count;       /* how many there are */
} option_table;

/*
 * Reads argv[1] … argv[argc - 1] into the targets of the table. True to go on; false if the command is to end with
 * this exit status, after the help or an error line.
 */
bool options_read(const option_table *table, int argc, char **argv, int *status);

#endif
