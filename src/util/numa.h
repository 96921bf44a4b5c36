/* SPDX-License-Identifier: MIT */
/*
 * Machines whose memory is divided among nodes: each processor reaches that of its own node sooner. Tables that all threads
 * use are spread over the nodes, and threads stay on theirs. Both are hints: on a machine with one node, on another system
 * than Linux, or if the system refuses, nothing happens. It asks the kernel itself and needs no library.
 */
#ifndef LUFT_UTIL_NUMA_H
#define LUFT_UTIL_NUMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NUMA_NODES_MAX = 64, NUMA_PROCESSORS_MAX = 4096 };

typedef struct numa_map {
    int count; /* of nodes that have processors; at most one: nothing to do */
    int ids[NUMA_NODES_MAX];
    uint64_t processors[NUMA_NODES_MAX][NUMA_PROCESSORS_MAX / 64]; /* a bit for each */
} numa_map;

#define NUMA_DIRECTORY "/sys/devices/system/node"

/* Reads the nodes from this directory of the kernel; none if it cannot be read. */
void numa_read(numa_map *map, const char *directory);

/* Reads a list of processors, such as "0-3,8". False if it is not one. */
bool numa_read_list(uint64_t processors[NUMA_PROCESSORS_MAX / 64], const char *text);

/* Spreads memory that was not touched before over all nodes. False if it stays as it is. */
bool numa_spread(const numa_map *map, void *memory, size_t size);

/*
 * Keeps the calling thread, number `index` of `count`, on a node: as many threads on each. Processors that the thread may not
 * use, as mpirun or a scheduler has decided, stay out. False if it stays as it is.
 */
bool numa_keep_thread(const numa_map *map, int index, int count);

#endif
