/* SPDX-License-Identifier: MIT */
/* Memory from mmap, with a request for large pages that the system may ignore. */
#define _DEFAULT_SOURCE

#include "pages.h"

#include <stdint.h>
#include <sys/mman.h>

#define LARGE_PAGE ((size_t)2 << 20)

bool pages_allocate(pages *out, size_t size) {
    *out = (pages){0};
    if (size == 0 || size > SIZE_MAX - LARGE_PAGE) {
        return false;
    }
    const size_t mapping_size = size + LARGE_PAGE;
    void *mapping = mmap(NULL, mapping_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) {
        return false;
    }
    char *aligned = (char *)mapping + (LARGE_PAGE - (uintptr_t)mapping % LARGE_PAGE);
    *out = (pages){aligned, size, mapping, mapping_size};
#if defined(MADV_HUGEPAGE)
    (void)madvise(out->memory, size, MADV_HUGEPAGE); /* a hint: without it the table is only slower */
#endif
    return true;
}

void pages_free(pages *memory) {
    if (memory->mapping) {
        munmap(memory->mapping, memory->mapping_size);
    }
    *memory = (pages){0};
}
