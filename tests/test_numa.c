/* SPDX-License-Identifier: MIT */
/* Nodes of memory: lists of processors, a directory as that of a machine with two nodes, threads that stay on their node. */
#define _GNU_SOURCE

#include "support/check.h"
#include "util/numa.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void lists_are_read(void **state) {
    (void)state;
    static const char *const bad[] = {"",   "\n",   "x",    "1-",     "-1",  "3-2",
                                      "1,", "1,,2", "4096", "0-4096", "1 2", "99999999999999999999"};
    uint64_t processors[NUMA_PROCESSORS_MAX / 64];
    assert_true(numa_read_list(processors, "0-3,8,64-65\n"));
    assert_int_equal(processors[0], 0x10f);
    assert_int_equal(processors[1], 3);
    assert_true(numa_read_list(processors, "4095"));
    assert_int_equal(processors[0], 0);
    assert_true(processors[NUMA_PROCESSORS_MAX / 64 - 1] == UINT64_C(1) << 63);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(numa_read_list(processors, bad[i]));
    }
}

/* A directory with a node for each list; an empty one has memory alone. */
static void make_directory(char *path, const char *const *lists, int count) {
    char name[128];
    assert_non_null(mkdtemp(path));
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s/node%d", path, 3 * i);
        assert_int_equal(mkdir(name, 0700), 0);
        snprintf(name, sizeof name, "%s/node%d/cpulist", path, 3 * i);
        FILE *file = fopen(name, "w");
        assert_non_null(file);
        fprintf(file, "%s\n", lists[i]);
        fclose(file);
    }
}

static void remove_directory(const char *path, int count) {
    char name[128];
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s/node%d/cpulist", path, 3 * i);
        unlink(name);
        snprintf(name, sizeof name, "%s/node%d", path, 3 * i);
        rmdir(name);
    }
    rmdir(path);
}

static void nodes_are_read(void **state) {
    (void)state;
    static numa_map map;
    static const char *const lists[] = {"0-1,4", "", "2-3"};
    char path[] = "/tmp/luft-numa-XXXXXX";
    make_directory(path, lists, 3);
    numa_read(&map, path);
    remove_directory(path, 3);
    assert_int_equal(map.count, 2);
    assert_int_equal(map.ids[1], 6);
    assert_int_equal(map.processors[0][0], 0x13);
    assert_int_equal(map.processors[1][0], 0xc);
    numa_read(&map, "/nowhere");
    assert_int_equal(map.count, 0);
    assert_false(numa_keep_thread(&map, 0, 1));
    assert_false(numa_spread(&map, path, 1));
    numa_read(&map, NUMA_DIRECTORY); /* whatever this machine has */
}

typedef struct kept_thread {
    const numa_map *map;
    int index, count;
    bool kept;
    cpu_set_t processors;
} kept_thread;

static void *stay(void *argument) {
    kept_thread *self = argument;
    self->kept = numa_keep_thread(self->map, self->index, self->count);
    sched_getaffinity(0, sizeof self->processors, &self->processors);
    return NULL;
}

/* Each processor of this machine as a node: of as many threads, each stays on its own. */
static void threads_stay_on_their_node(void **state) {
    (void)state;
    static numa_map map;
    cpu_set_t allowed;
    int processors[2], count = 0;
    assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    for (int i = 0; i < CPU_SETSIZE && count < 2; i++) {
        if (CPU_ISSET(i, &allowed)) {
            processors[count++] = i;
        }
    }
    if (count < 2) {
        print_message("skipped: one processor\n");
        return;
    }
    map.count = 2;
    for (int i = 0; i < 2; i++) {
        map.ids[i] = i;
        map.processors[i][processors[i] / 64] = UINT64_C(1) << processors[i] % 64;
    }
    for (int index = 0; index < 4; index++) {
        kept_thread thread = {.map = &map, .index = index, .count = 4};
        pthread_t id;
        assert_int_equal(pthread_create(&id, NULL, stay, &thread), 0);
        assert_int_equal(pthread_join(id, NULL), 0);
        assert_true(thread.kept);
        assert_int_equal(CPU_COUNT(&thread.processors), 1);
        assert_true(CPU_ISSET(processors[index / 2], &thread.processors));
    }
    /* A node without a processor that this thread may use changes nothing. */
    memset(map.processors[1], 0, sizeof map.processors[1]);
    kept_thread thread = {.map = &map, .index = 1, .count = 2};
    stay(&thread);
    assert_false(thread.kept);
    assert_true(CPU_EQUAL(&thread.processors, &allowed));
}

/*
 * This machine may have one node. A second entry with the same number makes it two for the function, and the kernel is asked
 * where it takes the memory from.
 */
static void memory_is_spread(void **state) {
    (void)state;
    enum { SIZE = 1 << 20 };
    static numa_map map;
    numa_read(&map, NUMA_DIRECTORY);
    char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    if (map.count == 1) {
        map.ids[map.count++] = map.ids[0];
    }
    int mode = -1;
    if (map.count == 0 || syscall(SYS_get_mempolicy, &mode, NULL, 0, memory, 2) != 0) {
        print_message("skipped: the kernel has no nodes\n");
    } else {
        assert_int_equal(mode, 0); /* the default */
        assert_true(numa_spread(&map, memory + 64, SIZE - 64));
        assert_int_equal(syscall(SYS_get_mempolicy, &mode, NULL, 0, memory + SIZE / 2, 2), 0);
        assert_int_equal(mode, 3); /* interleaved */
        assert_int_equal(syscall(SYS_get_mempolicy, &mode, NULL, 0, memory, 2), 0);
        assert_int_equal(mode, 0); /* the page that begins before the memory */
        memset(memory, 1, SIZE);
    }
    munmap(memory, SIZE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_read),
        cmocka_unit_test(nodes_are_read),
        cmocka_unit_test(threads_stay_on_their_node),
        cmocka_unit_test(memory_is_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
