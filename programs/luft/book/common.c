/* SPDX-License-Identifier: MIT */
/* Shared by the subcommands of `luft book`; see common.h. */
#include "common.h"

#include "util/output.h"
#include "util/text.h"

#include <stdlib.h>
#include <string.h>

luft_book *book_open_file(const char *command, const char *path) {
    luft_book *book = NULL;
    luft_book_report report;
    char quoted[TEXT_QUOTED_SIZE];
    if (luft_book_open(&book, path, &report) == LUFT_OK) {
        return book;
    }
    text_quote(quoted, path, strlen(path));
    if (report.offset > 0) {
        output_error(command, "%s: %s at byte %zu", quoted, report.reason, report.offset);
    } else {
        output_error(command, "%s: %s", quoted, report.reason);
    }
    return NULL;
}

void book_group_add(book_group *group, uint16_t move, uint64_t weight, uint32_t learn) {
    if (group->count < LUFT_BOOK_MAX_ENTRIES_PER_KEY) {
        group->entries[group->count++] = (book_wide_entry){weight, learn, move};
    }
}

/* By weight, the highest first; then by move, so that the same games give the same file. */
static int compare_entries(const void *a, const void *b) {
    const book_wide_entry *first = a, *second = b;
    return first->weight != second->weight ? (first->weight < second->weight) - (first->weight > second->weight)
                                           : (first->move > second->move) - (first->move < second->move);
}

luft_error book_group_write(book_group *group, luft_book_writer *writer) {
    luft_error error = LUFT_OK;
    qsort(group->entries, (size_t)group->count, sizeof group->entries[0], compare_entries);
    const uint64_t highest = group->count > 0 ? group->entries[0].weight : 0;
    for (int i = 0; i < group->count && error == LUFT_OK; i++) {
        uint64_t weight = group->entries[i].weight;
        if (highest > UINT16_MAX && weight > 0) {
            weight = (weight * UINT16_MAX + highest / 2) / highest;
            weight = weight > 0 ? weight : 1;
        }
        const luft_book_entry entry = {.key = group->key,
                                       .move = group->entries[i].move,
                                       .weight = (uint16_t)weight,
                                       .learn = group->entries[i].learn};
        error = luft_book_write(writer, &entry);
    }
    group->count = 0;
    return error;
}

bool book_write_stream(void *stream, const void *bytes, size_t length) {
    return fwrite(bytes, 1, length, stream) == length;
}
