/* SPDX-License-Identifier: MIT */
/*
 * Perft with a table gives the same counts as without one: with any table size, any
 * initial content, and other threads writing to it. Positions with kings only, whose games
 * can be counted by a table over their squares, verify counts beyond 64 bits up to the
 * largest that fits in 128.
 */
#include "support/check.h"
#include "support/random_positions.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLUSTER = LUFT_PERFT_TABLE_ALIGNMENT, KILOBYTE = 1024, MEGABYTE = 1024 * 1024 };

/* An empty table with its own memory, which the caller frees. */
static luft_perft_table new_table(size_t bytes) {
    void *memory = aligned_alloc(LUFT_PERFT_TABLE_ALIGNMENT, bytes);
    luft_perft_table table;
    assert_non_null(memory);
    memset(memory, 0, bytes);
    assert_int_equal(luft_perft_table_init(&table, memory, bytes), LUFT_OK);
    assert_int_equal(table.clusters, bytes / CLUSTER);
    return table;
}

static void check_hashed(const luft_perft_table *table, const luft_position *position, int depth, uint64_t expected,
                         const char *what) {
    luft_count count = {~expected, 7};
    assert_int_equal(luft_perft_hashed(&count, position, depth, table), LUFT_OK);
    require_equal(count.low, expected, position, what);
    require_equal(count.high, 0, position, what);
}

/* --- Equal to the count without a table ------------------------------------ */

/* Tables of three sizes, reused for all positions. */
typedef struct tables {
    luft_perft_table table[3];
    int counted;
} tables;

static tables new_tables(void) {
    return (tables){.table = {new_table(CLUSTER), new_table(KILOBYTE), new_table(MEGABYTE)}};
}

static void free_tables(tables *all) {
    for (int i = 0; i < 3; i++) {
        free(all->table[i].memory);
    }
}

/* Counts twice, then counts the colour-flipped position. */
static void check_in_all(tables *all, const luft_position *position, int depth, uint64_t expected) {
    luft_position flipped;
    assert_int_equal(luft_position_flip(&flipped, position), LUFT_OK);
    for (int i = 0; i < 3; i++) {
        check_hashed(&all->table[i], position, depth, expected, "asked once");
        check_hashed(&all->table[i], position, depth, expected, "asked again");
        check_hashed(&all->table[i], &flipped, depth, expected, "flipped");
    }
    all->counted++;
}

