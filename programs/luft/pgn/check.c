/* SPDX-License-Identifier: MIT */
/*
 * `luft pgn check`: reads every game, checks every move, and says what is wrong
 * and where. The reading is the library's; here the mistakes are only told, as lines
 * or as JSON, and counted.
 */
#include "command.h"
#include "pgn.h"

#include <inttypes.h>
#include <string.h>

#define NAME "pgn check"

static const char about[] =
    "Checks every move of every game, variations too. A mistake is told on standard error as\n"
    "FILE:LINE:COLUMN: game N: reason. The last line is games=N errors=M. The exit status is 1 if there were errors.\n";

static bool print_json_fault(const pgn_job *job, const char *path, const pgn_fault *fault) {
    bool *comma = job->shared;
    bytes text = {0};
    const char *name = pgn_path_name(path);
    bytes_printf(&text, "%s\n    {\"file\": ", *comma ? "," : "");
    bytes_append_json(&text, name, strlen(name));
    bytes_printf(&text, ", \"line\": %" PRIu64 ", \"column\": %" PRIu64 ", \"game\": %" PRIu64 ", \"reason\": ",
                 fault->place.line, fault->place.column, fault->place.game);
    bytes_append_json(&text, fault->reason, strlen(fault->reason));
    bytes_append_text(&text, ", \"token\": ");
    bytes_append_json(&text, fault->token, fault->token_length < PGN_TOKEN_MAX ? fault->token_length : PGN_TOKEN_MAX);
    bytes_append_text(&text, "}");
    const bool good = !text.failed;
    if (good) {
        fwrite(text.data, 1, text.length, job->output);
        *comma = true;
    }
    bytes_free(&text);
    return good;
}

int pgn_check(int argc, char **argv) {
    pgn_arguments arguments;
    bool json = false;
    bool comma = false;
    int status;
    const option options[] = {
        {.name = "json", .help = "print one JSON object, mistakes and all, and nothing else", .flag = &json},
    };
    pgn_job job;
    if (pgn_arguments_read(&arguments, &status, NAME, about, options, sizeof options / sizeof options[0], argc, argv)) {
        status = STATUS_USAGE;
        if (pgn_job_start(&job, &arguments)) {
            job.fault = json ? print_json_fault : pgn_print_fault;
            job.shared = &comma;
            if (json) {
                fprintf(job.output, "{\n  \"mistakes\": [");
            }
            const pgn_totals totals = pgn_work(&job);
            if (json) {
                fprintf(job.output,
                        "%s],\n  \"games\": %" PRIu64 ",\n  \"errors\": %" PRIu64 ",\n  \"bytes\": %" PRIu64
                        ",\n  \"seconds\": %.6f\n}\n",
                        comma ? "\n  " : "", totals.games, totals.errors, totals.bytes, totals.seconds);
            } else {
                fprintf(job.output, "games=%" PRIu64 " errors=%" PRIu64 "\n", totals.games, totals.errors);
            }
            /* A file that cannot be used is one of the errors that are counted. */
            status = totals.errors > 0 ? STATUS_FAILED : totals.status;
            status = pgn_job_finish(&job, &arguments, &totals, status);
        }
    }
    pgn_arguments_free(&arguments);
    return status;
}
