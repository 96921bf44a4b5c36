/* SPDX-License-Identifier: MIT */
/*
 * Memory in huge pages. See pages.h.
 */
#define _GNU_SOURCE /* madvise */

#include "pages.h"

#ifdef __wasm__

#include <stdlib.h>
#include <string.h>

/* Without mmap memory comes from the heap, which does not clear it. */
void *pages_map(size_t bytes) {
    enum { LINE = 64 };
    void *memory = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
    return memory ? memset(memory, 0, bytes) : NULL;
}

void pages_unmap(void *memory, size_t bytes) {
    (void)bytes;
    free(memory);
}

bool pages_clear(void *memory, size_t bytes) {
    (void)memory;
    (void)bytes;
    return false;
}

#else

#include <stdint.h>
#include <sys/mman.h>

/* Linux aligns a mapping to huge pages only if its size is a multiple of theirs. */
static size_t mapped_size(size_t bytes) {
    const size_t huge = (size_t)2 << 20;
    return bytes < huge || bytes > SIZE_MAX - huge ? bytes : (bytes + huge - 1) / huge * huge;
}

void *pages_map(size_t bytes) {
    void *memory = mmap(NULL, mapped_size(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
#ifdef MADV_HUGEPAGE
    madvise(memory, mapped_size(bytes), MADV_HUGEPAGE); /* no loss if refused */
#endif
    return memory;
}

void pages_unmap(void *memory, size_t bytes) {
    if (memory) {
        munmap(memory, mapped_size(bytes));
    }
}

/* Returns the pages to the kernel, which hands out cleared ones at the next access. */
bool pages_clear(void *memory, size_t bytes) {
    return madvise(memory, bytes, MADV_DONTNEED) == 0;
}

#endif
