/* SPDX-License-Identifier: MIT */
/* Reads and writes checkpoints. */
#define _POSIX_C_SOURCE 200809L

#include "checkpoint.h"

#include "util/atomic_file.h"
#include "util/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char magic[8] = {'l', 'u', 'f', 't', '-', 'c', 'k', '2'};

enum { TEXT_MAX = 1 << 20, WEIGHTS_MAX = 1 << 26 };

/* --- Writing ------------------------------------------------------------------------- */

static void put(FILE *file, checksum *sum, const void *data, size_t length) {
    checksum_add(sum, data, length);
    fwrite(data, 1, length, file);
}

static bool write_all(FILE *file, const train_checkpoint *checkpoint) {
    const size_t size = checkpoint->count * sizeof(float);
    const uint64_t lengths[2] = {strlen(checkpoint->text), checkpoint->count};
    checksum sum = checksum_start();
    put(file, &sum, magic, sizeof magic);
    put(file, &sum, lengths, sizeof lengths);
    put(file, &sum, checkpoint->text, (size_t)lengths[0]);
    put(file, &sum, checkpoint->weights, size);
    put(file, &sum, checkpoint->moments.mean, size);
    put(file, &sum, checkpoint->moments.square, size);
    const uint64_t end = checksum_end(&sum);
    return fwrite(&end, 1, sizeof end, file) == sizeof end && !ferror(file);
}

bool train_checkpoint_save(const char *path, const train_checkpoint *checkpoint) {
    atomic_file file;
    return atomic_file_open(&file, path) && atomic_file_close(&file, write_all(file.stream, checkpoint));
}

/* --- Reading ------------------------------------------------------------------------- */

static bool take(FILE *file, checksum *sum, void *data, size_t length) {
    if (fread(data, 1, length, file) != length) {
        return false;
    }
    checksum_add(sum, data, length);
    return true;
}

/* The size that the file must have: checked before memory is allocated. */
static uint64_t whole_size(const uint64_t lengths[2]) {
    return sizeof magic + 2 * sizeof *lengths + lengths[0] + 3 * sizeof(float) * lengths[1] + sizeof(uint64_t);
}

/* NULL, or what is wrong. */
static const char *read_all(train_checkpoint *checkpoint, FILE *file) {
    static const char damaged[] = "it is not a checkpoint, or damaged";
    char found[sizeof magic];
    uint64_t lengths[2], end;
    struct stat about;
    checksum sum = checksum_start();
    if (!take(file, &sum, found, sizeof found) || memcmp(found, magic, sizeof magic) != 0 ||
        !take(file, &sum, lengths, sizeof lengths) || lengths[0] > TEXT_MAX || lengths[1] > WEIGHTS_MAX ||
        fstat(fileno(file), &about) != 0 || (uint64_t)about.st_size != whole_size(lengths)) {
        return damaged;
    }
    const size_t size = (size_t)lengths[1] * sizeof(float);
    *checkpoint = (train_checkpoint){
        .text = calloc((size_t)lengths[0] + 1, 1),
        .count = (size_t)lengths[1],
        .weights = train_floats(lengths[1]),
        .moments = {train_floats(lengths[1]), train_floats(lengths[1])},
    };
    if (!checkpoint->text || !checkpoint->weights || !checkpoint->moments.mean || !checkpoint->moments.square) {
        return "out of memory";
    }
    const bool good = take(file, &sum, checkpoint->text, (size_t)lengths[0]) &&
                      take(file, &sum, checkpoint->weights, size) && take(file, &sum, checkpoint->moments.mean, size) &&
                      take(file, &sum, checkpoint->moments.square, size) &&
                      fread(&end, 1, sizeof end, file) == sizeof end && end == checksum_end(&sum);
    return good ? NULL : damaged;
}

bool train_checkpoint_load(train_checkpoint *checkpoint, const char *path, const char **reason) {
    *checkpoint = (train_checkpoint){0};
    FILE *file = input_is_regular_file(path) ? fopen(path, "rb") : NULL;
    if (!file) {
        struct stat about;
        *reason = stat(path, &about) != 0 && errno == ENOENT ? NULL : "it cannot be opened, or is not a regular file";
        return false;
    }
    *reason = read_all(checkpoint, file);
    fclose(file);
    if (*reason) {
        train_checkpoint_free(checkpoint);
    }
    return *reason == NULL;
}

void train_checkpoint_free(train_checkpoint *checkpoint) {
    free(checkpoint->text);
    free(checkpoint->weights);
    free(checkpoint->moments.mean);
    free(checkpoint->moments.square);
    *checkpoint = (train_checkpoint){0};
}

/* --- The text ------------------------------------------------------------------------ */

bool train_take(const char **text, const char *words) {
    const size_t length = strlen(words);
    const bool is_there = strncmp(*text, words, length) == 0;
    *text += is_there ? length : 0;
    return is_there;
}

bool train_take_number(const char **text, uint64_t *number) {
    const char *at = *text;
    uint64_t value = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (value > (UINT64_MAX - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    if (at == *text) {
        return false;
    }
    *text = at;
    *number = value;
    return true;
}

bool train_take_real(const char **text, double *number) {
    char *end;
    const double value = strtod(*text, &end);
    if (end == *text) {
        return false;
    }
    *text = end;
    *number = value;
    return true;
}
