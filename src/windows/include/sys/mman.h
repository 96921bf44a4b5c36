/* SPDX-License-Identifier: MIT */
/* Memory and mapped files: see src/windows/memory.c. */
#ifndef LUFT_WINDOWS_MMAN_H
#define LUFT_WINDOWS_MMAN_H

#include <stddef.h>
#include <sys/types.h>

enum { PROT_READ = 1, PROT_WRITE = 2, MAP_SHARED = 1, MAP_PRIVATE = 2, MAP_ANONYMOUS = 32, MADV_DONTNEED = 4 };
#define MAP_FAILED ((void *)-1)

void *mmap(void *address, size_t size, int protection, int flags, int descriptor, off_t offset);
int munmap(void *memory, size_t size);

/* Windows cannot clear pages by releasing them: the caller clears them. */
static inline int madvise(void *memory, size_t size, int advice) {
    (void)memory, (void)size, (void)advice;
    return -1;
}

#endif
