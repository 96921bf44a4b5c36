/* SPDX-License-Identifier: MIT */
/*
 * The arithmetic of the trainer: its gradient is the slope of its error, its output equals
 * that of the engine with the same weights, and a step is that of AdamW. An epoch shows
 * every position once, except those held out.
 */
#define _POSIX_C_SOURCE 200809L

#include "support/check.h"
#include "support/random_positions.h"

#include "luft-train/command.h"
#include "luft-train/learn/checkpoint.h"
#include "luft-train/learn/data.h"
#include "luft-train/learn/network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Test records ---------------------------------------------------------------- */

enum { RECORDS = 400 };

static record records[RECORDS];

static void make_records(void) {
    random_source source = {7};
    for (int i = 0; i < RECORDS; i++) {
        const luft_position position = fantastic_position((uint64_t)i);
        record_pack(&records[i], &position, random_below(&source, 2001) - 1000, random_below(&source, 3), (uint32_t)i);
    }
}

/* Weights of a size at which neurons are neither all 0 nor all clipped. */
static float *random_weights(nnue_shape shape, uint64_t seed) {
    float *weights = train_floats(train_layout_of(shape).count);
    assert_non_null(weights);
    train_initialise(weights, shape, seed);
    if (shape.king_buckets > 1) { /* they start from zero, as differences */
        random_source source = {seed};
        for (size_t i = 0; i < train_layout_of(shape).shared_weights; i++) {
            weights[i] = (float)(random_below(&source, 101) - 50) / 1000.0f;
        }
    }
    return weights;
}

static const nnue_shape shapes[] = {
    {16, 1, 1, false}, {32, 8, 1, true}, {80, 1, 1, true}, {64, 8, 1, false}, {32, 8, 4, true}};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* --- Error and gradient ------------------------------------------------------------ */

static void outputs_of(float *outputs, const float *weights, nnue_shape shape, size_t count) {
    train_workspace *work = train_workspace_create(shape);
    assert_non_null(work);
    train_outputs(work, outputs, weights, shape, records, count);
    train_workspace_free(work);
}

/* Adds the gradient of the first records; returns their error. */
static double gradient_of(float *gradient, const float *weights, nnue_shape shape, train_target target, size_t count) {
    train_workspace *work = train_workspace_create(shape);
    assert_non_null(work);
    const double errors = train_gradient(work, gradient, weights, shape, target, records, count);
    train_workspace_free(work);
    return errors;
}

static double error_of(const float *weights, nnue_shape shape, train_target target, size_t count) {
    float outputs[RECORDS];
    double errors = 0;
    outputs_of(outputs, weights, shape, count);
    for (size_t i = 0; i < count; i++) {
        const double difference = 1 / (1 + exp(-(double)outputs[i])) - train_wanted(&records[i], target);
        errors += difference * difference;
    }
    return errors;
}

static void the_target_is_a_blend(void **state) {
    (void)state;
    record entry = records[0];
    entry.bytes[24] = 144; /* 400 centipawns */
    entry.bytes[25] = 1;
    entry.bytes[26] = 2;
    assert_float_equal(train_wanted(&entry, (train_target){0.25f}), 0.25 + 0.75 * 0.731059, 1e-5);
    entry.bytes[26] = RESULT_UNKNOWN;
    assert_float_equal(train_wanted(&entry, (train_target){0.25f}), 0.731059, 1e-5);
    entry.bytes[26] = 0;
    assert_float_equal(train_wanted(&entry, (train_target){0.25f}), 0.75 * 0.731059, 1e-5);
    assert_float_equal(train_wanted(&entry, (train_target){1.0f}), 0, 1e-6);
}

