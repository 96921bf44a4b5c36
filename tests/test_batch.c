/* SPDX-License-Identifier: MIT */
/*
 * Batches of positions. A batch returns what single calls return, continues where the
 * array was full, whatever its capacity, and never writes beyond it. The arrays are blocks
 * of exactly their size, so that a sanitizer detects the first write beyond the end.
 */
#include "support/check.h"
#include "support/random_positions.h"

#include <stdlib.h>
#include <string.h>

static void *exact(size_t size) {
    void *block = malloc(size > 0 ? size : 1);
    assert_non_null(block);
    memset(block, 0xa5, size > 0 ? size : 1);
    return block;
}

/* --- FENs ------------------------------------------------------------------- */

#define MATE_FEN "R3k3/8/4K3/8/8/8/8/8 b - - 0 1"

static void fens_are_read_line_by_line(void **state) {
    (void)state;
    static const char text[] = START_FEN "\n\n" KIWIPETE_FEN "\r\nnonsense\n" MATE_FEN;
    static const luft_error expected[] = {LUFT_OK, LUFT_ERROR_FEN_FIELDS, LUFT_OK, LUFT_ERROR_FEN_BOARD, LUFT_OK};
    const luft_position zeros = {.side_to_move = 0};
    for (size_t capacity = 0; capacity < 7; capacity++) {
        luft_position *positions = exact(capacity * sizeof *positions);
        luft_error *errors = exact(capacity * sizeof *errors);
        size_t at = 0, lines = 0;
        while (at < strlen(text) && capacity > 0) {
            size_t used = 0;
            const size_t count = luft_batch_positions(positions, errors, capacity, text + at, strlen(text) - at, &used);
            assert_in_range(count, 1, capacity);
            for (size_t i = 0; i < count; i++, lines++) {
                assert_int_equal(errors[i], expected[lines]);
                const luft_position single = lines == 0   ? position_from(START_FEN)
                                             : lines == 2 ? position_from(KIWIPETE_FEN)
                                             : lines == 4 ? position_from(MATE_FEN)
                                                          : zeros;
                assert_memory_equal(&positions[i], &single, sizeof single);
            }
            at += used;
        }
        assert_int_equal(lines, capacity > 0 ? 5 : 0);
        size_t used = 1;
        assert_int_equal(luft_batch_positions(positions, errors, capacity, text, 0, &used), 0);
        assert_int_equal(used, 0);
        free(positions);
        free(errors);
    }
}

/* No empty line follows a final line feed; the text needs no NUL. */
static void reading_stops_at_the_end_of_the_text(void **state) {
    (void)state;
    static const char text[] = MATE_FEN "\n";
    luft_position positions[3];
    luft_error errors[3];
    for (size_t length = strlen(text) - 1; length <= strlen(text); length++) {
        char *block = exact(length);
        memcpy(block, text, length);
        assert_int_equal(luft_batch_positions(positions, errors, 3, block, length, NULL), 1);
        assert_int_equal(errors[0], LUFT_OK);
        free(block);
    }
}

/* --- Moves and counts ------------------------------------------------------- */

#define SAMPLE 400

typedef struct sample {
    luft_position positions[SAMPLE];
    size_t count;
} sample;

static void keep(const luft_position *position, void *payload) {
    sample *kept = payload;
    if (kept->count < SAMPLE) {
        kept->positions[kept->count++] = *position;
        if (kept->count % 50 == 0) { /* some refused positions in between */
            memset(&kept->positions[kept->count - 1], 0, sizeof *position);
        }
    }
}

static size_t single_moves(luft_move_list *list, const luft_position *position) {
    list->count = 0;
    if (position->board.kings != 0) {
        luft_generate(list, position, LUFT_ALL_MOVES);
    }
    return (size_t)list->count;
}

static void moves_are_those_of_each_position(void **state) {
    (void)state;
    static sample kept;
    kept.count = 0;
    visit_fantastic_positions(SAMPLE / 2, keep, &kept);
    visit_random_games(4, keep, &kept);
    assert_int_equal(kept.count, SAMPLE);
    static const size_t capacities[] = {0, 1, 100, LUFT_MAX_MOVES, 5000, 100000};
    for (size_t c = 0; c < sizeof capacities / sizeof capacities[0]; c++) {
        const size_t capacity = capacities[c];
        luft_move *moves = exact(capacity * sizeof *moves);
        for (size_t first = 0; first < SAMPLE;) {
            uint64_t *offsets = exact((SAMPLE - first + 1) * sizeof *offsets);
            const size_t done =
                luft_batch_legal_moves(moves, capacity, offsets, kept.positions + first, SAMPLE - first);
            luft_move_list list;
            assert_int_equal(offsets[0], 0);
            for (size_t i = 0; i < done; i++) {
                const size_t count = single_moves(&list, &kept.positions[first + i]);
                assert_int_equal(offsets[i + 1] - offsets[i], count);
                assert_memory_equal(moves + offsets[i], list.moves, count * sizeof moves[0]);
            }
            /* It stops only if the next list does not fit. */
            const bool all = done == SAMPLE - first;
            assert_true(all || offsets[done] + single_moves(&list, &kept.positions[first + done]) > capacity);
            assert_true(done > 0 || capacity < LUFT_MAX_MOVES);
            first += done > 0 ? done : SAMPLE;
            free(offsets);
        }
        free(moves);
    }
}

