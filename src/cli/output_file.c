/* SPDX-License-Identifier: MIT */
/* Writing aside, with the rights of the file that is to be replaced. */
#define _XOPEN_SOURCE 700

#include "output_file.h"

#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void release(output_file *output) {
    free(output->temporary);
    free(output->target);
    *output = (output_file){0};
}

/* Opens a file of another name beside the target, with the rights that the target would have. */
static bool open_aside(output_file *output, const char *path) {
    struct stat status;
    const bool exists = stat(path, &status) == 0;
    output->target = exists ? realpath(path, NULL) : strdup(path);
    const size_t size = output->target ? strlen(output->target) + 8 : 0;
    output->temporary = size > 0 ? malloc(size) : NULL;
    if (!output->temporary) {
        return false;
    }
    snprintf(output->temporary, size, "%s.XXXXXX", output->target);
    const int descriptor = mkstemp(output->temporary);
    if (descriptor < 0) {
        return false;
    }
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, exists ? status.st_mode & 07777 : 0666 & ~mask);
    output->file = fdopen(descriptor, "wb");
    if (!output->file) {
        const int error = errno;
        close(descriptor);
        unlink(output->temporary);
        errno = error;
    }
    return output->file != NULL;
}

bool output_file_open(output_file *output, const char *path, const char *command) {
    struct stat status;
    *output = (output_file){.file = stdout};
    if (!path || strcmp(path, "-") == 0) {
        return true;
    }
    errno = 0;
    output->file = NULL;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        output->file = fopen(path, "wb"); /* a device or a pipe cannot be replaced */
    } else {
        open_aside(output, path);
    }
    if (!output->file) {
        output_error(command, "--output: %s: %s", path, errno != 0 ? strerror(errno) : "out of memory");
        release(output);
        return false;
    }
    return true;
}

bool output_file_close(output_file *output, bool keep, const char *command) {
    bool good = true;
    if (output->file && output->file != stdout) {
        errno = 0;
        /* On the disk before it has its name: else a failing power supply could leave neither file. */
        good = !ferror(output->file) && fflush(output->file) == 0 &&
               (!keep || !output->target || fsync(fileno(output->file)) == 0);
        good &= fclose(output->file) == 0;
        if (good && keep && output->target) {
            good = rename(output->temporary, output->target) == 0;
        }
        if (!good) {
            output_error(command, "--output: %s", errno != 0 ? strerror(errno) : "cannot be written");
        }
    }
    if (output->temporary && (!good || !keep)) {
        unlink(output->temporary);
    }
    release(output);
    return good;
}
