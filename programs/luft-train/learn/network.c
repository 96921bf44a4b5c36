/* SPDX-License-Identifier: MIT */
/*
 * Gradients and steps. Nearly all time goes into adding rows of weights to views, and gradients of views to rows: a
 * tile of a view stays in registers while the rows of all pieces are added. `lanes` is the vector type of the
 * compilers, eight numbers on every machine. Sums have a fixed order, so that one thread gives the same bits in every
 * run.
 */
#include "network.h"

#include "util/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 8, PIECES_MAX = RECORD_PIECES_MAX, ROWS_MAX = 2 * PIECES_MAX, ALIGNMENT = 64 };

typedef float lanes __attribute__((vector_size(LANES * sizeof(float)), may_alias));
typedef int32_t flags __attribute__((vector_size(LANES * sizeof(int32_t)))); /* all bits or none of a lane */

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
    return layout;
}

float train_feature_weight(const float *weights, const train_layout *layout, size_t i) {
    const size_t set = layout->feature_biases - layout->shared_weights;
    return weights[layout->feature_weights + i] + (set > 0 ? weights[layout->shared_weights + i % set] : 0);
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

/* The rows of weights of a position, for both views. */
typedef struct input_lists {
    int count; /* of a view: one for each piece, or two with king buckets */
    int bucket;
    uint32_t rows[2][ROWS_MAX]; /* the view of the side to move first; offsets of the rows in the weights */
} input_lists;

bool train_is_usable(const record *entry) {
    const int count = record_piece_count(entry);
    int kings[2] = {0, 0};
    if (count > PIECES_MAX || record_result(entry) > RESULT_UNKNOWN) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        const int piece = record_piece(entry, i);
        if ((piece & 7) > 5) {
            return false;
        }
        kings[piece >> 3] += (piece & 7) == 5;
    }
    return kings[0] == 1 && kings[1] == 1;
}

/* How a view sees the board; its king decides. */
typedef struct orientation {
    int flip;        /* XOR of squares: 56 for the opponent's view, and 7 more if the king stands on files e to h */
    int king_bucket; /* the set of feature weights */
} orientation;

static void orient(orientation views[2], const record *entry, int count, nnue_shape shape) {
    views[0] = (orientation){0};
    views[1] = (orientation){.flip = 56};
    if (!shape.mirrored) {
        return;
    }
    uint64_t rest = record_occupied(entry);
    for (int i = 0; i < count; i++, rest &= rest - 1) {
        const int piece = record_piece(entry, i), square = luft_lsb(rest);
        if ((piece & 7) == 5) {
            orientation *view = &views[piece >> 3];
            view->flip ^= (square & 4) != 0 ? 7 : 0;
            view->king_bucket = nnue_king_bucket(shape.king_buckets, square ^ view->flip);
        }
    }
}

