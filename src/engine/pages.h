/* SPDX-License-Identifier: MIT */
/*
 * Memory for large tables that are read at random, in huge pages where the system has them: most reads then need no walk
 * through the page tables.
 */
#ifndef LUFT_ENGINE_PAGES_H
#define LUFT_ENGINE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* Zeros, aligned to a cache line. NULL if out of memory. */
void *pages_map(size_t bytes);

/* Frees memory of pages_map, with the same size. NULL is fine. */
void pages_unmap(void *memory, size_t bytes);

/* Clears it at the price of the pages that are used afterwards; false if the system cannot. */
bool pages_clear(void *memory, size_t bytes);

#endif
