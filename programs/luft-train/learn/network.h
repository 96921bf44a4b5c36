/* SPDX-License-Identifier: MIT */
/*
 * The network during training: floating-point weights, the gradient of the error over many positions, and the AdamW
 * step that follows from it.
 *
 * All weights are in one array, so that code that treats them alike (the step, the checkpoint) need not know their
 * meaning.
 */
#ifndef LUFT_TRAIN_LEARN_NETWORK_H
#define LUFT_TRAIN_LEARN_NETWORK_H

#include "data/records.h"

#include "engine/nnue.h"

/*
 * Where each kind of weights begins in the array, and their number.
 *
 * With several king buckets there is one more set of feature weights, which all buckets share: the weight of an input is
 * the sum of both. So what holds for every king is learned once, from all positions, and a bucket learns only the
 * difference. train_feature_weight adds them up for the engine.
 */
typedef struct train_layout {
    size_t feature_weights; /* for each king bucket, for each group of neurons, NNUE_INPUTS rows of `group` */
    size_t shared_weights;  /* the same for all king buckets together; none, and feature_biases, with one bucket */
    size_t feature_biases;
    size_t output_weights; /* for each bucket `hidden` for the side to move, then `hidden` for the opponent */
    size_t output_biases;  /* the only ones that are not clipped */
    size_t count;
    size_t group; /* neurons whose weights are next to each other: 16, 32 or 64 */
} train_layout;

train_layout train_layout_of(nnue_shape shape);

/* Where the weight of an input to a neuron is in each set of feature weights. */
size_t train_feature_place(const train_layout *layout, int input, int neuron);

/* The feature weight number i of the engine, which has for each king bucket NNUE_INPUTS rows of `hidden`. */
float train_feature_weight(const float *weights, const train_layout *layout, size_t i);

/* `count` zeros, aligned for vectors; NULL if out of memory. The caller frees them. */
float *train_floats(size_t count);

/* Small random weights. */
void train_initialise(float *weights, nnue_shape shape, uint64_t seed);

/* The target of a position: a blend of the game result and the search score, both as winning chances. */
typedef struct train_target {
    float lambda; /* the weight of the result */
} train_target;

float train_wanted(const record *entry, train_target target);

/* Is the record usable: one king each, at most 32 pieces, valid types and result? */
bool train_is_usable(const record *entry);

/* The winning chance of an output. */
float train_chance(float output);

/* Memory for the work of one thread. NULL if out of memory. */
typedef struct train_workspace train_workspace;
train_workspace *train_workspace_create(nnue_shape shape);
void train_workspace_free(train_workspace *work);

/* The output for each of these usable records; times NNUE_SCALE it is centipawns for the side to move. */
void train_outputs(train_workspace *work, float *outputs, const float *weights, nnue_shape shape, const record *records,
                   size_t count);

/*
 * Adds the gradient of the squared errors of these records to `gradient`, which has the layout of the weights. Returns
 * the sum of the errors.
 */
double train_gradient(train_workspace *work, float *gradient, const float *weights, nnue_shape shape,
                      train_target target, const record *records, size_t count);

/* The state of AdamW for each weight. */
typedef struct train_moments {
    float *mean;
    float *square;
} train_moments;

typedef struct train_step {
    float rate;
    float decay;          /* of the weights, times the rate */
    float mean_bias;      /* 1 - 0.9^steps, the bias of the averages in the first steps */
    float square_bias;    /* 1 - 0.999^steps */
    float gradient_scale; /* 1 / positions of the batch */
} train_step;

/*
 * One step for the weights from `begin` to `end`: adds the gradients, one from each thread, in order, and sets them to
 * zero.
 */
void train_update(float *weights, train_moments moments, float *const *gradients, int gradient_count,
                  const train_layout *layout, size_t begin, size_t end, train_step step);

#endif
