/* SPDX-License-Identifier: MIT */
/*
 * The operations on vectors of 16-bit integers that the network needs, for each instruction set: AVX-512,
 * AVX2, SSE2, NEON, WebAssembly SIMD, and plain C, where a vector is one number. The compiler's macros select the path;
 * the tests select one by LUFT_NNUE_SCALAR, LUFT_NNUE_SSE2 or LUFT_NNUE_AVX512.
 *
 * All paths compute the same numbers: they add integers, and no sum overflows (nnue.c proves it), so the order does not
 * matter.
 */
#ifndef LUFT_ENGINE_NNUE_VECTORS_H
#define LUFT_ENGINE_NNUE_VECTORS_H

#include <stdint.h>

#if defined(LUFT_NNUE_SCALAR)
#define NNUE_PATH "scalar"
#elif (defined(__AVX512BW__) || defined(LUFT_NNUE_AVX512)) && !defined(LUFT_NNUE_SSE2)
#if defined(__AVX512VNNI__) || defined(LUFT_NNUE_AVX512)
#define NNUE_USES_VNNI
#define NNUE_PATH "avx512-vnni"
#else
#define NNUE_PATH "avx512"
#endif
#define NNUE_USES_AVX512
#include <immintrin.h>
#elif defined(__AVX2__) && !defined(LUFT_NNUE_SSE2)
#define NNUE_PATH "avx2"
#define NNUE_USES_AVX2
#include <immintrin.h>
#elif defined(__SSE2__)
#define NNUE_PATH "sse2"
#define NNUE_USES_SSE2
#include <emmintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
#define NNUE_PATH "neon"
#define NNUE_USES_NEON
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#define NNUE_PATH "wasm"
#define NNUE_USES_WASM
#include <wasm_simd128.h>
#else
#define NNUE_PATH "scalar"
#endif

/*
 *     vector_add_products(sums, v, w)   adds v * w * v of each lane to `sums`, in any order; v * w must fit in 16 bits
 *     vector_total(sums)                the sum of all lanes
 */
#if defined(NNUE_USES_AVX512)

enum { VECTOR_LANES = 32 };
typedef __m512i vector;
typedef __m512i vector_sums;

static inline vector vector_load(const int16_t *from) {
    return _mm512_loadu_si512((const void *)from);
}
static inline void vector_store(int16_t *to, vector a) {
    _mm512_storeu_si512((void *)to, a);
}
static inline vector vector_add(vector a, vector b) {
    return _mm512_add_epi16(a, b);
}
static inline vector vector_sub(vector a, vector b) {
    return _mm512_sub_epi16(a, b);
}
static inline vector vector_clip(vector a, int16_t top) {
    return _mm512_min_epi16(_mm512_max_epi16(a, _mm512_setzero_si512()), _mm512_set1_epi16(top));
}
static inline vector_sums vector_no_sums(void) {
    return _mm512_setzero_si512();
}
static inline vector_sums vector_add_products(vector_sums sums, vector v, vector w) {
#if defined(NNUE_USES_VNNI)
    return _mm512_dpwssd_epi32(sums, _mm512_mullo_epi16(v, w), v);
#else
    return _mm512_add_epi32(sums, _mm512_madd_epi16(_mm512_mullo_epi16(v, w), v));
#endif
}
static inline int32_t vector_total(vector_sums sums) {
    return _mm512_reduce_add_epi32(sums);
}

#elif defined(NNUE_USES_AVX2)

enum { VECTOR_LANES = 16 };
typedef __m256i vector;
typedef __m256i vector_sums;

static inline vector vector_load(const int16_t *from) {
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}
static inline void vector_store(int16_t *to, vector a) {
    _mm256_storeu_si256((__m256i *)(void *)to, a);
}
static inline vector vector_add(vector a, vector b) {
    return _mm256_add_epi16(a, b);
}
static inline vector vector_sub(vector a, vector b) {
    return _mm256_sub_epi16(a, b);
}
static inline vector vector_clip(vector a, int16_t top) {
    return _mm256_min_epi16(_mm256_max_epi16(a, _mm256_setzero_si256()), _mm256_set1_epi16(top));
}
static inline vector_sums vector_no_sums(void) {
    return _mm256_setzero_si256();
}
static inline vector_sums vector_add_products(vector_sums sums, vector v, vector w) {
    return _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_mullo_epi16(v, w), v));
}
static inline int32_t vector_total(vector_sums sums) {
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1));
    return _mm_cvtsi128_si32(half);
}

#elif defined(NNUE_USES_SSE2)

enum { VECTOR_LANES = 8 };
typedef __m128i vector;
typedef __m128i vector_sums;

static inline vector vector_load(const int16_t *from) {
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}
static inline void vector_store(int16_t *to, vector a) {
    _mm_storeu_si128((__m128i *)(void *)to, a);
}
static inline vector vector_add(vector a, vector b) {
    return _mm_add_epi16(a, b);
}
static inline vector vector_sub(vector a, vector b) {
    return _mm_sub_epi16(a, b);
}
static inline vector vector_clip(vector a, int16_t top) {
    return _mm_min_epi16(_mm_max_epi16(a, _mm_setzero_si128()), _mm_set1_epi16(top));
}
static inline vector_sums vector_no_sums(void) {
    return _mm_setzero_si128();
}
static inline vector_sums vector_add_products(vector_sums sums, vector v, vector w) {
    return _mm_add_epi32(sums, _mm_madd_epi16(_mm_mullo_epi16(v, w), v));
}
static inline int32_t vector_total(vector_sums sums) {
    sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0x4e));
    sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0xb1));
    return _mm_cvtsi128_si32(sums);
}

