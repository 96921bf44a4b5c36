/* SPDX-License-Identifier: MIT */
/*
 * The engine with a network: it evaluates with it, on every thread, and a network that cannot be used changes nothing.
 */
#include "support/check.h"
#include "support/failing_malloc.h"
#include "support/random_positions.h"

#include "engine/nnue.h"
#include "engine/score.h"
#include "luft/engine.h"

#include <stdlib.h>
#include <string.h>

enum { HIDDEN = 32 };

typedef struct file_bytes {
    uint8_t *bytes;
    size_t length;
} file_bytes;

/* A network that counts material in one neuron of each perspective; the others are random. */
static file_bytes material_network(uint64_t seed) {
    static const int values[6] = {4, 12, 13, 20, 38, 0};
    random_source source = {seed};
    nnue_network *network = nnue_create((nnue_shape){HIDDEN, 8, 1, true}, "material", 8);
    assert_non_null(network);
    for (int input = 0; input < NNUE_INPUTS; input++) {
        int16_t *row = network->feature_weights + input * HIDDEN;
        row[0] = (int16_t)(input < 384 ? values[input / 64] : 0);
        for (int i = 1; i < HIDDEN; i++) {
            row[i] = (int16_t)(random_below(&source, 41) - 20);
        }
    }
    for (int bucket = 0; bucket < 8; bucket++) {
        for (int i = 0; i < 2 * HIDDEN; i++) {
            network->output_weights[bucket * 2 * HIDDEN + i] = (int16_t)(i == 0        ? 120
                                                                         : i == HIDDEN ? -120
                                                                                       : random_below(&source, 3) - 1);
        }
    }
    file_bytes file = {.length = nnue_save(NULL, 0, network)};
    file.bytes = malloc(file.length);
    assert_non_null(file.bytes);
    nnue_save(file.bytes, file.length, network);
    nnue_free(network);
    return file;
}

static luft_engine *new_engine(void) {
    luft_engine *engine = NULL;
    assert_int_equal(luft_engine_create(&engine), LUFT_OK);
    return engine;
}

/* The evaluation of the engine for the side to move. */
static int eval_of(luft_engine *engine, const luft_position *position) {
    int score = 0;
    assert_int_equal(luft_engine_evaluate(&score, engine, position), LUFT_OK);
    return score;
}

static luft_error load(luft_engine *engine, const file_bytes *file) {
    return luft_engine_set_network(engine, file->bytes, file->length, NULL);
}

/* The evaluation of a position by the network alone, for the side to move. */
static int network_eval(const file_bytes *file, const luft_position *position) {
    const char *reason;
    nnue_network *network = NULL;
    assert_int_equal(nnue_load(&network, file->bytes, file->length, &reason), LUFT_OK);
    nnue_stack *stack = nnue_stack_create(network, 1);
    nnue_set_root(stack, position);
    const int score = nnue_evaluate(stack, 0, position);
    nnue_stack_free(stack);
    nnue_free(network);
    return score;
}

static void the_engine_evaluates_by_the_network(void **state) {
    (void)state;
    file_bytes file = material_network(1);
    luft_engine *engine = new_engine();
    assert_int_equal(load(engine, &file), LUFT_OK);
    assert_string_equal(luft_engine_network_text(engine), "material");
    for (uint64_t seed = 0; seed < 50; seed++) {
        const luft_position position = fantastic_position(seed);
        assert_int_equal(eval_of(engine, &position), network_eval(&file, &position));
    }
    assert_int_equal(luft_engine_set_network(engine, NULL, 0, NULL), LUFT_OK);
    luft_engine *other = new_engine();
    const luft_position position = fantastic_position(3);
    assert_int_equal(eval_of(engine, &position), eval_of(other, &position));
    luft_engine_free(other);
    luft_engine_free(engine);
    free(file.bytes);
}

/* --- The default network -------------------------------------------------------- */

static void check_flipped(const luft_position *position, void *payload) {
    luft_engine *engine = payload;
    luft_position flipped;
    assert_int_equal(luft_position_flip(&flipped, position), LUFT_OK);
    const int score = eval_of(engine, position);
    require_equal((uint64_t)(int64_t)eval_of(engine, &flipped), (uint64_t)(int64_t)score, position,
                  "evaluation of the colour-flipped position");
    require(score > -SCORE_EVAL_BOUND && score < SCORE_EVAL_BOUND, position, "evaluation inside its bounds");
}

static void colour_flipped_positions_have_the_same_evaluation(void **state) {
    (void)state;
    luft_engine *engine = new_engine();
    visit_random_positions(test_rounds(60), check_flipped, engine);
    luft_engine_free(engine);
}

static void more_material_is_better(void **state) {
    (void)state;
    const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R b KQkq - 0 1",
        "4k3/8/8/8/8/8/4p3/K7 b - - 0 1",
        "4k3/8/8/8/8/8/K7/7r b - - 0 1",
    };
    luft_engine *engine = new_engine();
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        const luft_position position = position_from(fens[i]);
        require(eval_of(engine, &position) > 100, &position, "an advantage for Black, who is to move");
    }
    luft_engine_free(engine);
}

/* --- Searches -------------------------------------------------------------------- */

/* The result; its lines are valid until the next search. */
static luft_engine_result search(luft_engine *engine, const char *fen, int depth) {
    const luft_position position = position_from(fen);
    const luft_engine_result *result = NULL;
    luft_engine_limits limits = luft_engine_no_limits();
    limits.depth = depth;
    assert_int_equal(luft_engine_clear(engine), LUFT_OK);
    assert_int_equal(luft_engine_set_position(engine, &position, NULL, 0, NULL), LUFT_OK);
    assert_int_equal(luft_engine_search(&result, engine, &limits, NULL), LUFT_OK);
    return *result;
}

