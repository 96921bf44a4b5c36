/* SPDX-License-Identifier: MIT */
/*
 * Outputs and gradients. Positions come in chunks, and each chunk goes through the network group by group of neurons, so
 * that what is added stays in the caches next to the core: forward the weights of one group for all inputs, backward
 * the slopes of one group for all views of the chunk.
 *
 * Forward, the rows of the pieces of a view are added. Backward, it is the other way round: for each row of weights, the
 * slopes of all views that have it are added in registers, and reach the gradient once. Positions are sorted by their
 * number of pieces; loops of equal length are easier to predict. Sums have a fixed order, so that one thread gives the
 * same bits in every run. `lanes` is the vector type of the compilers, of the same length on every machine.
 */
#include "network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = 16,
    CHUNK = 256, /* positions */
    VIEWS = 2 * CHUNK,
    PIECES_MAX = RECORD_PIECES_MAX,
    ROWS_MAX = 2 * PIECES_MAX, /* of a view: one for each piece, or two with king buckets */
    ROW_NUMBERS = (NNUE_KING_BUCKETS_MAX + 1) * NNUE_INPUTS,
    WIDTH_MAX = 4, /* vectors of a group of neurons */
};

typedef float lanes __attribute__((vector_size(LANES * sizeof(float)), may_alias));
typedef int32_t flags __attribute__((vector_size(LANES * sizeof(int32_t)))); /* all bits or none of a lane */

/* A row of weights that some view of the chunk has. */
typedef struct used_row {
    uint32_t offset; /* in the weights of a group */
    uint32_t end;    /* of its views in `users` */
} used_row;

struct train_workspace {
    float *views; /* for each group of neurons, for each view: neurons before the activation, later their slopes */
    int count;    /* positions of the chunk */
    const record *entries[CHUNK]; /* sorted by the number of pieces */
    int buckets[CHUNK];
    float errors[CHUNK];                /* the slope of the error by the output */
    uint32_t ends[VIEWS];               /* of the rows of each view; views 2i and 2i + 1 belong to position i */
    uint32_t rows[VIEWS * ROWS_MAX];    /* offsets of rows, view after view */
    uint16_t numbers[VIEWS * ROWS_MAX]; /* the same rows as numbers: set * NNUE_INPUTS + input */
    uint32_t places[ROW_NUMBERS + 1];
    used_row used[ROW_NUMBERS];
    int used_count;
    uint16_t users[VIEWS * ROWS_MAX];                 /* views, by row */
    _Alignas(sizeof(lanes)) float sums[CHUNK][LANES]; /* outputs before they are added across */
};

train_workspace *train_workspace_create(nnue_shape shape) {
    const size_t size = (sizeof(train_workspace) + sizeof(lanes) - 1) / sizeof(lanes) * sizeof(lanes);
    train_workspace *work = aligned_alloc(sizeof(lanes), size);
    if (!work) {
        return NULL;
    }
    work->views = train_floats((size_t)VIEWS * (size_t)shape.hidden);
    if (!work->views) {
        train_workspace_free(work);
        return NULL;
    }
    return work;
}

void train_workspace_free(train_workspace *work) {
    if (work) {
        free(work->views);
        free(work);
    }
}

/* --- Inputs -------------------------------------------------------------------------- */

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

/* Where the row of an input begins in the first group of a set of weights. */
static uint32_t row_offset(int set, int input, const train_layout *layout) {
    const size_t hidden = layout->output_weights - layout->feature_biases;
    return (uint32_t)((size_t)set * hidden * NNUE_INPUTS + (size_t)input * layout->group);
}

/* Appends the rows of both views of a position from `begin` on; returns the new end. */
static uint32_t list_inputs(train_workspace *work, uint32_t begin, int position, nnue_shape shape,
                            const train_layout *layout) {
    const record *entry = work->entries[position];
    orientation views[2];
    const int pieces = record_piece_count(entry), sets = shape.king_buckets > 1 ? 2 : 1;
    const uint32_t length = (uint32_t)(pieces * sets); /* of a view */
    orient(views, entry, pieces, shape);
    uint64_t rest = record_occupied(entry);
    for (int i = 0; i < pieces; i++, rest &= rest - 1) {
        const int square = luft_lsb(rest), piece = record_piece(entry, i);
        for (int view = 0; view < 2; view++) {
            const int is_theirs = piece >> 3 != view;
            const int input = (is_theirs * 6 + (piece & 7)) * 64 + (square ^ views[view].flip);
            for (int k = 0; k < sets; k++) {
                const int set = k == 0 ? views[view].king_bucket : shape.king_buckets;
                const uint32_t place = begin + (uint32_t)view * length + (uint32_t)(i * sets + k);
                work->rows[place] = row_offset(set, input, layout);
                work->numbers[place] = (uint16_t)(set * NNUE_INPUTS + input);
            }
        }
    }
    work->ends[2 * position] = begin + length;
    work->ends[2 * position + 1] = begin + 2 * length;
    work->buckets[position] = nnue_bucket(shape.buckets, pieces);
    return begin + 2 * length;
}

