/* SPDX-License-Identifier: MIT */
/* Runs the subcommands of `luft pgn`; see frame.h. */
#include "frame.h"

#include "util/input.h"
#include "util/interrupt.h"
#include "util/output.h"
#include "util/output_file.h"
#include "util/processors.h"

#include <assert.h>
#include <string.h>

enum { DEFAULT_THREADS_MAX = 4, COMMON_COUNT = 4, OPTIONS_MAX = 24 };

/* Reads the options of the subcommand and the common ones into the job. */
static bool read_arguments(const pgn_frame *frame, pgn_job *job, bool *force, int argc, char **argv, int *status) {
    static const char *const standard_input[] = {"-"};
    uint64_t threads = processors_count(DEFAULT_THREADS_MAX);
    const option common[COMMON_COUNT] = {
        {.name = "output",
         .letter = 'o',
         .value = "FILE",
         .help = frame->makes_file ? "write to FILE" : "write to FILE instead of standard output",
         .text = &job->output_path,
         .required = frame->makes_file},
        option_number("threads", "N", "read with N threads, 1 to 64 (default: one for each processor, at most 4)",
                      &threads, 1, PGN_MAX_THREADS),
        option_flag("quiet", "print no progress line", &job->quiet),
        option_flag("force", "replace FILE if it exists", force), /* the last: not every frame has it */
    };
    const size_t common_count = COMMON_COUNT - !frame->makes_file;
    option all[OPTIONS_MAX];
    assert(frame->option_count + COMMON_COUNT <= OPTIONS_MAX);
    memcpy(all, frame->options, frame->option_count * sizeof *all);
    memcpy(all + frame->option_count, common, common_count * sizeof *all);
    const option_table table = {.command = job->command,
                                .usage = "[options] [FILE...]",
                                .about = frame->about,
                                .options = all,
                                .option_count = frame->option_count + common_count,
                                .rest = &job->paths,
                                .rest_count = &job->path_count};
    if (!options_read(&table, argc, argv, status)) {
        return false;
    }
    job->threads = (int)threads;
    if (job->path_count == 0) {
        job->paths = standard_input;
        job->path_count = 1;
    }
    return true;
}

/* A file that is read must not be written: it would be lost, or grow for ever. */
static bool open_output(const pgn_frame *frame, const pgn_job *job, output_file *file, bool force) {
    const char *path = job->output_path;
    const bool is_standard = strcmp(path, "-") == 0;
    if (input_is_among(path, job->paths, job->path_count)) {
        output_error(job->command, "%s%s is also a file to read",
                     is_standard ? "standard output" : "--output: ", is_standard ? "" : path);
        return false;
    }
    return (!frame->makes_file || output_file_may_create(path, force, job->command)) &&
           output_file_open(file, path, job->command);
}

static void on_signal(void *payload, int number) {
    const output_file *file = payload;
    interrupt_exit(number, file->temporary);
}

int pgn_frame_run(const pgn_frame *frame, pgn_job *job, int argc, char **argv) {
    output_file file;
    interrupt signals = {0};
    bool force = false;
    int status;
    job->output_path = frame->makes_file ? NULL : "-";
    if (!read_arguments(frame, job, &force, argc, argv, &status)) {
        return status;
    }
    if ((frame->prepare && !frame->prepare(job)) || !open_output(frame, job, &file, force)) {
        return STATUS_USAGE;
    }
    job->output = file.file;
    if (file.temporary) {
        interrupt_start(&signals, on_signal, &file);
    }
    const pgn_totals totals = pgn_work(job);
    status = frame->finish ? frame->finish(job, &totals) : totals.status;
    interrupt_stop(&signals);
    const bool keep = !totals.gave_up && (!frame->makes_file || status == STATUS_OK);
    return output_file_close(&file, keep, job->command) ? status : STATUS_FAILED;
}
