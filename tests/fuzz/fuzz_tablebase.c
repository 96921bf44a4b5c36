/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: tables. The first byte chooses a table of tests/data, by its lowest three bits. Below 16 the following bytes
 * are changes in that table, three for each: an offset and a value; from 8 on the sound tables stand beside it, to which
 * promotions lead. From 16 on the input itself is the table. Then positions of this ending are probed. Nothing is expected of
 * the results, but each probe must end, and a table found to be damaged must be reported once.
 */
#include "decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLES = 8, POSITIONS = 12, SIZE_MAX_KB = 64, BESIDE_SOUND = 8, INPUT_IS_TABLE = 16 };

static struct {
    uint8_t *bytes;
    size_t size;
} bases[TABLES];
static const char *const names[TABLES] = {"KQvK.rtbw", "KQvK.rtbz", "KPvK.rtbw", "KPvK.rtbz",
                                          "KRvK.rtbw", "KRvK.rtbz", "KNvK.rtbw", "KNvK.rtbz"};
static luft_position positions[POSITIONS];

static const char *const fens[POSITIONS] = {
    "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1", "8/8/8/3k4/8/8/1Q6/K7 b - - 0 1", "7k/8/5q2/8/8/8/8/K7 w - - 0 1",
    "8/8/8/3k4/8/8/1R6/K7 w - - 0 1", "k7/8/1K6/8/8/8/7R/8 b - - 0 1",  "8/8/8/3k4/8/4P3/8/K7 w - - 0 1",
    "8/8/8/3k4/8/7P/8/K7 b - - 0 1",  "8/p7/8/3k4/8/8/8/K7 b - - 0 1",  "8/4P3/8/8/3k4/8/8/K7 w - - 0 1",
    "8/8/8/3k4/8/8/1N6/K7 w - - 0 1", "8/8/8/3k4/8/8/1R6/K7 b - - 0 1", "8/1P6/8/8/8/8/8/k1K5 w - - 0 1",
};

int LLVMFuzzerInitialize(int *count, char ***arguments);

/* Reads the tables; scripts/test/fuzz runs from the top of the repository. */
int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    const char *data = getenv("LUFT_TEST_DATA");
    for (int i = 0; i < TABLES; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/syzygy/%s", data ? data : "tests/data", names[i]);
        FILE *file = fopen(path, "rb");
        bases[i].bytes = malloc((size_t)SIZE_MAX_KB << 10);
        if (!file || !bases[i].bytes) {
            perror(path);
            exit(1);
        }
        bases[i].size = fread(bases[i].bytes, 1, (size_t)SIZE_MAX_KB << 10, file);
        fclose(file);
    }
    for (int i = 0; i < POSITIONS; i++) {
        if (luft_position_from_fen(&positions[i], fens[i], strlen(fens[i]), NULL) != LUFT_OK) {
            abort();
        }
    }
    return 0;
}

static void expect_possible(const luft_position *position, luft_error error) {
    if (error != LUFT_OK && error != LUFT_ERROR_MISSING && error != LUFT_ERROR_DAMAGED) {
        report(position, "an error that a table in memory cannot have");
    }
}

/* A piece of the ending is in the FEN as `letter` of White or of Black. */
static bool is_of_ending(const char *fen, char letter) {
    return memchr(fen, letter, strcspn(fen, " ")) || memchr(fen, letter | 32, strcspn(fen, " "));
}

/* The results of the positions of an ending, the distance of one, and its moves in few inputs: these take the most time. */
static void probe_all(const luft_tablebase *tablebase, char letter, size_t choice) {
    luft_tablebase_moves moves;
    luft_tablebase_table table;
    luft_wdl wdl;
    int dtz, faults = 0;
    size_t number = 0; /* of the position in its ending */
    for (int i = 0; i < POSITIONS; i++) {
        const luft_position *position = &positions[i];
        if (!is_of_ending(fens[i], letter)) {
            continue;
        }
        expect_possible(position, luft_tablebase_probe_wdl(&wdl, tablebase, position));
        if (number++ != choice % 2) {
            continue;
        }
        expect_possible(position, luft_tablebase_probe_dtz(&dtz, tablebase, position));
        if (choice % 16 < 2) {
            expect_possible(position, luft_tablebase_probe_root(&moves, tablebase, position, NULL, 0, true));
        }
    }
    while (luft_tablebase_next_fault(&table, tablebase)) {
        faults++;
    }
    if ((size_t)faults > luft_tablebase_count(tablebase)) {
        report(&positions[0], "a table is reported twice");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    luft_tablebase *tablebase = NULL;
    if (size == 0 || luft_tablebase_open(&tablebase, NULL, LUFT_TABLEBASE_READ) != LUFT_OK) {
        return 0;
    }
    const int chosen = data[0] % TABLES;
    const bool is_change = data[0] < INPUT_IS_TABLE;
    const size_t length = is_change ? bases[chosen].size : size - 1;
    uint8_t *bytes = malloc(length + (length == 0));
    if (!bytes) {
        abort();
    }
    memcpy(bytes, is_change ? bases[chosen].bytes : data + 1, length);
    for (size_t i = 1; is_change && i + 3 <= size; i += 3) {
        bytes[(size_t)(data[i] | data[i + 1] << 8) % length] = data[i + 2];
    }
    if (luft_tablebase_add(tablebase, names[chosen], bytes, length) != LUFT_OK) {
        abort();
    }
    for (int i = 0; is_change && data[0] >= BESIDE_SOUND && i < TABLES; i++) {
        if (luft_tablebase_add(tablebase, names[i], bases[i].bytes, bases[i].size) != LUFT_OK) {
            abort();
        }
    }
    probe_all(tablebase, names[chosen][1], size);
    luft_tablebase_free(tablebase);
    free(bytes);
    return 0;
}
