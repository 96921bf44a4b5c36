/* SPDX-License-Identifier: MIT */
/* A warm start from a network file. See start.h. */
#include "start.h"

#include "util/checksum.h"

#include <stdio.h>
#include <stdlib.h>

static const float new_neuron_share = 0.1f; /* of the output weights that a neuron gets in a cold start */

/* --- Reading the file ---------------------------------------------------------------- */

static nnue_network *read_network(const char *path, uint64_t *signature, const char **reason) {
    enum { LENGTH_MAX = 16 << 20 }; /* more than any network has */
    nnue_network *network = NULL;
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = file ? malloc(LENGTH_MAX + 1) : NULL;
    *reason = !file ? "cannot be read" : "out of memory";
    if (bytes) {
        const size_t length = fread(bytes, 1, LENGTH_MAX + 1, file);
        checksum sum = checksum_start();
        checksum_add(&sum, bytes, length);
        *signature = checksum_end(&sum);
        *reason = "cannot be read";
        if (!ferror(file)) {
            nnue_load(&network, bytes, length, reason);
        }
    }
    free(bytes);
    if (file) {
        fclose(file);
    }
    return network;
}

/* Can every part of the new network start from one of the old network? */
static bool is_start_for(nnue_shape old, nnue_shape new) {
    return old.hidden <= new.hidden &&old.mirrored == new.mirrored &&
           (old.buckets == 1 || old.buckets == new.buckets) &&
           (old.king_buckets == 1 || old.king_buckets == new.king_buckets);
}

/* --- Copying the weights ---------------------------------------------------------------- */

/* The weight of an input in a king bucket of the old network, which has the same buckets or one for all. */
static float old_weight(const nnue_network *old, int bucket, int input, int neuron) {
    const size_t set = old->shape.king_buckets > 1 ? (size_t)bucket : 0;
    const size_t row = set * NNUE_INPUTS + (size_t)input;
    return (float)old->feature_weights[row * (size_t)old->shape.hidden + (size_t)neuron] / (float)NNUE_QA;
}

/* The mean of all buckets is what they share; each keeps its difference. */
static void copy_features(float *weights, const train_layout *layout, nnue_shape shape, const nnue_network *old) {
    const size_t set = (size_t)NNUE_INPUTS * (size_t)shape.hidden;
    const bool is_shared = layout->shared_weights < layout->feature_biases;
    for (int input = 0; input < NNUE_INPUTS; input++) {
        for (int neuron = 0; neuron < old->shape.hidden; neuron++) {
            const size_t place = train_feature_place(layout, input, neuron);
            float mean = 0;
            for (int bucket = 0; bucket < shape.king_buckets && is_shared; bucket++) {
                mean += old_weight(old, bucket, input, neuron) / (float)shape.king_buckets;
            }
            for (int bucket = 0; bucket < shape.king_buckets; bucket++) {
                weights[layout->feature_weights + (size_t)bucket * set + place] =
                    old_weight(old, bucket, input, neuron) - mean;
            }
            if (is_shared) {
                weights[layout->shared_weights + place] = mean;
            }
        }
    }
    for (int neuron = 0; neuron < old->shape.hidden; neuron++) {
        weights[layout->feature_biases + (size_t)neuron] = (float)old->feature_biases[neuron] / (float)NNUE_QA;
    }
}

static void copy_outputs(float *weights, const train_layout *layout, nnue_shape shape, const nnue_network *old) {
    for (int bucket = 0; bucket < shape.buckets; bucket++) {
        const int old_bucket = old->shape.buckets > 1 ? bucket : 0;
        for (int view = 0; view < 2; view++) {
            float *to = weights + layout->output_weights + (size_t)((2 * bucket + view) * shape.hidden);
            const int16_t *from = old->output_weights + (2 * old_bucket + view) * old->shape.hidden;
            for (int neuron = 0; neuron < shape.hidden; neuron++) {
                to[neuron] =
                    neuron < old->shape.hidden ? (float)from[neuron] / (float)old->qb : to[neuron] * new_neuron_share;
            }
        }
        weights[layout->output_biases + (size_t)bucket] =
            (float)old->output_biases[old_bucket] / (float)(NNUE_QA * old->qb);
    }
}

bool train_start(float *weights, nnue_shape shape, const char *path, uint64_t *signature, const char **reason) {
    nnue_network *old = read_network(path, signature, reason);
    if (!old) {
        return false;
    }
    const bool good = is_start_for(old->shape, shape);
    if (good) {
        const train_layout layout = train_layout_of(shape);
        copy_features(weights, &layout, shape, old);
        copy_outputs(weights, &layout, shape, old);
    } else {
        *reason = "its network is wider than the new one, or has other outputs, king buckets or mirroring";
    }
    nnue_free(old);
    return good;
}
