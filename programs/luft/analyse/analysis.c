/* SPDX-License-Identifier: MIT */
/* Opens and closes what a run over files needs; see analysis.h. */
#include "analysis.h"

#include "util/output.h"

#include <inttypes.h>
#include <string.h>

/* The lines that all results depend on. The limits are in the requests. */
static bool append_manifest(buffer *out, const analyse_settings *settings, const char *what) {
    buffer_printf(out, "work analyse %s\n", what);
    return !batch_is_kept(&settings->batch) || searches_append_manifest(out, settings);
}

bool analysis_open(analysis *run, const analyse_settings *settings, const char *what, int *status) {
    const unit_runner *runner = settings->runner;
    run->settings = settings;
    run->work = searches_work(settings);
    if (runner->serve) {
        *status = runner->serve(runner->payload, &run->work, (int)settings->batch.jobs);
        return false;
    }
    *status = STATUS_USAGE;
    if (!output_file_open(&run->output, settings->output, settings->command)) {
        return false;
    }
    run->total_size = input_total_size(settings->paths, settings->path_count);
    progress_start_units(&run->line, "", run->total_size > 0, "positions", "/s", 1);
    buffer manifest = {0};
    const bool good = append_manifest(&manifest, settings, what);
    buffer_append(&manifest, "", 1);
    if (good && !manifest.failed) {
        run->units = batch_open(&settings->batch, settings->command, manifest.data, &run->line, status);
    } else if (good) {
        output_error(settings->command, "out of memory");
    }
    buffer_free(&manifest);
    if (run->units && !settings->batch.from &&
        !runner->start(runner->payload, run->units, &run->work, (int)settings->batch.jobs, run->output.temporary)) {
        *status = STATUS_USAGE;
        return false;
    }
    return run->units != NULL;
}

bool analysis_close(analysis *run, bool keep) {
    const analyse_settings *settings = run->settings;
    bool good = true;
    if (run->units) {
        units_end(run->units);
        settings->runner->finish(settings->runner->payload, run->units);
        keep = keep && !units_is_part(run->units);
        progress_clear(&run->line);
        good = units_free(run->units);
    }
    good = output_file_close(&run->output, keep && good, settings->command) && good;
    buffer_free(&run->text);
    buffer_free(&run->request);
    buffer_free(&run->result);
    return good;
}

bool analysis_wait(analysis *run, searched *out, const luft_position *position, const char *request) {
    buffer_clear(&run->result);
    if (request[0] != '\0' && units_wait(run->units, request, strlen(request), &run->result) != UNIT_FINISHED) {
        return false;
    }
    return searches_read(out, position, run->result.data, run->result.length);
}

void analysis_report_stop(analysis *run, const char *what, uint64_t number) {
    progress_clear(&run->line);
    if (!units_is_interrupted(run->units)) {
        if (units_failed(run->units) > 0) {
            output_error(run->settings->command, "stopped in %s %" PRIu64, what, number);
        }
        return; /* the units have said why */
    }
    const bool kept = run->settings->batch.journal || run->settings->batch.unit;
    output_error(run->settings->command, "interrupted in %s %" PRIu64 "%s", what, number,
                 kept ? "; what is finished is kept, the same command continues" : "");
}

double analysis_share(const analysis *run, uint64_t bytes) {
    return run->total_size > 0 ? (double)bytes / (double)run->total_size : 0;
}

void analysis_append_csv_score(buffer *out, int score_white) {
    if (thinking_is_mate(score_white)) {
        buffer_printf(out, ",%d", thinking_mate_in(score_white));
    } else {
        buffer_printf(out, "%d,", score_white);
    }
}
