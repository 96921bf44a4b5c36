/* SPDX-License-Identifier: MIT */
/*
 * The program `luft-train`: from games of the engine with itself to its evaluation.
 */
#define _POSIX_C_SOURCE 200809L

#include "arguments.h"
#include "command.h"

#include "util/standard_files.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

typedef struct train_command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
} train_command;

static const train_command commands[] = {
    {"generate", "play games of the engine with itself", train_generate},
    {"info", "count what is in files of games or records", train_info},
    {"check", "verify such files", train_check},
    {"convert", "make training records of games", train_convert},
    {"shuffle", "put records in random order", train_shuffle},
    {"train", "train a network on records", train_train},
    {"quantise", "make a network for the engine of what was trained", train_quantise},
    {"wdl", "fit the model of win, draw and loss", train_wdl},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_help(FILE *stream) {
    fputs("Usage: luft-train COMMAND [options]\n\n", stream);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        fprintf(stream, "  %-10s %s\n", commands[i].name, commands[i].summary);
    }
    fputs("\nluft-train COMMAND --help tells more.\n", stream);
}

static int run(const train_command *command, int argc, char **argv) {
    const int status = command->run(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        complain(command->name, "cannot write the output");
        return STATUS_FAILED;
    }
    return status;
}

int main(int argc, char **argv) {
    keep_standard_files();
    /* A reader that goes away, or a file that must not grow, is an error to report, not a signal to die from. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; argc >= 2 && i < COMMAND_COUNT; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return run(&commands[i], argc - 2, argv + 2);
        }
    }
    const bool wanted = argc >= 2 && strcmp(argv[1], "--help") == 0;
    print_help(wanted ? stdout : stderr);
    return wanted ? STATUS_OK : STATUS_USAGE;
}
