/* SPDX-License-Identifier: MIT */
/* Writing aside. */
#define _POSIX_C_SOURCE 200809L

#include "aside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void release(aside *file) {
    const int error = errno;
    free(file->path);
    free(file->part);
    *file = (aside){0};
    errno = error;
}

bool aside_open(aside *file, const char *path) {
    const size_t size = strlen(path) + sizeof ".part";
    *file = (aside){.path = strdup(path), .part = malloc(size)};
    if (file->path && file->part) {
        snprintf(file->part, size, "%s.part", path);
        file->stream = fopen(file->part, "wb");
    }
    if (!file->stream) {
        release(file);
        return false;
    }
    return true;
}

bool aside_close(aside *file, bool good) {
    if (!file->stream) {
        return false;
    }
    /* Nobody wants to read a file that was renamed before the disk had it, and then the power failed. */
    good = good && fflush(file->stream) == 0 && !ferror(file->stream) && fsync(fileno(file->stream)) == 0;
    int error = errno;
    if (fclose(file->stream) != 0 && good) {
        error = errno;
        good = false;
    }
    if (good && rename(file->part, file->path) != 0) {
        error = errno;
        good = false;
    }
    if (!good) {
        unlink(file->part);
    }
    release(file);
    errno = error;
    return good;
}

bool is_plain_file(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}
