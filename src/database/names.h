/* SPDX-License-Identifier: MIT */
/*
 * Names with numbers, such as players: a table of the file and its copy in memory while games are added. Numbers count
 * from 1. A table of limited size stops taking new names, whose games then store the text.
 */
#ifndef LUFT_DATABASE_NAMES_H
#define LUFT_DATABASE_NAMES_H

#include "database/sql.h"

#include "util/buffer.h"

typedef struct names {
    buffer text;      /* all names, one after the other */
    uint64_t *starts; /* where each begins; one more than there are names */
    uint32_t *slots;  /* numbers; 0 is free */
    size_t slot_count;
    size_t capacity; /* of `starts` */
    uint32_t count;
    sqlite3_stmt *insert;
} names;

/* Reads the table with this name. Call names_free whatever it returns. */
luft_error names_load(names *it, sqlite3 *handle, const char *table);
void names_free(names *it);

/* The number of a name, which is added to the table if it is new and there are fewer than `limit`; else 0. */
luft_error names_find(uint32_t *number, names *it, const char *name, size_t length, uint32_t limit);

#endif
