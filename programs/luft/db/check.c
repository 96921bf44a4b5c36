/* SPDX-License-Identifier: MIT */
/* `luft db check` and `luft db vacuum`: is everything in order, and as small as it can be? */
#include "commands.h"
#include "common.h"

#include "util/output.h"
#include "util/processors.h"
#include "util/text.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct maintenance {
    const char *command, *path;
    bool quiet;
    uint64_t threads;
    db_work work;
} maintenance;

static bool read_arguments(maintenance *it, const char *about, int argc, char **argv, int *status) {
    it->threads = processors_count(4);
    const option options[] = {
        option_number("threads", "N", "use N threads, 1 to 64 (default: one for each processor, at most 4)",
                      &it->threads, 1, LUFT_DATABASE_MAX_THREADS),
        option_flag("quiet", "print no progress line and no summary", &it->quiet),
    };
    const option operands[] = {{.name = "DATABASE", .help = "the file", .text = &it->path, .required = true}};
    const option_table table = {.command = it->command,
                                .usage = "[options] DATABASE",
                                .about = about,
                                .options = options,
                                .option_count = sizeof options / sizeof options[0],
                                .operands = operands,
                                .operand_count = 1};
    return options_read(&table, argc, argv, status);
}

/* The build for the library, with progress that counts games. */
static bool start_work(luft_database_build *build, maintenance *it, luft_database *database) {
    luft_database_info info;
    if (luft_database_get_info(&info, database) != LUFT_OK) {
        return false;
    }
    db_work_goal(&it->work, "games", info.games);
    *build = (luft_database_build){.threads = (int)it->threads, .progress = db_work_progress, .payload = &it->work};
    return true;
}

/* --- check ------------------------------------------------------------------ */

static void print_finding(void *payload, const char *line) {
    maintenance *it = payload;
    progress_clear(&it->work.line);
    output_error(it->command, "%s", line);
}

static int check(maintenance *it, luft_database *database) {
    luft_database_build build;
    luft_database_findings found;
    char games[TEXT_COUNT_SIZE], positions[TEXT_COUNT_SIZE];
    if (!start_work(&build, it, database) ||
        luft_database_check(&found, database, &build, print_finding, it) != LUFT_OK) {
        return db_work_is_stopped(&it->work) ? STATUS_FAILED : db_failed(it->command, it->path, database);
    }
    progress_clear(&it->work.line);
    const uint64_t faults = found.file_faults + found.bad_games + found.bad_positions;
    if (!it->quiet) {
        printf("%s games, %s positions: %" PRIu64 " faults\n", db_count(games, found.games),
               db_count(positions, found.positions), faults);
    }
    return faults == 0 ? STATUS_OK : STATUS_FAILED;
}

int db_check(int argc, char **argv) {
    maintenance it = {.command = "luft db check"};
    int status;
    if (!read_arguments(
            &it,
            "Checks a database: the file by SQLite, every game by replaying and exporting it, the statistics\n"
            "by counting them again. Prints each fault; the exit status is 1 if there is any.\n",
            argc, argv, &status)) {
        return status;
    }
    db_work_start(&it.work, it.quiet);
    luft_database *database = db_open(it.command, it.path, LUFT_DATABASE_READ);
    status = database ? check(&it, database) : STATUS_USAGE;
    luft_database_free(database);
    db_work_stop(&it.work);
    return status;
}

/* --- vacuum ----------------------------------------------------------------- */

static int vacuum(maintenance *it, luft_database *database) {
    luft_database_build build;
    luft_database_info info;
    if (!start_work(&build, it, database) || luft_database_vacuum(database, &build) != LUFT_OK ||
        luft_database_get_info(&info, database) != LUFT_OK) {
        return db_work_is_stopped(&it->work) ? STATUS_FAILED : db_failed(it->command, it->path, database);
    }
    progress_clear(&it->work.line);
    if (!it->quiet) {
        fprintf(stderr, "%" PRIu64 " games, %.1f MB\n", info.games, (double)info.bytes / 1e6);
    }
    return STATUS_OK;
}

int db_vacuum(int argc, char **argv) {
    maintenance it = {.command = "luft db vacuum"};
    int status;
    if (!read_arguments(
            &it, "Adds games to the statistics that are missing there, and writes the file again without gaps.\n", argc,
            argv, &status)) {
        return status;
    }
    db_work_start(&it.work, it.quiet);
    luft_database *database = db_open(it.command, it.path, LUFT_DATABASE_WRITE);
    status = database ? vacuum(&it, database) : STATUS_USAGE;
    luft_database_free(database);
    db_work_stop(&it.work);
    return status;
}