static void list_inputs(input_lists *lists, const record *entry, nnue_shape shape) {
    const uint32_t hidden = (uint32_t)shape.hidden;
    orientation views[2];
    const int pieces = record_piece_count(entry);
    lists->count = pieces;
    lists->bucket = nnue_bucket(shape.buckets, pieces);
    orient(views, entry, pieces, shape);
    uint64_t rest = record_occupied(entry);
    for (int i = 0; i < pieces; i++, rest &= rest - 1) {
        const int square = luft_lsb(rest), piece = record_piece(entry, i), type = piece & 7;
        for (int view = 0; view < 2; view++) {
            const int is_theirs = piece >> 3 != view;
            const int input = (is_theirs * 6 + type) * 64 + (square ^ views[view].flip);
            lists->rows[view][i] = (uint32_t)(views[view].king_bucket * NNUE_INPUTS + input) * hidden;
            if (shape.king_buckets > 1) {
                lists->rows[view][pieces + i] = (uint32_t)(shape.king_buckets * NNUE_INPUTS + input) * hidden;
            }
        }
    }
    if (shape.king_buckets > 1) {
        lists->count = 2 * pieces;
    }
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

/* --- Tiles -------------------------------------------------------------------------- */

/* Computes a tile of a view: `width` vectors of biases and of the rows of all pieces. Inlined with a constant width. */
__attribute__((always_inline)) static inline void sum_tile(float *view, const float *biases, const float *weights,
                                                           const uint32_t *rows, int count, const int width) {
    lanes sums[8];
    for (int k = 0; k < width; k++) {
        sums[k] = ((const lanes *)biases)[k];
    }
    for (int i = 0; i < count; i++) {
        const lanes *row = (const lanes *)(weights + rows[i]);
        for (int k = 0; k < width; k++) {
            sums[k] += row[k];
        }
    }
    for (int k = 0; k < width; k++) {
        ((lanes *)view)[k] = sums[k];
    }
}

/* The reverse: adds a tile of the gradient of a view to the rows of all pieces. */
__attribute__((always_inline)) static inline void spread_tile(float *gradient, const float *view, const uint32_t *rows,
                                                              int count, const int width) {
    lanes parts[8];
    for (int k = 0; k < width; k++) {
        parts[k] = ((const lanes *)view)[k];
    }
    for (int i = 0; i < count; i++) {
        lanes *row = (lanes *)(gradient + rows[i]);
        for (int k = 0; k < width; k++) {
            row[k] += parts[k];
        }
    }
}

static void sum_rows(float *view, const float *biases, const float *weights, const uint32_t *rows, int count,
                     int hidden) {
    int i = 0;
    for (; i + 8 * LANES <= hidden; i += 8 * LANES) {
        sum_tile(view + i, biases + i, weights + i, rows, count, 8);
    }
    for (; i < hidden; i += 2 * LANES) {
        sum_tile(view + i, biases + i, weights + i, rows, count, 2);
    }
}

static void spread_rows(float *gradient, const float *view, const uint32_t *rows, int count, int hidden) {
    int i = 0;
    for (; i + 8 * LANES <= hidden; i += 8 * LANES) {
        spread_tile(gradient + i, view + i, rows, count, 8);
    }
    for (; i < hidden; i += 2 * LANES) {
        spread_tile(gradient + i, view + i, rows, count, 2);
    }
}

/* --- Forward and backward -------------------------------------------------------------- */

/* Both views of a position before the activation. */
typedef struct activations {
    _Alignas(ALIGNMENT) float views[2][NNUE_HIDDEN_MAX];
} activations;

/* Clamps to 0 … 1. By pointer, because passing vectors by value depends on the processor. */
__attribute__((always_inline)) static inline void clip(lanes *x) {
    const lanes zero = {0}, one = zero + 1.0f;
    const flags above = *x > one;
    const flags cut = (flags)*x & (*x > zero);
    *x = (lanes)((cut & ~above) | ((flags)one & above));
}

/* The sum of squared, clipped neurons times weights, in 16 parallel sums. */
static float weigh(const float *view, const float *weights, int hidden) {
    lanes sums[2] = {{0}, {0}};
    for (int i = 0; i < hidden; i += 2 * LANES) {
        for (int k = 0; k < 2; k++) {
            lanes x = ((const lanes *)(view + i))[k];
            clip(&x);
            sums[k] += x * x * ((const lanes *)(weights + i))[k];
        }
    }
    sums[0] += sums[1];
    float total = 0;
    for (int k = 0; k < LANES; k++) {
        total += sums[0][k];
    }
    return total;
}

/* Turns a view into its gradient, and adds the gradient of its output weights. `error` is that of the output. */
static void unweigh(float *view, float *weight_gradient, const float *weights, float error, int hidden) {
    const lanes zero = {0}, one = zero + 1.0f;
    for (int i = 0; i < hidden; i += LANES) {
        lanes *part = (lanes *)(view + i);
        lanes x = *part;
        const flags inside = (x > zero) & (x < one); /* outside the activation is flat */
        clip(&x);
        *(lanes *)(weight_gradient + i) += error * (x * x);
        *part = (lanes)((flags)(2.0f * error * x * *(const lanes *)(weights + i)) & inside);
    }
}

/* to += from */
static void add_view(float *to, const float *from, int hidden) {
    for (int i = 0; i < hidden; i += LANES) {
        *(lanes *)(to + i) += *(const lanes *)(from + i);
    }
}

static float forward(activations *found, const input_lists *lists, const float *weights, nnue_shape shape,
                     const train_layout *layout) {
    const float *output = weights + layout->output_weights + (size_t)lists->bucket * 2 * (size_t)shape.hidden;
    float sum = weights[layout->output_biases + (size_t)lists->bucket];
    for (int view = 0; view < 2; view++) {
        sum_rows(found->views[view], weights + layout->feature_biases, weights, lists->rows[view], lists->count,
                 shape.hidden);
        sum += weigh(found->views[view], output + view * shape.hidden, shape.hidden);
    }
    return sum;
}

float train_output(const float *weights, nnue_shape shape, const record *entry) {
    const train_layout layout = train_layout_of(shape);
    activations found;
    input_lists lists;
    list_inputs(&lists, entry, shape);
    return forward(&found, &lists, weights, shape, &layout);
}

double train_gradient(float *gradient, const float *weights, nnue_shape shape, train_target target,
                      const record *records, size_t count) {
    const train_layout layout = train_layout_of(shape);
    double errors = 0;
    activations found;
    input_lists lists;
    for (size_t i = 0; i < count; i++) {
        list_inputs(&lists, &records[i], shape);
        const float chance = train_chance(forward(&found, &lists, weights, shape, &layout));
        const float difference = chance - train_wanted(&records[i], target);
        const float error = 2.0f * difference * chance * (1.0f - chance);
        errors += (double)(difference * difference);

        const size_t output = layout.output_weights + (size_t)lists.bucket * 2 * (size_t)shape.hidden;
        gradient[layout.output_biases + (size_t)lists.bucket] += error;
        for (int view = 0; view < 2; view++) {
            const size_t begin = output + (size_t)(view * shape.hidden);
            float *part = found.views[view];
            unweigh(part, gradient + begin, weights + begin, error, shape.hidden);
            spread_rows(gradient, part, lists.rows[view], lists.count, shape.hidden);
            add_view(gradient + layout.feature_biases, part, shape.hidden);
        }
    }
    return errors;
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
