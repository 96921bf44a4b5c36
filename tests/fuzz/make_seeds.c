/* SPDX-License-Identifier: MIT */
/*
 * Writes what the fuzzer starts from: compact positions of random games, standard
 * and Chess960, and fantastic ones, each in a file of its own.
 *
 *     make_seeds DIRECTORY
 */
#include "support/check.h"
#include "support/random_positions.h"

#include <stdio.h>

typedef struct seed_files {
    const char *directory;
    int visited, written;
} seed_files;

/* One position in seven of a game is enough: neighbours are much alike. */
static void write_seed(const luft_position *position, void *payload) {
    seed_files *files = payload;
    luft_compact compact;
    char path[4096];
    if (files->visited++ % 7 != 0) {
        return;
    }
    const int length = snprintf(path, sizeof path, "%s/seed-%04d", files->directory, files->written++);
    FILE *file = length < (int)sizeof path ? fopen(path, "wb") : NULL;
    const bool done = file != NULL && luft_compact_pack(&compact, position) == LUFT_OK &&
                      fwrite(compact.bytes, sizeof compact.bytes, 1, file) == 1;
    if ((file != NULL && fclose(file) != 0) || !done) {
        fail_msg("cannot write %s", path);
    }
}

static void seeds_are_written(void **state) {
    seed_files files = {.directory = *state};
    visit_random_games(20, write_seed, &files);
    visit_fantastic_positions(1400, write_seed, &files);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: make_seeds DIRECTORY\n");
        return 2;
    }
    /* The random positions fail a test where something is wrong, so there has to be one. */
    const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(seeds_are_written, argv[1])};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
