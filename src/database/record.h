/* SPDX-License-Identifier: MIT */
/*
 * A game on its way into a database: a record of fixed size, followed by its parts. Batches hold records one after the
 * other; the writer turns each into a row.
 */
#ifndef LUFT_DATABASE_RECORD_H
#define LUFT_DATABASE_RECORD_H

#include "database/summary.h"

#include "luft/pgn.h"

/* The parts, in their order. */
typedef enum record_part {
    RECORD_WHITE,
    RECORD_BLACK,
    RECORD_EVENT,
    RECORD_SITE,
    RECORD_ROUND,
    RECORD_FEN,          /* empty for the standard start position */
    RECORD_TIME_CONTROL, /* empty if there is none */
    RECORD_SHAPE,        /* the names of the tags: shape.h */
    RECORD_VALUES,       /* the values of those that have no column: a varint for the length, then the text */
    RECORD_MOVES,
    RECORD_NOTES, /* comments, NAGs and variations; empty if there are none: notes.h */
    RECORD_PARTS
} record_part;

typedef struct record {
    uint64_t signature;
    uint32_t length[RECORD_PARTS];
    uint32_t plies;
    int32_t date;
    uint16_t rating[2];
    uint8_t result; /* a luft_result */
    char eco[3];    /* zeros if there is none */
    uint8_t summary[SUMMARY_SIZE];
} record;

/* The whole record with its parts, in bytes. */
static inline size_t record_size(const record *game) {
    size_t size = sizeof *game;
    for (int part = 0; part < RECORD_PARTS; part++) {
        size += game->length[part];
    }
    return size;
}

/* Pointers to the parts of a record whose parts begin at `bytes`. */
static inline void record_parts(const char *parts[RECORD_PARTS], const record *game, const char *bytes) {
    for (int part = 0; part < RECORD_PARTS; part++) {
        parts[part] = bytes;
        bytes += game->length[part];
    }
}

#endif
