/* SPDX-License-Identifier: MIT */
/*
 * A warm start: the weights of a finished network as the first weights of another training, of the same network or of a
 * wider one with more outputs or king buckets.
 */
#ifndef LUFT_TRAIN_LEARN_START_H
#define LUFT_TRAIN_LEARN_START_H

#include "network.h"

/*
 * Replaces initialised weights by those of the network file at `path`, and sets `signature` to a checksum of the file.
 * Neurons that the file does not have keep their random inputs, but hardly count at first. False if the file cannot be
 * used; `reason` is then a constant clause.
 */
bool train_start(float *weights, nnue_shape shape, const char *path, uint64_t *signature, const char **reason);

#endif