static void counts_are_those_of_each_position(void **state) {
    (void)state;
    luft_position positions[3] = {position_from(START_FEN), {.side_to_move = 0}, position_from(KIWIPETE_FEN)};
    uint64_t counts[3];
    assert_int_equal(luft_batch_perft(counts, positions, 3, 4), LUFT_OK);
    assert_true(counts[0] == 197281 && counts[1] == 0 && counts[2] == 4085603); /* published counts */
    assert_int_equal(luft_batch_perft(counts, positions, 3, 0), LUFT_OK);
    assert_true(counts[0] == 1 && counts[1] == 0 && counts[2] == 1);
    counts[0] = 7;
    assert_int_equal(luft_batch_perft(counts, positions, 3, -1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_batch_perft(counts, positions, 3, LUFT_PERFT_MAX_DEPTH + 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_batch_perft(counts, positions, 0, 1), LUFT_OK);
    assert_int_equal(counts[0], 7);
}

/* --- Lines of play ---------------------------------------------------------- */

static void a_line_is_played_to_its_first_illegal_move(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    luft_position now = start;
    random_source source = {11};
    luft_move moves[60];
    luft_position expected[60], positions[60];
    for (int i = 0; i < 60; i++) {
        luft_move_list list;
        luft_generate(&list, &now, LUFT_ALL_MOVES);
        const bool pass = (i % 7 == 3 && !luft_in_check(&now)) || list.count == 0;
        moves[i] = pass ? LUFT_MOVE_NONE : list.moves[random_below(&source, list.count)];
        assert_int_equal(pass ? luft_make_null(&now, &now) : luft_play(&now, &now, moves[i]), LUFT_OK);
        expected[i] = now;
    }
    assert_int_equal(luft_batch_line(positions, &start, moves, 60), 60);
    assert_memory_equal(positions, expected, sizeof expected);
    for (int i = 0; i < 60; i++) {
        const luft_move good = moves[i];
        moves[i] = luft_make_move(LUFT_A1, LUFT_A1, LUFT_QUIET);
        memset(positions, 0xa5, sizeof positions);
        assert_int_equal(luft_batch_line(positions, &start, moves, 60), i);
        assert_memory_equal(positions, expected, (size_t)i * sizeof positions[0]);
        moves[i] = good;
    }
}

/* --- NULL ------------------------------------------------------------------- */

static void null_is_refused(void **state) {
    (void)state;
    const luft_position start = luft_start_position(), zeros = {.side_to_move = 0};
    luft_position position;
    luft_error error;
    luft_move moves[2] = {LUFT_MOVE_NONE, LUFT_MOVE_NONE};
    uint64_t numbers[2];
    size_t used = 7;
    assert_int_equal(luft_batch_positions(NULL, &error, 1, START_FEN, 5, &used), 0);
    assert_int_equal(used, 0);
    assert_int_equal(luft_batch_positions(&position, NULL, 1, START_FEN, 5, NULL), 0);
    assert_int_equal(luft_batch_positions(&position, &error, 1, NULL, 5, NULL), 0);
    assert_int_equal(luft_batch_legal_moves(NULL, 2, numbers, &start, 1), 0);
    assert_int_equal(luft_batch_legal_moves(moves, 2, NULL, &start, 1), 0);
    assert_int_equal(luft_batch_legal_moves(moves, 2, numbers, NULL, 1), 0);
    assert_int_equal(luft_batch_perft(NULL, &start, 1, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_batch_perft(numbers, NULL, 1, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_batch_line(NULL, &start, moves, 1), 0);
    assert_int_equal(luft_batch_line(&position, NULL, moves, 1), 0);
    assert_int_equal(luft_batch_line(&position, &start, NULL, 1), 0);
    assert_int_equal(luft_batch_line(&position, &zeros, moves, 1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fens_are_read_line_by_line),
        cmocka_unit_test(reading_stops_at_the_end_of_the_text),
        cmocka_unit_test(moves_are_those_of_each_position),
        cmocka_unit_test(counts_are_those_of_each_position),
        cmocka_unit_test(a_line_is_played_to_its_first_illegal_move),
        cmocka_unit_test(null_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
