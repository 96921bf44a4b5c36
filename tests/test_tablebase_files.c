/* SPDX-License-Identifier: MIT */
/*
 * Hostile tables: cut, flipped, swapped, and files that are not tables. None may crash, hang, leak or read out of bounds; a
 * bad one is reported once and then counts as missing. Runs over tables that the tests write, and over public ones if
 * LUFT_DATA has them.
 */
#define _XOPEN_SOURCE 700

#include "support/check.h"
#include "support/random_positions.h"
#include "support/table_writer.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Tables and positions ------------------------------------------------------------------ */

/* A table under test, and positions to probe it with. */
typedef struct victim {
    char name[32];
    uint8_t *bytes;
    size_t size;
    size_t header_size; /* at least what the header has */
    luft_position positions[16];
    int position_count;
} victim;

static ending_solver *solver;

static int set_up(void **state) {
    (void)state;
    solver = ending_solver_create();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ending_solver_free(solver);
    return 0;
}

/* Random legal positions with the pieces of the name. */
static void add_positions(victim *table) {
    random_source random = {(uint64_t)table->name[1] * 256 + (uint64_t)table->name[3]};
    ending_position ending = {.count = 0};
    luft_color color = LUFT_WHITE;
    for (const char *letter = table->name; *letter != '.'; letter++) {
        if (*letter == 'v') {
            color = LUFT_BLACK;
        } else {
            ending.pieces[ending.count++] = luft_make_piece(color, luft_piece_type_of(luft_piece_from_letter(*letter)));
        }
    }
    while (table->position_count < (int)(sizeof table->positions / sizeof *table->positions)) {
        luft_position *position = &table->positions[table->position_count];
        for (int i = 0; i < ending.count; i++) {
            const bool is_pawn = luft_piece_type_of(ending.pieces[i]) == LUFT_PAWN;
            ending.squares[i] = is_pawn ? 8 + random_below(&random, 48) : random_below(&random, 64);
        }
        ending.side = (luft_color)random_below(&random, 2);
        if (to_luft_position(position, &ending) && luft_position_status(position) == LUFT_STATUS_VALID) {
            table->position_count++;
        }
    }
}

static victim written_victim(luft_piece_type piece, luft_tablebase_kind kind) {
    const written_table table = write_table(solver, piece, kind);
    victim result = {.bytes = table.bytes, .size = table.size, .header_size = table.header_size};
    name_written_table(result.name, piece, kind);
    add_positions(&result);
    return result;
}

static victim public_victim(const char *name) {
    victim result = {.bytes = NULL};
    char path[64];
    snprintf(result.name, sizeof result.name, "%s", name);
    snprintf(path, sizeof path, "syzygy/%s", name);
    FILE *file = open_optional_data(path);
    result.bytes = malloc((size_t)4 << 20);
    assert_non_null(result.bytes);
    result.size = fread(result.bytes, 1, (size_t)4 << 20, file);
    result.header_size = result.size < 4096 ? result.size : 4096;
    fclose(file);
    add_positions(&result);
    return result;
}

/* Probes everything that could read the table. Results do not matter, only that there is an answer. */
static void attack(const victim *table, const uint8_t *bytes, size_t size) {
    luft_tablebase *tablebase = NULL;
    luft_tablebase_table fault;
    luft_wdl wdl;
    int dtz;
    assert_int_equal(luft_tablebase_open(&tablebase, NULL, LUFT_TABLEBASE_READ), LUFT_OK);
    assert_int_equal(luft_tablebase_add(tablebase, table->name, bytes, size), LUFT_OK);
    for (int i = 0; i < table->position_count; i++) {
        const luft_error first = luft_tablebase_probe_wdl(&wdl, tablebase, &table->positions[i]);
        const luft_error second = luft_tablebase_probe_dtz(&dtz, tablebase, &table->positions[i]);
        assert_true(first == LUFT_OK || first == LUFT_ERROR_MISSING || first == LUFT_ERROR_DAMAGED);
        assert_true(second == LUFT_OK || second == LUFT_ERROR_MISSING || second == LUFT_ERROR_DAMAGED);
    }
    const luft_error error = luft_tablebase_check_table(tablebase, 0);
    assert_true(error == LUFT_OK || error == LUFT_ERROR_DAMAGED);
    assert_int_equal(luft_tablebase_next_fault(&fault, tablebase), error != LUFT_OK);
    assert_false(luft_tablebase_next_fault(&fault, tablebase));
    luft_tablebase_free(tablebase);
}

