/* SPDX-License-Identifier: MIT */
/*
 * The instructions of AVX-512 that nnue_vectors.h uses, in plain C after Intel's description of each, so that its path is
 * tested on CPUs that do not have them. Macros take the place of the compiler's functions.
 */
#ifndef LUFT_TESTS_AVX512_IN_C_H
#define LUFT_TESTS_AVX512_IN_C_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

/* A register, as 32 or 16 numbers. */
typedef union wide_register {
    int16_t w[32];
    int32_t d[16];
    __m256i low;
} wide_register;

#define __m512i wide_register
#define _mm512_loadu_si512(from) wide_load(from)
#define _mm512_storeu_si512(to, a) wide_store(to, a)
#define _mm512_add_epi16(a, b) wide_map(a, b, '+')
#define _mm512_sub_epi16(a, b) wide_map(a, b, '-')
#define _mm512_mullo_epi16(a, b) wide_map(a, b, '*')
#define _mm512_max_epi16(a, b) wide_map(a, b, '>')
#define _mm512_min_epi16(a, b) wide_map(a, b, '<')
#define _mm512_setzero_si512() wide_set(0)
#define _mm512_set1_epi16(number) wide_set(number)
#define _mm512_dpwssd_epi32(sums, a, b) wide_dot(sums, a, b)
#define _mm512_reduce_add_epi32(a) wide_reduce(a)
#define _mm512_zextsi256_si512(a) wide_extend(a)
#define _mm512_castsi512_si256(a) ((a).low)

static inline wide_register wide_load(const void *from) {
    wide_register result;
    memcpy(&result, from, sizeof result);
    return result;
}

static inline void wide_store(void *to, wide_register a) {
    memcpy(to, &a, sizeof a);
}

static inline wide_register wide_set(int16_t number) {
    wide_register result;
    for (int i = 0; i < 32; i++) {
        result.w[i] = number;
    }
    return result;
}

static inline wide_register wide_map(wide_register a, wide_register b, char operation) {
    for (int i = 0; i < 32; i++) {
        const int32_t x = a.w[i], y = b.w[i];
        const int32_t result = operation == '+'   ? x + y
                               : operation == '-' ? x - y
                               : operation == '*' ? x * y
                               : operation == '>' ? (x > y ? x : y)
                                                  : (x < y ? x : y);
        a.w[i] = (int16_t)(uint16_t)(uint32_t)result;
    }
    return a;
}

/* VPDPWSSD: two neighbouring products are added to each sum. */
static inline wide_register wide_dot(wide_register sums, wide_register a, wide_register b) {
    for (int i = 0; i < 16; i++) {
        sums.d[i] += (int32_t)a.w[2 * i] * b.w[2 * i] + (int32_t)a.w[2 * i + 1] * b.w[2 * i + 1];
    }
    return sums;
}

static inline int32_t wide_reduce(wide_register a) {
    int32_t total = 0;
    for (int i = 0; i < 16; i++) {
        total += a.d[i];
    }
    return total;
}

static inline wide_register wide_extend(__m256i a) {
    wide_register result = wide_set(0);
    memcpy(&result, &a, sizeof a);
    return result;
}

#endif
