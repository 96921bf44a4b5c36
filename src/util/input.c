/* SPDX-License-Identifier: MIT */
/*
 * Reads files with system calls: a reader that asks for a megabyte at a time gains nothing from stdio and would pay for
 * its copy. The first bytes decide what the file is: an archive that can be decompressed, one that cannot, text, or
 * something else.
 */
#define _POSIX_C_SOURCE 200809L

#include "input.h"

#include "decompress.h"

#include "luft/luft.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_SIZE ((size_t)128 << 10)
#define MAGIC_MAX 6
#define CHECKED_MAX ((size_t)4096) /* bytes that decide whether the file is text */

static input_result fail(input *in, input_result result, const char *reason) {
    snprintf(in->reason, sizeof in->reason, "%s", reason);
    in->last = result;
    return result;
}

/* read(2) until it returns something: the number of bytes, 0 at the end, -1 for an error. */
static ssize_t read_some(input *in, char *buffer, size_t size) {
    ssize_t count;
    while ((count = read(in->descriptor, buffer, size)) < 0 && (errno == EINTR || errno == EAGAIN)) {
        if (errno == EAGAIN) { /* another process may have made the file non-blocking */
            struct pollfd file = {.fd = in->descriptor, .events = POLLIN};
            poll(&file, 1, -1);
        }
    }
    in->stored += count > 0 ? (uint64_t)count : 0;
    return count;
}

/* --- What the file is ------------------------------------------------------ */

typedef struct known_format {
    const char *magic;
    size_t length;
    const char *refusal; /* NULL for the formats that are decompressed here */
    decompress_format format;
} known_format;

static const known_format formats[] = {
    {"\x1f\x8b", 2, NULL, DECOMPRESS_GZIP},
    {"\x28\xb5\x2f\xfd", 4, NULL, DECOMPRESS_ZSTD},
    {"\x50\x2a\x4d\x18", 4, NULL, DECOMPRESS_ZSTD}, /* a skippable frame, with which pzstd begins */
    {"BZh", 3, "it is compressed with bzip2: try bzip2 -dc FILE | luft", DECOMPRESS_GZIP},
    {"\xfd\x37zXZ", 5, "it is compressed with xz: try xz -dc FILE | luft", DECOMPRESS_GZIP},
    {"PK\x03\x04", 4, "it is a zip archive: try unzip -p FILE | luft", DECOMPRESS_GZIP},
    {"7z\xbc\xaf", 4, "it is a 7z archive: extract it first", DECOMPRESS_GZIP},
    {"\xff\xfe", 2, "it is text in UTF-16: convert it to UTF-8", DECOMPRESS_GZIP},
    {"\xfe\xff", 2, "it is text in UTF-16: convert it to UTF-8", DECOMPRESS_GZIP},
};

static input_result recognise(input *in) {
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (in->block_length >= formats[i].length && memcmp(in->block, formats[i].magic, formats[i].length) == 0) {
            const char *reason = formats[i].refusal;
            if (!reason) {
                in->compressed = decompress_create(formats[i].format, &reason);
            }
            return in->compressed ? INPUT_READ : fail(in, INPUT_NOT_USABLE, reason);
        }
    }
    return INPUT_READ;
}

/* A few control bytes are errors that the reader of the text reports; many mean another kind of file. */
static bool is_text(const char *text, size_t length) {
    size_t odd = 0;
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)text[i];
        odd += byte < ' ' && byte != '\t' && byte != '\n' && byte != '\r' && byte != '\f' && byte != '\v';
    }
    return odd <= length / 20 + 1;
}

/* --- Opening and reading --------------------------------------------------- */

input_result input_open(input *in, const char *path) {
    *in = (input){.descriptor = -1};
    in->block = malloc(BLOCK_SIZE);
    if (!in->block) {
        return fail(in, INPUT_BROKEN, INPUT_NO_MEMORY);
    }
    in->descriptor = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (in->descriptor < 0) {
        return fail(in, INPUT_NOT_USABLE, strerror(errno));
    }
    while (in->block_length < MAGIC_MAX) {
        const ssize_t count = read_some(in, in->block + in->block_length, BLOCK_SIZE - in->block_length);
        if (count < 0) {
            return fail(in, INPUT_NOT_USABLE, strerror(errno));
        }
        if (count == 0) {
            break;
        }
        in->block_length += (size_t)count;
    }
    return recognise(in);
}

void input_close(input *in) {
    if (in->descriptor >= 0 && in->descriptor != STDIN_FILENO) {
        close(in->descriptor);
    }
    decompress_free(in->compressed);
    free(in->block);
    *in = (input){.descriptor = -1};
}

