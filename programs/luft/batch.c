/* SPDX-License-Identifier: MIT */
/* Options and files of work in units; see batch.h. */
#define _POSIX_C_SOURCE 200809L

#include "batch.h"

#include "util/atomic_file.h"
#include "util/output.h"
#include "util/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void batch_add_options(option table[BATCH_OPTION_COUNT], batch_options *batch, const char *jobs_help) {
    const option options[BATCH_OPTION_COUNT] = {
        option_text("journal", "FILE", "keep finished work in FILE, and continue from there if it is run again",
                    &batch->journal),
        option_text("unit", "I/N", "with --out: do only part I of N, as a job of an array", &batch->unit),
        option_text("out", "DIR", "with --unit: keep the result of the part in DIR, for luft merge", &batch->directory),
        option_text("from", "DIR", "take the results of all parts from DIR, as luft merge does", &batch->from),
        option_number("jobs", "N", jobs_help, &batch->jobs, 1, BATCH_MAX_JOBS),
    };
    memcpy(table, options, sizeof options);
}

/* Reads "3/8". */
static bool read_part(journal_part *part, const char *text) {
    const char *slash = strchr(text, '/');
    return slash && text_to_number(&part->number, text, (size_t)(slash - text), UINT32_MAX - 1) &&
           text_to_number(&part->of, slash + 1, strlen(slash + 1), UINT32_MAX - 1) && part->number >= 1 &&
           part->number <= part->of;
}

bool batch_check(batch_options *batch, const char *command) {
    char quoted[TEXT_QUOTED_SIZE];
    if (!batch->unit != !batch->directory) {
        output_error(command, "--unit and --out: use both");
        return false;
    }
    if ((batch->journal != NULL) + (batch->unit != NULL) + (batch->from != NULL) > 1) {
        output_error(command, "--journal, --unit and --from: use one of them");
        return false;
    }
    if (batch->unit && !read_part(&batch->part, batch->unit)) {
        output_error(command, "--unit: expected a part such as 3/8, got %s",
                     text_quote(quoted, batch->unit, strlen(batch->unit)));
        return false;
    }
    batch->jobs = batch->jobs > 0 ? batch->jobs : 1;
    return true;
}

/* Is the argument an option of this list, which has a value? */
static const char *find_option(const char *argument) {
    static const char *const names[] = {"--jobs", "--threads", "--unit", "--out"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(argument, names[i], length) == 0 && (argument[length] == '\0' || argument[length] == '=')) {
            return names[i];
        }
    }
    return NULL;
}

/* Writes the arguments but for those that differ from part to part. Each part writes the same file. */
static bool write_command(const batch_options *batch, const char *command) {
    buffer path = {0};
    atomic_file file;
    buffer_printf(&path, "%s/" BATCH_COMMAND_FILE "%c", batch->directory, '\0');
    bool good = !path.failed && atomic_file_open(&file, path.data);
    buffer_free(&path);
    if (good) {
        for (int i = 0; i < batch->argc; i++) {
            const char *name = i > 0 ? find_option(batch->argv[i]) : NULL;
            if (name) {
                i += strlen(batch->argv[i]) == strlen(name); /* its value is the next argument */
            } else {
                good = good && !strchr(batch->argv[i], '\n') && fprintf(file.stream, "%s\n", batch->argv[i]) > 0;
            }
        }
        errno = 0;
        good = atomic_file_close(&file, good);
    }
    if (!good) {
        output_error(command, "--out: %s: %s", batch->directory, atomic_file_reason());
    }
    return good;
}

units *batch_open(const batch_options *batch, const char *command, const char *manifest, progress *line, int *status) {
    buffer path = {0};
    *status = STATUS_USAGE;
    if (batch->unit) {
        if (mkdir(batch->directory, 0777) != 0 && errno != EEXIST) {
            output_error(command, "--out: %s: %s", batch->directory, strerror(errno));
            return NULL;
        }
        if (!write_command(batch, command)) {
            return NULL;
        }
        buffer_printf(&path, "%s/part-%" PRIu64 "-of-%" PRIu64 ".journal%c", batch->directory, batch->part.number,
                      batch->part.of, '\0');
    }
    const units_settings settings = {.command = command,
                                     .manifest = manifest,
                                     .journal = batch->unit ? path.data : batch->journal,
                                     .parts = batch->from,
                                     .part = batch->part,
                                     .line = line};
    units *opened = path.failed ? NULL : units_open(&settings, status);
    buffer_free(&path);
    return opened;
}

void batch_report_interrupt(const batch_options *batch, const char *command, units *it) {
    const uint64_t done = units_done(it);
    if (batch->journal || batch->unit) {
        output_error(command, "interrupted; %" PRIu64 " units were finished and are kept, the same command continues",
                     done);
    } else {
        output_error(command, "interrupted; %" PRIu64 " units were finished and are lost (--journal keeps them)", done);
    }
}