static void searches_are_the_same_again_and_find_what_there_is(void **state) {
    (void)state;
    file_bytes file = material_network(2), other_file = material_network(3);
    luft_engine *engine = new_engine();
    const luft_engine_result with_default = search(engine, KIWIPETE_FEN, 7);
    assert_int_equal(load(engine, &file), LUFT_OK);
    const luft_engine_result first = search(engine, KIWIPETE_FEN, 7);
    assert_true(first.nodes != with_default.nodes);
    assert_int_equal(load(engine, &other_file), LUFT_OK);
    assert_true(search(engine, KIWIPETE_FEN, 7).nodes != first.nodes);
    assert_int_equal(load(engine, &file), LUFT_OK);
    assert_int_equal(search(engine, KIWIPETE_FEN, 7).nodes, first.nodes);
    /* A hanging queen, and a mate. */
    const luft_position position = position_from("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
    assert_int_equal(search(engine, "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", 5).best, move_from(&position, "e4d5"));
    const luft_engine_score score = search(engine, "6k1/5ppp/8/8/8/8/1r3PPP/R2R2K1 w - - 0 1", 6).score;
    assert_int_equal(score.kind, LUFT_ENGINE_MATE);
    assert_int_equal(score.value, 1);
    assert_int_equal(luft_engine_set_network(engine, NULL, 0, NULL), LUFT_OK);
    assert_int_equal(search(engine, KIWIPETE_FEN, 7).nodes, with_default.nodes);
    luft_engine_free(engine);
    free(file.bytes);
    free(other_file.bytes);
}

static void threads_that_come_later_have_the_network(void **state) {
    (void)state;
    file_bytes file = material_network(2);
    luft_engine *engine = new_engine();
    assert_int_equal(load(engine, &file), LUFT_OK);
    const luft_engine_result one = search(engine, KIWIPETE_FEN, 6);
    assert_int_equal(luft_engine_set_threads(engine, 4), LUFT_OK);
    assert_true(search(engine, KIWIPETE_FEN, 6).best != LUFT_MOVE_NONE);
    assert_int_equal(load(engine, &file), LUFT_OK);
    assert_int_equal(luft_engine_set_threads(engine, 1), LUFT_OK);
    assert_int_equal(search(engine, KIWIPETE_FEN, 6).nodes, one.nodes);
    luft_engine_free(engine);
    free(file.bytes);
}

static void bad_networks_change_nothing(void **state) {
    (void)state;
    file_bytes file = material_network(4), bad = material_network(5);
    luft_engine *engine = new_engine();
    const luft_position position = position_from(KIWIPETE_FEN);
    assert_int_equal(load(engine, &file), LUFT_OK);
    const int score = eval_of(engine, &position);
    bad.bytes[bad.length - 1] ^= 1;
    const char *reason = NULL;
    assert_int_equal(luft_engine_set_network(engine, bad.bytes, bad.length, &reason), LUFT_ERROR_NETWORK);
    assert_true(reason && strlen(reason) > 10);
    assert_int_equal(luft_engine_set_network(engine, NULL, 1, NULL), LUFT_ERROR_NETWORK);
    assert_int_equal(luft_engine_set_network(engine, file.bytes, 0, NULL), LUFT_ERROR_NETWORK);
    assert_int_equal(luft_engine_set_network(engine, file.bytes, file.length - 1, NULL), LUFT_ERROR_NETWORK);
    assert_int_equal(eval_of(engine, &position), score);
    luft_engine_free(engine);
    free(file.bytes);
    free(bad.bytes);
}

/* An engine with three threads and a network, and another one that it is to change to. */
typedef struct change_of_network {
    luft_engine *engine;
    file_bytes first, second;
} change_of_network;

static luft_error change_network(void *payload) {
    const change_of_network *change = payload;
    const luft_position position = position_from(KIWIPETE_FEN);
    const char *reason = NULL;
    const luft_error error =
        luft_engine_set_network(change->engine, change->second.bytes, change->second.length, &reason);
    if (error != LUFT_OK) {
        assert_string_equal(reason, "out of memory");
        /* This allocates too, but nothing that could fail again: only one allocation does. */
        assert_int_equal(eval_of(change->engine, &position), network_eval(&change->first, &position));
    }
    return error;
}

static void no_memory_changes_nothing(void **state) {
    (void)state;
    change_of_network change = {new_engine(), material_network(6), material_network(7)};
    const luft_position position = position_from(KIWIPETE_FEN);
    assert_int_equal(luft_engine_set_threads(change.engine, 3), LUFT_OK);
    assert_int_equal(load(change.engine, &change.first), LUFT_OK);
    assert_true(assert_survives_failing_malloc(change_network, &change) >= 2 + 4 * 3);
    assert_int_equal(eval_of(change.engine, &position), network_eval(&change.second, &position));
    luft_engine_free(change.engine);
    free(change.first.bytes);
    free(change.second.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_engine_evaluates_by_the_network),
        cmocka_unit_test(colour_flipped_positions_have_the_same_evaluation),
        cmocka_unit_test(more_material_is_better),
        cmocka_unit_test(searches_are_the_same_again_and_find_what_there_is),
        cmocka_unit_test(threads_that_come_later_have_the_network),
        cmocka_unit_test(bad_networks_change_nothing),
        cmocka_unit_test(no_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
