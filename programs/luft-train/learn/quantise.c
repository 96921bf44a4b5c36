/* SPDX-License-Identifier: MIT */
/*
 * `luft-train quantise`: converts a checkpoint to a network for the engine. Rounds weights to integers, 1.0 being 255
 * in the views and 64 to 256 in the output, as fine as the weights allow. Measures the cost with the engine's code on
 * held-out positions, beside the network in the program.
 */
#include "command.h"

#include "checkpoint.h"
#include "data.h"
#include "network.h"

#include "util/atomic_file.h"
#include "util/input.h"
#include "util/options.h"
#include "util/output.h"

#include "luft/engine.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "luft-train quantise"

/* The network as the text of a checkpoint describes it. */
typedef struct checkpoint_facts {
    nnue_shape shape;
    float lambda;
    uint64_t step, steps;
    char data[17]; /* the signature of the data */
} checkpoint_facts;

/* The value after a word at the beginning of a line; NULL if there is no such line. */
static const char *find_line(const char *text, const char *word) {
    const size_t length = strlen(word);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, word, length) == 0 && line[length] == ' ') {
            return line + length + 1;
        }
    }
    return NULL;
}

static bool read_number(const char *text, const char *word, uint64_t *number) {
    const char *value = find_line(text, word);
    return value && train_take_number(&value, number) && train_take(&value, "\n");
}

static bool read_facts(checkpoint_facts *facts, const train_checkpoint *checkpoint) {
    const char *text = checkpoint->text, *lambda = find_line(text, "lambda"), *data = find_line(text, "data");
    uint64_t hidden, buckets, king_buckets, mirrored;
    if (!read_number(text, "hidden", &hidden) || !read_number(text, "buckets", &buckets) ||
        !read_number(text, "king-buckets", &king_buckets) || !read_number(text, "mirror", &mirrored) ||
        !read_number(text, "step", &facts->step) || !read_number(text, "steps", &facts->steps) || !lambda || !data ||
        sscanf(data, "%16s", facts->data) != 1) {
        return false;
    }
    if (hidden > NNUE_HIDDEN_MAX || buckets > NNUE_BUCKETS_MAX || king_buckets > NNUE_KING_BUCKETS_MAX) {
        return false;
    }
    facts->shape = (nnue_shape){(int)hidden, (int)buckets, (int)king_buckets, mirrored != 0};
    if (!nnue_shape_is_possible(facts->shape)) {
        return false;
    }
    facts->lambda = strtof(lambda, NULL);
    return train_layout_of(facts->shape).count == checkpoint->count;
}

/* --- Rounding ------------------------------------------------------------------------------ */

static int16_t rounded_weight(float weight, int unit, int most) {
    const long value = lroundf(weight * (float)unit);
    return (int16_t)(value > most ? most : value < -most ? -most : value);
}

static void round_weights(int16_t *to, const float *from, size_t count, int unit, int most) {
    for (size_t i = 0; i < count; i++) {
        to[i] = rounded_weight(from[i], unit, most);
    }
}

/* The finest unit in which the weights of the output still fit. */
static int unit_for(const float *weights, size_t count) {
    float most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fabsf(weights[i]) > most ? fabsf(weights[i]) : most;
    }
    int unit = NNUE_QB_MAX;
    while (unit > NNUE_QB_MIN && most * (float)unit > NNUE_OUTPUT_MAX) {
        unit /= 2;
    }
    return unit;
}

