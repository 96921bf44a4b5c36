/* SPDX-License-Identifier: MIT */
/*
 * Large memory filled with zeros, on large pages where the system gives them: a
 * table that is read at random places spends much of its time looking up small ones.
 */
#ifndef LUFT_UTIL_PAGES_H
#define LUFT_UTIL_PAGES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pages {
    void *memory; /* aligned to 2 MiB; NULL for none */
    size_t size;
    void *mapping; /* what the system gave: somewhat more */
    size_t mapping_size;
} pages;

/* False, and no memory, if the system has not so much. Nothing is touched until it is used. */
bool pages_allocate(pages *out, size_t size);

/* Fine with none. */
void pages_free(pages *memory);

#endif