static void the_gradient_is_the_slope_of_the_error(void **state) {
    (void)state;
    const train_target target = {0.3f};
    for (int s = 0; s < SHAPES; s++) {
        const train_layout layout = train_layout_of(shapes[s]);
        float *weights = random_weights(shapes[s], (uint64_t)s);
        float *gradient = train_floats(layout.count);
        assert_non_null(gradient);
        const double errors = gradient_of(gradient, weights, shapes[s], target, 40);
        assert_float_equal(errors, error_of(weights, shapes[s], target, 40), 1e-3);
        random_source source = {99};
        int steep = 0;
        for (int i = 0; i < 300; i++) {
            /* Some weights of each kind. */
            const size_t kinds[4] = {0, layout.feature_biases, layout.output_weights, layout.output_biases};
            const size_t ends[4] = {layout.feature_biases, layout.output_weights, layout.output_biases, layout.count};
            const size_t place = kinds[i % 4] + (size_t)random_below(&source, (int)(ends[i % 4] - kinds[i % 4]));
            const float before = weights[place], width = 2e-3f;
            weights[place] = before + width;
            const double above = error_of(weights, shapes[s], target, 40);
            weights[place] = before - width;
            const double below = error_of(weights, shapes[s], target, 40);
            weights[place] = before;
            const double slope = (above - below) / (2 * (double)width);
            assert_true(fabs(slope - (double)gradient[place]) < 2e-2 * (fabs(slope) + 0.1));
            steep += fabs(slope) > 0.01;
        }
        assert_true(steep > 50);
        free(weights);
        free(gradient);
    }
}

/* The trainer and the engine number inputs and buckets the same way: with rounded weights their outputs are equal. */
static void the_engine_computes_the_same(void **state) {
    (void)state;
    for (int s = 0; s < SHAPES; s++) {
        const nnue_shape shape = shapes[s];
        const train_layout layout = train_layout_of(shape);
        float *weights = random_weights(shape, 50 + (uint64_t)s);
        nnue_network *network = nnue_create(shape, "", 0);
        nnue_stack *stack = nnue_stack_create(network, 1);
        for (size_t i = 0; i < layout.output_weights; i++) {
            const int value = (int)lroundf(weights[i] * NNUE_QA);
            weights[i] = (float)value / NNUE_QA;
            if (i >= layout.feature_biases) {
                network->feature_biases[i - layout.feature_biases] = (int16_t)value;
            }
        }
        for (size_t i = 0; i < layout.shared_weights; i++) {
            network->feature_weights[i] = (int16_t)lroundf(train_feature_weight(weights, &layout, i) * NNUE_QA);
        }
        for (size_t i = layout.output_weights; i < layout.output_biases; i++) {
            const int value = (int)lroundf(weights[i] * (float)network->qb);
            weights[i] = (float)value / (float)network->qb;
            network->output_weights[i - layout.output_weights] = (int16_t)value;
        }
        for (int i = 0; i < shape.buckets; i++) {
            weights[layout.output_biases + (size_t)i] = 0.25f * (float)i;
            network->output_biases[i] = NNUE_QA * network->qb / 4 * i;
        }
        float outputs[RECORDS];
        outputs_of(outputs, weights, shape, RECORDS);
        for (int i = 0; i < RECORDS; i++) {
            const luft_position position = fantastic_position((uint64_t)i);
            nnue_set_root(stack, &position);
            const double score = nnue_evaluate(stack, 0, &position);
            require(fabs(score - 400.0 * (double)outputs[i]) < 1.1, &position, "trainer and engine agree");
        }
        nnue_stack_free(stack);
        nnue_free(network);
        free(weights);
    }
}

/* --- Steps ----------------------------------------------------------------------------- */

