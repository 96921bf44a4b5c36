/* SPDX-License-Identifier: MIT */
/*
 * Reads the file of a book into memory. By descriptors: no stream, no mapping, so a file that is truncated while the book
 * is in use does no harm.
 */
#define _POSIX_C_SOURCE 200809L

#include "games/book.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads exactly `length` bytes; false if reading fails or the file has fewer. */
static bool read_bytes(int descriptor, uint8_t *bytes, size_t length) {
    for (size_t done = 0; done < length;) {
        const ssize_t count = read(descriptor, bytes + done, length - done);
        if (count == 0 || (count < 0 && errno != EINTR)) {
            return false;
        }
        done += count > 0 ? (size_t)count : 0;
    }
    return true;
}

static luft_error read_file(luft_book **book, int descriptor, luft_book_report *report) {
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        return luft_book_refuse(report, LUFT_ERROR_READ, "not a regular file", 0);
    }
    luft_error error = luft_book_check_length((uint64_t)status.st_size, report);
    if (error != LUFT_OK) {
        return error;
    }
    const size_t length = (size_t)status.st_size;
    uint8_t *bytes = malloc(length);
    if (!bytes) {
        return luft_book_refuse(report, LUFT_ERROR_MEMORY, "out of memory", 0);
    }
    error = read_bytes(descriptor, bytes, length) ? luft_book_adopt(book, bytes, length, report)
                                                  : luft_book_refuse(report, LUFT_ERROR_READ, "reading failed", 0);
    if (error != LUFT_OK) {
        free(bytes);
    }
    return error;
}

luft_error luft_book_open(luft_book **book, const char *path, luft_book_report *report) {
    if (!book || !path) {
        return luft_book_refuse(report, LUFT_ERROR_ARGUMENT, "a pointer is NULL", 0);
    }
    /* Does not wait for a pipe to get a writer: a pipe is refused. */
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) {
        const char *reason = errno == ENOENT   ? "no such file"
                             : errno == EACCES ? "permission denied"
                                               : "cannot be opened";
        return luft_book_refuse(report, LUFT_ERROR_READ, reason, 0);
    }
    const luft_error error = read_file(book, descriptor, report);
    close(descriptor);
    return error;
}
