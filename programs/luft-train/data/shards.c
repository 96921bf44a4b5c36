/* SPDX-License-Identifier: MIT */
/* The directory of shards and its log. */
#define _XOPEN_SOURCE 700

#include "shards.h"

#include "inputs.h"

#include "util/atomic_file.h"
#include "util/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, NUMBER_MAX = 99999999 };

static bool take(shards *all, uint32_t number) {
    if (number >= all->room) {
        const uint32_t room = number + 1024;
        bool *grown = realloc(all->taken, room * sizeof *grown);
        if (!grown) {
            return false;
        }
        memset(grown + all->room, 0, (room - all->room) * sizeof *grown);
        all->taken = grown;
        all->room = room;
    }
    all->taken[number] = true;
    return true;
}

/* The number in a name like 000001.games, 0 for other names. */
static uint32_t number_of(const char *name) {
    char *end;
    const unsigned long number = name[0] >= '0' && name[0] <= '9' ? strtoul(name, &end, 10) : 0;
    return number >= 1 && number <= NUMBER_MAX && strcmp(end, ".games") == 0 ? (uint32_t)number : 0;
}

typedef struct shard_visit {
    shards *all;
    const char *command;
} shard_visit;

/* Counts an existing shard, or reports what is wrong with it. False, with errno set, if out of memory. */
static bool visit(void *payload, const char *name) {
    shards *all = ((const shard_visit *)payload)->all;
    const char *command = ((const shard_visit *)payload)->command;
    char path[PATH_SIZE];
    const char *reason;
    game_file file;
    const uint32_t number = number_of(name);
    if (number == 0) {
        return true;
    }
    snprintf(path, sizeof path, "%s/%s", all->directory, name);
    if (!take(all, number)) {
        return false;
    }
    if (!game_file_open(&file, path, &reason)) {
        if (reason == game_file_no_memory) {
            errno = ENOMEM;
            return false; /* the shard is not at fault, and its games count */
        }
        output_error(command, "%s is skipped: %s", path, reason);
        shards_log(all, "%s is skipped: %s", name, reason);
        return true;
    }
    all->count++;
    all->games += file.header.count;
    all->positions += file.header.positions;
    game_file_close(&file);
    return true;
}

bool shards_open(shards *all, const char *directory, const char *command) {
    char path[PATH_SIZE];
    *all = (shards){.directory = directory, .first = 1};
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
        output_error(command, "%s: %s", directory, strerror(errno));
        return false;
    }
    snprintf(path, sizeof path, "%s/log", directory);
    all->log = fopen(path, "a");
    if (!all->log || lockf(fileno(all->log), F_TLOCK, 0) != 0) {
        output_error(command, "%s: %s", path, all->log ? "another process is writing it" : strerror(errno));
        shards_close(all);
        return false;
    }
    if (!inputs_each_name(directory, visit, &(shard_visit){all, command})) {
        output_error(command, "%s: %s", directory, strerror(errno));
        shards_close(all);
        return false;
    }
    return true;
}

void shards_close(shards *all) {
    if (all->log) {
        fclose(all->log);
    }
    free(all->taken);
    *all = (shards){0};
}

uint32_t shards_next(shards *all) {
    while (all->first < all->room && all->taken[all->first]) {
        all->first++;
    }
    return take(all, all->first) ? all->first : 0;
}

bool shards_write(const shards *all, uint32_t number, const file_header *header, const buffer *games,
                  const char *command) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%06" PRIu32 ".games", all->directory, number);
    if (!game_file_write(path, header, games)) {
        output_error(command, "%s: %s", path, atomic_file_reason());
        return false;
    }
    return true;
}

void shards_log(const shards *all, const char *format, ...) {
    char when[32];
    const time_t now = time(NULL);
    struct tm parts;
    va_list arguments;
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", gmtime_r(&now, &parts));
    va_start(arguments, format);
    fprintf(all->log, "%s ", when);
    vfprintf(all->log, format, arguments);
    fputc('\n', all->log);
    fflush(all->log);
    va_end(arguments);
}
