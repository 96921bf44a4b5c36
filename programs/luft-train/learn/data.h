/* SPDX-License-Identifier: MIT */
/*
 * The data of a training: files of records. The positions of some games are held out for validation, the others come
 * in batches. The order of an epoch depends only on the seed and the number of the epoch.
 */
#ifndef LUFT_TRAIN_LEARN_DATA_H
#define LUFT_TRAIN_LEARN_DATA_H

#include "data/records.h"

enum {
    TRAIN_HELD_OUT = 50,            /* one game in so many is held out */
    TRAIN_VALIDATION_MAX = 1 << 17, /* the most of their positions that are used */
};

typedef struct train_data {
    record_file *files;
    size_t file_count;
    uint64_t training;  /* records to learn from */
    uint64_t held_out;  /* held-out records */
    uint64_t signature; /* identifies the data */
    record *validation; /* a sample of those held out */
    size_t validation_count;
} train_data;

/* False, after an error line of `command`, if a file cannot be used or a record is damaged. */
bool train_data_open(train_data *data, const char *const *paths, size_t count, const char *command);
void train_data_close(train_data *data);

/* Batches of an epoch. */
typedef struct train_batches {
    const train_data *data;
    uint64_t seed;
    uint64_t random;  /* state of the random generator in this epoch */
    uint32_t *blocks; /* of records, in the order of this epoch */
    size_t block_count;
    size_t next_block;
    record *window; /* records of a few blocks, shuffled */
    size_t window_count, window_used, window_room;
} train_batches;

/* False if out of memory. `most` is the largest batch that will be asked for. */
bool train_batches_open(train_batches *batches, const train_data *data, uint64_t seed, size_t most);
void train_batches_close(train_batches *batches);

/* Begins this epoch. */
void train_batches_start(train_batches *batches, uint64_t epoch);

/* The next `count` records, valid until the next call; NULL if the epoch has fewer left. */
const record *train_batches_next(train_batches *batches, size_t count);

#endif
