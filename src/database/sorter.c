/* SPDX-License-Identifier: MIT */
/*
 * External sorting; see sorter.h. A partition is sorted by one pass that distributes its records by the next bits of
 * their keys, to buckets of a few records each. Only keys of many records, those of openings, need a real sort.
 */
#define _POSIX_C_SOURCE 200809L

#include "database/sorter.h"

#include "util/atomic_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MIN_BITS = 6,
    MAX_BITS = 12,
    PARTITION_BYTES = 1 << 20, /* the wish: what the cache of a core can hold */
    WRITER_BYTES = 16 << 20,   /* of the blocks of one thread */
    MAX_BLOCK_RECORDS = 2048,
    MIN_BLOCK_RECORDS = 64,
    INSERTION_MAX = 24 /* larger buckets are sorted by qsort */
};

luft_error sorter_init(sorter *it, uint64_t records, size_t memory, const char *path) {
    *it = (sorter){.bits = MIN_BITS, .memory = memory, .path = path};
    pthread_mutex_init(&it->lock, NULL);
    while (it->bits < MAX_BITS && records * sizeof(sort_record) >> it->bits > PARTITION_BYTES) {
        it->bits++;
    }
    const size_t fitting = WRITER_BYTES / sizeof(sort_record) >> it->bits;
    it->block_records = fitting > MAX_BLOCK_RECORDS   ? MAX_BLOCK_RECORDS
                        : fitting < MIN_BLOCK_RECORDS ? MIN_BLOCK_RECORDS
                                                      : (uint32_t)fitting;
    it->partitions = calloc(sorter_partitions(it), sizeof *it->partitions);
    return it->partitions ? LUFT_OK : LUFT_ERROR_MEMORY;
}

static void free_partition(sort_partition *partition) {
    for (size_t i = 0; i < partition->count; i++) {
        free(partition->blocks[i].records);
    }
    free(partition->blocks);
    *partition = (sort_partition){0};
}

void sorter_free(sorter *it) {
    for (size_t i = 0; it->partitions && i < sorter_partitions(it); i++) {
        free_partition(&it->partitions[i]);
    }
    free(it->partitions);
    if (it->scratch) {
        fclose(it->scratch);
    }
    pthread_mutex_destroy(&it->lock);
}

/* --- Adding ---------------------------------------------------------------- */

luft_error sort_writer_init(sort_writer *writer, sorter *it) {
    const size_t count = sorter_partitions(it);
    *writer = (sort_writer){it, calloc(count, sizeof *writer->blocks), calloc(count, sizeof *writer->counts)};
    if (!writer->blocks || !writer->counts) {
        return LUFT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        writer->blocks[i] = malloc(it->block_records * sizeof(sort_record));
        if (!writer->blocks[i]) {
            return LUFT_ERROR_MEMORY;
        }
    }
    return LUFT_OK;
}

static bool write_all(int descriptor, const void *bytes, size_t length, uint64_t offset) {
    const char *next = bytes;
    while (length > 0) {
        const ssize_t written = pwrite(descriptor, next, length, (off_t)offset);
        if (written <= 0 && errno != EINTR) {
            return false;
        }
        const size_t count = written > 0 ? (size_t)written : 0;
        next += count;
        offset += count;
        length -= count;
    }
    return true;
}

static bool read_all(int descriptor, void *bytes, size_t length, uint64_t offset) {
    char *next = bytes;
    while (length > 0) {
        const ssize_t got = pread(descriptor, next, length, (off_t)offset);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        const size_t count = got > 0 ? (size_t)got : 0;
        next += count;
        offset += count;
        length -= count;
    }
    return true;
}

/* Adds a block to the list; the lock is held. */
static luft_error note_block(sort_partition *partition, sort_block block) {
    if (partition->count == partition->capacity) {
        const size_t capacity = partition->capacity ? 2 * partition->capacity : 16;
        sort_block *blocks = realloc(partition->blocks, capacity * sizeof *blocks);
        if (!blocks) {
            return LUFT_ERROR_MEMORY;
        }
        partition->blocks = blocks;
        partition->capacity = capacity;
    }
    partition->blocks[partition->count++] = block;
    partition->records += block.count;
    return LUFT_OK;
}

/* Reserves room in the temporary file; the lock is held. */
static luft_error reserve_room(uint64_t *offset, sorter *it, size_t bytes) {
    if (!it->scratch) {
        it->scratch = atomic_file_scratch(it->path);
        if (!it->scratch) {
            return LUFT_ERROR_WRITE;
        }
    }
    *offset = it->scratch_end;
    it->scratch_end += bytes;
    return LUFT_OK;
}

