/* SPDX-License-Identifier: MIT */
/* The program `luft-train`: from self-play games of the engine to its network. */
#include "command.h"

#include "util/output.h"
#include "util/standard_files.h"

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
    {"wdl", "fit the model of wins, draws and losses", train_wdl},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_help(FILE *stream) {
    fputs("Usage: luft-train COMMAND [options]\n\n", stream);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        fprintf(stream, "  %-10s %s\n", commands[i].name, commands[i].summary);
    }
    fputs("\nluft-train COMMAND --help lists the options of a command.\n", stream);
}

int main(int argc, char **argv) {
    standard_files_prepare();
    for (int i = 0; argc >= 2 && i < COMMAND_COUNT; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            char command[32];
            snprintf(command, sizeof command, NAME " %s", commands[i].name);
            return output_finish(command, commands[i].run(argc - 1, argv + 1));
        }
    }
    const bool wanted = argc >= 2 && strcmp(argv[1], "--help") == 0;
    print_help(wanted ? stdout : stderr);
    return output_finish(NAME, wanted ? STATUS_OK : STATUS_USAGE);
}
