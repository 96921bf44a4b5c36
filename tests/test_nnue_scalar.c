/* SPDX-License-Identifier: MIT */
/* The tests of test_nnue.c once more, with the network compiled for the path scalar of nnue_vectors.h. */
#define LUFT_NNUE_SCALAR

#include "engine/nnue.c"

#include "test_nnue.c"
