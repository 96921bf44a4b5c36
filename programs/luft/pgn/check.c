/* SPDX-License-Identifier: MIT */
/*
 * `luft pgn check`: reads every game, checks every move, and reports what is wrong and where, as lines or as JSON. The
 * library does the checking.
 */
#include "commands.h"
#include "frame.h"

#include "util/json.h"
#include "util/output.h"

#include <inttypes.h>

#define NAME "luft pgn check"

static const char about[] =
    "Checks every move of every game, variations included. Reports an error on standard error as\n"
    "FILE:LINE:COLUMN: game N: reason. The last line is games=N errors=M. The exit status is 1 if there are errors.\n";

typedef struct check {
    bool as_json;
    buffer text; /* JSON that is not yet written */
    json out;
} check;

static bool write_fault(const pgn_job *job, const char *path, const pgn_fault *fault) {
    check *shared = job->shared;
    json *out = &shared->out;
    json_open(out, '{');
    json_member(out, "file", pgn_path_name(path));
    json_count(out, "line", fault->place.line);
    json_count(out, "column", fault->place.column);
    json_count(out, "game", fault->place.game);
    json_member(out, "reason", fault->reason);
    json_key(out, "token");
    json_bytes(out, fault->token, pgn_fault_token_length(fault));
    json_close(out, '}');
    if (shared->text.failed) {
        return false;
    }
    output_write(NAME, job->output, &shared->text);
    return true;
}

static bool prepare(pgn_job *job) {
    check *shared = job->shared;
    shared->out = (json){.text = &shared->text};
    if (shared->as_json) {
        job->fault = write_fault;
        json_open_lines(&shared->out, '{');
        json_key(&shared->out, "mistakes");
        json_open_lines(&shared->out, '[');
    }
    return true;
}

static int finish(const pgn_job *job, const pgn_totals *totals) {
    check *shared = job->shared;
    json *out = &shared->out;
    if (shared->as_json) {
        json_close(out, ']');
        json_count(out, "games", totals->games);
        json_count(out, "errors", totals->errors);
        json_count(out, "bytes", totals->bytes);
        json_key(out, "seconds");
        json_real(out, totals->seconds, 6);
        json_close(out, '}');
        buffer_append_text(&shared->text, "\n");
    } else {
        buffer_printf(&shared->text, "games=%" PRIu64 " errors=%" PRIu64 "\n", totals->games, totals->errors);
    }
    const bool is_complete = !shared->text.failed;
    output_write(NAME, job->output, &shared->text);
    /* A file that cannot be used is one of the errors that are counted. */
    return !is_complete || totals->errors > 0 ? STATUS_FAILED : totals->status;
}

int pgn_check(int argc, char **argv) {
    check shared = {0};
    const option options[] = {
        option_flag("json", "print one JSON object with the errors", &shared.as_json),
    };
    const pgn_frame frame = {
        .about = about, .options = options, .option_count = 1, .prepare = prepare, .finish = finish};
    pgn_job job = {.command = NAME, .fault = pgn_print_fault, .shared = &shared};
    const int status = pgn_frame_run(&frame, &job, argc, argv);
    buffer_free(&shared.text);
    return status;
}
