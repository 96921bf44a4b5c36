/* SPDX-License-Identifier: MIT */
/* What a database keeps while games are added: names, signatures and statements. */
#ifndef LUFT_DATABASE_WRITER_H
#define LUFT_DATABASE_WRITER_H

#include "database/names.h"
#include "database/record.h"

/* A value of a tag gets a number if it is at most this long and there is room; others are stored with the game. */
#define WRITER_TEXT_LENGTH 64
#define WRITER_TEXTS ((uint32_t)1 << 20)

typedef struct writer {
    names players, events, sites, texts, shapes;
    sqlite3_stmt *insert_game, *insert_notes;
    uint64_t *signatures; /* a hash table of those of all games; 0 is free */
    size_t capacity, used;
    int64_t games, plies; /* in the database */
    buffer tags;          /* the column of this name */
} writer;

#endif
