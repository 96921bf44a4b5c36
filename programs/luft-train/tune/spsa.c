/* SPDX-License-Identifier: MIT */
/* The arithmetic of SPSA. See spsa.h. */
#include "spsa.h"

#include "util/random.h"

#include <math.h>

static const double step_exponent = 0.101, rate_exponent = 0.602;

/* The perturbation of a parameter in this step, with its sign, which is the same each time it is asked for. */
static double perturbation(const spsa *state, uint64_t number, size_t i) {
    const double size = state->params[i].step * pow((double)state->goal / (double)(number + 1), step_exponent);
    const uint64_t random = random_mix(random_mix(state->seed + number) + 0x9e3779b97f4a7c15u * (2 * i + 1));
    return random >> 63 ? size : -size;
}

/* The part of a step size by which one point more moves a parameter. */
static double rate_at(const spsa *state, uint64_t number) {
    const double stability = 0.1 * (double)state->goal, last = stability + (double)state->goal;
    const double growth = pow(last / (stability + (double)(number + 1)), rate_exponent);
    /* The step size enters the usual quotient of both sequences squared, and its product with the perturbation once. */
    return state->rate * growth / pow((double)state->goal / (double)(number + 1), 2 * step_exponent);
}

static double within(double value, const spsa_param *param) {
    return value < param->min ? param->min : value > param->max ? param->max : value;
}

/* Rounds up with the probability of the fraction. */
static int rounded(double value, double chance) {
    return (int)floor(value + chance);
}

void spsa_points(const spsa *state, uint64_t number, int *plus, int *minus) {
    for (size_t i = 0; i < state->count; i++) {
        const spsa_param *param = &state->params[i];
        const double change = perturbation(state, number, i);
        const uint64_t random = random_mix(random_mix(state->seed + number) + 0x9e3779b97f4a7c15u * (2 * i + 2));
        const double chance = (double)(random >> 11) * 0x1p-53; /* less than 1 */
        plus[i] = (int)within(rounded(param->value + change, chance), param);
        minus[i] = (int)within(rounded(param->value - change, chance), param);
    }
}

void spsa_update(spsa *state, uint64_t number, int result) {
    for (size_t i = 0; i < state->count; i++) {
        spsa_param *param = &state->params[i];
        param->value =
            within(param->value + rate_at(state, number) * perturbation(state, number, i) * (double)result, param);
    }
    state->steps++;
}
