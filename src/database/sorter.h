/* SPDX-License-Identifier: MIT */
/*
 * Sorts more records than fit into memory. Threads add records to partitions by the top bits of their keys; what exceeds
 * the memory goes to a temporary file in blocks. Then the partitions are taken one by one, in the order of keys, and each
 * is sorted in memory. No SQLite here.
 */
#ifndef LUFT_DATABASE_SORTER_H
#define LUFT_DATABASE_SORTER_H

#include "luft/types.h"

#include <pthread.h>
#include <stdio.h>

typedef struct sort_record {
    uint64_t key;  /* sorted first, then … */
    uint64_t word; /* … this: what belongs to the key */
} sort_record;

typedef struct sort_block {
    sort_record *records; /* NULL if they are in the file */
    uint64_t offset;      /* where */
    uint32_t count;
} sort_block;

typedef struct sort_partition {
    sort_block *blocks;
    size_t count, capacity;
    uint64_t records;
} sort_partition;

typedef struct sorter {
    unsigned bits; /* of the key that choose the partition */
    uint32_t block_records;
    size_t memory, used; /* bytes of blocks that may be kept, that are kept */
    FILE *scratch;       /* NULL until it is needed */
    uint64_t scratch_end;
    const char *path; /* the temporary file is on its disk */
    sort_partition *partitions;
    pthread_mutex_t lock;
} sorter;

/* One thread's part: a block for each partition. */
typedef struct sort_writer {
    sorter *sorter;
    sort_record **blocks;
    uint32_t *counts;
} sort_writer;

/* For about so many records. Call sorter_free whatever it returns. */
luft_error sorter_init(sorter *it, uint64_t records, size_t memory, const char *path);
void sorter_free(sorter *it);

luft_error sort_writer_init(sort_writer *writer, sorter *it);

/* Hands over a block that is full. */
luft_error sort_writer_flush(sort_writer *writer, size_t partition);

static inline luft_error sort_writer_add(sort_writer *writer, sort_record record) {
    const size_t partition = (size_t)(record.key >> (64 - writer->sorter->bits));
    writer->blocks[partition][writer->counts[partition]++] = record;
    return writer->counts[partition] == writer->sorter->block_records ? sort_writer_flush(writer, partition) : LUFT_OK;
}

/* Hands over what is left, and frees the writer; fine for one that is all zeros. */
luft_error sort_writer_finish(sort_writer *writer);

/* The records of a partition, sorted; free them. The partition is empty afterwards. */
luft_error sorter_take(sort_record **records, size_t *count, sorter *it, size_t partition);

static inline size_t sorter_partitions(const sorter *it) {
    return (size_t)1 << it->bits;
}

#endif
