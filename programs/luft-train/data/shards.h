/* SPDX-License-Identifier: MIT */
/*
 * A directory of shards: 000001.games, 000002.games … Its contents are the state of the work, so that it can continue
 * after any end, also after a power failure. One process writes to it at a time.
 */
#ifndef LUFT_TRAIN_DATA_SHARDS_H
#define LUFT_TRAIN_DATA_SHARDS_H

#include "games.h"

#include <stdio.h>

typedef struct shards {
    const char *directory;
    FILE *log;      /* DIRECTORY/log, locked while it is open */
    bool *taken;    /* by number; a damaged shard keeps its number */
    uint32_t room;  /* of `taken` */
    uint32_t first; /* no number below it is free */
    uint64_t count; /* of the shards found, without damaged ones */
    uint64_t games;
    uint64_t positions;
} shards;

/* Creates the directory if needed and reads its shards; reports damaged ones. False after an error line. */
bool shards_open(shards *all, const char *directory, const char *command);
void shards_close(shards *all);

/* Takes the lowest free number. 0 if out of memory. */
uint32_t shards_next(shards *all);

/* Writes the shard of this number. False after an error line. Several threads may write at once. */
bool shards_write(const shards *all, uint32_t number, const file_header *header, const buffer *games,
                  const char *command);

/* Writes a line with the time to the log. */
void shards_log(const shards *all, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