static void a_step_goes_where_adamw_says(void **state) {
    (void)state;
    const train_layout layout = train_layout_of(shapes[0]);
    float *weights = train_floats(layout.count), *first = train_floats(layout.count);
    float *second = train_floats(layout.count);
    float *const gradients[2] = {first, second};
    train_moments moments = {train_floats(layout.count), train_floats(layout.count)};
    weights[5] = 0.5f;
    first[5] = 3.0f;
    second[5] = 1.0f; /* the gradient is the sum of both: 4 */
    weights[6] = -1.97999f;
    first[6] = 1.0f;
    weights[layout.output_biases] = 5.0f;
    first[layout.output_biases] = -1.0f;
    const train_step step = {
        .rate = 0.01f, .decay = 0.1f, .mean_bias = 1 - 0.9f, .square_bias = 1 - 0.999f, .gradient_scale = 0.5f};
    for (size_t part = 0; part < 3; part++) { /* in parts, as threads do */
        train_update(weights, moments, gradients, 2, &layout, layout.count * part / 3, layout.count * (part + 1) / 3,
                     step);
    }
    /*
     * In the first step the means equal the gradient: the weight decreases by the rate, and by the decay of a weight
     * of 0.5.
     */
    assert_float_equal(weights[5], 0.5 - 0.01 * (1 + 0.1 * 0.5), 1e-5);
    assert_float_equal(moments.mean[5], 0.1 * 2, 1e-5);
    assert_float_equal(moments.square[5], 0.001 * 4, 1e-6);
    assert_float_equal(weights[6], -1.98, 1e-6);                                        /* clipped */
    assert_float_equal(weights[layout.output_biases], 5 + 0.01 - 0.01 * 0.1 * 5, 1e-5); /* never clipped */
    assert_float_equal(weights[7], 0, 1e-9);
    assert_true(first[5] == 0 && second[5] == 0);
    free(weights);
    free(first);
    free(second);
    free(moments.mean);
    free(moments.square);
}

static void learning_lowers_the_error(void **state) {
    (void)state;
    const train_target target = {0.0f};
    const train_layout layout = train_layout_of(shapes[1]);
    float *weights = random_weights(shapes[1], 3), *gradient = train_floats(layout.count);
    train_moments moments = {train_floats(layout.count), train_floats(layout.count)};
    const double before = error_of(weights, shapes[1], target, RECORDS);
    for (int i = 1; i <= 60; i++) {
        gradient_of(gradient, weights, shapes[1], target, RECORDS);
        train_update(weights, moments, &gradient, 1, &layout, 0, layout.count,
                     (train_step){.rate = 0.005f,
                                  .mean_bias = 1 - powf(0.9f, (float)i),
                                  .square_bias = 1 - powf(0.999f, (float)i),
                                  .gradient_scale = 1.0f / RECORDS});
    }
    assert_true(error_of(weights, shapes[1], target, RECORDS) < before / 3);
    free(weights);
    free(gradient);
    free(moments.mean);
    free(moments.square);
}

static void damaged_records_are_not_used(void **state) {
    (void)state;
    const luft_position position = luft_start_position();
    record good;
    record_pack(&good, &position, 0, 1, 0);
    assert_true(train_is_usable(&good));
    record bad = good;
    bad.bytes[26] = 4; /* invalid result */
    assert_false(train_is_usable(&bad));
    bad = good;
    bad.bytes[4] = 1; /* 33 pieces */
    assert_false(train_is_usable(&bad));
    bad = good;
    bad.bytes[8] |= 7; /* invalid piece code */
    assert_false(train_is_usable(&bad));
    bad = good;
    bad.bytes[10] = (uint8_t)((bad.bytes[10] & 0xf0) | 4); /* a queen instead of the king on e1 */
    assert_false(train_is_usable(&bad));
}

/* --- Data ------------------------------------------------------------------------------- */

enum { WRITTEN = 50000 };

/* Opens a file for records; writes its name to `path`. */
static void start_file(record_writer *writer, char path[32]) {
    const file_header header = file_header_of(FILE_KIND_RECORDS);
    strcpy(path, "/tmp/luft-test-XXXXXX");
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    assert_true(record_writer_open(writer, path, &header));
}

/* Distinguishable records: score and result encode a number from 0 to WRITTEN - 1. */
static void write_file(char path[32]) {
    const luft_position position = luft_start_position();
    record_writer writer;
    start_file(&writer, path);
    for (int i = 0; i < WRITTEN; i++) {
        record entry;
        record_pack(&entry, &position, i % 20000, i / 20000, (uint32_t)(i / 25));
        record_writer_add(&writer, &entry, 1);
    }
    assert_true(record_writer_close(&writer));
}

static int number_of(const record *entry) {
    return record_score(entry) + 20000 * record_result(entry);
}