/* In a block of exactly this size, so that a sanitizer sees the first byte beyond. */
static void attack_copy(const victim *table, size_t size) {
    uint8_t *copy = malloc(size + (size == 0));
    assert_non_null(copy);
    memcpy(copy, table->bytes, size);
    attack(table, copy, size);
    free(copy);
}

static void attack_all_ways(victim *table) {
    attack_copy(table, table->size);
    for (size_t size = 0; size < table->size; size += !test_is_quick() ? 64 : size > 8192 ? 4096 : 256) {
        attack_copy(table, size);
        attack_copy(table, size + 16); /* a size that a table may have */
    }
    for (size_t i = 0; i < table->header_size; i++) {
        static const uint8_t masks[] = {0x01, 0x80, 0xFF, 0x10};
        for (size_t j = 0; j < (test_is_quick() ? 1 : sizeof masks); j++) {
            table->bytes[i] ^= masks[j];
            attack(table, table->bytes, table->size);
            table->bytes[i] ^= masks[j];
        }
    }
    random_source random = {table->size};
    for (int i = 0; i < test_rounds(1000); i++) {
        uint8_t *byte = &table->bytes[random_below(&random, (int)table->size)];
        const uint8_t old = *byte;
        *byte = (uint8_t)random_next(&random);
        attack(table, table->bytes, table->size);
        *byte = old;
    }
    free(table->bytes);
}

static void damaged_written_tables(void **state) {
    (void)state;
    static const luft_piece_type types[] = {LUFT_QUEEN, LUFT_PAWN};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        for (int kind = 0; kind < 2; kind++) {
            victim table = written_victim(types[i], (luft_tablebase_kind)kind);
            attack_all_ways(&table);
        }
    }
}

/* Ten tables, so that the long tests flip 100,000 bytes. */
static void damaged_public_tables(void **state) {
    (void)state;
    static const char *const names[] = {"KBvK.rtbw",  "KPvK.rtbw",  "KPvK.rtbz",  "KQvK.rtbz",  "KBvKB.rtbw",
                                        "KNNvK.rtbw", "KQvKQ.rtbz", "KPvKP.rtbz", "KRvKB.rtbz", "KPPvK.rtbw"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        victim table = public_victim(names[i]);
        attack_all_ways(&table);
    }
}

/* A tree of symbols that contains itself, directly or through another: each is found when the table is opened. */
static void trees_without_an_end(void **state) {
    (void)state;
    victim table = written_victim(LUFT_QUEEN, LUFT_TABLEBASE_DTZ);
    enum { TREE = 10 + 10 + 2 + 2, PAIR = TREE + 3 * 32 }; /* the first pair of symbols, number 32 */
    static const uint8_t loops[][6] = {
        {32, 0, 2},            /* 32 is (32, 32) */
        {33, 16, 2, 32, 0, 2}, /* 32 is (33, 33), 33 is (32, 32) */
        {0xFE, 0xEF, 0xFF},    /* beyond the last symbol */
    };
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        luft_tablebase *tablebase = NULL;
        luft_tablebase_table fault;
        uint8_t old[6];
        memcpy(old, table.bytes + PAIR, sizeof old);
        memcpy(table.bytes + PAIR, loops[i], loops[i][3] ? 6 : 3);
        assert_int_equal(luft_tablebase_open(&tablebase, NULL, LUFT_TABLEBASE_READ), LUFT_OK);
        assert_int_equal(luft_tablebase_add(tablebase, table.name, table.bytes, table.size), LUFT_OK);
        assert_int_equal(luft_tablebase_check_table(tablebase, 0), LUFT_ERROR_DAMAGED);
        assert_true(luft_tablebase_next_fault(&fault, tablebase));
        assert_string_equal(fault.reason, "its tree of symbols is invalid");
        luft_tablebase_free(tablebase);
        memcpy(table.bytes + PAIR, old, sizeof old);
    }
    free(table.bytes);
}

/* --- Files ------------------------------------------------------------------------------------- */

static char folder[64];

static int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/luft-tablebase-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command); /* NOLINT: the name is our own */
}