/* Takes the next positions, sorted by the number of pieces. */
static void load_chunk(train_workspace *work, const record *records, size_t count, nnue_shape shape,
                       const train_layout *layout) {
    int places[PIECES_MAX + 2] = {0};
    work->count = (int)count;
    for (size_t i = 0; i < count; i++) {
        places[record_piece_count(&records[i]) + 1]++;
    }
    for (int i = 1; i <= PIECES_MAX; i++) {
        places[i] += places[i - 1];
    }
    for (size_t i = 0; i < count; i++) {
        work->entries[places[record_piece_count(&records[i])]++] = &records[i];
    }
    uint32_t end = 0;
    for (int i = 0; i < work->count; i++) {
        end = list_inputs(work, end, i, shape, layout);
    }
}

/* Lists the views of each row, by counting. */
static void list_users(train_workspace *work, nnue_shape shape, const train_layout *layout) {
    const int sets = shape.king_buckets > 1 ? shape.king_buckets + 1 : 1;
    const uint32_t end = work->ends[2 * work->count - 1];
    memset(work->places, 0, sizeof work->places);
    for (uint32_t i = 0; i < end; i++) {
        work->places[work->numbers[i] + 1]++;
    }
    work->used_count = 0;
    for (int i = 0; i < sets * NNUE_INPUTS; i++) {
        const bool is_used = work->places[i + 1] > 0;
        work->places[i + 1] += work->places[i];
        if (is_used) {
            work->used[work->used_count++] =
                (used_row){row_offset(i / NNUE_INPUTS, i % NNUE_INPUTS, layout), work->places[i + 1]};
        }
    }
    uint32_t next = 0;
    for (int view = 0; view < 2 * work->count; view++) {
        for (; next < work->ends[view]; next++) {
            work->users[work->places[work->numbers[next]]++] = (uint16_t)view;
        }
    }
}

/* --- Forward ------------------------------------------------------------------------------ */

/* Clamps to 0 … 1. By pointer, because passing vectors by value depends on the processor. */
__attribute__((always_inline)) static inline void clip(lanes *x) {
    const lanes zero = {0}, one = zero + 1.0f;
    const flags above = *x > one;
    const flags cut = (flags)*x & (*x > zero);
    *x = (lanes)((cut & ~above) | ((flags)one & above));
}

/* What belongs to a group of neurons. */
typedef struct group_places {
    size_t weights; /* of the features */
    size_t biases;
    size_t outputs; /* in the output weights of a view */
    lanes *views;   /* the neurons, view by view */
} group_places;

static group_places places_of(const train_workspace *work, const train_layout *layout, size_t group) {
    return (group_places){.weights = layout->feature_weights + group * NNUE_INPUTS * layout->group,
                          .biases = layout->feature_biases + group * layout->group,
                          .outputs = group * layout->group,
                          .views = (lanes *)(work->views + group * VIEWS * layout->group)};
}

/* The output weights of a view; also the place of their gradient. */
static size_t output_place(const train_workspace *work, const train_layout *layout, nnue_shape shape, int view) {
    return layout->output_weights + (size_t)((2 * work->buckets[view / 2] + view % 2) * shape.hidden);
}

/* Computes a group of neurons of all views and its part of the outputs. Inlined with a constant width. */
__attribute__((always_inline)) static inline void forward_group(train_workspace *work, const float *weights,
                                                                nnue_shape shape, const train_layout *layout,
                                                                size_t group, const int width) {
    const group_places places = places_of(work, layout, group);
    const float *first = weights + places.weights;
    const lanes *biases = (const lanes *)(weights + places.biases);
    uint32_t next = 0;
    for (int view = 0; view < 2 * work->count; view++) {
        lanes neurons[WIDTH_MAX];
        for (int k = 0; k < width; k++) {
            neurons[k] = biases[k];
        }
        for (const uint32_t end = work->ends[view]; next < end; next++) {
            const lanes *row = (const lanes *)(first + work->rows[next]);
            for (int k = 0; k < width; k++) {
                neurons[k] += row[k];
            }
        }
        const lanes *output = (const lanes *)(weights + output_place(work, layout, shape, view) + places.outputs);
        lanes sum = *(lanes *)work->sums[view / 2];
        for (int k = 0; k < width; k++) {
            places.views[view * width + k] = neurons[k];
            clip(&neurons[k]);
            sum += neurons[k] * neurons[k] * output[k];
        }
        *(lanes *)work->sums[view / 2] = sum;
    }
}

/* Computes the views of the chunk; `sums` then hold the outputs, spread over the lanes, without their biases. */
static void forward(train_workspace *work, const float *weights, nnue_shape shape, const train_layout *layout) {
    const size_t groups = (size_t)shape.hidden / layout->group;
    memset(work->sums, 0, sizeof work->sums);
    for (size_t group = 0; group < groups; group++) {
        switch (layout->group / LANES) {
        case 4: forward_group(work, weights, shape, layout, group, 4); break;
        case 2: forward_group(work, weights, shape, layout, group, 2); break;
        default: forward_group(work, weights, shape, layout, group, 1);
        }
    }
}

