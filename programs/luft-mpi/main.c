/* SPDX-License-Identifier: MIT */
/*
 * The program `luft-mpi`: commands of luft whose units are done by the ranks of an MPI job.
 *
 *     mpirun -n 8 luft-mpi perft 9 --hash 1024
 */
#include "command.h"
#include "ranks.h"

#include "luft/luft.h"
#include "util/output.h"
#include "util/standard_files.h"
#include "util/text.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define NAME "luft-mpi"

typedef struct mpi_command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv, const unit_runner *runner);
} mpi_command;

static const mpi_command commands[] = {
    {"analyse", "analyse lists of positions (EPD, FEN) and games (PGN)", analyse_run},
    {"perft", "count the ways to play a number of moves", perft_run},
    {"puzzles", "find puzzles in games", puzzles_run},
};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static int print_help(void) {
    printf("Luft %s, work by the ranks of an MPI job\n\nUsage: mpirun -n RANKS luft-mpi COMMAND [options]\n\n",
           luft_version());
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        printf("  %-10s %s\n", commands[i].name, commands[i].summary);
    }
    printf("\nThe options are those of luft COMMAND; --jobs and --threads count for each rank.\n");
    return STATUS_OK;
}

static int run(int argc, char **argv, const ranks *all) {
    char quoted[TEXT_QUOTED_SIZE];
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        return print_help();
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return commands[i].run(argc - 1, argv + 1, ranks_runner(all));
        }
    }
    if (ranks_number(all) == 0) {
        output_error(NAME, "unknown command %s (luft-mpi --help lists them)",
                     text_quote(quoted, argv[1], strlen(argv[1])));
    }
    return STATUS_USAGE;
}

int main(int argc, char **argv) {
    int level;
    standard_files_prepare();
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS || level < MPI_THREAD_SERIALIZED) {
        output_error(NAME, "this MPI cannot be used by a program with threads");
        return STATUS_FAILED;
    }
    ranks *all = ranks_create();
    if (!all) {
        output_error(NAME, "out of memory");
        MPI_Abort(MPI_COMM_WORLD, STATUS_FAILED);
        return STATUS_FAILED;
    }
    if (ranks_number(all) > 0 && !freopen("/dev/null", "w", stdout)) {
        output_error(NAME, "rank %d cannot close its output", ranks_number(all));
    }
    int status = run(argc, argv, all);
    const bool is_first = ranks_number(all) == 0;
    status = output_finish(NAME, status);
    ranks_free(all);
    MPI_Finalize();
    return is_first ? status : STATUS_OK; /* the coordinator's is the result */
}
