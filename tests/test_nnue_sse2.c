/* SPDX-License-Identifier: MIT */
/* The tests of test_nnue.c once more, with the network compiled for the path sse2 of nnue_vectors.h. */
#define LUFT_NNUE_SSE2

#include "engine/nnue.c"

#include "test_nnue.c"
