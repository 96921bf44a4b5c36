/* SPDX-License-Identifier: MIT */
/*
 * Directories of shards: which files are found, and that a directory that cannot be read
 * completely is an error, not a shorter list.
 */
#define _GNU_SOURCE

#include "support/check.h"

#include "luft-train/data/inputs.h"
#include "luft-train/data/shards.h"
#include "util/output.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHARDS = 5 };

static char directory[] = "/tmp/luft-shards-XXXXXX";
static int entries_left = -1; /* entries that readdir returns before it fails; -1: it does not fail */

/* Replaces readdir of the C library. */
struct dirent *readdir(DIR *listing) {
    struct dirent *(*const real)(DIR *) = (struct dirent * (*)(DIR *)) dlsym(RTLD_NEXT, "readdir");
    if (entries_left == 0) {
        errno = EIO;
        return NULL;
    }
    entries_left -= entries_left > 0;
    return real(listing);
}

static int set_up(void **state) {
    (void)state;
    char path[64];
    const uint8_t bytes[1] = {0};
    const buffer none = {.data = (char *)bytes};
    const file_header header = file_header_of(FILE_KIND_GAMES);
    if (!mkdtemp(directory)) {
        return 1;
    }
    for (int i = 1; i <= SHARDS; i++) {
        snprintf(path, sizeof path, "%s/%06d.games", directory, i);
        if (!game_file_write(path, &header, &none)) {
            return 1;
        }
    }
    snprintf(path, sizeof path, "%s/000006.games.012345", directory); /* left behind by a killed process */
    return game_file_write(path, &header, &none) ? 0 : 1;
}

static int tear_down(void **state) {
    (void)state;
    char path[64];
    for (int i = 1; i <= SHARDS; i++) {
        snprintf(path, sizeof path, "%s/%06d.games", directory, i);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/000006.games.012345", directory);
    unlink(path);
    snprintf(path, sizeof path, "%s/log", directory);
    unlink(path);
    return rmdir(directory);
}

static void only_complete_shards_are_found(void **state) {
    (void)state;
    inputs list;
    shards all;
    char name[] = "test", *arguments[] = {name, directory, NULL};
    const option_table table = {.command = "test"};
    int status;
    assert_true(inputs_read(&list, &table, 2, arguments, &status));
    assert_int_equal(list.count, SHARDS);
    for (size_t i = 1; i < list.count; i++) {
        assert_true(strcmp(list.paths[i - 1], list.paths[i]) < 0);
    }
    inputs_free(&list);
    assert_true(shards_open(&all, directory, "test"));
    assert_int_equal(all.count, SHARDS);
    assert_int_equal(shards_next(&all), SHARDS + 1);
    shards_close(&all);
}

static void a_partly_read_directory_is_an_error(void **state) {
    (void)state;
    inputs list;
    shards all;
    char name[] = "test", *arguments[] = {name, directory, NULL};
    const option_table table = {.command = "test"};
    for (int i = 0; i < SHARDS; i++) {
        int status;
        entries_left = i;
        assert_false(inputs_read(&list, &table, 2, arguments, &status));
        assert_int_equal(status, STATUS_USAGE);
        entries_left = i;
        assert_false(shards_open(&all, directory, "test"));
    }
    entries_left = -1;
    only_complete_shards_are_found(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_complete_shards_are_found),
        cmocka_unit_test(a_partly_read_directory_is_an_error),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
