/* SPDX-License-Identifier: MIT */
/*
 * A training that can be taken up again: a text that says what is trained and how far it
 * has come, and the weights with what AdamW remembers of them. A checkpoint is for the
 * machine that made it: its numbers are in the byte order of that machine.
 *
 *     0-7    "luft-ckp"
 *     8-15   the length of the text
 *     16-23  how many weights there are
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

/* Writes aside and renames, so that there is always a whole one. */
bool train_checkpoint_save(const char *path, const train_checkpoint *checkpoint);

/* False if there is none or it cannot be used; `reason` is a constant, NULL if there is no such file. */
bool train_checkpoint_load(train_checkpoint *checkpoint, const char *path, const char **reason);

void train_checkpoint_free(train_checkpoint *checkpoint);

/*
 * For the text: each takes one thing off its front, these words, a whole number of digits alone, or a number with a
 * fraction and perhaps an exponent. False, with nothing taken, if something else is there.
 */
bool train_take(const char **text, const char *words);
bool train_take_number(const char **text, uint64_t *number);
bool train_take_real(const char **text, double *number);

#endif
