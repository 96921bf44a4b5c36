/* SPDX-License-Identifier: MIT */
/* Atomic replacement of files; see atomic_file.h. */
#define _GNU_SOURCE /* O_TMPFILE */

#include "atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MAX = 40, NAMES_TRIED = 1000, NUMBERS = 1000000, SUFFIX_SIZE = sizeof ".000000" };

static void release(atomic_file *file) {
    const int error = errno;
    free(file->path);
    free(file->room);
    *file = (atomic_file){0};
    errno = error;
}

/* --- Names ------------------------------------------------------------------- */

/* The target of a link at `path`: relative to the directory of the link unless it begins with a slash. */
static char *join(const char *path, const char *link) {
    const char *slash = strrchr(path, '/');
    const size_t directory = slash && link[0] != '/' ? (size_t)(slash - path) + 1 : 0;
    const size_t size = strlen(link) + 1;
    char *joined = malloc(directory + size);
    if (joined) {
        memcpy(joined, path, directory);
        memcpy(joined + directory, link, size);
    }
    return joined;
}

char *atomic_file_target(const char *path) {
    char link[PATH_MAX];
    char *name = join("", path);
    for (int i = 0; name && i < LINKS_MAX; i++) {
        const ssize_t length = readlink(name, link, sizeof link - 1);
        if (length < 0) {
            return name; /* no link; open() reports anything else */
        }
        link[length] = '\0';
        char *next = join(name, link);
        free(name);
        name = next;
    }
    if (name) {
        free(name);
        errno = ELOOP;
    }
    return NULL;
}

/* --- Files without a name ---------------------------------------------------- */

#if defined(O_TMPFILE) && !defined(LUFT_NAMED_FILES_ONLY)

static void name_of_descriptor(char name[32], int descriptor) {
    snprintf(name, 32, "/proc/self/fd/%d", descriptor);
}

/* A file without a name in the directory of `path`; -1 if the system or the file system has none. */
static int open_unnamed(const char *path, mode_t mode) {
    char name[32];
    const char *slash = strrchr(path, '/');
    char *directory = slash ? strndup(path, (size_t)(slash - path) + 1) : NULL;
    const int descriptor =
        slash && !directory ? -1 : open(slash ? directory : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    free(directory);
    if (descriptor >= 0) {
        name_of_descriptor(name, descriptor);
        if (access(name, F_OK) != 0) { /* it could not get a name */
            close(descriptor);
            return -1;
        }
    }
    return descriptor;
}

/* Gives a file without a name this one, which must be free. -1 with errno set. */
static int name_file(int descriptor, const char *path) {
    char name[32];
    name_of_descriptor(name, descriptor);
    return linkat(AT_FDCWD, name, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

#else

static int open_unnamed(const char *path, mode_t mode) {
    (void)path, (void)mode;
    return -1;
}

static int name_file(int descriptor, const char *path) {
    (void)descriptor, (void)path;
    return -1;
}

#endif

/* --- Files beside the old one ------------------------------------------------ */

/*
 * Opens a new file beside `path`, or gives the file `unnamed` a name there if that is not -1, and writes the name to
 * `temporary`. Not mkstemp(): its files ignore the umask, which cannot be read while other threads create files. -1 with
 * errno set.
 */
static int make_beside(char *temporary, const char *path, mode_t mode, int unnamed) {
    const char *slash = strrchr(path, '/');
    const size_t whole = strlen(path), name = slash ? strlen(slash + 1) : whole;
    size_t kept = whole;
    int descriptor = -1;
    for (unsigned i = 0; descriptor < 0 && i < NAMES_TRIED; i++) {
        snprintf(temporary, whole + SUFFIX_SIZE, "%.*s.%06u", (int)kept, path, ((unsigned)getpid() + i) % NUMBERS);
        descriptor =
            unnamed >= 0 ? name_file(unnamed, temporary) : open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (descriptor < 0 && errno == ENAMETOOLONG && kept == whole && name > SUFFIX_SIZE) {
            kept -= SUFFIX_SIZE; /* the name fits, but not with the suffix */
        } else if (descriptor < 0 && errno != EEXIST) {
            break;
        }
    }
    return descriptor;
}

/* A stream on the descriptor; if it cannot be opened, the file is removed. The name is NULL if it has none. */
static FILE *stream_of(int descriptor, const char *mode, const char *name) {
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, mode) : NULL;
    if (!stream && descriptor >= 0) {
        const int error = errno;
        close(descriptor);
        if (name) {
            unlink(name);
        }
        errno = error;
    }
    return stream;
}

/* --- Files ------------------------------------------------------------------- */

bool atomic_file_open(atomic_file *file, const char *path) {
    struct stat about;
    *file = (atomic_file){0};
    const bool exists = stat(path, &about) == 0;
    if (exists && !S_ISREG(about.st_mode)) {
        file->stream = fopen(path, "wb");
        return file->stream != NULL;
    }
    /* A write-protected file is not replaced either. */
    file->path = exists && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0 ? NULL : atomic_file_target(path);
    file->room = file->path ? malloc(strlen(file->path) + SUFFIX_SIZE) : NULL;
    if (file->room) {
        const mode_t mode = exists ? 0600 : 0666; /* private until it has the permissions of the old file */
        int descriptor = open_unnamed(file->path, mode);
        if (descriptor < 0) {
            file->temporary = file->room;
            descriptor = make_beside(file->room, file->path, mode, -1);
        }
        if (descriptor >= 0 && exists) {
            fchmod(descriptor, about.st_mode & 07777);
        }
        file->stream = stream_of(descriptor, "wb", file->temporary);
    }
    if (!file->stream) {
        release(file);
        return false;
    }
    return true;
}

/* Flushes, and syncs a file that is to be renamed: otherwise a power failure could lose both files. */
static bool is_written(const atomic_file *file) {
    if (ferror(file->stream)) {
        errno = 0; /* the write failed earlier; its reason is gone */
        return false;
    }
    return fflush(file->stream) == 0 && (!file->path || fsync(fileno(file->stream)) == 0);
}

/* A file without a name gets one, to be renamed. */
static bool is_named(atomic_file *file) {
    if (file->path && !file->temporary) {
        if (make_beside(file->room, file->path, 0, fileno(file->stream)) < 0) {
            return false;
        }
        file->temporary = file->room;
    }
    return true;
}

bool atomic_file_close(atomic_file *file, bool good) {
    if (!file->stream) {
        return false;
    }
    good = good && is_written(file) && is_named(file);
    int error = errno;
    const bool closed = fclose(file->stream) == 0;
    if (good) {
        good = closed && (!file->path || rename(file->temporary, file->path) == 0);
        error = errno;
    }
    if (!good && file->temporary) {
        unlink(file->temporary);
    }
    release(file);
    errno = error;
    return good;
}

const char *atomic_file_reason(void) {
    return errno != 0 ? strerror(errno) : "cannot be written";
}

FILE *atomic_file_scratch(const char *path) {
    char *target = atomic_file_target(path);
    char *temporary = target ? malloc(strlen(target) + SUFFIX_SIZE) : NULL;
    FILE *stream = temporary ? stream_of(make_beside(temporary, target, 0600, -1), "w+b", temporary) : NULL;
    const int error = errno;
    if (stream) {
        unlink(temporary); /* it exists as long as it is open */
    }
    free(temporary);
    free(target);
    errno = error;
    return stream;
}
