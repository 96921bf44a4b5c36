/* SPDX-License-Identifier: MIT */
/*
 * `luft pgn`: finds the subcommand, and does for all of them what they have in
 * common, which is their arguments and their output.
 */
#define _POSIX_C_SOURCE 200809L

#include "command.h"
#include "util/input.h"
#include "util/output.h"
#include "pgn.h"
#include "util/text.h"
#include "thinking.h"
#include "util/unpack.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "pgn"
#define DEFAULT_THREADS_MAX 4

/* --- The arguments that all have ------------------------------------------- */

static const char *const standard_input[] = {"-"};

static uint64_t default_threads(void) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > DEFAULT_THREADS_MAX ? DEFAULT_THREADS_MAX : (uint64_t)processors;
}

#define COMMON_COUNT 3
#define OPTIONS_MAX 24

bool pgn_arguments_read(pgn_arguments *arguments, int *status, const char *command, const char *about,
                        const option *options, size_t option_count, int argc, char **argv) {
    *arguments = (pgn_arguments){.command = command, .threads = default_threads()};
    *status = STATUS_FAILED;
    arguments->paths = malloc((size_t)argc * sizeof *arguments->paths);
    if (!arguments->paths) {
        output_error(command, "out of memory");
        return false;
    }
    const option common[COMMON_COUNT] = {
        {.name = "output",
         .letter = 'o',
         .value = "FILE",
         .help = "write there instead of to standard output",
         .text = &arguments->output_path},
        {.name = "threads",
         .value = "N",
         .help = "how many threads read, 1 to 64; as many as there are processors, up to 4, by default",
         .number = &arguments->threads,
         .minimum = 1,
         .maximum = PGN_MAX_THREADS},
        {.name = "quiet", .help = "no line of progress", .flag = &arguments->quiet},
    };
    option all[OPTIONS_MAX];
    assert(option_count + COMMON_COUNT <= OPTIONS_MAX);
    memcpy(all, options, option_count * sizeof *options);
    memcpy(all + option_count, common, sizeof common);
    const option_table table = {.command = command,
                                .usage = "[options] [FILE...]",
                                .about = about,
                                .options = all,
                                .option_count = option_count + COMMON_COUNT,
                                .rest = arguments->paths,
                                .rest_count = &arguments->path_count};
    const options_result result = options_parse(&table, argc, argv);
    *status = result == OPTIONS_BAD ? STATUS_USAGE : STATUS_OK;
    return result == OPTIONS_READ;
}

void pgn_arguments_free(pgn_arguments *arguments) {
    free(arguments->paths);
}

/* --- The output ------------------------------------------------------------ */

bool pgn_job_start(pgn_job *job, const pgn_arguments *arguments) {
    const bool has_paths = arguments->path_count > 0;
    *job = (pgn_job){.command = arguments->command,
                     .paths = has_paths ? arguments->paths : standard_input,
                     .path_count = has_paths ? arguments->path_count : 1,
                     .threads = (int)arguments->threads,
                     .quiet = arguments->quiet,
                     .output = stdout};
    const char *path = arguments->output_path ? arguments->output_path : "-";
    const bool is_standard = strcmp(path, "-") == 0;
    if (input_is_among(path, job->paths, job->path_count)) { /* it would be lost, or grow for ever */
        output_error(arguments->command, "%s%s is also a file to read",
                     is_standard ? "standard output" : "--output: ", is_standard ? "" : path);
        return false;
    }
    if (!output_file_open(&job->file, path, arguments->command)) {
        return false;
    }
    job->output = job->file.file;
    job->interrupt = job->file.temporary ? malloc(sizeof *job->interrupt) : NULL;
    if (job->interrupt) {
        thinking_watch(job->interrupt, NULL, 0, job->file.temporary);
    }
    return true;
}

int pgn_job_finish(pgn_job *job, const pgn_arguments *arguments, const pgn_totals *totals, int status) {
    if (job->interrupt) {
        thinking_unwatch(job->interrupt);
        free(job->interrupt);
    }
    return output_file_close(&job->file, !totals->gave_up, arguments->command) ? status : STATUS_FAILED;
}

/* --- The command ----------------------------------------------------------- */

static const cli_command subcommands[] = {
    {"check", "read games, check every move, and report mistakes with their places", pgn_check},
    {"convert", "write games in export format, as UCI moves, or their positions as EPD or FEN", pgn_convert},
    {"stats", "results, openings, lengths, players, ratings and years", pgn_stats},
    {"filter", "write the games that match, as they stand", pgn_filter},
    {"dedup", "leave out games that came before", pgn_dedup},
};

#define SUBCOMMAND_COUNT (sizeof subcommands / sizeof subcommands[0])

static void print_help(void) {
    printf("Usage: luft pgn COMMAND [options] [FILE...]\n\n"
           "Reads games in PGN from files, or from standard input, which is also called -.\n"
           "Packed files are unpacked as they are read; this luft knows %s.\n\n",
           unpack_kinds());
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
        printf("  %-10s %s\n", subcommands[i].name, subcommands[i].summary);
    }
    printf("\nluft pgn COMMAND --help lists the options of a command.\n");
}

static int run(int argc, char **argv) {
    char quoted[TEXT_QUOTED_SIZE];
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return STATUS_OK;
    }
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
        if (strcmp(argv[1], subcommands[i].name) == 0) {
            return subcommands[i].run(argc - 1, argv + 1);
        }
    }
    output_error(NAME, "unknown command %s (luft pgn --help lists them)", text_quote(quoted, argv[1], strlen(argv[1])));
    return STATUS_USAGE;
}

const cli_command pgn_command = {NAME, "check, convert, count, filter and dedup files of games", run};