luft_error sort_writer_flush(sort_writer *writer, size_t partition) {
    sorter *it = writer->sorter;
    sort_block block = {.count = writer->counts[partition]};
    const size_t bytes = it->block_records * sizeof(sort_record);
    sort_record *fresh = NULL;
    luft_error error = LUFT_OK;
    if (block.count == 0) {
        return LUFT_OK;
    }
    pthread_mutex_lock(&it->lock);
    if (it->used + bytes <= it->memory && (fresh = malloc(bytes))) {
        it->used += bytes;
        block.records = writer->blocks[partition];
    } else {
        error = reserve_room(&block.offset, it, block.count * sizeof(sort_record));
    }
    error = error == LUFT_OK ? note_block(&it->partitions[partition], block) : error;
    pthread_mutex_unlock(&it->lock);
    if (error != LUFT_OK) {
        free(fresh);
        return error;
    }
    if (fresh) {
        writer->blocks[partition] = fresh;
    } else if (!write_all(fileno(it->scratch), writer->blocks[partition], block.count * sizeof(sort_record),
                          block.offset)) {
        return LUFT_ERROR_WRITE;
    }
    writer->counts[partition] = 0;
    return LUFT_OK;
}

luft_error sort_writer_finish(sort_writer *writer) {
    luft_error error = LUFT_OK;
    if (writer->sorter) {
        for (size_t i = 0; i < sorter_partitions(writer->sorter); i++) {
            if (error == LUFT_OK && writer->counts && writer->blocks) {
                error = sort_writer_flush(writer, i);
            }
            if (writer->blocks) {
                free(writer->blocks[i]);
            }
        }
    }
    free(writer->blocks);
    free(writer->counts);
    *writer = (sort_writer){0};
    return error;
}

/* --- Sorting --------------------------------------------------------------- */

static bool is_less(const sort_record *a, const sort_record *b) {
    return a->key != b->key ? a->key < b->key : a->word < b->word;
}

static int compare(const void *a, const void *b) {
    return is_less(a, b) ? -1 : is_less(b, a);
}

static void sort_bucket(sort_record *records, size_t count) {
    if (count > INSERTION_MAX) {
        qsort(records, count, sizeof *records, compare);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const sort_record record = records[i];
        size_t at = i;
        while (at > 0 && is_less(&record, &records[at - 1])) {
            records[at] = records[at - 1];
            at--;
        }
        records[at] = record;
    }
}

/* Sorts from one array into the other by the bits of the key below the first `skip`. */
static bool sort_partition_records(sort_record *out, const sort_record *in, size_t count, unsigned skip) {
    unsigned bits = 1;
    while (bits < 16 && count >> bits > 4) {
        bits++;
    }
    const size_t buckets = (size_t)1 << bits;
    size_t *starts = calloc(buckets + 1, sizeof *starts);
    if (!starts) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        starts[(in[i].key << skip >> (64 - bits)) + 1]++;
    }
    for (size_t i = 0; i < buckets; i++) {
        starts[i + 1] += starts[i];
    }
    for (size_t i = 0; i < count; i++) {
        out[starts[in[i].key << skip >> (64 - bits)]++] = in[i];
    }
    for (size_t i = 0, start = 0; i < buckets; start = starts[i], i++) {
        sort_bucket(out + start, starts[i] - start);
    }
    free(starts);
    return true;
}

/* Brings the blocks of a partition together. */
static luft_error gather(sort_record *records, sorter *it, const sort_partition *partition) {
    size_t at = 0;
    for (size_t i = 0; i < partition->count; i++) {
        const sort_block *block = &partition->blocks[i];
        const size_t bytes = block->count * sizeof *records;
        if (block->records) {
            memcpy(records + at, block->records, bytes);
        } else if (!read_all(fileno(it->scratch), records + at, bytes, block->offset)) {
            return LUFT_ERROR_READ;
        }
        at += block->count;
    }
    return LUFT_OK;
}

luft_error sorter_take(sort_record **records, size_t *count, sorter *it, size_t partition) {
    sort_partition *from = &it->partitions[partition];
    const size_t total = (size_t)from->records;
    sort_record *mixed = malloc((total ? total : 1) * sizeof *mixed);
    sort_record *sorted = malloc((total ? total : 1) * sizeof *sorted);
    luft_error error = mixed && sorted ? gather(mixed, it, from) : LUFT_ERROR_MEMORY;
    free_partition(from);
    if (error == LUFT_OK && !sort_partition_records(sorted, mixed, total, it->bits)) {
        error = LUFT_ERROR_MEMORY;
    }
    free(mixed);
    if (error != LUFT_OK) {
        free(sorted);
        return error;
    }
    *records = sorted;
    *count = total;
    return LUFT_OK;
}
