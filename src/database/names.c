/* SPDX-License-Identifier: MIT */
/* Names with numbers; see names.h. */
#include "database/names.h"

#include "database/hash.h"

#include <stdio.h>
#include <stdlib.h>

#define FIRST_SLOTS 1024

static size_t length_of(const names *it, uint32_t number) {
    return (size_t)(it->starts[number] - it->starts[number - 1]);
}

static const char *text_of(const names *it, uint32_t number) {
    return it->text.data + it->starts[number - 1];
}

/* The slot of the name, or the free one where it belongs. */
static size_t find_slot(const names *it, const char *name, size_t length) {
    size_t slot = (size_t)hash_bytes(0, name, length) & (it->slot_count - 1);
    while (it->slots[slot] != 0 && !(length_of(it, it->slots[slot]) == length &&
                                     (length == 0 || memcmp(text_of(it, it->slots[slot]), name, length) == 0))) {
        slot = (slot + 1) & (it->slot_count - 1);
    }
    return slot;
}

static bool grow(names *it) {
    if (it->count + 2 > it->capacity) {
        const size_t capacity = it->capacity ? 2 * it->capacity : FIRST_SLOTS;
        uint64_t *starts = realloc(it->starts, capacity * sizeof *starts);
        if (!starts) {
            return false;
        }
        it->starts = starts;
        it->capacity = capacity;
        it->starts[0] = 0;
    }
    if (it->count + 1 <= it->slot_count / 2) {
        return true;
    }
    const size_t slot_count = it->slot_count ? 2 * it->slot_count : FIRST_SLOTS;
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    if (!slots) {
        return false;
    }
    free(it->slots);
    it->slots = slots;
    it->slot_count = slot_count;
    for (uint32_t number = 1; number <= it->count; number++) {
        it->slots[find_slot(it, text_of(it, number), length_of(it, number))] = number;
    }
    return true;
}

/* Adds a name in memory; it gets the next number. */
static bool add(names *it, const char *name, size_t length) {
    if (!grow(it)) {
        return false;
    }
    const size_t slot = find_slot(it, name, length);
    buffer_append(&it->text, name, length);
    if (it->text.failed) {
        return false;
    }
    it->starts[++it->count] = it->text.length;
    if (it->slots[slot] == 0) { /* a damaged table may have a name twice: the first counts */
        it->slots[slot] = it->count;
    }
    return true;
}

luft_error names_load(names *it, sqlite3 *handle, const char *table) {
    char text[96];
    sqlite3_stmt *select = NULL;
    int code = SQLITE_DONE;
    snprintf(text, sizeof text, "SELECT id, name FROM %s ORDER BY id", table);
    luft_error error = sql_prepare(&select, handle, text);
    while (error == LUFT_OK && (code = sqlite3_step(select)) == SQLITE_ROW) {
        const char *name = sqlite3_column_blob(select, 1);
        const size_t length = (size_t)sqlite3_column_bytes(select, 1);
        if (sqlite3_column_int64(select, 0) != (int64_t)it->count + 1) {
            error = LUFT_ERROR_DAMAGED;
        } else if (!add(it, name ? name : "", length)) {
            error = LUFT_ERROR_MEMORY;
        }
    }
    error = error == LUFT_OK ? sql_error(code) : error;
    sqlite3_finalize(select);
    if (error == LUFT_OK) {
        snprintf(text, sizeof text, "INSERT INTO %s(id, name) VALUES(?1, ?2)", table);
        error = sql_prepare(&it->insert, handle, text);
    }
    return error == LUFT_OK && !grow(it) ? LUFT_ERROR_MEMORY : error;
}

void names_free(names *it) {
    sqlite3_finalize(it->insert);
    buffer_free(&it->text);
    free(it->starts);
    free(it->slots);
    *it = (names){0};
}

luft_error names_find(uint32_t *number, names *it, const char *name, size_t length, uint32_t limit) {
    const size_t slot = find_slot(it, name, length);
    if (it->slots[slot] != 0 || it->count >= limit) {
        *number = it->slots[slot];
        return LUFT_OK;
    }
    if (!add(it, name, length)) {
        return LUFT_ERROR_MEMORY;
    }
    sqlite3_bind_int64(it->insert, 1, it->count);
    sql_bind_text(it->insert, 2, name, length);
    *number = it->count;
    return sql_step(it->insert);
}