static const char *path_of(const char *name) {
    static char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const void *bytes, size_t size) {
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void write_victim(const victim *table) {
    write_file(table->name, table->bytes, table->size);
}

static luft_tablebase *open_folder(luft_tablebase_access access) {
    luft_tablebase *tablebase = NULL;
    assert_int_equal(luft_tablebase_open(&tablebase, folder, access), LUFT_OK);
    return tablebase;
}

static void files_that_are_not_tables(void **state) {
    (void)state;
    victim queen = written_victim(LUFT_QUEEN, LUFT_TABLEBASE_WDL), rook = written_victim(LUFT_ROOK, LUFT_TABLEBASE_WDL);
    victim distance = written_victim(LUFT_QUEEN, LUFT_TABLEBASE_DTZ);
    write_victim(&queen);
    write_file("KBvK.rtbw", "", 0);
    write_file("KNvK.rtbw", "short", 5);
    write_file("KvKQ.rtbw", queen.bytes, queen.size); /* not a name of a table: ignored */
    write_file("readme.txt", "text", 4);
    write_file("KPvK.rtbw", rook.bytes, rook.size);         /* another ending */
    write_file("KRvK.rtbw", distance.bytes, distance.size); /* another kind */
    assert_int_equal(mkdir(path_of("KQQvK.rtbw"), 0755), 0);
    assert_int_equal(mkfifo(path_of("KQRvK.rtbw"), 0644), 0);
    assert_int_equal(symlink("/dev/zero", path_of("KQBvK.rtbw")), 0);
    assert_int_equal(symlink("/nowhere", path_of("KQNvK.rtbw")), 0);
    static const char *const bad[] = {"KBvK", "KNvK", "KQBvK", "KQNvK", "KQQvK", "KQRvK"};
    for (int access = LUFT_TABLEBASE_READ; access <= LUFT_TABLEBASE_MAP; access++) {
        luft_tablebase *tablebase = open_folder((luft_tablebase_access)access);
        luft_tablebase_table table;
        luft_wdl wdl;
        assert_int_equal(luft_tablebase_count(tablebase), 9);
        assert_int_equal(luft_tablebase_largest(tablebase), 3);
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) { /* known at once, by kind and size */
            assert_true(luft_tablebase_next_fault(&table, tablebase));
            assert_string_equal(table.name, bad[i]);
            assert_non_null(table.reason);
            assert_non_null(strstr(table.path, bad[i]));
        }
        assert_false(luft_tablebase_next_fault(&table, tablebase));
        for (int i = 0; i < queen.position_count; i++) {
            assert_int_equal(luft_tablebase_probe_wdl(&wdl, tablebase, &queen.positions[i]), LUFT_OK);
        }
        /* The swapped ones are found by the first probe, which says so; then they are missing. */
        assert_int_equal(luft_tablebase_probe_wdl(&wdl, tablebase, &rook.positions[0]), LUFT_ERROR_DAMAGED);
        assert_int_equal(luft_tablebase_probe_wdl(&wdl, tablebase, &rook.positions[0]), LUFT_ERROR_MISSING);
        assert_true(luft_tablebase_next_fault(&table, tablebase));
        assert_string_equal(table.name, "KRvK");
        assert_string_equal(table.reason, "it does not begin like a table of this kind");
        for (size_t i = 0; i < luft_tablebase_count(tablebase); i++) {
            assert_int_equal(luft_tablebase_get_table(&table, tablebase, i), LUFT_OK);
            const luft_error error = luft_tablebase_check_sum(tablebase, i);
            assert_int_equal(error == LUFT_OK, strcmp(table.name, "KQvK") == 0);
        }
        luft_tablebase_free(tablebase);
    }
    free(queen.bytes);
    free(rook.bytes);
    free(distance.bytes);
}

