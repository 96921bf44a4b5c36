/* SPDX-License-Identifier: MIT */
/* The program `luft-train`: from self-play games of the engine to its network. */
#include "command.h"

#include "luft/luft.h"
#include "util/output.h"
#include "util/standard_files.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

#define NAME "luft-train"

typedef struct train_command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
} train_command;

static const train_command commands[] = {
    {"generate", "play games of the engine against itself", train_generate},
    {"info", "count the contents of files of games or records", train_info},
    {"check", "verify files of games or records", train_check},
    {"convert", "convert games to training records", train_convert},
    {"shuffle", "shuffle records", train_shuffle},
    {"train", "train a network on records", train_train},
    {"quantise", "convert a trained network to one for the engine", train_quantise},
    {"spsa", "tune the parameters of the search by games", train_spsa},
    {"wdl", "fit the model of wins, draws and losses", train_wdl},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_help(void) {
    printf("Usage: luft-train COMMAND [options]\n\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        printf("  %-10s %s\n", commands[i].name, commands[i].summary);
    }
    printf("\nluft-train COMMAND --help lists the options of a command, luft-train --version prints the version.\n");
}

static const train_command *find_command(const char *name) {
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(name, commands[i].name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

static int run(int argc, char **argv) {
    char quoted[TEXT_QUOTED_SIZE];
    if (argc < 2) {
        output_error(NAME, "expected a command (luft-train --help lists them)");
        return STATUS_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return STATUS_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf(NAME " %s\n", luft_version());
        return STATUS_OK;
    }
    const train_command *chosen = find_command(argv[1]);
    if (!chosen) {
        output_error(NAME, "unknown command %s (luft-train --help lists them)",
                     text_quote(quoted, argv[1], strlen(argv[1])));
        return STATUS_USAGE;
    }
    return chosen->run(argc - 1, argv + 1);
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