static void an_epoch_shows_every_position_once(void **state) {
    (void)state;
    enum { BATCH = 1000 };
    char path[32];
    write_file(path);
    const char *const paths[2] = {path, path};
    train_data data;
    train_batches batches;
    assert_true(train_data_open(&data, paths, 2, "test"));
    assert_int_equal(data.training + data.held_out, 2 * WRITTEN);
    assert_int_equal(data.held_out, data.validation_count);
    assert_true(data.validation_count > 2 * WRITTEN / 100 && data.validation_count < 2 * WRITTEN / 25);
    static int held_out[WRITTEN / 25 + 1];
    memset(held_out, 0, sizeof held_out);
    for (size_t i = 0; i < data.validation_count; i++) {
        held_out[record_game(&data.validation[i])]++;
    }
    assert_true(train_batches_open(&batches, &data, 1, BATCH));
    static int first[WRITTEN], again[WRITTEN], seen[WRITTEN];
    for (uint64_t epoch = 0; epoch < 3; epoch++) {
        size_t count = 0, same = 0;
        memset(seen, 0, sizeof seen);
        train_batches_start(&batches, epoch % 2);
        for (const record *batch; (batch = train_batches_next(&batches, BATCH));) {
            for (int i = 0; i < BATCH; i++, count++) {
                const int number = number_of(&batch[i]);
                seen[number]++;
                assert_int_equal(held_out[record_game(&batch[i])], 0); /* all records of a game are held out together */
                if (count < WRITTEN) {
                    same += epoch > 0 && first[count] == number;
                    *(epoch == 0 ? &first[count] : &again[count]) = number;
                }
            }
        }
        assert_int_equal(count, data.training / BATCH * BATCH);
        int missing = 0;
        for (int i = 0; i < WRITTEN; i++) {
            assert_true(seen[i] <= 2); /* two files */
            missing += 2 - seen[i];
        }
        assert_int_equal(missing, 2 * WRITTEN - (int)count);
        /* Epoch 1 has another order; epoch 0 repeats exactly. */
        assert_true(epoch == 0 || (epoch == 1 ? same < WRITTEN / 100 : same == WRITTEN));
    }
    train_batches_close(&batches);
    train_data_close(&data);
    unlink(path);
}

/* A game that is held out. */
static uint32_t find_held_out(void) {
    char path[32];
    write_file(path);
    const char *const paths[1] = {path};
    train_data data;
    assert_true(train_data_open(&data, paths, 1, "test"));
    const uint32_t game = record_game(&data.validation[0]);
    train_data_close(&data);
    unlink(path);
    return game;
}

static void the_sample_is_of_all_files(void **state) {
    (void)state;
    const luft_position position = luft_start_position();
    const uint32_t game = find_held_out();
    char first[32], second[32];
    char *const names[2] = {first, second};
    const char *const paths[2] = {first, second};
    for (int i = 0; i < 2; i++) {
        record entry;
        record_writer writer;
        start_file(&writer, names[i]);
        record_pack(&entry, &position, i, 1, game);
        for (int k = 0; k < TRAIN_VALIDATION_MAX; k++) {
            record_writer_add(&writer, &entry, 1);
        }
        assert_true(record_writer_close(&writer));
    }
    train_data data;
    assert_true(train_data_open(&data, paths, 2, "test"));
    assert_int_equal(data.training, 0);
    assert_int_equal(data.held_out, 2 * TRAIN_VALIDATION_MAX);
    assert_int_equal(data.validation_count, TRAIN_VALIDATION_MAX);
    int of_second = 0;
    for (size_t i = 0; i < data.validation_count; i++) {
        of_second += record_score(&data.validation[i]);
    }
    assert_in_range(of_second, TRAIN_VALIDATION_MAX * 48 / 100, TRAIN_VALIDATION_MAX * 52 / 100);
    train_data_close(&data);
    unlink(first);
    unlink(second);
}