static input_result read_plain(input *in, char *buffer, size_t size, size_t *length) {
    const size_t waiting = in->block_length - in->block_used;
    if (waiting > 0) {
        *length = waiting < size ? waiting : size;
        memcpy(buffer, in->block + in->block_used, *length);
        in->block_used += *length;
        return INPUT_READ;
    }
    const ssize_t count = read_some(in, buffer, size);
    if (count < 0) {
        return fail(in, INPUT_BROKEN, strerror(errno));
    }
    *length = (size_t)count;
    in->last = count > 0 ? INPUT_READ : INPUT_END;
    return in->last;
}

/* Reads the next compressed bytes into the block; false at the end of the file or after an error. */
static bool fill_block(input *in) {
    const ssize_t count = read_some(in, in->block, BLOCK_SIZE);
    if (count < 0) {
        in->broken = true;
        snprintf(in->reason, sizeof in->reason, "%s", strerror(errno));
    }
    in->block_used = 0;
    in->block_length = count > 0 ? (size_t)count : 0;
    return count > 0;
}

static input_result read_compressed(input *in, char *buffer, size_t size, size_t *length) {
    while (!in->broken) {
        const bool at_end = in->block_used == in->block_length && !fill_block(in);
        if (in->broken || (at_end && decompress_is_complete(in->compressed))) {
            break;
        }
        const char *next = in->block + in->block_used;
        size_t left = in->block_length - in->block_used;
        const char *reason = "";
        const decompress_result result = decompress_step(in->compressed, &next, &left, buffer, size, length, &reason);
        if (result == DECOMPRESS_NOT_READ) {
            return fail(in, INPUT_NOT_USABLE, reason);
        }
        if (result != DECOMPRESS_GOOD) {
            in->broken = true; /* what came out before the damage is still good */
            snprintf(in->reason, sizeof in->reason, "%s%s",
                     result == DECOMPRESS_DAMAGED ? "the archive is damaged: " : "", reason);
        }
        in->block_used = in->block_length - left;
        if (*length > 0) {
            return INPUT_READ;
        }
        if (at_end && !in->broken) {
            in->broken = true; /* the decompressor has nothing left and the archive is not complete */
            snprintf(in->reason, sizeof in->reason, "the archive is truncated");
        }
    }
    in->last = in->broken ? INPUT_BROKEN : INPUT_END;
    return in->last;
}

input_result input_read(input *in, char *buffer, size_t size, size_t *length) {
    *length = 0;
    if (in->last != INPUT_READ) {
        return in->last; /* every later call gives the same result */
    }
    const bool first = !in->is_checked;
    const input_result result =
        in->compressed ? read_compressed(in, buffer, size, length) : read_plain(in, buffer, size, length);
    in->is_checked = true;
    if (first && result == INPUT_READ && !is_text(buffer, *length < CHECKED_MAX ? *length : CHECKED_MAX)) {
        *length = 0;
        return fail(in, INPUT_NOT_USABLE, "it is not a text file");
    }
    return result;
}

size_t input_read_pgn(void *payload, char *buffer, size_t size) {
    size_t length;
    switch (input_read(payload, buffer, size, &length)) {
    case INPUT_READ: return length;
    case INPUT_END: return 0;
    default: return LUFT_PGN_READ_FAILED;
    }
}

/* --- Questions about files ------------------------------------------------- */

uint64_t input_total_size(const char *const *paths, size_t count) {
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        struct stat status;
        const int failed = strcmp(paths[i], "-") == 0 ? fstat(STDIN_FILENO, &status) : stat(paths[i], &status);
        if (failed == 0 && !S_ISREG(status.st_mode)) {
            return 0;
        }
        total += failed == 0 && status.st_size > 0 ? (uint64_t)status.st_size : 0;
    }
    return total;
}

bool input_is_among(const char *path, const char *const *paths, size_t count) {
    struct stat wanted;
    const int unknown = strcmp(path, "-") == 0 ? fstat(STDOUT_FILENO, &wanted) : stat(path, &wanted);
    if (unknown != 0 || !S_ISREG(wanted.st_mode)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct stat status;
        const int failed = strcmp(paths[i], "-") == 0 ? fstat(STDIN_FILENO, &status) : stat(paths[i], &status);
        if (failed == 0 && status.st_dev == wanted.st_dev && status.st_ino == wanted.st_ino) {
            return true;
        }
    }
    return false;
}

bool input_is_regular_file(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}
