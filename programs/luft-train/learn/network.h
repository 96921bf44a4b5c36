/* SPDX-License-Identifier: MIT */
/*
 * The network while it is trained: floating-point weights, the gradient of the error
 * over many positions, and the step of AdamW that follows from it.
 *
 * All weights lie in one row of numbers, so that everything which is done to each of
 * them alike (the step, the checkpoint) need not know what they are.
 */
#ifndef LUFT_TRAIN_LEARN_NETWORK_H
#define LUFT_TRAIN_LEARN_NETWORK_H

#include "data/records.h"

#include "engine/nnue.h"

typedef struct train_shape {
    int hidden;    /* neurons of a view, a multiple of NNUE_HIDDEN_STEP */
    int buckets;   /* outputs: 1, or 8 by the number of men */
    bool mirrored; /* views have the viewer's king on files a to d */
} train_shape;

/* Where the weights of each kind begin in the row, and how many there are in all. */
typedef struct train_layout {
    size_t feature_weights; /* NNUE_INPUTS rows of `hidden` */
    size_t feature_biases;
    size_t output_weights; /* for each bucket `hidden` for the mover's view, then `hidden` for the opponent's */
    size_t output_biases;  /* the only ones that are not clipped */
    size_t count;
} train_layout;

train_layout train_layout_of(train_shape shape);

/* `count` zeros, aligned for vectors; NULL if there is no memory. End with free. */
float *train_floats(size_t count);

/* Small random weights. */
void train_initialise(float *weights, train_shape shape, uint64_t seed);

/* What a position should come out as: a blend of the game's result and the search's score, both as chances to win. */
typedef struct train_target {
    float lambda; /* the share of the result */
} train_target;

float train_wanted(const record *entry, train_target target);

/* Can the trainer look at this record? One king each, at most 32 men, types and result that exist. */
bool train_is_usable(const record *entry);

/* The output for a usable record; times NNUE_SCALE it is centipawns for the mover. */
float train_output(const float *weights, train_shape shape, const record *entry);

/* The chance to win that an output means. */
float train_chance(float output);

/*
 * Adds the gradient of the squared errors of these records to `gradient`, which lies like the weights, and
 * returns the sum of the errors.
 */
double train_gradient(float *gradient, const float *weights, train_shape shape, train_target target,
                      const record *records, size_t count);

/* What AdamW remembers of each weight. */
typedef struct train_moments {
    float *mean;
    float *square;
} train_moments;

typedef struct train_step {
    float rate;
    float decay;          /* of the weights, times the rate */
    float mean_bias;      /* 1 - 0.9^steps, what the averages lack in the first steps */
    float square_bias;    /* 1 - 0.999^steps */
    float gradient_scale; /* 1 / positions of the batch */
} train_step;

/*
 * One step for the weights from `begin` to `end`: the gradients, one from each thread, are added in
 * their order and set to zero.
 */
void train_update(float *weights, train_moments moments, float *const *gradients, int gradient_count,
                  const train_layout *layout, size_t begin, size_t end, train_step step);

#endif
