/* SPDX-License-Identifier: MIT */
/* Weights, targets and steps; gradient.c has outputs and gradients, where nearly all time goes. */
#include "network.h"

#include "util/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static const float weight_limit = 1.98f; /* times QA or QB far inside the limits of the engine */

train_layout train_layout_of(nnue_shape shape) {
    const size_t hidden = (size_t)shape.hidden, buckets = (size_t)shape.buckets;
    train_layout layout = {.feature_weights = 0};
    const size_t set = NNUE_INPUTS * hidden, king_buckets = (size_t)shape.king_buckets;
    layout.shared_weights = king_buckets * set;
    layout.feature_biases = layout.shared_weights + (king_buckets > 1 ? set : 0);
    layout.output_weights = layout.feature_biases + hidden;
    layout.output_biases = layout.output_weights + buckets * 2 * hidden;
    layout.count = layout.output_biases + buckets;
    layout.group = hidden % 64 == 0 ? 64 : hidden % 32 == 0 ? 32 : 16;
    return layout;
}

size_t train_feature_place(const train_layout *layout, int input, int neuron) {
    const size_t group = layout->group, number = (size_t)neuron;
    return (number / group * NNUE_INPUTS + (size_t)input) * group + number % group;
}

float train_feature_weight(const float *weights, const train_layout *layout, size_t i) {
    const size_t hidden = layout->output_weights - layout->feature_biases, set = NNUE_INPUTS * hidden;
    const size_t place = train_feature_place(layout, (int)(i % set / hidden), (int)(i % hidden));
    const bool is_shared = layout->shared_weights < layout->feature_biases;
    return weights[layout->feature_weights + i / set * set + place] +
           (is_shared ? weights[layout->shared_weights + place] : 0);
}

float *train_floats(size_t count) {
    const size_t size = (count * sizeof(float) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    float *numbers = aligned_alloc(ALIGNMENT, size);
    if (numbers) {
        memset(numbers, 0, size);
    }
    return numbers;
}

void train_initialise(float *weights, nnue_shape shape, uint64_t seed) {
    const train_layout layout = train_layout_of(shape);
    const float feature_range = 0.1f, output_range = sqrtf(3.0f / (float)shape.hidden);
    for (size_t i = 0; i < layout.count; i++) {
        const float random = (float)(random_mix(seed + 0x9e3779b97f4a7c15u * (i + 1)) >> 40) / 8388608.0f - 1.0f;
        const bool is_weight = i < layout.feature_biases || (i >= layout.output_weights && i < layout.output_biases);
        weights[i] = is_weight ? random * (i < layout.feature_biases ? feature_range : output_range) : 0.0f;
    }
    if (layout.shared_weights < layout.feature_biases) {
        memset(weights, 0, layout.shared_weights * sizeof *weights); /* at first all buckets are equal */
    }
}

/* --- Records ---------------------------------------------------------------------- */

/* For each piece of eight bytes of nibbles: the lowest bit of its nibble, if it is a king. */
static uint64_t king_bits(uint64_t nibbles) {
    return nibbles & nibbles >> 2 & ~(nibbles >> 1) & UINT64_C(0x1111111111111111);
}

/* The same for codes that are not pieces. */
static uint64_t invalid_bits(uint64_t nibbles) {
    return nibbles >> 1 & nibbles >> 2 & UINT64_C(0x1111111111111111);
}

bool train_is_usable(const record *entry) {
    const int count = record_piece_count(entry);
    int kings = 0, their_kings = 0;
    uint64_t invalid = 0;
    if (count > RECORD_PIECES_MAX || record_result(entry) > RESULT_UNKNOWN) {
        return false;
    }
    for (int half = 0; half < 2; half++) { /* 16 pieces each */
        const int pieces = count - 16 * half;
        uint64_t nibbles = record_pieces(entry, half);
        nibbles &= pieces >= 16 ? UINT64_MAX : pieces <= 0 ? 0 : (UINT64_C(1) << 4 * pieces) - 1;
        invalid |= invalid_bits(nibbles);
        kings += luft_popcount(king_bits(nibbles));
        their_kings += luft_popcount(king_bits(nibbles) & nibbles >> 3);
    }
    return invalid == 0 && kings == 2 && their_kings == 1;
}

float train_chance(float output) {
    return 1.0f / (1.0f + expf(-output));
}

float train_wanted(const record *entry, train_target target) {
    const float by_score = train_chance((float)record_score(entry) / (float)NNUE_SCALE);
    if (record_result(entry) == RESULT_UNKNOWN) {
        return by_score;
    }
    return target.lambda * (float)record_result(entry) / 2.0f + (1.0f - target.lambda) * by_score;
}

/* --- The step ---------------------------------------------------------------------------- */

/* One step for `count` weights, clamped to +-limit. A plain loop, which compilers vectorise. */
static void step_weights(float *restrict weights, float *restrict means, float *restrict squares,
                         float *restrict gradient, size_t count, train_step step, float limit) {
    const float mean_share = 0.9f, square_share = 0.999f, least_divisor = 1e-8f;
    for (size_t i = 0; i < count; i++) {
        const float slope = gradient[i] * step.gradient_scale;
        const float mean = mean_share * means[i] + (1.0f - mean_share) * slope;
        const float square = square_share * squares[i] + (1.0f - square_share) * slope * slope;
        const float direction = mean / (step.mean_bias * (sqrtf(square / step.square_bias) + least_divisor));
        const float weight = weights[i] - step.rate * (direction + step.decay * weights[i]);
        const float low = weight < -limit ? -limit : weight;
        weights[i] = low > limit ? limit : low;
        means[i] = mean;
        squares[i] = square;
        gradient[i] = 0;
    }
}

void train_update(float *weights, train_moments moments, float *const *gradients, int gradient_count,
                  const train_layout *layout, size_t begin, size_t end, train_step step) {
    for (int thread = 1; thread < gradient_count; thread++) {
        float *restrict to = gradients[0], *restrict from = gradients[thread];
        for (size_t i = begin; i < end; i++) {
            to[i] += from[i];
            from[i] = 0;
        }
    }
    const size_t biases = layout->output_biases;
    const size_t middle = biases < begin ? begin : biases > end ? end : biases;
    step_weights(weights + begin, moments.mean + begin, moments.square + begin, gradients[0] + begin, middle - begin,
                 step, weight_limit);
    step_weights(weights + middle, moments.mean + middle, moments.square + middle, gradients[0] + middle, end - middle,
                 step, INFINITY);
}