static void several_directories(void **state) {
    (void)state;
    victim queen = written_victim(LUFT_QUEEN, LUFT_TABLEBASE_WDL), rook = written_victim(LUFT_ROOK, LUFT_TABLEBASE_WDL);
    char list[256];
    luft_tablebase *tablebase = NULL;
    luft_tablebase_table table;
    assert_int_equal(mkdir(path_of("second"), 0755), 0);
    write_victim(&queen);
    write_file("second/KQvK.rtbw", "bad", 3); /* the first directory wins */
    write_file("second/KRvK.rtbw", rook.bytes, rook.size);
    snprintf(list, sizeof list, ":%s::%s/second:", folder, folder);
    assert_int_equal(luft_tablebase_open(&tablebase, list, LUFT_TABLEBASE_READ), LUFT_OK);
    assert_int_equal(luft_tablebase_count(tablebase), 2);
    assert_int_equal(luft_tablebase_check_table(tablebase, 0), LUFT_OK);
    assert_int_equal(luft_tablebase_check_table(tablebase, 1), LUFT_OK);
    assert_int_equal(luft_tablebase_get_table(&table, tablebase, 1), LUFT_OK);
    assert_non_null(strstr(table.path, "/second/KRvK.rtbw"));
    assert_int_equal(table.size, rook.size);
    luft_tablebase_free(tablebase);
    snprintf(list, sizeof list, "%s:%s/third", folder, folder);
    tablebase = NULL;
    assert_int_equal(luft_tablebase_open(&tablebase, list, LUFT_TABLEBASE_READ), LUFT_ERROR_READ);
    assert_null(tablebase);
    free(queen.bytes);
    free(rook.bytes);
}

/* Contract D3: a file that is cut while it is open is an error of the probe, and no signal. */
static void file_cut_while_open(void **state) {
    (void)state;
    victim queen = written_victim(LUFT_QUEEN, LUFT_TABLEBASE_WDL);
    luft_tablebase_table table;
    luft_wdl wdl;
    write_victim(&queen);
    luft_tablebase *tablebase = open_folder(LUFT_TABLEBASE_READ);
    assert_int_equal(luft_tablebase_check_table(tablebase, 0), LUFT_OK);
    assert_int_equal(truncate(path_of(queen.name), 4096), 0); /* the header stays */
    luft_error error = LUFT_OK;
    for (int i = 0; i < queen.position_count && error == LUFT_OK; i++) {
        error = luft_tablebase_probe_wdl(&wdl, tablebase, &queen.positions[i]);
    }
    assert_int_equal(error, LUFT_ERROR_READ);
    assert_int_equal(luft_tablebase_probe_wdl(&wdl, tablebase, &queen.positions[0]), LUFT_ERROR_MISSING);
    assert_true(luft_tablebase_next_fault(&table, tablebase));
    assert_string_equal(table.reason, "it cannot be read to its end");
    assert_int_equal(table.error, LUFT_ERROR_READ);
    luft_tablebase_free(tablebase);
    free(queen.bytes);
}

/* --- The limit of open files ----------------------------------------------------------------- */

static rlim_t set_file_limit(rlim_t files) {
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = files;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    return before;
}

/* How many descriptors below the limit are in use. */
static int count_descriptors(int limit) {
    int count = 0;
    for (int i = 0; i < limit; i++) {
        count += fcntl(i, F_GETFD) != -1;
    }
    return count;
}

/* More tables than files may be open: all are read, with the same results as from a mapping. */
static void more_tables_than_descriptors(void **state) {
    (void)state;
    enum { LIMIT = 24 }; /* a quarter of it for the tablebase: 6 of 10 tables */
    char path[4096];
    luft_tablebase *few = NULL, *mapping = NULL;
    snprintf(path, sizeof path, "%s/syzygy", test_data_directory());
    const rlim_t before = set_file_limit(LIMIT);
    const int others = count_descriptors(LIMIT);
    assert_int_equal(luft_tablebase_open(&few, path, LUFT_TABLEBASE_READ), LUFT_OK);
    assert_int_equal(luft_tablebase_open(&mapping, path, LUFT_TABLEBASE_MAP), LUFT_OK);
    assert_int_equal(luft_tablebase_count(few), 10);
    for (size_t i = 0; i < 10; i++) {
        assert_int_equal(luft_tablebase_check_sum(few, i), LUFT_OK);
    }
    assert_int_equal(count_descriptors(LIMIT) - others, LIMIT / 4);
    victim pawn = written_victim(LUFT_PAWN, LUFT_TABLEBASE_DTZ);
    for (int i = 0; i < pawn.position_count; i++) {
        int dtz[2] = {0, 0};
        assert_int_equal(luft_tablebase_probe_dtz(&dtz[0], few, &pawn.positions[i]), LUFT_OK);
        assert_int_equal(luft_tablebase_probe_dtz(&dtz[1], mapping, &pawn.positions[i]), LUFT_OK);
        assert_int_equal(dtz[0], dtz[1]);
    }
    luft_tablebase_free(few);
    luft_tablebase_free(mapping);
    assert_int_equal(count_descriptors(LIMIT), others);
    set_file_limit(before);
    free(pawn.bytes);
}

