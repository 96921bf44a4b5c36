/* SPDX-License-Identifier: MIT */
/*
 * Large blocks of zeroed memory, on large pages if the system has them: a table that is read at random places spends
 * much of its time on address translation with small pages.
 */
#ifndef LUFT_UTIL_PAGES_H
#define LUFT_UTIL_PAGES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pages {
    void *memory; /* aligned to 2 MiB; NULL for none */
    size_t size;
    void *mapping; /* what mmap returned: somewhat more */
    size_t mapping_size;
} pages;

/* False if the system has too little memory. No page is touched before its first use. */
bool pages_allocate(pages *out, size_t size);

/* Fine with all zeros. */
void pages_free(pages *memory);

#endif
