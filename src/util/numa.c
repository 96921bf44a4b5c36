/* SPDX-License-Identifier: MIT */
/* The nodes are read from /sys; memory and threads are placed by system calls. */
#define _GNU_SOURCE

#include "numa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool numa_read_list(uint64_t processors[NUMA_PROCESSORS_MAX / 64], const char *text) {
    memset(processors, 0, NUMA_PROCESSORS_MAX / 8);
    for (;;) {
        char *end;
        if (*text < '0' || *text > '9') {
            return false;
        }
        const unsigned long first = strtoul(text, &end, 10);
        unsigned long last = first;
        if (*end == '-') {
            text = end + 1;
            if (*text < '0' || *text > '9') {
                return false;
            }
            last = strtoul(text, &end, 10);
        }
        if (first > last || last >= NUMA_PROCESSORS_MAX) {
            return false;
        }
        for (unsigned long i = first; i <= last; i++) {
            processors[i / 64] |= UINT64_C(1) << i % 64;
        }
        if (*end != ',') {
            return *end == '\0' || *end == '\n';
        }
        text = end + 1;
    }
}

void numa_read(numa_map *map, const char *directory) {
    map->count = 0;
    for (int node = 0; node < NUMA_NODES_MAX; node++) {
        char path[512], text[4096];
        if (snprintf(path, sizeof path, "%s/node%d/cpulist", directory, node) >= (int)sizeof path) {
            return;
        }
        FILE *file = fopen(path, "r");
        if (!file) {
            continue; /* numbers may be left out */
        }
        if (fgets(text, sizeof text, file) && numa_read_list(map->processors[map->count], text)) {
            map->ids[map->count++] = node; /* a node without processors has an empty list */
        }
        fclose(file);
    }
}

#if defined(__linux__)

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#define INTERLEAVE 3 /* MPOL_INTERLEAVE of the kernel, whose header belongs to libnuma */

bool numa_spread(const numa_map *map, void *memory, size_t size) {
    unsigned long nodes = 0;
    for (int i = 0; i < map->count; i++) {
        nodes |= 1ul << map->ids[i];
    }
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = ((uintptr_t)memory + page - 1) / page * page;
    const uintptr_t end = (uintptr_t)memory + size;
    /* The kernel reads one bit fewer than the number says. */
    return map->count > 1 && begin < end &&
           syscall(SYS_mbind, begin, end - begin, INTERLEAVE, &nodes, sizeof nodes * 8 + 1, 0) == 0;
}

bool numa_keep_thread(const numa_map *map, int index, int count) {
    cpu_set_t allowed, wanted;
    if (map->count <= 1 || count < map->count || index >= count ||
        sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return false;
    }
    const int node = (int)((int64_t)index * map->count / count);
    int found = 0;
    CPU_ZERO(&wanted);
    for (int i = 0; i < NUMA_PROCESSORS_MAX && i < CPU_SETSIZE; i++) {
        if ((map->processors[node][i / 64] >> i % 64 & 1) && CPU_ISSET(i, &allowed)) {
            CPU_SET(i, &wanted);
            found++;
        }
    }
    return found > 0 && sched_setaffinity(0, sizeof wanted, &wanted) == 0;
}

#else

bool numa_spread(const numa_map *map, void *memory, size_t size) {
    (void)map, (void)memory, (void)size;
    return false;
}

bool numa_keep_thread(const numa_map *map, int index, int count) {
    (void)map, (void)index, (void)count;
    return false;
}

#endif
