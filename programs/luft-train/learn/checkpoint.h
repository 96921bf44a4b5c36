/* SPDX-License-Identifier: MIT */
/*
 * The state of a training, to continue it: a text with the settings and the progress, and the weights with the state of
 * AdamW. A checkpoint is for the machine that wrote it: its numbers are in the byte order of that machine.
 *
 *     0-7    "luft-ck2"; "luft-ckp" had the weights in another order
 *     8-15   the length of the text
 *     16-23  the number of weights
 *     24-    the text; then weights, means and squares; then the checksum of all before it
 */
#ifndef LUFT_TRAIN_LEARN_CHECKPOINT_H
#define LUFT_TRAIN_LEARN_CHECKPOINT_H

#include "network.h"

typedef struct train_checkpoint {
    char *text; /* ends in a NUL */
    size_t count;
    float *weights;
    train_moments moments;
} train_checkpoint;

/* Replaces the file atomically, so that there is always a complete one. */
bool train_checkpoint_save(const char *path, const train_checkpoint *checkpoint);

/* False if the file cannot be used; `reason` is a constant clause, NULL if the file does not exist. */
bool train_checkpoint_load(train_checkpoint *checkpoint, const char *path, const char **reason);

void train_checkpoint_free(train_checkpoint *checkpoint);

/*
 * For the text: each removes one thing from its front: these words, an integer of digits, or a number with an optional
 * fraction and exponent. False, with nothing removed, if something else is there.
 */
bool train_take(const char **text, const char *words);
bool train_take_number(const char **text, uint64_t *number);
bool train_take_real(const char **text, double *number);

#endif
