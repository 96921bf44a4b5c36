/* SPDX-License-Identifier: MIT */
/*
 * Reads data in batches. Files can be larger than memory, so an epoch is not shuffled as a whole: blocks of records
 * come in random order, and a window of blocks is shuffled. That is enough for files that `luft-train shuffle` wrote,
 * where the order only has to change from epoch to epoch.
 */
#include "data.h"

#include "network.h"
#include "util/output.h"
#include "util/random.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 16384, WINDOW_BLOCKS = 32 };

static bool is_held_out(const record *entry) {
    return random_mix(record_game(entry) + UINT64_C(0x9e3779b97f4a7c15)) % TRAIN_HELD_OUT == 0;
}

/* --- Files --------------------------------------------------------------------------- */

/* Adds the record to the sample of those held out, by reservoir sampling over all files. */
static void hold_out(train_data *data, const record *entry) {
    const uint64_t number = data->held_out++;
    const uint64_t place = number < TRAIN_VALIDATION_MAX ? number : random_mix(number) % (number + 1);
    if (place < TRAIN_VALIDATION_MAX) {
        data->validation[place] = *entry;
        data->validation_count += number < TRAIN_VALIDATION_MAX;
    }
}

/* Counts the records of a file and samples those held out. */
static bool scan(train_data *data, const record_file *file, const char *path, const char *command) {
    for (uint64_t i = 0; i < file->header.count; i++) {
        const record *entry = &file->records[i];
        if (!train_is_usable(entry)) {
            output_error(command, "%s: record %" PRIu64 " is damaged", path, i + 1);
            return false;
        }
        if (!is_held_out(entry)) {
            data->training++;
        } else {
            hold_out(data, entry);
        }
    }
    if (!record_file_verify(file)) {
        output_error(command, "%s: the data is damaged: wrong checksum", path);
        return false;
    }
    data->signature = random_mix(data->signature ^ file->header.data_checksum) + file->header.count;
    return true;
}

bool train_data_open(train_data *data, const char *const *paths, size_t count, const char *command) {
    *data = (train_data){.files = calloc(count + 1, sizeof *data->files),
                         .validation = malloc(TRAIN_VALIDATION_MAX * sizeof *data->validation)};
    if (!data->files || !data->validation) {
        output_error(command, "out of memory");
        train_data_close(data);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const char *reason = "";
        if (!record_file_open(&data->files[i], paths[i], &reason)) {
            output_error(command, "%s: %s", paths[i], reason);
            train_data_close(data);
            return false;
        }
        data->file_count++;
        if (!scan(data, &data->files[i], paths[i], command)) {
            train_data_close(data);
            return false;
        }
    }
    return true;
}

void train_data_close(train_data *data) {
    for (size_t i = 0; i < data->file_count; i++) {
        record_file_close(&data->files[i]);
    }
    free(data->files);
    free(data->validation);
    *data = (train_data){0};
}

/* --- Batches ----------------------------------------------------------------------------- */

static size_t blocks_of(const record_file *file) {
    return (size_t)((file->header.count + BLOCK - 1) / BLOCK);
}

bool train_batches_open(train_batches *batches, const train_data *data, uint64_t seed, size_t most) {
    *batches = (train_batches){.data = data, .seed = seed, .window_room = WINDOW_BLOCKS * BLOCK + most};
    for (size_t i = 0; i < data->file_count; i++) {
        batches->block_count += blocks_of(&data->files[i]);
    }
    batches->blocks = malloc((batches->block_count + 1) * sizeof *batches->blocks);
    batches->window = malloc(batches->window_room * sizeof *batches->window);
    if (!batches->blocks || !batches->window) {
        train_batches_close(batches);
        return false;
    }
    return true;
}

void train_batches_close(train_batches *batches) {
    free(batches->blocks);
    free(batches->window);
    *batches = (train_batches){0};
}

void train_batches_start(train_batches *batches, uint64_t epoch) {
    batches->random = random_mix(batches->seed * 1000003 + epoch + 1);
    batches->next_block = batches->window_count = batches->window_used = 0;
    for (size_t i = 0; i < batches->block_count; i++) {
        batches->blocks[i] = (uint32_t)i;
    }
    for (size_t i = batches->block_count; i > 1; i--) {
        const size_t other = (size_t)random_below(&batches->random, i);
        const uint32_t swap = batches->blocks[i - 1];
        batches->blocks[i - 1] = batches->blocks[other];
        batches->blocks[other] = swap;
    }
}

/* Adds the records of a block that are not held out to the window. */
static void add_block(train_batches *batches, size_t number) {
    const record_file *file = batches->data->files;
    for (; number >= blocks_of(file); file++) {
        number -= blocks_of(file);
    }
    const uint64_t begin = (uint64_t)number * BLOCK;
    const uint64_t end = begin + BLOCK < file->header.count ? begin + BLOCK : file->header.count;
    for (uint64_t i = begin; i < end; i++) {
        const record *entry = &file->records[i];
        if (!is_held_out(entry) && train_is_usable(entry)) {
            batches->window[batches->window_count++] = *entry;
        }
    }
}

static void fill_window(train_batches *batches) {
    const size_t left = batches->window_count - batches->window_used;
    memmove(batches->window, batches->window + batches->window_used, left * sizeof *batches->window);
    batches->window_count = left;
    batches->window_used = 0;
    while (batches->next_block < batches->block_count && batches->window_count + BLOCK <= batches->window_room) {
        add_block(batches, batches->blocks[batches->next_block++]);
    }
    for (size_t i = batches->window_count; i > 1; i--) {
        const size_t other = (size_t)random_below(&batches->random, i);
        const record swap = batches->window[i - 1];
        batches->window[i - 1] = batches->window[other];
        batches->window[other] = swap;
    }
}

const record *train_batches_next(train_batches *batches, size_t count) {
    if (batches->window_count - batches->window_used < count && batches->next_block < batches->block_count) {
        fill_window(batches);
    }
    if (batches->window_count - batches->window_used < count) {
        return NULL;
    }
    const record *first = batches->window + batches->window_used;
    batches->window_used += count;
    return first;
}