/* Trains a small network; returns the exit status. */
static int train_small(const char *name, const char *data) {
    const char *const words[] = {"train", "--out", name, "--hidden", "16", "--epochs", "1", "--threads", "1", data};
    enum { WORDS = sizeof words / sizeof words[0] };
    char texts[WORDS][64], *arguments[WORDS + 1] = {NULL};
    for (int i = 0; i < WORDS; i++) {
        snprintf(texts[i], sizeof texts[i], "%s", words[i]);
        arguments[i] = texts[i];
    }
    return train_train(WORDS, arguments);
}

/* A valid checksum does not make a checkpoint valid. */
static void a_checkpoint_with_too_many_points(void **state) {
    (void)state;
    static const char *const endings[] = {".checkpoint", ".log", ".svg"};
    static const char *const bad[] = {"point 1 0.1 0.1\n", "point 99 0.1 0.1\n", "point 0 0.1 0.1\n", "points\n"};
    char data[32], name[48], path[64];
    write_file(data);
    snprintf(name, sizeof name, "%s-net", data);
    snprintf(path, sizeof path, "%s.checkpoint", name);
    assert_int_equal(train_small(name, data), 0);
    assert_int_equal(train_small(name, data), 0); /* there is nothing left to do */
    train_checkpoint complete;
    const char *reason = "";
    assert_true(train_checkpoint_load(&complete, path, &reason));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const size_t size = strlen(complete.text) + 100 * strlen(bad[i]) + 1;
        char *text = malloc(size);
        assert_non_null(text);
        strcpy(text, complete.text);
        for (int k = 0; k < 100; k++) {
            strcat(text, bad[i]);
        }
        train_checkpoint hostile = complete;
        hostile.text = text;
        assert_true(train_checkpoint_save(path, &hostile));
        assert_int_equal(train_small(name, data), 2);
        free(text);
    }
    train_checkpoint_free(&complete);

    /* A count in the header must not cause an allocation beyond the size of the file. */
    const uint64_t promise[] = {0x326b632d7466756c, 0, 1 << 26};
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(promise, sizeof promise, 1, file), 1);
    assert_int_equal(fclose(file), 0);
    assert_false(train_checkpoint_load(&complete, path, &reason));
    assert_string_equal(reason, "it is not a checkpoint, or damaged");
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        snprintf(path, sizeof path, "%s%s", name, endings[i]);
        unlink(path);
    }
    unlink(data);
}

static int set_up(void **state) {
    (void)state;
    make_records();
    return 0;
}

/* --- The text of a checkpoint ----------------------------------------------- */

static void numbers_of_a_checkpoint(void **state) {
    (void)state;
    static const char *const bad[] = {"", "x", " 1", "-1", "+1", "18446744073709551616", "99999999999999999999"};
    const char *text = "step 18446744073709551615 0.5e-1 nine";
    uint64_t number = 7;
    double real = 7;
    assert_false(train_take(&text, "steps "));
    assert_true(train_take(&text, "step "));
    assert_true(train_take_number(&text, &number));
    assert_true(number == UINT64_MAX);
    assert_true(train_take(&text, " "));
    assert_true(train_take_real(&text, &real));
    assert_true(real == 0.05);
    assert_true(train_take(&text, " "));
    assert_false(train_take_real(&text, &real));
    assert_string_equal(text, "nine");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        text = bad[i];
        assert_false(train_take_number(&text, &number));
        assert_ptr_equal(text, bad[i]);
    }
    assert_true(number == UINT64_MAX && real == 0.05);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_a_checkpoint),
        cmocka_unit_test(the_target_is_a_blend),
        cmocka_unit_test(the_gradient_is_the_slope_of_the_error),
        cmocka_unit_test(the_engine_computes_the_same),
        cmocka_unit_test(a_step_goes_where_adamw_says),
        cmocka_unit_test(learning_lowers_the_error),
        cmocka_unit_test(damaged_records_are_not_used),
        cmocka_unit_test(an_epoch_shows_every_position_once),
        cmocka_unit_test(the_sample_is_of_all_files),
        cmocka_unit_test(a_checkpoint_with_too_many_points),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
