/* SPDX-License-Identifier: MIT */
/*
 * The program `luft`: the UCI engine without arguments, else one of the commands. Runs the command and checks that its
 * output was written. To add a command, declare it in command.h and list it here.
 */
#include "command.h"
#include "uci/loop.h"
#include "version.h"

#include "luft/luft.h"
#include "util/output.h"
#include "util/standard_files.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

#define NAME "luft"

static const cli_command *const commands[] = {&play_command, &analyse_command, &perft_command,   &pgn_command,
                                              &db_command,   &book_command,    &tb_command,      &epd_command,
                                              &show_command, &bench_command,   &puzzles_command, &merge_command};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static void print_help(void) {
    printf("Luft %s, a chess library and program\n\n", luft_version());
    printf("Usage: luft [COMMAND [options]]\n\n"
           "Without a command, luft is a chess engine that speaks the UCI protocol.\n\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    }
    printf("  %-10s %s\n", "help", "print this help; luft help COMMAND prints the help of a command");
    printf("\nluft COMMAND --help lists the options of a command, luft --version prints the version.\n");
}

/* Refuses further arguments: they were meant for something else. */
static int run_version(int argc, char **argv) {
    if (argc > 2) {
        char quoted[TEXT_QUOTED_SIZE];
        output_error(NAME, "unexpected argument %s after --version", text_quote(quoted, argv[2], strlen(argv[2])));
        return STATUS_USAGE;
    }
    version_print();
    return STATUS_OK;
}

static const cli_command *find_command(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(name, commands[i]->name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

static int refuse_command(const char *name) {
    char quoted[TEXT_QUOTED_SIZE];
    output_error(NAME, "unknown command %s (luft --help lists them)", text_quote(quoted, name, strlen(name)));
    return STATUS_USAGE;
}

/* luft help, luft help COMMAND, luft help pgn check */
static int run_help(int argc, char **argv) {
    if (argc < 3) {
        print_help();
        return STATUS_OK;
    }
    const cli_command *chosen = find_command(argv[2]);
    if (!chosen) {
        return refuse_command(argv[2]);
    }
    char help[] = "--help";
    char *arguments[] = {argv[2], argc > 3 ? argv[3] : help, help, NULL};
    return chosen->run(argc > 3 ? 3 : 2, arguments);
}

static int run(int argc, char **argv) {
    if (argc < 2) {
        return uci_run();
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return STATUS_OK;
    }
    if (strcmp(argv[1], "help") == 0) {
        return run_help(argc, argv);
    }
    if (strcmp(argv[1], "--version") == 0) {
        return run_version(argc, argv);
    }
    const cli_command *chosen = find_command(argv[1]);
    return chosen ? chosen->run(argc - 1, argv + 1) : refuse_command(argv[1]);
}

int main(int argc, char **argv) {
    char command[32] = NAME;
    standard_files_prepare();
    const int status = run(argc, argv);
    if (argc > 1 && find_command(argv[1])) {
        snprintf(command, sizeof command, NAME " %s", argv[1]);
    }
    return output_finish(command, status);
}
