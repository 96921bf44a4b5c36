/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: tables. The first byte chooses a table: 0 to 7 are sound ones, in which the following bytes are changes, three
 * for each: an offset and a value; the others take the input itself as a table. Then positions are probed. Nothing is
 * expected of the results, but each probe must end, and a table found to be damaged must be reported once.
 */
#include "decode.h"

#include "support/table_writer.h"

#include <stdlib.h>
#include <string.h>

enum { TABLES = 8 };

typedef struct base_table {
    char name[16];
    written_table table;
} base_table;

static base_table bases[TABLES];
static luft_position positions[12];
static int position_count;

static const char *const fens[] = {
    "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1", "8/8/8/3k4/8/8/1Q6/K7 b - - 0 1", "7k/8/5q2/8/8/8/8/K7 w - - 0 1",
    "8/8/8/3k4/8/8/1R6/K7 w - - 0 1", "k7/8/1K6/8/8/8/7R/8 b - - 0 1",  "8/8/8/3k4/8/4P3/8/K7 w - - 0 1",
    "8/8/8/3k4/8/7P/8/K7 b - - 0 1",  "8/p7/8/3k4/8/8/8/K7 b - - 0 1",  "8/4P3/8/8/3k4/8/8/K7 w - - 0 1",
    "8/8/8/3k4/8/8/1N6/K7 w - - 0 1", "8/8/8/3k4/8/8/1R6/K7 b - - 0 1", "8/1P6/8/8/8/8/8/k1K5 w - - 0 1",
};

int LLVMFuzzerInitialize(int *count, char ***arguments);

/* Solves the endings once; an input must not take that long. */
int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    static const luft_piece_type types[] = {LUFT_QUEEN, LUFT_PAWN, LUFT_ROOK, LUFT_KNIGHT};
    ending_solver *solver = ending_solver_create();
    for (int i = 0; i < TABLES; i++) {
        const luft_tablebase_kind kind = (luft_tablebase_kind)(i % 2);
        name_written_table(bases[i].name, types[i / 2], kind);
        bases[i].table = write_table(solver, types[i / 2], kind);
    }
    ending_solver_free(solver);
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        if (luft_position_from_fen(&positions[position_count++], fens[i], strlen(fens[i]), NULL) != LUFT_OK) {
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

/* The result of all positions, the distances of some, the moves of one: these take the most time. */
static void probe_all(const luft_tablebase *tablebase, int chosen) {
    luft_tablebase_moves moves;
    luft_tablebase_table table;
    luft_wdl wdl;
    int dtz, faults = 0;
    for (int i = 0; i < position_count; i++) {
        const luft_position *position = &positions[i];
        expect_possible(position, luft_tablebase_probe_wdl(&wdl, tablebase, position));
        if (i % 3 == chosen % 3) {
            expect_possible(position, luft_tablebase_probe_dtz(&dtz, tablebase, position));
        }
        if (i == chosen) {
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
    const int chosen = data[0] < TABLES ? data[0] : data[0] % TABLES;
    const written_table *base = &bases[chosen].table;
    const size_t length = data[0] < TABLES ? base->size : size - 1;
    uint8_t *bytes = malloc(length + (length == 0));
    if (!bytes) {
        abort();
    }
    memcpy(bytes, data[0] < TABLES ? base->bytes : data + 1, length);
    for (size_t i = 1; data[0] < TABLES && i + 3 <= size; i += 3) {
        bytes[(size_t)(data[i] | data[i + 1] << 8) % length] = data[i + 2];
    }
    /* Beside the sound tables of the other kind and of the endings that captures and promotions lead to. */
    if (luft_tablebase_add(tablebase, bases[chosen].name, bytes, length) != LUFT_OK) {
        abort();
    }
    for (int i = 0; i < TABLES; i++) {
        if (luft_tablebase_add(tablebase, bases[i].name, bases[i].table.bytes, bases[i].table.size) != LUFT_OK) {
            abort();
        }
    }
    probe_all(tablebase, (int)(size % (sizeof fens / sizeof *fens)));
    luft_tablebase_free(tablebase);
    free(bytes);
    return 0;
}
