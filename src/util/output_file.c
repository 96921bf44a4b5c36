/* SPDX-License-Identifier: MIT */
/* Opening and closing the output of a command; see output_file.h. */
#define _POSIX_C_SOURCE 200809L

#include "output_file.h"

#include "output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

bool output_file_may_create(const char *path, bool force, const char *command) {
    struct stat about;
    if (force || stat(path, &about) != 0 || !S_ISREG(about.st_mode)) {
        return true;
    }
    output_error(command, "--output: %s exists (--force replaces it)", path);
    return false;
}

bool output_file_open(output_file *output, const char *path, const char *command) {
    *output = (output_file){.file = stdout};
    if (!path || strcmp(path, "-") == 0) {
        return true;
    }
    errno = 0;
    if (!atomic_file_open(&output->written, path)) {
        output_error(command, "--output: %s: %s", path, errno != 0 ? strerror(errno) : "out of memory");
        *output = (output_file){0};
        return false;
    }
    output->file = output->written.stream;
    output->temporary = output->written.temporary;
    return true;
}

bool output_file_close(output_file *output, bool keep, const char *command) {
    bool good = true;
    if (output->written.stream) {
        /* A write that failed is an error even if the file is not kept. */
        errno = 0;
        good = !ferror(output->file) && fflush(output->file) == 0;
        const bool kept = atomic_file_close(&output->written, good && keep);
        good = good && (kept || !keep);
        if (!good) {
            output_error(command, "--output: %s", atomic_file_reason());
        }
    }
    *output = (output_file){0};
    return good;
}
