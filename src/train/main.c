/* SPDX-License-Identifier: MIT */
/*
 * The program `luft-train`: makes the evaluation from games of the engine with itself.
 */
#include "train.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: luft-train COMMAND\n"
    "\n"
    "  generate --out FILE [--games N] [--nodes N] [--threads N] [--seed N]\n"
    "           plays games of the engine with itself and writes their quiet positions, with the score of\n"
    "           the search and the result of the game, 32 bytes each\n"
    "  tune --out FILE [--epochs N] DATA...\n"
    "           fits the weights of the evaluation to the data and writes them as eval_weights.h\n"
    "  wdl DATA...\n"
    "           fits the win-draw-loss model to the data and prints its constants for src/engine/wdl.c\n";

int main(int argc, char **argv) {
    if (argc >= 2 && strcmp(argv[1], "generate") == 0) {
        return train_generate(argc - 2, argv + 2);
    }
    if (argc >= 2 && strcmp(argv[1], "tune") == 0) {
        return train_tune(argc - 2, argv + 2);
    }
    if (argc >= 2 && strcmp(argv[1], "wdl") == 0) {
        return train_wdl(argc - 2, argv + 2);
    }
    const int wanted = argc >= 2 && strcmp(argv[1], "--help") == 0;
    fputs(help, wanted ? stdout : stderr);
    return wanted ? 0 : 2;
}
