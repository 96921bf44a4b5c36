/* SPDX-License-Identifier: MIT */
/*
 * Where the bytes of a table come from: the caller's memory, a mapping of a file, or a file that is read by pread through
 * a cache of pages.
 *
 * All threads share the cache without a lock. A page can be in any slot of one set; a new one replaces the page that came
 * first. Each slot holds one page and a sequence number, which is odd while a thread fills the slot. A reader copies what it needs and uses the copy only if the number was even and is the same afterwards;
 * otherwise it reads the file. Loads of the page acquire and stores release, so that a reader which sees a byte of a
 * newer page also sees the newer sequence number. On x86 these are plain moves.
 *
 * A file stays open while its table is in use. Beyond a share of the files that the process may open, a file is opened for
 * each page that is read: a set of all tables of six pieces has more files than many systems allow.
 *
 * WebAssembly has no files: that build has tables in memory only and imports nothing from the system.
 */
#ifdef __wasm__
#define LUFT_NO_FILES
#else
#define _POSIX_C_SOURCE 200809L
#endif

#include "games/tablebase_internal.h"

#include <stdlib.h>
#include <string.h>

#ifndef LUFT_NO_FILES
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

enum { PAGE_BYTES = 4096, PAGE_WORDS = PAGE_BYTES / 8, PAGE_BITS = 40 };
enum { SET_BITS = 8, SETS = 1 << SET_BITS, SET_SLOTS = 4 };
enum { OPEN_FILES_MAX = 4096 }; /* more than there are tables of up to seven pieces */

typedef struct page_slot {
    atomic_uint_least32_t sequence; /* odd while the slot is filled */
    atomic_uint_least64_t tag;      /* the number of the table above the number of the page; 0 for none */
} page_slot;

struct page_cache {
    atomic_int open_files;
    int open_files_max;
    page_slot slots[SETS][SET_SLOTS];
    atomic_uint_least64_t words[SETS][SET_SLOTS][PAGE_WORDS];
};

/* How many files stay open: a quarter of those that the process may open, so that others can open some too. */
static int max_open_files(void) {
#ifndef LUFT_NO_FILES
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        return limit.rlim_cur < OPEN_FILES_MAX * 4 ? (int)limit.rlim_cur / 4 : OPEN_FILES_MAX;
    }
#endif
    return 0;
}

/* The words are not written here: pages of memory that no table needs stay untouched. */
page_cache *luft_page_cache_create(void) {
    page_cache *cache = malloc(sizeof *cache);
    if (cache) {
        atomic_init(&cache->open_files, 0);
        cache->open_files_max = max_open_files();
        for (int i = 0; i < SETS * SET_SLOTS; i++) {
            atomic_init(&cache->slots[i / SET_SLOTS][i % SET_SLOTS].sequence, 0);
            atomic_init(&cache->slots[i / SET_SLOTS][i % SET_SLOTS].tag, 0);
        }
    }
    return cache;
}

#ifdef LUFT_NO_FILES

table_fault luft_table_bytes_open(table_bytes *bytes, page_cache *cache, const char *path) {
    (void)bytes, (void)cache, (void)path;
    return TABLE_NOT_OPENED;
}

void luft_table_bytes_close(table_bytes *bytes, page_cache *cache) {
    (void)bytes, (void)cache;
}

static bool read_file(const table_bytes *bytes, uint64_t offset, void *target, size_t size) {
    (void)bytes, (void)offset, (void)target, (void)size;
    return false;
}

#else

/* Without blocking: a FIFO would wait for its other end. */
static int open_file(const char *path) {
    return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

static table_fault map_file(table_bytes *bytes) {
    void *mapping = bytes->size <= SIZE_MAX
                        ? mmap(NULL, (size_t)bytes->size, PROT_READ, MAP_SHARED, bytes->descriptor, 0)
                        : MAP_FAILED;
    bytes->is_mapped = mapping != MAP_FAILED;
    bytes->memory = bytes->is_mapped ? mapping : NULL;
    return bytes->is_mapped ? TABLE_SOUND : TABLE_UNREADABLE;
}

table_fault luft_table_bytes_open(table_bytes *bytes, page_cache *cache, const char *path) {
    struct stat status;
    const int descriptor = open_file(path);
    if (descriptor < 0) {
        return errno == EMFILE || errno == ENFILE ? TABLE_NO_DESCRIPTOR : TABLE_NOT_OPENED;
    }
    *bytes = (table_bytes){.descriptor = descriptor};
    table_fault fault = TABLE_SOUND;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        fault = TABLE_NOT_A_FILE;
    } else if (status.st_size % 64 != CHECKSUM_SIZE) {
        fault = TABLE_BAD_SIZE;
    } else {
        bytes->size = (uint64_t)status.st_size;
        fault = cache ? TABLE_SOUND : map_file(bytes);
    }
    if (fault == TABLE_SOUND && cache) {
        if (atomic_fetch_add(&cache->open_files, 1) < cache->open_files_max) {
            return TABLE_SOUND;
        }
        atomic_fetch_sub(&cache->open_files, 1);
        bytes->path = path;
    }
    close(descriptor); /* a mapping needs none */
    bytes->descriptor = -1;
    return fault;
}

void luft_table_bytes_close(table_bytes *bytes, page_cache *cache) {
    if (bytes->is_mapped) {
        munmap((void *)bytes->memory, (size_t)bytes->size); /* our own mapping, const only for readers */
    }
    if (bytes->descriptor >= 0) {
        close(bytes->descriptor);
        atomic_fetch_sub(&cache->open_files, 1);
    }
}

