/* SPDX-License-Identifier: MIT */
/*
 * Reads arguments by a table and prints the help from the same table. It knows no command: what the values mean, and
 * which of them go together, the command checks.
 */
#include "options.h"

#include "output.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- Help ---------------------------------------------------------------- */

enum { TITLE_SIZE = 64 };

/* "--fen FEN" or "-o, --output FILE" for an option, "DEPTH" for an operand. Returns the length. */
static int write_title(char title[TITLE_SIZE], const option *entry, bool operand) {
    const char letter[] = {'-', entry->letter, ',', ' ', '\0'};
    return snprintf(title, TITLE_SIZE, "%s%s%s%s%s", entry->letter ? letter : "", operand ? "" : "--", entry->name,
                    entry->value ? " " : "", entry->value ? entry->value : "");
}

static void print_entries(const option *entries, size_t count, bool operands, int width) {
    char title[TITLE_SIZE];
    for (size_t i = 0; i < count; i++) {
        write_title(title, &entries[i], operands);
        printf("  %-*s  %s\n", width, title, entries[i].help);
    }
}

static int widest_title(const option *entries, size_t count, bool operands, int width) {
    char title[TITLE_SIZE];
    for (size_t i = 0; i < count; i++) {
        const int length = write_title(title, &entries[i], operands);
        width = length > width ? length : width;
    }
    return width;
}

static void print_help(const option_table *table) {
    int width = (int)strlen("--help");
    width = widest_title(table->operands, table->operand_count, true, width);
    width = widest_title(table->options, table->option_count, false, width);
    printf("Usage: %s %s\n\n%s\n", table->command, table->usage, table->about);
    print_entries(table->operands, table->operand_count, true, width);
    print_entries(table->options, table->option_count, false, width);
    printf("  %-*s  %s\n", width, "--help", "print this help");
}

/* --- Reading ------------------------------------------------------------- */

/* "one-ply or plain", "a, b or c" */
static void list_choices(char *text, size_t size, const char *const *choices) {
    size_t used = 0;
    for (size_t i = 0; choices[i] && used < size; i++) {
        const char *separator = i == 0 ? "" : choices[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", separator, choices[i]);
    }
}

/* `shown` is the entry as the user writes it, for the error line. */
static bool set_value(const option_table *table, const option *entry, const char *shown, const char *value) {
    char quoted[TEXT_QUOTED_SIZE];
    char choices[128];
    if (entry->text) {
        *entry->text = value;
        return true;
    }
    if (entry->number) {
        uint64_t number;
        if (text_to_number(&number, value, strlen(value), entry->maximum) && number >= entry->minimum) {
            *entry->number = number;
            return true;
        }
        output_error(table->command, "%s: expected an integer from %" PRIu64 " to %" PRIu64 ", got %s", shown,
                     entry->minimum, entry->maximum, text_quote(quoted, value, strlen(value)));
        return false;
    }
    for (int i = 0; entry->choices[i]; i++) {
        if (strcmp(value, entry->choices[i]) == 0) {
            *entry->choice = i;
            return true;
        }
    }
    list_choices(choices, sizeof choices, entry->choices);
    output_error(table->command, "%s: expected %s, got %s", shown, choices, text_quote(quoted, value, strlen(value)));
    return false;
}

static const option *find_option(const option_table *table, const char *name, size_t length) {
    for (size_t i = 0; i < table->option_count; i++) {
        if (strlen(table->options[i].name) == length && memcmp(table->options[i].name, name, length) == 0) {
            return &table->options[i];
        }
    }
    return NULL;
}

static const option *find_letter(const option_table *table, const char *argument) {
    for (size_t i = 0; argument[1] != '\0' && argument[2] == '\0' && i < table->option_count; i++) {
        if (table->options[i].letter == argument[1]) {
            return &table->options[i];
        }
    }
    return NULL;
}

/* Reads the option at argv[*index] and advances the index if its value is the next argument. */
static bool read_option(const option_table *table, int argc, char **argv, int *index) {
    char quoted[TEXT_QUOTED_SIZE];
    char shown[64];
    const char *argument = argv[*index];
    const char *equals = strchr(argument, '=');
    const size_t length = equals ? (size_t)(equals - argument) : strlen(argument);
    const option *entry = argument[1] != '-' ? find_letter(table, argument)
                          : length > 2       ? find_option(table, argument + 2, length - 2)
                                             : NULL;
    if (!entry) {
        output_error(table->command, "unknown option %s (%s --help lists them)", text_quote(quoted, argument, length),
                     table->command);
        return false;
    }
    snprintf(shown, sizeof shown, "--%s", entry->name);
    if (entry->flag) {
        if (equals) {
            output_error(table->command, "%s: takes no value", shown);
            return false;
        }
        *entry->flag = true;
        return true;
    }
    if (equals) {
        return set_value(table, entry, shown, equals + 1);
    }
    if (*index + 1 >= argc || strncmp(argv[*index + 1], "--", 2) == 0) {
        output_error(table->command, "%s: expected a value: %s", shown, entry->value);
        return false;
    }
    ++*index;
    return set_value(table, entry, shown, argv[*index]);
}

/* A lone "-" is a file; a negative number is an operand, so that the error names it as one. */
static bool looks_like_option(const char *argument) {
    return argument[0] == '-' && argument[1] != '\0' && !(argument[1] >= '0' && argument[1] <= '9');
}

static bool has_required(const option_table *table, const option *entries, size_t count, bool operands) {
    char title[TITLE_SIZE];
    for (size_t i = 0; i < count; i++) {
        const char *text = entries[i].required ? *entries[i].text : "given";
        if (!text || text[0] == '\0') {
            write_title(title, &entries[i], operands);
            output_error(table->command, "%s is %s (%s --help describes it)", title, text ? "empty" : "missing",
                         table->command);
            return false;
        }
    }
    return true;
}

/* The operand at argv[index], `place` operands after the first. */
static bool read_operand(const option_table *table, char **argv, int index, size_t place) {
    char quoted[TEXT_QUOTED_SIZE];
    char *argument = argv[index];
    if (place < table->operand_count) {
        const option *entry = &table->operands[place];
        return set_value(table, entry, entry->name, argument);
    }
    if (table->rest) {
        argv[1 + (*table->rest_count)++] = argument; /* never behind an argument that is still to be read */
        return true;
    }
    output_error(table->command, "unexpected argument %s (quote an argument that contains blanks)",
                 text_quote(quoted, argument, strlen(argument)));
    return false;
}

bool options_read(const option_table *table, int argc, char **argv, int *status) {
    size_t operands = 0;
    bool options_over = false;
    *status = STATUS_USAGE;
    if (table->rest) {
        *table->rest = (const char *const *)(argv + 1);
        *table->rest_count = 0;
    }
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        if (!options_over && strcmp(argument, "--") == 0) {
            options_over = true;
        } else if (!options_over && (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)) {
            print_help(table);
            *status = STATUS_OK;
            return false;
        } else if (!options_over && looks_like_option(argument)) {
            if (!read_option(table, argc, argv, &i)) {
                return false;
            }
        } else if (!read_operand(table, argv, i, operands++)) {
            return false;
        }
    }
    return has_required(table, table->operands, table->operand_count, true) &&
           has_required(table, table->options, table->option_count, false);
}
