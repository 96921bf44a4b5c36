/* SPDX-License-Identifier: MIT */
/*
 * SPSA, simultaneous perturbation stochastic approximation (Spall, 1992): finds values of many parameters at once from
 * noisy comparisons. Each step moves all parameters by their step size, each up or down by chance, compares the two
 * opposite points in a pair of games, and moves all parameters a little towards the better point. What helped only by
 * chance averages out.
 *
 * Plain arithmetic: knows nothing of engines and games. The gain sequences are those that chess engines have come to
 * use: exponents 0.602 and 0.101, and a stability constant of a tenth of the steps.
 */
#ifndef LUFT_TRAIN_TUNE_SPSA_H
#define LUFT_TRAIN_TUNE_SPSA_H

#include <stddef.h>
#include <stdint.h>

typedef struct spsa_param {
    const char *name;
    double value; /* the present estimate */
    int start;    /* the value at the beginning */
    int min, max;
    double step; /* the perturbation in the last step; earlier ones are larger */
} spsa_param;

typedef struct spsa {
    spsa_param *params;
    size_t count;
    double rate;    /* how far a result moves a parameter in the last step, in step sizes; 0.002 is usual */
    uint64_t goal;  /* steps planned; the gain sequences depend on it */
    uint64_t seed;  /* of the perturbations */
    uint64_t steps; /* done so far */
} spsa;

/*
 * The two points of step `number`, from 0: integers within the limits. Estimates between two integers are rounded up or
 * down by chance, so that a fraction counts too.
 */
void spsa_points(const spsa *state, uint64_t number, int *plus, int *minus);

/* Moves the estimates by the result of step `number`: points of `plus` less points of `minus`, from -2 to 2. */
void spsa_update(spsa *state, uint64_t number, int result);

#endif