/* Checks every `step`-th line of a suite with counts of another program; see test_perft.c. */
static void check_suite(const char *name, int step, uint64_t most_nodes) {
    char path[1024], text[512];
    tables all = new_tables();
    assert_true(snprintf(path, sizeof path, "%s/perft/%s", test_data_directory(), name) < (int)sizeof path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (int line = 0; fgets(text, sizeof text, file) != NULL; line++) {
        char *at = strstr(text, " ;D");
        if (line % step != 0 || at == NULL) {
            continue;
        }
        *at++ = '\0';
        const luft_position position = position_from(text);
        for (at = strchr(at, 'D'); at != NULL; at = strchr(at, 'D')) {
            const int depth = (int)strtol(at + 1, &at, 10);
            const uint64_t expected = strtoull(at, &at, 10);
            if (expected <= most_nodes) {
                check_in_all(&all, &position, depth, expected);
            }
        }
    }
    fclose(file);
    print_message("%s: %d counts\n", name, all.counted);
    assert_true(all.counted >= 60);
    free_tables(&all);
}

static void suites_are_right(void **state) {
    (void)state;
    const uint64_t most_nodes = test_is_quick() ? 20000 : test_is_long() ? 20000000 : 200000;
    check_suite("own-standard.epd", test_is_long() ? 3 : 30, most_nodes);
    check_suite("own-chess960.epd", test_is_long() ? 3 : 15, most_nodes);
}

static void check_position(const luft_position *position, void *payload) {
    const uint64_t three = luft_perft(position, 3, LUFT_PERFT_ONE_PLY);
    check_in_all(payload, position, 3, three);
    if (three < 5000) {
        check_in_all(payload, position, 4, luft_perft(position, 4, LUFT_PERFT_ONE_PLY));
    }
}

static void random_positions_are_right(void **state) {
    (void)state;
    tables all = new_tables();
    visit_fantastic_positions(test_rounds(120), check_position, &all);
    visit_random_games(test_rounds(2), check_position, &all);
    assert_true(all.counted >= 20);
    free_tables(&all);
}

static void depths_without_a_table_are_right(void **state) {
    (void)state;
    const luft_perft_table table = new_table(KILOBYTE);
    const luft_position position = position_from(KIWIPETE_FEN);
    check_hashed(&table, &position, 0, 1, "depth 0");
    check_hashed(&table, &position, 1, 48, "depth 1");
    check_hashed(&table, &position, 2, 2039, "depth 2");
    check_hashed(&table, &position, 3, 97862, "depth 3");
    const luft_position mate = position_from("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
    for (int depth = 1; depth <= LUFT_PERFT_MAX_DEPTH; depth++) {
        check_hashed(&table, &mate, depth, 0, "mate");
    }
    free(table.memory);
}

/* The same board with other rights, another side to move or an en passant square is a different position. */
static void similar_positions_are_distinguished(void **state) {
    (void)state;
    static const char *const fens[] = {
        KIWIPETE_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQ - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w kq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1",
        "4k3/8/8/8/2pP4/8/B7/4K3 b - d3 0 1",
        "4k3/8/8/8/2pP4/8/B7/4K3 b - - 0 1",
        "4k3/8/8/8/2pP4/8/B7/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/RR2K3 w A - 0 1",
        "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1",
    };
    const size_t count = sizeof fens / sizeof fens[0];
    const luft_perft_table table = new_table(MEGABYTE);
    for (int depth = 3; depth <= 4; depth++) {
        for (size_t i = 0; i < count; i++) {
            const luft_position position = position_from(fens[i]);
            const uint64_t expected = luft_perft(&position, depth, LUFT_PERFT_ONE_PLY);
            check_hashed(&table, &position, depth, expected, "with similar positions in the table");
        }
    }
    free(table.memory);
}

/* --- What the table holds ---------------------------------------------------- */

/* Known counts are not stored again: the memory must stay the same. */
static void flipped_positions_share_entries(void **state) {
    (void)state;
    const luft_perft_table table = new_table(MEGABYTE);
    unsigned char *before = malloc(MEGABYTE);
    assert_non_null(before);
    const luft_position position = position_from("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1");
    luft_position flipped;
    assert_int_equal(luft_position_flip(&flipped, &position), LUFT_OK);
    memcpy(before, table.memory, MEGABYTE);
    check_hashed(&table, &position, 4, 43238, "the position");
    assert_memory_not_equal(before, table.memory, MEGABYTE);
    memcpy(before, table.memory, MEGABYTE);
    check_hashed(&table, &position, 4, 43238, "asked again");
    check_hashed(&table, &flipped, 4, 43238, "flipped");
    assert_memory_equal(before, table.memory, MEGABYTE);
    free(before);
    free(table.memory);
}

static void fill_at_random(const luft_perft_table *table, uint64_t seed) {
    random_source source = {seed};
    uint64_t *words = table->memory;
    for (uint64_t i = 0; i < table->clusters * CLUSTER / sizeof *words; i++) {
        words[i] = random_next(&source);
    }
}

static void random_memory_gives_no_wrong_count(void **state) {
    (void)state;
    tables all = new_tables();
    for (int round = 0; round < test_rounds(30); round++) {
        const luft_position position = fantastic_position((uint64_t)round + 1);
        const uint64_t expected = luft_perft(&position, 3, LUFT_PERFT_ONE_PLY);
        for (int i = 0; i < 3; i++) {
            fill_at_random(&all.table[i], (uint64_t)(3 * round + i));
        }
        check_in_all(&all, &position, 3, expected);
    }
    free_tables(&all);
}

/* An entry half written by another thread must not match: one word of every pair is changed. */
static void torn_entries_give_no_wrong_count(void **state) {
    (void)state;
    const luft_position position = position_from(KIWIPETE_FEN);
    for (unsigned half = 0; half < 2; half++) {
        const luft_perft_table table = new_table(64 * KILOBYTE);
        check_hashed(&table, &position, 4, 4085603, "before");
        uint64_t *words = table.memory;
        for (uint64_t i = half; i < table.clusters * CLUSTER / sizeof *words; i += 2) {
            words[i] ^= words[i] ? 1 : 0;
        }
        check_hashed(&table, &position, 4, 4085603, "after");
        free(table.memory);
    }
}

/* --- Keys ------------------------------------------------------------------ */

enum { KEY_TABLE_BYTES = 256 * KILOBYTE };

typedef struct key_check {
    luft_perft_table table;
    const luft_perft_keys *keys; /* NULL for the library's */
    unsigned char *before;
    int castlings, en_passants, promotions;
} key_check;

static luft_count count_by_keys(const key_check *check, const luft_position *position, int depth) {
    luft_count count = {0, 7};
    const luft_error error = check->keys ? luft_perft_hashed_with(&count, position, depth, &check->table, check->keys)
                                         : luft_perft_hashed(&count, position, depth, &check->table);
    assert_int_equal(error, LUFT_OK);
    return count;
}

/*
 * A count to depth 4 stores the count of every child. Counting the child that luft_make makes must write
 * nothing, since the table has it: the keys computed by the walk are those of luft_make.
 */
static void check_children_are_known(const luft_position *position, void *payload) {
    key_check *check = payload;
    luft_move_list list;
    if (luft_perft(position, 2, LUFT_PERFT_TWO_PLY) > 1000) {
        return; /* entries could be replaced */
    }
    memset(check->table.memory, 0, KEY_TABLE_BYTES);
    (void)count_by_keys(check, position, 4);
    memcpy(check->before, check->table.memory, KEY_TABLE_BYTES);
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        luft_position next;
        luft_make(&next, position, list.moves[i]);
        const luft_count count = count_by_keys(check, &next, 3);
        /* A child without moves has the count 0, which an entry may not be able to store. */
        const bool known = memcmp(check->before, check->table.memory, KEY_TABLE_BYTES) == 0 || count.low == 0;
        require(known, &next, "is in the table");
        check->castlings += luft_move_kind_of(list.moves[i]) == LUFT_CASTLING;
        check->en_passants += luft_move_kind_of(list.moves[i]) == LUFT_EN_PASSANT;
        check->promotions += luft_move_is_promotion(list.moves[i]);
    }
}

static void check_children(const luft_perft_keys *keys) {
    key_check check = {.table = new_table(KEY_TABLE_BYTES), .keys = keys, .before = malloc(KEY_TABLE_BYTES)};
    assert_non_null(check.before);
    static const char *const special[] = {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
                                          "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) {
        const luft_position position = position_from(special[i]);
        check_children_are_known(&position, &check);
    }
    visit_fantastic_positions(test_rounds(400), check_children_are_known, &check);
    visit_random_games(test_rounds(2), check_children_are_known, &check);
    assert_true(check.castlings > 0);
    assert_true(check.en_passants > 0);
    assert_true(check.promotions > 0);
    free(check.before);
    free(check.table.memory);
}

static void children_are_entered_under_their_own_keys(void **state) {
    (void)state;
    static luft_perft_keys keys;
    check_children(NULL);
    assert_int_equal(luft_perft_keys_init(&keys, 7), LUFT_OK);
    check_children(&keys);
}

/* Equal counts; what one seed stores, another does not find, and the same seed and the flipped position do. */
static void seeds_give_keys_of_their_own(void **state) {
    (void)state;
    static luft_perft_keys keys[3];
    const luft_position position = position_from(KIWIPETE_FEN);
    luft_position flipped;
    key_check check = {.table = new_table(MEGABYTE), .before = malloc(MEGABYTE)};
    assert_non_null(check.before);
    assert_int_equal(luft_position_flip(&flipped, &position), LUFT_OK);
    check_hashed(&check.table, &position, 4, 4085603, "the keys of the library");
    for (unsigned seed = 0; seed < 3; seed++) {
        assert_int_equal(luft_perft_keys_init(&keys[seed], seed), LUFT_OK);
        check.keys = &keys[seed];
        memcpy(check.before, check.table.memory, MEGABYTE);
        require_equal(count_by_keys(&check, &position, 4).low, 4085603, &position, "a seed");
        assert_memory_not_equal(check.before, check.table.memory, MEGABYTE);
        memcpy(check.before, check.table.memory, MEGABYTE);
        require_equal(count_by_keys(&check, &flipped, 4).low, 4085603, &position, "flipped");
        assert_memory_equal(check.before, check.table.memory, MEGABYTE);
    }
    assert_int_equal(luft_perft_keys_init(&keys[0], 2), LUFT_OK);
    assert_memory_equal(&keys[0], &keys[2], sizeof keys[0]);
    free(check.before);
    free(check.table.memory);
}

/* --- Threads ------------------------------------------------------------------ */

enum { THREADS = 4, SHARED_POSITIONS = 24 };

typedef struct shared_work {
    luft_position positions[SHARED_POSITIONS];
    int depths[SHARED_POSITIONS];
    uint64_t expected[SHARED_POSITIONS];
} shared_work;

typedef struct worker {
    const shared_work *work;
    luft_perft_table table; /* a copy, with the same memory */
    int number, wrong;
} worker;

/* Each thread begins at another position. Only the main thread may assert. */
static void *count_all(void *context) {
    worker *self = context;
    for (int i = 0; i < 2 * SHARED_POSITIONS; i++) {
        const int at = (i + self->number * SHARED_POSITIONS / THREADS) % SHARED_POSITIONS;
        luft_count count = {0, 0};
        const luft_error error =
            luft_perft_hashed(&count, &self->work->positions[at], self->work->depths[at], &self->table);
        self->wrong += error != LUFT_OK || count.high != 0 || count.low != self->work->expected[at];
    }
    return NULL;
}

static void threads_share_a_table(void **state) {
    (void)state;
    static const size_t sizes[] = {CLUSTER, KILOBYTE, MEGABYTE};
    static shared_work work;
    for (int i = 0; i < SHARED_POSITIONS; i++) {
        work.positions[i] = i < 4 ? luft_start_position() : fantastic_position((uint64_t)i);
        work.depths[i] = i < 4 ? i + 1 : 3;
        work.expected[i] = luft_perft(&work.positions[i], work.depths[i], LUFT_PERFT_ONE_PLY);
    }
    for (size_t size = 0; size < sizeof sizes / sizeof sizes[0]; size++) {
        const luft_perft_table table = new_table(sizes[size]);
        worker workers[THREADS];
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++) {
            workers[i] = (worker){.work = &work, .table = table, .number = i};
            assert_int_equal(pthread_create(&threads[i], NULL, count_all, &workers[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
            assert_int_equal(workers[i].wrong, 0);
        }
        free(table.memory);
    }
}

/* --- Counts of 128 bits --------------------------------------------------------- */

__extension__ typedef unsigned __int128 wide_count;

#define WIDE_MAX (~(wide_count)0)

/*
 * Number of games of two bare kings of a given length, by the squares of the king to move and of the other;
 * WIDE_MAX if it does not fit. A king moves to any neighbouring square that is not beside the other king.
 */
typedef struct king_games {
    wide_count count[64][64];
} king_games;

static bool beside(int a, int b) {
    return a != b && abs(a % 8 - b % 8) <= 1 && abs(a / 8 - b / 8) <= 1;
}

static wide_count games_from(const king_games *shorter, int king, int other) {
    wide_count sum = 0;
    for (int to = 0; to < 64; to++) {
        if (beside(king, to) && to != other && !beside(to, other) &&
            __builtin_add_overflow(sum, shorter->count[other][to], &sum)) {
            return WIDE_MAX;
        }
    }
    return sum;
}

/* Computes the counts of the next length. */
static void next_length(king_games *games) {
    static king_games longer;
    for (int i = 0; i < 64 * 64; i++) {
        longer.count[i / 64][i % 64] = games_from(games, i / 64, i % 64);
    }
    *games = longer;
}

/* Kings on e1 and e8 at all depths: every count that fits is right, and every other depth gives the error. */
static void bare_kings_are_counted_to_the_last_bit(void **state) {
    (void)state;
    static king_games games;
    const luft_perft_table table = new_table(32 * MEGABYTE);
    const luft_position position = position_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    int last_that_fits = 0;
    for (int i = 0; i < 64 * 64; i++) {
        games.count[i / 64][i % 64] = 1;
    }
    for (int depth = 0; depth <= LUFT_PERFT_MAX_DEPTH; depth++, next_length(&games)) {
        const wide_count expected = games.count[LUFT_E1][LUFT_E8];
        luft_count count = {12, 34};
        const luft_error error = luft_perft_hashed(&count, &position, depth, &table);
        if (expected != WIDE_MAX) {
            last_that_fits = depth;
            assert_int_equal(error, LUFT_OK);
            require_equal(count.low, (uint64_t)expected, &position, "the low half");
            require_equal(count.high, (uint64_t)(expected >> 64), &position, "the high half");
        } else {
            assert_int_equal(error, LUFT_ERROR_OVERFLOW);
            assert_int_equal(count.low, 12);
            assert_int_equal(count.high, 34);
        }
    }
    print_message("bare kings: counts of up to %d plies fit and are right\n", last_that_fits);
    assert_in_range(last_that_fits, 30, LUFT_PERFT_MAX_DEPTH - 1);
    free(table.memory);
}

/* --- Arguments -------------------------------------------------------------------- */

static void bad_arguments_are_refused(void **state) {
    (void)state;
    static _Alignas(LUFT_PERFT_TABLE_ALIGNMENT) unsigned char memory[4 * CLUSTER];
    luft_perft_table table = {memory, 77};
    assert_int_equal(luft_perft_table_init(NULL, memory, sizeof memory), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_perft_table_init(&table, NULL, sizeof memory), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_perft_table_init(&table, memory + 8, CLUSTER), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_perft_table_init(&table, memory + CLUSTER / 2, CLUSTER), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_perft_table_init(&table, memory, CLUSTER - 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_perft_table_init(&table, memory, 0), LUFT_ERROR_ARGUMENT);
    assert_ptr_equal(table.memory, memory);
    assert_int_equal(table.clusters, 77);

    const luft_position position = luft_start_position();
    luft_count count = {12, 34};
    assert_int_equal(luft_perft_table_init(&table, memory, sizeof memory), LUFT_OK);
    assert_int_equal(luft_perft_hashed(NULL, &position, 3, &table), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_perft_hashed(&count, NULL, 3, &table), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_perft_hashed(&count, &position, 3, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_perft_hashed(&count, &position, 3, &(luft_perft_table){NULL, 4}), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_perft_hashed(&count, &position, -1, &table), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_perft_hashed(&count, &position, LUFT_PERFT_MAX_DEPTH + 1, &table), LUFT_ERROR_ARGUMENT);
    static luft_perft_keys keys;
    assert_int_equal(luft_perft_keys_init(NULL, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_perft_keys_init(&keys, 1), LUFT_OK);
    assert_int_equal(luft_perft_hashed_with(NULL, &position, 3, &table, &keys), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_perft_hashed_with(&count, NULL, 3, &table, &keys), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_perft_hashed_with(&count, &position, 3, NULL, &keys), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_perft_hashed_with(&count, &position, 3, &table, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(count.low, 12);
    assert_int_equal(count.high, 34);
}

/* A size that is not a multiple of 64 is rounded down, and nothing is written beyond. */
static void a_table_keeps_within_its_memory(void **state) {
    (void)state;
    static _Alignas(LUFT_PERFT_TABLE_ALIGNMENT) unsigned char memory[4 * CLUSTER];
    luft_perft_table table;
    assert_int_equal(luft_perft_table_init(&table, memory, 3 * CLUSTER - 1), LUFT_OK);
    assert_int_equal(table.clusters, 2);
    memset(memory + 2 * CLUSTER, 0x5a, 2 * CLUSTER);
    const luft_position position = luft_start_position();
    check_hashed(&table, &position, 4, 197281, "two clusters");
    for (int i = 2 * CLUSTER; i < 4 * CLUSTER; i++) {
        assert_int_equal(memory[i], 0x5a);
    }
    /* The largest table; its memory is not touched before use. */
    assert_int_equal(luft_perft_table_init(&table, memory, SIZE_MAX), LUFT_OK);
    assert_int_equal(table.clusters, sizeof(size_t) > 4 ? UINT32_MAX : SIZE_MAX / CLUSTER);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suites_are_right),
        cmocka_unit_test(random_positions_are_right),
        cmocka_unit_test(depths_without_a_table_are_right),
        cmocka_unit_test(similar_positions_are_distinguished),
        cmocka_unit_test(flipped_positions_share_entries),
        cmocka_unit_test(random_memory_gives_no_wrong_count),
        cmocka_unit_test(torn_entries_give_no_wrong_count),
        cmocka_unit_test(children_are_entered_under_their_own_keys),
        cmocka_unit_test(seeds_give_keys_of_their_own),
        cmocka_unit_test(threads_share_a_table),
        cmocka_unit_test(bare_kings_are_counted_to_the_last_bit),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(a_table_keeps_within_its_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
