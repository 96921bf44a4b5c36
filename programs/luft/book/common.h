/* SPDX-License-Identifier: MIT */
/* What the subcommands of `luft book` share: opening books with an error line, and writing the entries of a position. */
#ifndef LUFT_PROGRAM_BOOK_COMMON_H
#define LUFT_PROGRAM_BOOK_COMMON_H

#include "luft/luft.h"

#include <stdio.h>

/* Opens a book. NULL after an error line. */
luft_book *book_open_file(const char *command, const char *path);

/* An entry whose weight may have any size. */
typedef struct book_wide_entry {
    uint64_t weight;
    uint32_t learn;
    uint16_t move;
} book_wide_entry;

/* The entries of one position, to be written when all are known. */
typedef struct book_group {
    uint64_t key;
    int count;
    book_wide_entry entries[LUFT_BOOK_MAX_ENTRIES_PER_KEY];
} book_group;

/* Adds an entry of the group's position. More than fit are dropped: no position has as many moves. */
void book_group_add(book_group *group, uint16_t move, uint64_t weight, uint32_t learn);

/*
 * Writes the entries, the highest weight first, and empties the group. Weights that exceed 16 bits are scaled down
 * together, because only their shares count; a weight above 0 stays above 0.
 */
luft_error book_group_write(book_group *group, luft_book_writer *writer);

/* A luft_book_sink that writes to a stream. */
bool book_write_stream(void *stream, const void *bytes, size_t length);

#endif