static float output_of(const train_workspace *work, const float *weights, const train_layout *layout, int position) {
    float sum = weights[layout->output_biases + (size_t)work->buckets[position]];
    for (int k = 0; k < LANES; k++) {
        sum += work->sums[position][k];
    }
    return sum;
}

void train_outputs(train_workspace *work, float *outputs, const float *weights, nnue_shape shape, const record *records,
                   size_t count) {
    const train_layout layout = train_layout_of(shape);
    for (size_t done = 0; done < count; done += CHUNK) {
        load_chunk(work, records + done, count - done < CHUNK ? count - done : CHUNK, shape, &layout);
        forward(work, weights, shape, &layout);
        for (int i = 0; i < work->count; i++) {
            outputs[work->entries[i] - records] = output_of(work, weights, &layout, i);
        }
    }
}

/* --- Backward ------------------------------------------------------------------------------ */

/* Turns a group of neurons of all views into their slopes; adds the gradients of biases and output weights. */
__attribute__((always_inline)) static inline void find_slopes(train_workspace *work, float *gradient,
                                                              const float *weights, nnue_shape shape,
                                                              const train_layout *layout, size_t group,
                                                              const int width) {
    const lanes zero = {0}, one = zero + 1.0f;
    const group_places places = places_of(work, layout, group);
    lanes sums[WIDTH_MAX] = {{0}};
    for (int view = 0; view < 2 * work->count; view++) {
        const size_t place = output_place(work, layout, shape, view) + places.outputs;
        const lanes *output = (const lanes *)(weights + place);
        lanes *output_gradient = (lanes *)(gradient + place);
        const float error = work->errors[view / 2];
        for (int k = 0; k < width; k++) {
            lanes x = places.views[view * width + k];
            const flags inside = (x > zero) & (x < one); /* outside the activation is flat */
            clip(&x);
            output_gradient[k] += error * (x * x);
            const lanes slope = (lanes)((flags)(2.0f * error * x * output[k]) & inside);
            sums[k] += slope;
            places.views[view * width + k] = slope;
        }
    }
    for (int k = 0; k < width; k++) {
        ((lanes *)(gradient + places.biases))[k] += sums[k];
    }
}

/* Adds the slopes of a group to the gradients of the rows of weights. */
__attribute__((always_inline)) static inline void
gather_slopes(const train_workspace *work, float *gradient, const train_layout *layout, size_t group, const int width) {
    const group_places places = places_of(work, layout, group);
    uint32_t next = 0;
    for (int i = 0; i < work->used_count; i++) {
        lanes sums[WIDTH_MAX] = {{0}};
        for (const uint32_t end = work->used[i].end; next < end; next++) {
            const lanes *slopes = places.views + work->users[next] * width;
            for (int k = 0; k < width; k++) {
                sums[k] += slopes[k];
            }
        }
        lanes *row = (lanes *)(gradient + places.weights + work->used[i].offset);
        for (int k = 0; k < width; k++) {
            row[k] += sums[k];
        }
    }
}

__attribute__((always_inline)) static inline void backward_group(train_workspace *work, float *gradient,
                                                                 const float *weights, nnue_shape shape,
                                                                 const train_layout *layout, size_t group,
                                                                 const int width) {
    find_slopes(work, gradient, weights, shape, layout, group, width);
    gather_slopes(work, gradient, layout, group, width);
}

static void backward(train_workspace *work, float *gradient, const float *weights, nnue_shape shape,
                     const train_layout *layout) {
    const size_t groups = (size_t)shape.hidden / layout->group;
    list_users(work, shape, layout);
    for (size_t group = 0; group < groups; group++) {
        switch (layout->group / LANES) {
        case 4: backward_group(work, gradient, weights, shape, layout, group, 4); break;
        case 2: backward_group(work, gradient, weights, shape, layout, group, 2); break;
        default: backward_group(work, gradient, weights, shape, layout, group, 1);
        }
    }
}

double train_gradient(train_workspace *work, float *gradient, const float *weights, nnue_shape shape,
                      train_target target, const record *records, size_t count) {
    const train_layout layout = train_layout_of(shape);
    double errors = 0;
    for (size_t done = 0; done < count; done += CHUNK) {
        load_chunk(work, records + done, count - done < CHUNK ? count - done : CHUNK, shape, &layout);
        forward(work, weights, shape, &layout);
        for (int i = 0; i < work->count; i++) {
            const float chance = train_chance(output_of(work, weights, &layout, i));
            const float difference = chance - train_wanted(work->entries[i], target);
            work->errors[i] = 2.0f * difference * chance * (1.0f - chance);
            errors += (double)(difference * difference);
            gradient[layout.output_biases + (size_t)work->buckets[i]] += work->errors[i];
        }
        backward(work, gradient, weights, shape, &layout);
    }
    return errors;
}
