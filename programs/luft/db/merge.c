/* SPDX-License-Identifier: MIT */
/* `luft db merge`: the games of other databases into one. */
#include "commands.h"
#include "common.h"

#include "util/output.h"
#include "util/processors.h"

#include <inttypes.h>
#include <stdio.h>

#define NAME "luft db merge"

static const char about[] =
    "Adds the games of other databases to DATABASE. Games that it has already are left out. A run that is\n"
    "interrupted adds all games of a database or none.\n";

typedef struct merging {
    const char *path;
    luft_database *database;
    luft_database_counts counts;
    bool keep_duplicates, quiet;
    uint64_t threads;
    db_work work;
} merging;

static int merge_one(merging *it, const char *path) {
    luft_database *other = db_open(NAME, path, LUFT_DATABASE_READ);
    if (!other) {
        return STATUS_USAGE;
    }
    const luft_error error = luft_database_merge(it->database, other, it->keep_duplicates, &it->counts);
    luft_database_free(other);
    return error == LUFT_OK ? STATUS_OK : db_failed(NAME, path, it->database);
}

static int run(merging *it, const char *const *paths, size_t count) {
    int status = STATUS_OK;
    if (luft_database_begin(it->database) != LUFT_OK) {
        return db_failed(NAME, it->path, it->database);
    }
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        status = db_work_is_stopped(&it->work) ? STATUS_FAILED : merge_one(it, paths[i]);
    }
    if (status != STATUS_OK) {
        luft_database_rollback(it->database);
        return status;
    }
    db_work_goal(&it->work, "statistics", it->counts.added);
    const luft_database_build build = {.threads = (int)it->threads, .progress = db_work_progress, .payload = &it->work};
    if (luft_database_commit(it->database, &build) != LUFT_OK) {
        return db_work_is_stopped(&it->work) ? STATUS_FAILED : db_failed(NAME, it->path, it->database);
    }
    progress_clear(&it->work.line);
    if (!it->quiet) {
        fprintf(stderr, "%" PRIu64 " games added, %" PRIu64 " duplicates left out\n", it->counts.added,
                it->counts.duplicates);
    }
    return STATUS_OK;
}

int db_merge(int argc, char **argv) {
    merging it = {.threads = processors_count(4)};
    const char *const *paths = NULL;
    size_t count = 0;
    int status;
    const option options[] = {
        option_flag("keep-duplicates", "add games that the database has already", &it.keep_duplicates),
        option_number("threads", "N", "use N threads, 1 to 64 (default: one for each processor, at most 4)",
                      &it.threads, 1, LUFT_DATABASE_MAX_THREADS),
        option_flag("quiet", "print no progress line and no summary", &it.quiet),
    };
    const option operands[] = {{.name = "DATABASE", .help = "the file to add to", .text = &it.path, .required = true}};
    const option_table table = {.command = NAME,
                                .usage = "[options] DATABASE FILE...",
                                .about = about,
                                .options = options,
                                .option_count = sizeof options / sizeof options[0],
                                .operands = operands,
                                .operand_count = 1,
                                .rest = &paths,
                                .rest_count = &count};
    if (!options_read(&table, argc, argv, &status)) {
        return status;
    }
    if (count == 0) {
        output_error(NAME, "no database to merge (luft db merge --help)");
        return STATUS_USAGE;
    }
    db_work_start(&it.work, it.quiet);
    it.database = db_open(NAME, it.path, LUFT_DATABASE_WRITE);
    status = it.database ? run(&it, paths, count) : STATUS_USAGE;
    luft_database_free(it.database);
    db_work_stop(&it.work);
    return status;
}