/* Without a descriptor left a table cannot be used, but that is not its fault: it is not reported, and tried again. */
static void no_descriptor_left(void **state) {
    (void)state;
    victim queen = written_victim(LUFT_QUEEN, LUFT_TABLEBASE_WDL);
    luft_tablebase_table table;
    luft_wdl wdl;
    write_victim(&queen);
    for (int access = LUFT_TABLEBASE_READ; access <= LUFT_TABLEBASE_MAP; access++) {
        luft_tablebase *tablebase = open_folder((luft_tablebase_access)access);
        const rlim_t before = set_file_limit(0);
        assert_int_equal(luft_tablebase_probe_wdl(&wdl, tablebase, &queen.positions[0]), LUFT_ERROR_READ);
        assert_int_equal(luft_tablebase_check_table(tablebase, 0), LUFT_ERROR_READ);
        set_file_limit(before);
        assert_false(luft_tablebase_next_fault(&table, tablebase));
        assert_int_equal(luft_tablebase_probe_wdl(&wdl, tablebase, &queen.positions[0]), LUFT_OK);
        luft_tablebase_free(tablebase);
    }
    free(queen.bytes);
}

/* The same results from a file through the cache, from a mapping and from memory. */
static void three_ways_of_reading(void **state) {
    (void)state;
    victim tables[] = {written_victim(LUFT_PAWN, LUFT_TABLEBASE_WDL), written_victim(LUFT_QUEEN, LUFT_TABLEBASE_WDL),
                       written_victim(LUFT_ROOK, LUFT_TABLEBASE_WDL), written_victim(LUFT_PAWN, LUFT_TABLEBASE_DTZ)};
    luft_tablebase *memory = NULL;
    assert_int_equal(luft_tablebase_open(&memory, NULL, LUFT_TABLEBASE_READ), LUFT_OK);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        write_victim(&tables[i]);
        assert_int_equal(luft_tablebase_add(memory, tables[i].name, tables[i].bytes, tables[i].size), LUFT_OK);
    }
    luft_tablebase *file = open_folder(LUFT_TABLEBASE_READ), *mapping = open_folder(LUFT_TABLEBASE_MAP);
    for (int round = 0; round < 2; round++) { /* the second time from the cache */
        for (int i = 0; i < tables[0].position_count; i++) {
            const luft_position *position = &tables[0].positions[i];
            int dtz[3] = {0, 0, 0};
            luft_wdl wdl[3];
            const luft_error errors[3] = {luft_tablebase_probe_dtz(&dtz[0], memory, position),
                                          luft_tablebase_probe_dtz(&dtz[1], file, position),
                                          luft_tablebase_probe_dtz(&dtz[2], mapping, position)};
            assert_true(errors[0] == errors[1] && errors[0] == errors[2] && dtz[0] == dtz[1] && dtz[0] == dtz[2]);
            assert_int_equal(luft_tablebase_probe_wdl(&wdl[0], memory, position), LUFT_OK);
            assert_int_equal(luft_tablebase_probe_wdl(&wdl[1], file, position), LUFT_OK);
            assert_int_equal(luft_tablebase_probe_wdl(&wdl[2], mapping, position), LUFT_OK);
            assert_true(wdl[0] == wdl[1] && wdl[0] == wdl[2]);
        }
    }
    luft_tablebase_free(memory);
    luft_tablebase_free(file);
    luft_tablebase_free(mapping);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        free(tables[i].bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_written_tables),
        cmocka_unit_test(damaged_public_tables),
        cmocka_unit_test(trees_without_an_end),
        cmocka_unit_test_setup_teardown(files_that_are_not_tables, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(several_directories, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(file_cut_while_open, make_folder, remove_folder),
        cmocka_unit_test(more_tables_than_descriptors),
        cmocka_unit_test_setup_teardown(no_descriptor_left, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(three_ways_of_reading, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