#elif defined(NNUE_USES_NEON)

enum { VECTOR_LANES = 8 };
typedef int16x8_t vector;
typedef int32x4_t vector_sums;

static inline vector vector_load(const int16_t *from) {
    return vld1q_s16(from);
}
static inline void vector_store(int16_t *to, vector a) {
    vst1q_s16(to, a);
}
static inline vector vector_add(vector a, vector b) {
    return vaddq_s16(a, b);
}
static inline vector vector_sub(vector a, vector b) {
    return vsubq_s16(a, b);
}
static inline vector vector_clip(vector a, int16_t top) {
    return vminq_s16(vmaxq_s16(a, vdupq_n_s16(0)), vdupq_n_s16(top));
}
static inline vector_sums vector_no_sums(void) {
    return vdupq_n_s32(0);
}
static inline vector_sums vector_add_products(vector_sums sums, vector v, vector w) {
    const int16x8_t product = vmulq_s16(v, w);
    return vmlal_high_s16(vmlal_s16(sums, vget_low_s16(product), vget_low_s16(v)), product, v);
}
static inline int32_t vector_total(vector_sums sums) {
    return vaddvq_s32(sums);
}

#elif defined(NNUE_USES_WASM)

enum { VECTOR_LANES = 8 };
typedef v128_t vector;
typedef v128_t vector_sums;

static inline vector vector_load(const int16_t *from) {
    return wasm_v128_load(from);
}
static inline void vector_store(int16_t *to, vector a) {
    wasm_v128_store(to, a);
}
static inline vector vector_add(vector a, vector b) {
    return wasm_i16x8_add(a, b);
}
static inline vector vector_sub(vector a, vector b) {
    return wasm_i16x8_sub(a, b);
}
static inline vector vector_clip(vector a, int16_t top) {
    return wasm_i16x8_min(wasm_i16x8_max(a, wasm_i16x8_splat(0)), wasm_i16x8_splat(top));
}
static inline vector_sums vector_no_sums(void) {
    return wasm_i32x4_splat(0);
}
static inline vector_sums vector_add_products(vector_sums sums, vector v, vector w) {
    return wasm_i32x4_add(sums, wasm_i32x4_dot_i16x8(wasm_i16x8_mul(v, w), v));
}
static inline int32_t vector_total(vector_sums sums) {
    return wasm_i32x4_extract_lane(sums, 0) + wasm_i32x4_extract_lane(sums, 1) + wasm_i32x4_extract_lane(sums, 2) +
           wasm_i32x4_extract_lane(sums, 3);
}

#else

enum { VECTOR_LANES = 1 };
typedef int16_t vector;
typedef int32_t vector_sums;

static inline vector vector_load(const int16_t *from) {
    return *from;
}
static inline void vector_store(int16_t *to, vector a) {
    *to = a;
}
static inline vector vector_add(vector a, vector b) {
    return (vector)(a + b);
}
static inline vector vector_sub(vector a, vector b) {
    return (vector)(a - b);
}
static inline vector vector_clip(vector a, int16_t top) {
    return a < 0 ? 0 : a > top ? top : a;
}
static inline vector_sums vector_no_sums(void) {
    return 0;
}
static inline vector_sums vector_add_products(vector_sums sums, vector v, vector w) {
    return sums + (int16_t)(v * w) * v;
}
static inline int32_t vector_total(vector_sums sums) {
    return sums;
}

#endif

/*
 * Accumulators are made of whole vectors, except that those of AVX-512 may end in half a one:
 *
 *     vector_lanes(rest)            the lanes of the next vector, if so many numbers are left
 *     vector_load_lanes, _store_…   as above for so many lanes; the others are 0, and are not stored
 */
#if defined(NNUE_USES_AVX512)

static inline int vector_lanes(int rest) {
    return rest < VECTOR_LANES ? VECTOR_LANES / 2 : VECTOR_LANES;
}
static inline vector vector_load_lanes(const int16_t *from, int lanes) {
    return lanes == VECTOR_LANES ? vector_load(from)
                                 : _mm512_zextsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)from));
}
static inline void vector_store_lanes(int16_t *to, vector a, int lanes) {
    if (lanes == VECTOR_LANES) {
        vector_store(to, a);
    } else {
        _mm256_storeu_si256((__m256i *)(void *)to, _mm512_castsi512_si256(a));
    }
}

#else

static inline int vector_lanes(int rest) {
    (void)rest;
    return VECTOR_LANES;
}
static inline vector vector_load_lanes(const int16_t *from, int lanes) {
    (void)lanes;
    return vector_load(from);
}
static inline void vector_store_lanes(int16_t *to, vector a, int lanes) {
    (void)lanes;
    vector_store(to, a);
}

#endif

#endif