/* False if the file fails or ends too early. */
static bool read_descriptor(int descriptor, uint64_t offset, void *target, size_t size) {
    uint8_t *next = target;
    while (size > 0) {
        const ssize_t count = pread(descriptor, next, size, (off_t)offset);
        if (count > 0) {
            next += count;
            offset += (uint64_t)count;
            size -= (size_t)count;
        } else if (count == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

static bool read_file(const table_bytes *bytes, uint64_t offset, void *target, size_t size) {
    const int descriptor = bytes->path ? open_file(bytes->path) : bytes->descriptor;
    const bool is_read = descriptor >= 0 && read_descriptor(descriptor, offset, target, size);
    if (bytes->path && descriptor >= 0) {
        close(descriptor);
    }
    return is_read;
}

#endif

/* --- The cache --------------------------------------------------------------- */

/* Copies the words `from` to `end` - 1 of a page that is in its slot. False if a thread is filling the slot. */
static bool copy_cached(page_slot *slot, const atomic_uint_least64_t *words, uint64_t tag, size_t from, size_t end,
                        uint8_t *target) {
    const uint_least32_t sequence = atomic_load_explicit(&slot->sequence, memory_order_acquire);
    if (sequence % 2 != 0 || atomic_load_explicit(&slot->tag, memory_order_acquire) != tag) {
        return false;
    }
    for (size_t i = from; i < end; i++) {
        const uint64_t word = atomic_load_explicit(&words[i], memory_order_acquire);
        memcpy(target, &word, sizeof word);
        target += sizeof word;
    }
    return atomic_load_explicit(&slot->sequence, memory_order_relaxed) == sequence;
}

/* Puts a page into its slot, unless another thread is doing that. */
static void fill_slot(page_slot *slot, atomic_uint_least64_t *words, uint64_t tag, const uint64_t *page) {
    uint_least32_t sequence = atomic_load_explicit(&slot->sequence, memory_order_relaxed);
    if (sequence % 2 != 0 || !atomic_compare_exchange_strong_explicit(&slot->sequence, &sequence, sequence + 1,
                                                                      memory_order_acquire, memory_order_relaxed)) {
        return;
    }
    atomic_store_explicit(&slot->tag, tag, memory_order_release);
    for (int i = 0; i < PAGE_WORDS; i++) {
        atomic_store_explicit(&words[i], page[i], memory_order_release);
    }
    atomic_store_explicit(&slot->sequence, sequence + 2, memory_order_release);
}

/* The slot of a set that was filled least often: slots are filled in turn. */
static int find_oldest(page_slot *slots) {
    int oldest = 0;
    uint_least32_t lowest = UINT32_MAX;
    for (int i = 0; i < SET_SLOTS; i++) {
        const uint_least32_t sequence = atomic_load_explicit(&slots[i].sequence, memory_order_relaxed);
        oldest = sequence < lowest ? i : oldest;
        lowest = sequence < lowest ? sequence : lowest;
    }
    return oldest;
}

/* Reads a page of a file, copies the words `from` to `end` - 1 and puts the page into its set. */
static bool load_page(page_cache *cache, size_t set, uint64_t tag, const table_bytes *bytes, uint64_t page, size_t from,
                      size_t end, uint8_t *target) {
    uint64_t words[PAGE_WORDS] = {0};
    const uint64_t left = bytes->size - page * PAGE_BYTES;
    if (!read_file(bytes, page * PAGE_BYTES, words, left < PAGE_BYTES ? (size_t)left : PAGE_BYTES)) {
        return false;
    }
    memcpy(target, words + from, (end - from) * sizeof *words);
    const int slot = find_oldest(cache->slots[set]);
    fill_slot(&cache->slots[set][slot], cache->words[set][slot], tag, words);
    return true;
}

/* Copies the words `from` to `end` - 1 of a page of a file, through the cache. */
static bool copy_page(page_cache *cache, uint32_t number, const table_bytes *bytes, uint64_t page, size_t from,
                      size_t end, uint8_t *target) {
    const uint64_t tag = (uint64_t)number << PAGE_BITS | page;
    const size_t set = (size_t)((tag * 0x9E3779B97F4A7C15) >> (64 - SET_BITS));
    page_slot *slots = cache->slots[set];
    for (int i = 0; i < SET_SLOTS; i++) {
        if (atomic_load_explicit(&slots[i].tag, memory_order_relaxed) == tag &&
            copy_cached(&slots[i], cache->words[set][i], tag, from, end, target)) {
            return true;
        }
    }
    return load_page(cache, set, tag, bytes, page, from, end, target);
}

const uint8_t *luft_table_view(const luft_tablebase *tablebase, const luft_table *table, const table_bytes *bytes,
                               uint64_t offset, size_t size, uint8_t *scratch) {
    if (size > bytes->size || offset > bytes->size - size) {
        return NULL;
    }
    if (bytes->memory) {
        return bytes->memory + offset;
    }
    const uint64_t end = (offset + size + 7) / 8; /* in words of the file */
    uint64_t word = offset / 8;
    uint8_t *target = scratch;
    while (word < end) {
        const uint64_t page = word / PAGE_WORDS;
        const uint64_t page_end = (page + 1) * PAGE_WORDS;
        const size_t from = (size_t)(word % PAGE_WORDS);
        const size_t count = (size_t)((end < page_end ? end : page_end) - word);
        if (!copy_page(tablebase->cache, table->number, bytes, page, from, from + count, target)) {
            return NULL;
        }
        target += count * 8;
        word += count;
    }
    return scratch + offset % 8;
}
