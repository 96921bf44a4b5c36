/* SPDX-License-Identifier: MIT */
/*
 * The journal of a long work: the results of its finished units, in a file to which each is appended. What was finished
 * survives ^C, kill -9 and a full disk; the next run with the same journal continues from there.
 *
 * A unit is described by a request, some text. Its key is a hash of the request, so the order of units does not matter,
 * and equal requests are one unit. The journal begins with the manifest: lines that say which work it is, with which
 * options and which engine. A journal of other work is refused.
 *
 * The file is text with lengths and checksums. A record that is not complete, or damaged, ends the journal: what follows
 * is removed when the journal is opened for writing, and its units are done again. Records are written at once, and synced
 * to the disk at least once a second, so that a power failure costs a second of work.
 */
#ifndef LUFT_UTIL_JOURNAL_H
#define LUFT_UTIL_JOURNAL_H

#include "buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct unit_key {
    uint64_t words[2]; /* both 0 for none */
} unit_key;

unit_key unit_key_of(const void *request, size_t length);

/* Which part of the work a journal has: number 1 to `of`. All of it is 1 of 1. */
typedef struct journal_part {
    uint64_t number;
    uint64_t of;
} journal_part;

/* The state of a unit. The journal knows finished units only; units.c keeps the others in the same table. */
typedef enum unit_state {
    UNIT_UNKNOWN = 0,
    UNIT_FINISHED,
    UNIT_WAITING, /* asked for, and not yet finished */
    UNIT_FAILED   /* twice */
} unit_state;

typedef struct journal_entry {
    unit_key key;
    unit_state state; /* UNIT_UNKNOWN in a free place of the table */
    uint64_t length;  /* of the result of a finished unit, in bytes */
    uint64_t offset;  /* where it begins in the file */
} journal_entry;

#define JOURNAL_REASON_SIZE 320

typedef struct journal {
    uint64_t finished;                /* units in the journal */
    uint64_t dropped;                 /* bytes at the end of the file that were not a record */
    bool is_complete;                 /* the last record says that the part is finished */
    journal_part part;                /* that the file has */
    uint64_t twice;                   /* units that journal_merge found a second time, with the same result */
    char reason[JOURNAL_REASON_SIZE]; /* why a function failed: one clause */
    /* Private: */
    int descriptor; /* -1 if it is not open */
    uint64_t end;   /* of the last record */
    double synced;  /* clock_seconds at the last sync */
    bool is_temporary;
    journal_entry *table;
    size_t capacity; /* a power of two */
    size_t used;
    buffer record; /* being written */
} journal;

/*
 * Opens the journal for this work, or creates it; NULL is a temporary file. One process writes a journal at a time. False
 * with a `reason`. End with journal_close in any case.
 */
bool journal_open(journal *it, const char *path, const char *manifest, journal_part part);

/*
 * Adds all units of a journal of the same work, which stays as it is, and sets `part`, `is_complete` and `dropped` to
 * those of that journal. False with a `reason`; a unit that is there with another result is one.
 */
bool journal_merge(journal *it, const char *path, const char *manifest);

/* Reads the manifest of a journal. False with a `reason`. */
bool journal_read_manifest(journal *it, const char *path, buffer *manifest);

/* The entry of a unit, a new one with UNIT_UNKNOWN if there is none; valid until the next call. NULL if out of memory. */
journal_entry *journal_entry_of(journal *it, unit_key key);

/* Appends the result of a finished unit to `result`. False with a `reason`. */
bool journal_read(journal *it, const journal_entry *entry, buffer *result);

/* Adds a finished unit. False with a `reason` if it cannot be written; the journal is then as it was. */
bool journal_add(journal *it, unit_key key, const void *result, size_t length);

/* Writes that the part is finished. False with a `reason`. */
bool journal_complete(journal *it);

/* Syncs and closes. False with a `reason` if the disk refuses. Fine with all zeros and a descriptor of -1. */
bool journal_close(journal *it);

#endif
