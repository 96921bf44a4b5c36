/* SPDX-License-Identifier: MIT */
/* Batches inside: the records that batch.c makes and the writer takes. */
#ifndef LUFT_DATABASE_BATCH_H
#define LUFT_DATABASE_BATCH_H

#include "database/record.h"

#include "util/buffer.h"

#include "luft/database.h"

struct luft_database_batch {
    buffer records; /* one after the other: record.h */
    size_t count;
    luft_database_errors errors;

    /* The game that is being read. */
    buffer tags;  /* each a batch_tag with its name and its value behind it */
    buffer moves; /* of the main line */
    buffer notes; /* notes.h */
    buffer shape; /* these two are filled when the game ends */
    buffer values;
    summary positions;
    uint32_t plies;
    uint64_t advance; /* moves of the main line since the last note */
    size_t depth;     /* of variations */
    buffer part;      /* that comment */
    bool has_start, has_error, is_too_large;
};

/* The signature by which duplicates are recognised: of start and moves, and of players and date in short games. */
uint64_t batch_signature(const record *game, const char *const parts[RECORD_PARTS]);

#endif
