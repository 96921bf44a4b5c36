/* SPDX-License-Identifier: MIT */
/* `luft book merge`: one book from several. Each is sorted, so they are read side by side, position by position. */
#include "commands.h"
#include "common.h"

#include "util/input.h"
#include "util/interrupt.h"
#include "util/options.h"
#include "util/output.h"
#include "util/output_file.h"

#include <inttypes.h>
#include <stdlib.h>

#define NAME "luft book merge"

static const char about[] = "Merges books in the Polyglot format. A move of a position gets the sum of its weights in "
                            "all books, and the learn\n"
                            "value of the first. Keeps all books in memory.\n";

/* A book and how far it is read. */
typedef struct source {
    luft_book *book;
    size_t next;
} source;

/* The lowest key that is left in any book; false if none is. */
static bool lowest_key(uint64_t *key, const source *sources, size_t count) {
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        luft_book_entry entry;
        if (luft_book_entry_at(&entry, sources[i].book, sources[i].next) && (!found || entry.key < *key)) {
            *key = entry.key;
            found = true;
        }
    }
    return found;
}

/* Adds the weight to the move of the group, or a new one. */
static void add_entry(book_group *group, const luft_book_entry *entry) {
    for (int i = 0; i < group->count; i++) {
        if (group->entries[i].move == entry->move) {
            group->entries[i].weight += entry->weight;
            return;
        }
    }
    book_group_add(group, entry->move, entry->weight, entry->learn);
}

static int merge_books(source *sources, size_t count, FILE *output, bool quiet) {
    book_group group = {.count = 0};
    luft_book_writer writer;
    luft_book_entry entry;
    uint64_t positions = 0, moves = 0;
    luft_book_writer_init(&writer, book_write_stream, output);
    while (lowest_key(&group.key, sources, count)) {
        for (size_t i = 0; i < count; i++) {
            source *from = &sources[i];
            for (; luft_book_entry_at(&entry, from->book, from->next) && entry.key == group.key; from->next++) {
                add_entry(&group, &entry);
            }
        }
        positions++;
        moves += (uint64_t)group.count;
        if (book_group_write(&group, &writer) != LUFT_OK) {
            return STATUS_FAILED;
        }
    }
    if (!quiet) {
        fprintf(stderr, "%zu books; %" PRIu64 " positions, %" PRIu64 " moves\n", count, positions, moves);
    }
    return STATUS_OK;
}

static void on_signal(void *payload, int number) {
    const output_file *file = payload;
    interrupt_exit(number, file->temporary);
}

static int write_merged(source *sources, size_t count, const char *path, bool quiet) {
    output_file file;
    interrupt signals = {0};
    if (!output_file_open(&file, path, NAME)) {
        return STATUS_USAGE;
    }
    if (file.temporary) {
        interrupt_start(&signals, on_signal, &file);
    }
    const int status = merge_books(sources, count, file.file, quiet);
    interrupt_stop(&signals);
    return output_file_close(&file, status == STATUS_OK, NAME) ? status : STATUS_FAILED;
}

int book_merge(int argc, char **argv) {
    const char *path = NULL;
    const char *const *paths;
    size_t count = 0, opened = 0;
    bool force = false, quiet = false;
    int status;
    const option options[] = {
        {.name = "output", .letter = 'o', .value = "FILE", .help = "write to FILE", .text = &path, .required = true},
        option_flag("force", "replace FILE if it exists", &force),
        option_flag("quiet", "print no summary", &quiet),
    };
    const option_table table = {.command = NAME,
                                .usage = "[options] BOOK...",
                                .about = about,
                                .options = options,
                                .option_count = sizeof options / sizeof options[0],
                                .rest = &paths,
                                .rest_count = &count};
    if (!options_read(&table, argc, argv, &status)) {
        return status;
    }
    if (count == 0) {
        output_error(NAME, "expected a book (luft book merge --help shows how)");
        return STATUS_USAGE;
    }
    if (input_is_among(path, paths, count)) {
        output_error(NAME, "--output: %s is also a file to read", path);
        return STATUS_USAGE;
    }
    if (!output_file_may_create(path, force, NAME)) {
        return STATUS_USAGE;
    }
    source *sources = calloc(count, sizeof *sources);
    if (!sources) {
        output_error(NAME, "out of memory");
        return STATUS_FAILED;
    }
    while (opened < count && (sources[opened].book = book_open_file(NAME, paths[opened]))) {
        opened++;
    }
    status = opened == count ? write_merged(sources, count, path, quiet) : STATUS_USAGE;
    for (size_t i = 0; i < opened; i++) {
        luft_book_free(sources[i].book);
    }
    free(sources);
    return status;
}
