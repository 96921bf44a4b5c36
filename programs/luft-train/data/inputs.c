/* SPDX-License-Identifier: MIT */
/* Finds the files that a command reads. */
#define _POSIX_C_SOURCE 200809L

#include "inputs.h"

#include "file_header.h"

#include "util/input.h"
#include "util/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* False, with errno set, if out of memory. */
static bool add(inputs *list, const char *directory, const char *name) {
    if (list->count == list->room) {
        const size_t room = 2 * list->room + 64;
        char **grown = realloc(list->paths, room * sizeof *grown);
        if (!grown) {
            return false;
        }
        list->paths = grown;
        list->room = room;
    }
    const size_t size = strlen(directory) + strlen(name) + 2;
    char *path = malloc(size);
    if (path) {
        snprintf(path, size, "%s%s%s", directory, *directory ? "/" : "", name);
        list->paths[list->count++] = path;
    }
    return path != NULL;
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool inputs_each_name(const char *directory, bool (*visit)(void *payload, const char *name), void *payload) {
    DIR *listing = opendir(directory);
    bool good = listing != NULL;
    while (good) {
        errno = 0;
        const struct dirent *entry = readdir(listing);
        if (!entry) {
            good = errno == 0;
            break;
        }
        good = visit(payload, entry->d_name);
    }
    if (listing) {
        const int error = errno;
        closedir(listing);
        errno = error;
    }
    return good;
}

typedef struct shard_search {
    inputs *list;
    const char *directory;
} shard_search;

static bool add_shard(void *payload, const char *name) {
    static const char suffix[] = ".games";
    const shard_search *search = payload;
    const size_t length = strlen(name);
    const bool is_shard = length >= sizeof suffix && strcmp(name + length - (sizeof suffix - 1), suffix) == 0;
    return !is_shard || add(search->list, search->directory, name);
}

/* False, with errno set, if the directory cannot be read or memory runs out. */
static bool add_shards(inputs *list, const char *directory) {
    const size_t before = list->count;
    const bool good = inputs_each_name(directory, add_shard, &(shard_search){list, directory});
    if (good && list->count > before) {
        qsort(list->paths + before, list->count - before, sizeof *list->paths, compare);
    }
    return good;
}

static bool find(inputs *list, const char *const *operands, size_t count, const char *command) {
    for (size_t i = 0; i < count; i++) {
        struct stat status;
        if (stat(operands[i], &status) != 0 ||
            !(S_ISDIR(status.st_mode) ? add_shards(list, operands[i]) : add(list, "", operands[i]))) {
            output_error(command, "%s: %s", operands[i], strerror(errno));
            return false;
        }
    }
    if (list->count == 0) {
        output_error(command, "there is no file to read (see %s --help)", command);
        return false;
    }
    return true;
}

bool inputs_read(inputs *list, const option_table *table, int argc, char **argv, int *status) {
    const char *const *operands;
    size_t count;
    option_table complete = *table;
    complete.rest = &operands;
    complete.rest_count = &count;
    *list = (inputs){0};
    if (!options_read(&complete, argc, argv, status)) {
        return false;
    }
    if (!find(list, operands, count, table->command)) {
        inputs_free(list);
        *status = STATUS_USAGE;
        return false;
    }
    return true;
}

bool inputs_has_output(const inputs *list, const char *name, const char *path, const char *command) {
    const bool found = input_is_among(path, (const char *const *)list->paths, list->count);
    if (found) {
        output_error(command, "%s: %s is also a file to read", name, path);
    }
    return found;
}

void inputs_free(inputs *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->paths[i]);
    }
    free(list->paths);
    *list = (inputs){0};
}

inputs_kind inputs_kind_of(const char *path) {
    char kind[FILE_KIND_SIZE] = {0};
    const int descriptor = input_is_regular_file(path) ? open(path, O_RDONLY) : -1;
    if (descriptor >= 0) {
        if (read(descriptor, kind, sizeof kind) != (ssize_t)sizeof kind) {
            kind[0] = '\0';
        }
        close(descriptor);
    }
    return memcmp(kind, FILE_KIND_GAMES, sizeof kind) == 0     ? INPUTS_GAMES
           : memcmp(kind, FILE_KIND_RECORDS, sizeof kind) == 0 ? INPUTS_RECORDS
                                                               : INPUTS_UNKNOWN;
}