static nnue_network *rounded(const train_checkpoint *checkpoint, nnue_shape shape, const char *text) {
    const train_layout layout = train_layout_of(shape);
    const size_t hidden = (size_t)shape.hidden, buckets = (size_t)shape.buckets;
    const float *weights = checkpoint->weights;
    nnue_network *network = nnue_create(shape, text, strlen(text));
    if (!network) {
        return NULL;
    }
    for (size_t i = 0; i < layout.shared_weights; i++) {
        network->feature_weights[i] =
            rounded_weight(train_feature_weight(weights, &layout, i), NNUE_QA, NNUE_WEIGHT_MAX);
    }
    round_weights(network->feature_biases, weights + layout.feature_biases, hidden, NNUE_QA, NNUE_BIAS_MAX);
    network->qb = unit_for(weights + layout.output_weights, buckets * 2 * hidden);
    round_weights(network->output_weights, weights + layout.output_weights, buckets * 2 * hidden, network->qb,
                  NNUE_OUTPUT_MAX);
    for (size_t i = 0; i < buckets; i++) {
        network->output_biases[i] =
            (int32_t)lroundf(weights[layout.output_biases + i] * (float)(NNUE_QA * network->qb));
    }
    return network;
}

/* --- Measuring ------------------------------------------------------------------------------- */

/* Errors as in training, on held-out positions. */
typedef struct measurement {
    size_t positions;
    double exact, quantised,
        present;       /* mean square errors: before rounding, after it, and of the network in the program */
    double difference; /* mean difference of before and after, in centipawns */
    double largest;
} measurement;

static double square_error(double score, double wanted) {
    const double difference = train_chance((float)(score / NNUE_SCALE)) - wanted;
    return difference * difference;
}

/* Measures the engine with the new network beside one with its own. False if out of memory. */
static bool measure(measurement *found, const train_data *data, const train_checkpoint *checkpoint,
                    const checkpoint_facts *facts, luft_engine *engine) {
    luft_engine *present = NULL;
    train_workspace *work = train_workspace_create(facts->shape);
    float *outputs = train_floats(data->validation_count + 1);
    const bool good = work && outputs && luft_engine_create(&present) == LUFT_OK;
    *found = (measurement){0};
    if (good) {
        train_outputs(work, outputs, checkpoint->weights, facts->shape, data->validation, data->validation_count);
    }
    for (size_t i = 0; i < data->validation_count && good; i++) {
        const record *entry = &data->validation[i];
        luft_position position;
        int quantised, presently;
        if (!record_unpack(&position, entry) || luft_engine_evaluate(&quantised, engine, &position) != LUFT_OK ||
            luft_engine_evaluate(&presently, present, &position) != LUFT_OK) {
            continue;
        }
        const double wanted = train_wanted(entry, (train_target){facts->lambda});
        const double exact = (double)outputs[i] * NNUE_SCALE;
        const double distance = fabs(exact - quantised);
        found->exact += square_error(exact, wanted);
        found->quantised += square_error(quantised, wanted);
        found->present += square_error(presently, wanted);
        found->difference += distance;
        found->largest = distance > found->largest ? distance : found->largest;
        found->positions++;
    }
    luft_engine_free(present);
    train_workspace_free(work);
    free(outputs);
    const double count = found->positions ? (double)found->positions : 1;
    found->exact /= count;
    found->quantised /= count;
    found->present /= count;
    found->difference /= count;
    return good;
}

static void print(const measurement *found) {
    printf("%zu positions held out\n", found->positions);
    printf("error of the trained network    %.6f\n", found->exact);
    printf("error of the quantised network  %.6f\n", found->quantised);
    printf("error of the program's network  %.6f\n", found->present);
    printf("difference by quantisation      %.2f centipawns, at most %.1f\n", found->difference, found->largest);
}

/* --- The command ------------------------------------------------------------------------------ */

/* The bytes of a network file. */
typedef struct network_bytes {
    uint8_t *data; /* NULL if out of memory; the caller frees it */
    size_t length;
} network_bytes;

static network_bytes save_network(const nnue_network *network) {
    const size_t length = nnue_save(NULL, 0, network);
    const network_bytes bytes = {malloc(length), length};
    if (bytes.data) {
        nnue_save(bytes.data, length, network);
    }
    return bytes;
}

