/* SPDX-License-Identifier: MIT */
/*
 * A library to preload (LD_PRELOAD) into a program that is to run out of something.
 * It counts what the program asks of the system and refuses one request, or all from
 * one on. Memory of the C library itself, as for a buffer of stdio, counts too.
 *
 *     LUFT_FAIL_MEMORY=K     the K-th allocation fails: malloc, calloc, realloc, aligned_alloc, posix_memalign, mmap
 *     LUFT_FAIL_THREAD=K     the K-th thread is not started
 *     LUFT_FAIL_ON=1         all later ones fail too
 *     LUFT_FAIL_REPORT=FILE  at the end FILE says how many of each were asked for, and how many blocks are left:
 *                            `allocations N threads N left N`
 *
 * The C library keeps some blocks for its own life: buffers of stdio, and one for each stack of a thread that it may use again.
 * It releases them before the count, so every remaining allocation is the program's: 0 unless it leaks.
 * Needs the GNU C library, whose own allocator it calls by its second names.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);
void __libc_freeres(void);

typedef struct resource {
    atomic_long asked;
    long failing; /* the number of the request that fails, counted from 1; 0 for none */
} resource;

static resource memory, threads;
static atomic_long left; /* blocks and mappings */
static bool and_later;
static const char *report_path;

static long number_of(const char *name) {
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void begin(void) {
    memory.failing = number_of("LUFT_FAIL_MEMORY");
    threads.failing = number_of("LUFT_FAIL_THREAD");
    and_later = number_of("LUFT_FAIL_ON") != 0;
    report_path = getenv("LUFT_FAIL_REPORT");
}

__attribute__((destructor)) static void end(void) {
    char text[128];
    __libc_freeres(); /* writes out what is in buffers first */
    const int length = snprintf(text, sizeof text, "allocations %ld threads %ld left %ld\n", atomic_load(&memory.asked),
                                atomic_load(&threads.asked), atomic_load(&left));
    const int file = report_path ? open(report_path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (file >= 0 && write(file, text, (size_t)length) != length) {
        _exit(99);
    }
}

static bool is_granted(resource *what) {
    const long number = atomic_fetch_add(&what->asked, 1) + 1;
    return what->failing == 0 || (number != what->failing && !(and_later && number > what->failing));
}

/* Counts a block that was given out, and says ENOMEM of one that was not. */
static void *given(void *block) {
    if (block) {
        atomic_fetch_add(&left, 1);
    } else {
        errno = ENOMEM;
    }
    return block;
}

void *malloc(size_t size) {
    return given(is_granted(&memory) ? __libc_malloc(size) : NULL);
}

void *calloc(size_t count, size_t size) {
    return given(is_granted(&memory) ? __libc_calloc(count, size) : NULL);
}

void *realloc(void *block, size_t size) {
    void *result = is_granted(&memory) ? __libc_realloc(block, size) : NULL;
    if (!result && size > 0) {
        errno = ENOMEM;
    }
    atomic_fetch_add(&left, (result && !block) - (!result && block && size == 0));
    return result;
}

void *aligned_alloc(size_t alignment, size_t size) {
    return given(is_granted(&memory) ? __libc_memalign(alignment, size) : NULL);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    void *block = given(is_granted(&memory) ? __libc_memalign(alignment, size) : NULL);
    if (!block) {
        return ENOMEM;
    }
    *result = block;
    return 0;
}

void free(void *block) {
    if (block) {
        atomic_fetch_sub(&left, 1);
    }
    __libc_free(block);
}

/* The C library maps its own memory past these two. */
void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
    void *(*const real)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap");
    void *mapping = is_granted(&memory) ? real(address, length, protection, flags, file, offset) : MAP_FAILED;
    if (mapping == MAP_FAILED) {
        errno = ENOMEM;
    } else {
        atomic_fetch_add(&left, 1);
    }
    return mapping;
}

int munmap(void *address, size_t length) {
    int (*const real)(void *, size_t) = dlsym(RTLD_NEXT, "munmap");
    atomic_fetch_sub(&left, 1);
    return real(address, length);
}

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
    int (*const real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        dlsym(RTLD_NEXT, "pthread_create");
    return is_granted(&threads) ? real(id, attributes, function, argument) : EAGAIN;
}
