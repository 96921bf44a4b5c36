/* SPDX-License-Identifier: MIT */
/*
 * `luft merge DIR`: the output of work that was done in parts. Runs the command again that the parts have recorded, with
 * their results in place of work, so the output is the one that a single run would have printed.
 */
#define _POSIX_C_SOURCE 200809L

#include "batch.h"
#include "command.h"

#include "util/lines.h"
#include "util/output.h"
#include "util/text.h"

#include <stdlib.h>
#include <string.h>

#define NAME "luft merge"

enum { ARGUMENTS_MAX = 4096 };

/* The commands that work in parts. */
static const cli_command *const commands[] = {&analyse_command, &perft_command};

static const char about[] =
    "Prints the result of work that was done in parts by luft analyse or luft perft with --unit I/N --out DIR.\n"
    "Checks that all parts are there, once, and finished, by the same program with the same options.\n"
    "Further options of that command, such as -o FILE, follow DIR. Run it where the parts were run: files have the\n"
    "names that were given there.\n";

static const cli_command *find_command(const char *name) {
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(name, commands[i]->name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

/* Reads the arguments, one a line; the caller frees them. Returns their number, 0 after an error line. */
static int read_arguments(char *arguments[ARGUMENTS_MAX], const char *directory) {
    char quoted[TEXT_QUOTED_SIZE];
    buffer path = {0};
    lines *reader = malloc(sizeof *reader);
    lines_result result = LINES_NO_MEMORY;
    int count = 0;
    buffer_printf(&path, "%s/" BATCH_COMMAND_FILE "%c", directory, '\0');
    if (reader && !path.failed) {
        result = lines_open(reader, path.data);
        while (result == LINES_READ && (result = lines_next(reader)) == LINES_READ && count < ARGUMENTS_MAX) {
            arguments[count] = strndup(reader->text, reader->length);
            count += arguments[count] != NULL;
        }
    }
    if (result != LINES_END || count == 0 || count == ARGUMENTS_MAX) {
        output_error(NAME, "%s has no parts of luft analyse or luft perft: %s",
                     text_quote(quoted, directory, strlen(directory)),
                     !reader               ? "out of memory"
                     : result != LINES_END ? lines_reason(reader, result)
                                           : "its file " BATCH_COMMAND_FILE " is damaged");
        while (count > 0) {
            free(arguments[--count]);
        }
    }
    if (reader) {
        lines_close(reader);
    }
    free(reader);
    buffer_free(&path);
    return count;
}

static int run(int argc, char **argv) {
    static char from[] = "--from";
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || argv[1][0] == '-') {
        const char *directory = NULL;
        const option operands[] = {
            {.name = "DIR", .help = "the directory of the parts", .text = &directory, .required = true}};
        const option_table table = {.command = NAME,
                                    .usage = "DIR [options of the command]",
                                    .about = about,
                                    .operands = operands,
                                    .operand_count = 1};
        int status;
        options_read(&table, argc, argv, &status);
        return status;
    }
    char *recorded[ARGUMENTS_MAX];
    const int count = read_arguments(recorded, argv[1]);
    if (count == 0) {
        return STATUS_USAGE;
    }
    const cli_command *command = find_command(recorded[0]);
    char **arguments = calloc((size_t)(count + argc + 2), sizeof *arguments); // NOLINT(bugprone-sizeof-expression)
    int status = STATUS_FAILED;
    if (!command || !arguments) {
        output_error(NAME, command ? "out of memory" : "the parts are of a command that cannot be merged");
    } else {
        int used = 0;
        arguments[used++] = recorded[0];
        for (int i = 1; i < count; i++) {
            arguments[used++] = recorded[i];
        }
        for (int i = 2; i < argc; i++) {
            arguments[used++] = argv[i];
        }
        arguments[used++] = from;
        arguments[used++] = argv[1];
        status = command->run(used, arguments);
    }
    free(arguments);
    for (int i = 0; i < count; i++) {
        free(recorded[i]);
    }
    return status;
}

const cli_command merge_command = {"merge", "print the result of work that was done in parts", run};
