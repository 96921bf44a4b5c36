/* SPDX-License-Identifier: MIT */
/* Open addressing; the slots hold indices into an array, so that the array can be sorted and walked. */
#include "tally.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_name(const char *name, size_t length) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ length;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3); /* FNV-1a */
    }
    return hash ^ hash >> 29;
}

/* The slot of this name, or the free slot for it. */
static uint32_t *find_slot(tally *table, const char *name, size_t length, uint64_t hash) {
    size_t place = (size_t)hash & (table->slot_count - 1);
    while (table->slots[place] != 0) {
        const tally_entry *entry = &table->entries[table->slots[place] - 1];
        if (entry->hash == hash && entry->length == length &&
            (length == 0 || memcmp(tally_name(table, entry), name, length) == 0)) {
            break;
        }
        place = (place + 1) & (table->slot_count - 1);
    }
    return &table->slots[place];
}

static bool grow_slots(tally *table) {
    const size_t slot_count = table->slot_count ? 2 * table->slot_count : 1024;
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    if (!slots) {
        return false;
    }
    free(table->slots);
    table->slots = slots;
    table->slot_count = slot_count;
    for (size_t i = 0; i < table->count; i++) {
        size_t place = (size_t)table->entries[i].hash & (slot_count - 1);
        while (slots[place] != 0) {
            place = (place + 1) & (slot_count - 1);
        }
        slots[place] = (uint32_t)i + 1;
    }
    return true;
}

static bool add_entry(tally *table, uint32_t *slot, const char *name, size_t length, uint64_t hash) {
    if (table->count == table->room) {
        const size_t room = table->room ? 2 * table->room : 256;
        tally_entry *entries = room < UINT32_MAX ? realloc(table->entries, room * sizeof *entries) : NULL;
        if (!entries) {
            return false;
        }
        table->entries = entries;
        table->room = room;
    }
    table->entries[table->count] = (tally_entry){.name = table->names.length, .length = length, .hash = hash};
    buffer_append(&table->names, name, length);
    if (table->names.failed) {
        return false;
    }
    *slot = (uint32_t)++table->count;
    return true;
}

bool tally_add(tally *table, const char *name, size_t length, tally_result result) {
    if (table->count >= table->slot_count / 4 * 3 && !grow_slots(table)) {
        return false;
    }
    const uint64_t hash = hash_name(name, length);
    uint32_t *slot = find_slot(table, name, length, hash);
    if (*slot == 0 && !add_entry(table, slot, name, length, hash)) {
        return false;
    }
    tally_entry *entry = &table->entries[*slot - 1];
    entry->games++;
    entry->results[result]++;
    return true;
}

/* An entry with its name, for qsort, which passes no context to the comparison. */
typedef struct sortable {
    tally_entry entry;
    const char *name;
} sortable;

static int compare(const void *a, const void *b) {
    const sortable *first = a;
    const sortable *second = b;
    if (first->entry.games != second->entry.games) {
        return first->entry.games > second->entry.games ? -1 : 1;
    }
    const size_t shorter = first->entry.length < second->entry.length ? first->entry.length : second->entry.length;
    const int order = shorter ? memcmp(first->name, second->name, shorter) : 0;
    return order != 0 ? order
                      : (first->entry.length > second->entry.length) - (first->entry.length < second->entry.length);
}

bool tally_sort(tally *table) {
    sortable *all = table->count ? malloc(table->count * sizeof *all) : NULL;
    if (!all) {
        return table->count == 0;
    }
    for (size_t i = 0; i < table->count; i++) {
        all[i] = (sortable){table->entries[i], tally_name(table, &table->entries[i])};
    }
    qsort(all, table->count, sizeof *all, compare);
    for (size_t i = 0; i < table->count; i++) {
        table->entries[i] = all[i].entry;
    }
    free(all);
    return true;
}

void tally_free(tally *table) {
    free(table->entries);
    free(table->slots);
    buffer_free(&table->names);
    *table = (tally){0};
}
