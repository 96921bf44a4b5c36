/* SPDX-License-Identifier: MIT */
/*
 * A training that begins with a finished network: the first outputs are those of the network, also where the new one has
 * more outputs or king buckets; a wider one begins near them. Files that do not fit are refused.
 */
#define _POSIX_C_SOURCE 200809L

#include "support/check.h"
#include "support/random_positions.h"

#include "luft-train/learn/start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RECORDS = 200 };

static record records[RECORDS];
static luft_position positions[RECORDS];

static int set_up(void **state) {
    (void)state;
    for (int i = 0; i < RECORDS; i++) {
        positions[i] = fantastic_position((uint64_t)i);
        record_pack(&records[i], &positions[i], 0, 1, 0);
    }
    return 0;
}

/* A network of small random weights. */
static nnue_network *random_network(nnue_shape shape) {
    random_source source = {5};
    nnue_network *network = nnue_create(shape, "", 0);
    assert_non_null(network);
    for (int i = 0; i < shape.king_buckets * NNUE_INPUTS * shape.hidden; i++) {
        network->feature_weights[i] = (int16_t)(random_below(&source, 61) - 30);
    }
    for (int i = 0; i < shape.hidden; i++) {
        network->feature_biases[i] = (int16_t)(random_below(&source, 101) - 20);
    }
    for (int i = 0; i < 2 * shape.buckets * shape.hidden; i++) {
        network->output_weights[i] = (int16_t)(random_below(&source, 41) - 20);
    }
    for (int i = 0; i < shape.buckets; i++) {
        network->output_biases[i] = random_below(&source, 20001) - 10000;
    }
    return network;
}

/* Writes the network to a new file, whose name the caller removes. */
static void write_network(char path[32], const nnue_network *network) {
    const size_t length = nnue_save(NULL, 0, network);
    uint8_t *bytes = malloc(length);
    assert_non_null(bytes);
    nnue_save(bytes, length, network);
    strcpy(path, "/tmp/luft-start-XXXXXX");
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0 && write(descriptor, bytes, length) == (ssize_t)length);
    close(descriptor);
    free(bytes);
}

/* The greatest difference, in centipawns, between the network and the first outputs of a training that starts with it. */
static double difference_of(const nnue_network *network, nnue_shape shape) {
    char path[32];
    uint64_t signature = 0;
    const char *reason = "";
    float outputs[RECORDS];
    float *weights = train_floats(train_layout_of(shape).count);
    train_workspace *work = train_workspace_create(shape);
    nnue_stack *stack = nnue_stack_create(network, 1);
    assert_true(weights && work && stack);
    write_network(path, network);
    train_initialise(weights, shape, 3);
    assert_true(train_start(weights, shape, path, &signature, &reason));
    assert_true(signature != 0);
    train_outputs(work, outputs, weights, shape, records, RECORDS);
    double difference = 0;
    for (int i = 0; i < RECORDS; i++) {
        nnue_set_root(stack, &positions[i]);
        difference = fmax(difference, fabs(nnue_evaluate(stack, 0, &positions[i]) - 400.0 * (double)outputs[i]));
    }
    unlink(path);
    nnue_stack_free(stack);
    train_workspace_free(work);
    free(weights);
    return difference;
}

static void the_first_outputs_are_those_of_the_network(void **state) {
    (void)state;
    static const struct {
        nnue_shape old, new;
    } cases[] = {
        {{32, 1, 1, false}, {32, 1, 1, false}}, {{32, 8, 1, true}, {32, 8, 1, true}},
        {{64, 8, 4, true}, {64, 8, 4, true}},   {{32, 1, 1, true}, {32, 8, 1, true}},
        {{32, 8, 1, true}, {32, 8, 4, true}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        nnue_network *network = random_network(cases[i].old);
        assert_true(difference_of(network, cases[i].new) < 1.1); /* the engine rounds */
        nnue_free(network);
    }
}

static void new_neurons_count_little(void **state) {
    (void)state;
    nnue_network *network = random_network((nnue_shape){32, 8, 1, true});
    const double difference = difference_of(network, (nnue_shape){128, 8, 4, true});
    assert_true(difference > 0 && difference < 120); /* a cold start is 400 and more away */
    nnue_free(network);
}

static void refused(nnue_shape old, nnue_shape new) {
    char path[32];
    uint64_t signature;
    const char *reason = NULL;
    nnue_network *network = random_network(old);
    float *weights = train_floats(train_layout_of(new).count);
    assert_non_null(weights);
    write_network(path, network);
    assert_false(train_start(weights, new, path, &signature, &reason));
    assert_non_null(strstr(reason, "wider"));
    for (size_t i = 0; i < train_layout_of(new).count; i++) {
        assert_true(weights[i] == 0); /* nothing is written */
    }
    unlink(path);
    free(weights);
    nnue_free(network);
}

static void networks_that_do_not_fit_are_refused(void **state) {
    (void)state;
    refused((nnue_shape){64, 8, 1, true}, (nnue_shape){32, 8, 1, true});
    refused((nnue_shape){32, 8, 1, true}, (nnue_shape){32, 1, 1, true});
    refused((nnue_shape){32, 8, 4, true}, (nnue_shape){32, 8, 1, true});
    refused((nnue_shape){32, 1, 1, false}, (nnue_shape){32, 1, 1, true});
}

static void files_that_are_not_networks_are_refused(void **state) {
    (void)state;
    const nnue_shape shape = {32, 8, 1, true};
    uint64_t signature;
    const char *reason = NULL;
    float *weights = train_floats(train_layout_of(shape).count);
    assert_non_null(weights);
    assert_false(train_start(weights, shape, "/tmp", &signature, &reason));
    assert_string_equal(reason, "cannot be read");
    assert_false(train_start(weights, shape, "/dev/null", &signature, &reason));
    assert_non_null(reason);
    assert_false(train_start(weights, shape, "/dev/zero", &signature, &reason));
    free(weights);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_outputs_are_those_of_the_network),
        cmocka_unit_test(new_neurons_count_little),
        cmocka_unit_test(networks_that_do_not_fit_are_refused),
        cmocka_unit_test(files_that_are_not_networks_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