/* Measures the network, if there is data, and writes it, unless the engine refuses it. False after an error line. */
static bool check_and_write(measurement *found, const train_data *data, const train_checkpoint *checkpoint,
                            const checkpoint_facts *facts, network_bytes bytes, const char *path) {
    const char *reason = "out of memory";
    luft_engine *engine = NULL;
    const bool is_usable = bytes.data && luft_engine_create(&engine) == LUFT_OK &&
                           luft_engine_set_network(engine, bytes.data, bytes.length, &reason) == LUFT_OK;
    const bool is_measured =
        is_usable && (data->validation_count == 0 || measure(found, data, checkpoint, facts, engine));
    luft_engine_free(engine);
    if (!is_measured) {
        output_error(NAME, "%s", is_usable ? "out of memory" : reason);
        return false;
    }
    atomic_file file;
    if (!atomic_file_open(&file, path) ||
        !atomic_file_close(&file, fwrite(bytes.data, 1, bytes.length, file.stream) == bytes.length)) {
        output_error(NAME, "%s cannot be written", path);
        return false;
    }
    return true;
}

static int quantise(const char *checkpoint_path, const char *out, const char *note, const char *const *paths,
                    size_t count) {
    train_checkpoint checkpoint;
    train_data data = {0};
    checkpoint_facts facts;
    const char *reason = "there is no such file";
    char *text = NULL;
    nnue_network *network = NULL;
    measurement found = {0};
    int status = STATUS_USAGE;
    const bool loaded = train_checkpoint_load(&checkpoint, checkpoint_path, &reason);
    if (!loaded || !read_facts(&facts, &checkpoint)) {
        output_error(NAME, "%s: %s", checkpoint_path,
                     loaded   ? "its description is damaged"
                     : reason ? reason
                              : "there is no such file");
    } else if (count == 0 || train_data_open(&data, paths, count, NAME)) {
        const size_t room = strlen(checkpoint.text) + (note ? strlen(note) : 0) + 2;
        status = STATUS_FAILED;
        text = malloc(room);
        if (text) {
            snprintf(text, room, "%s%s%s", note ? note : "", note ? "\n" : "", checkpoint.text);
            network = rounded(&checkpoint, facts.shape, text);
        }
        const network_bytes bytes = network ? save_network(network) : (network_bytes){NULL, 0};
        if (check_and_write(&found, &data, &checkpoint, &facts, bytes, out)) {
            status = STATUS_OK;
        }
        free(bytes.data);
    }
    if (status == STATUS_OK) {
        if (facts.step < facts.steps) {
            printf("the training is not complete: batch %" PRIu64 " of %" PRIu64 "\n", facts.step, facts.steps);
        }
        if (count > 0 && strtoull(facts.data, NULL, 16) != data.signature) {
            printf("the network learned from other data, which may include some of these positions\n");
        }
        if (count > 0) {
            print(&found);
        }
    }
    nnue_free(network);
    free(text);
    train_data_close(&data);
    train_checkpoint_free(&checkpoint);
    return status;
}

int train_quantise(int argc, char **argv) {
    const char *checkpoint = NULL, *out = NULL, *note = NULL;
    const char *const *data;
    size_t data_count;
    const option operands[] = {
        {.name = "CHECKPOINT", .help = "the checkpoint of luft-train train", .text = &checkpoint, .required = true},
    };
    const option options[] = {
        {.name = "out", .value = "FILE", .help = "write the network to FILE; required", .text = &out, .required = true},
        option_text("note", "TEXT", "put TEXT first into the description in the file", &note),
    };
    const option_table table = {
        .command = NAME,
        .usage = "--out FILE [--note TEXT] CHECKPOINT [DATA...]",
        .about = "Converts a checkpoint to a network for the engine. With files of records it measures the cost of\n"
                 "rounding on the held-out games, and compares with the network in the program.\n",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .operands = operands,
        .operand_count = 1,
        .rest = &data,
        .rest_count = &data_count,
    };
    int status;
    if (!options_read(&table, argc, argv, &status)) {
        return status;
    }
    if (input_is_among(out, &checkpoint, 1) || input_is_among(out, data, data_count)) {
        output_error(NAME, "--out: %s is also a file to read", out);
        return STATUS_USAGE;
    }
    return quantise(checkpoint, out, note, data, data_count);
}
