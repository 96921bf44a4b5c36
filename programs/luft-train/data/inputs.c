/* SPDX-License-Identifier: MIT */
/* Finds files. */
#define _POSIX_C_SOURCE 200809L

#include "inputs.h"

#include "arguments.h"
#include "file_header.h"

#include "util/atomic_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* False, with errno set, if there is no memory. */
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

/* False, with errno set, if the directory cannot be read or there is no memory. */
static bool add_shards(inputs *list, const char *directory) {
    const size_t before = list->count;
    const bool good = inputs_each_name(directory, add_shard, &(shard_search){list, directory});
    if (good && list->count > before) {
        qsort(list->paths + before, list->count - before, sizeof *list->paths, compare);
    }
    return good;
}

bool inputs_find(inputs *list, char *const *operands, size_t count, const char *command) {
    *list = (inputs){0};
    for (size_t i = 0; i < count; i++) {
        struct stat status;
        if (stat(operands[i], &status) != 0 ||
            !(S_ISDIR(status.st_mode) ? add_shards(list, operands[i]) : add(list, "", operands[i]))) {
            complain(command, "%s: %s", operands[i], strerror(errno));
            inputs_free(list);
            return false;
        }
    }
    if (list->count == 0) {
        complain(command, "there is no file to read (luft-train %s --help)", command);
        return false;
    }
    return true;
}

void inputs_free(inputs *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->paths[i]);
    }
    free(list->paths);
    *list = (inputs){0};
}

input_kind input_kind_of(const char *path) {
    char kind[FILE_KIND_SIZE] = {0};
    const int descriptor = is_plain_file(path) ? open(path, O_RDONLY) : -1;
    if (descriptor >= 0) {
        if (read(descriptor, kind, sizeof kind) != (ssize_t)sizeof kind) {
            kind[0] = '\0';
        }
        close(descriptor);
    }
    return memcmp(kind, FILE_KIND_GAMES, sizeof kind) == 0     ? INPUT_GAMES
           : memcmp(kind, FILE_KIND_RECORDS, sizeof kind) == 0 ? INPUT_RECORDS
                                                               : INPUT_UNKNOWN;
}
