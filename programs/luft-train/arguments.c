/* SPDX-License-Identifier: MIT */
/* Reads arguments by a table and prints the help from the same table. */
#include "arguments.h"

#include "util/error_line.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void complain(const char *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    error_line("luft-train", command, format, arguments);
    va_end(arguments);
}

static void print_help(const argument_table *table) {
    char title[64];
    printf("Usage: luft-train %s %s\n\n%s\n", table->command, table->usage, table->about);
    for (size_t i = 0; i < table->count; i++) {
        const argument *entry = &table->arguments[i];
        snprintf(title, sizeof title, "--%s%s%s", entry->name, entry->value ? " " : "",
                 entry->value ? entry->value : "");
        printf("  %-22s %s\n", title, entry->help);
    }
    printf("  %-22s %s\n", "--help", "print this help");
}

/* Decimal digits and nothing else. */
static bool read_number(uint64_t *number, const char *text) {
    uint64_t value = 0;
    for (const char *digit = text; *digit; digit++) {
        if (*digit < '0' || *digit > '9' || value > (UINT64_MAX - 9) / 10) {
            return false;
        }
        value = value * 10 + (uint64_t)(*digit - '0');
    }
    *number = value;
    return *text != '\0';
}

static bool set_value(const argument_table *table, const argument *entry, const char *value) {
    uint64_t number;
    if (entry->text) {
        *entry->text = value;
        return true;
    }
    if (!read_number(&number, value) || number < entry->minimum || number > entry->maximum) {
        complain(table->command, "--%s must be a whole number from %" PRIu64 " to %" PRIu64, entry->name,
                 entry->minimum, entry->maximum);
        return false;
    }
    *entry->number = number;
    return true;
}

static const argument *find(const argument_table *table, const char *name, size_t length) {
    for (size_t i = 0; i < table->count; i++) {
        if (strlen(table->arguments[i].name) == length && memcmp(table->arguments[i].name, name, length) == 0) {
            return &table->arguments[i];
        }
    }
    return NULL;
}

/* Reads the option at argv[*index] and moves the index on if its value is the next argument. */
static bool read_option(const argument_table *table, int argc, char **argv, int *index) {
    const char *text = argv[*index] + 2;
    const char *equals = strchr(text, '=');
    const argument *entry = find(table, text, equals ? (size_t)(equals - text) : strlen(text));
    if (!entry) {
        complain(table->command, "unknown option --%.40s (luft-train %s --help lists them)", text, table->command);
        return false;
    }
    if (entry->flag && equals) {
        complain(table->command, "--%s takes no value", entry->name);
        return false;
    }
    if (entry->flag) {
        *entry->flag = true;
        return true;
    }
    if (equals) {
        return set_value(table, entry, equals + 1);
    }
    if (*index + 1 >= argc) {
        complain(table->command, "--%s needs a value: %s", entry->name, entry->value);
        return false;
    }
    return set_value(table, entry, argv[++*index]);
}

bool arguments_read(const argument_table *table, int argc, char **argv, int *status) {
    bool options_over = false;
    *status = STATUS_USAGE;
    for (int i = 0; i < argc; i++) {
        if (!options_over && strcmp(argv[i], "--") == 0) {
            options_over = true;
        } else if (!options_over && strcmp(argv[i], "--help") == 0) {
            print_help(table);
            *status = STATUS_OK;
            return false;
        } else if (!options_over && strncmp(argv[i], "--", 2) == 0) {
            if (!read_option(table, argc, argv, &i)) {
                return false;
            }
        } else if (table->operand_count) {
            argv[(*table->operand_count)++] = argv[i]; /* never behind what is still to be read */
        } else {
            complain(table->command, "unexpected argument %.60s", argv[i]);
            return false;
        }
    }
    return true;
}
