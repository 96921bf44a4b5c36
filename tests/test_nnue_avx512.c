/* SPDX-License-Identifier: MIT */
/*
 * The tests of test_nnue.c once more, with the network compiled for the path avx512-vnni of nnue_vectors.h: by the CPU if
 * the compiler may use its instructions, else, with AVX2, by plain C in their place.
 */
#if defined(__AVX2__) && !defined(__AVX512VNNI__)
#define LUFT_NNUE_AVX512
#include "support/avx512_in_c.h"
#endif

#include "engine/nnue.c"

#include "test_nnue.c"
