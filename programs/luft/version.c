/* SPDX-License-Identifier: MIT */
/*
 * What `luft --version` prints. The first line is for programs: `luft` and the version. The rest is what a bug report or
 * a measurement should quote; it describes how this file was compiled, with the flags of the library.
 */
#include "version.h"

#include "luft/luft.h"

#include <stdio.h>

#if defined(LUFT_WITH_ZSTD)
#include <zstd.h>
#endif
#if defined(LUFT_WITH_ZLIB)
#include <zlib.h>
#endif

#if defined(__x86_64__)
#define PROCESSOR "x86-64"
#elif defined(__aarch64__)
#define PROCESSOR "AArch64"
#else
#define PROCESSOR "of another kind"
#endif

/* The instruction sets beyond the baseline that the compiler was free to use. */
static const char *const instructions[] = {
#if defined(__SSE4_2__)
    "SSE4.2",
#endif
#if defined(__POPCNT__)
    "POPCNT",
#endif
#if defined(__BMI__)
    "BMI1",
#endif
#if defined(__BMI2__)
    "BMI2",
#endif
#if defined(__AVX2__)
    "AVX2",
#endif
#if defined(__AVX512F__)
    "AVX-512",
#endif
#if defined(__AVX512VNNI__)
    "VNNI",
#endif
#if defined(__ARM_NEON)
    "NEON",
#endif
#if defined(__ARM_FEATURE_DOTPROD)
    "DOTPROD",
#endif
#if defined(__ARM_FEATURE_SVE)
    "SVE",
#endif
    NULL};

static void print_compiler(void) {
#if defined(__clang__)
    printf("Compiler: clang %d.%d.%d", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
    printf("Compiler: gcc %d.%d.%d", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
    printf("Compiler: unknown");
#endif
#if defined(NDEBUG)
    printf("\n");
#else
    printf(", with assertions\n");
#endif
}

static void print_processor(void) {
    printf("Variant: " LUFT_ARCH "\nProcessor: " PROCESSOR);
    for (int i = 0; instructions[i]; i++) {
        printf("%s%s", i == 0 ? " with " : ", ", instructions[i]);
    }
    printf("\nSliding pieces: %s\n", LUFT_HAS_PEXT ? "PEXT" : "magic multiplication");
}

/* The versions in use now, which may be newer than those at build time. */
static void print_libraries(void) {
    printf("Compressed files: ");
#if defined(LUFT_WITH_ZSTD)
    printf("zstd %s, ", ZSTD_versionString());
#else
    printf("no zstd, ");
#endif
#if defined(LUFT_WITH_ZLIB)
    printf("zlib %s\n", zlibVersion());
#else
    printf("no zlib\n");
#endif
}

void version_print(void) {
    printf("luft %s\n", luft_version());
    print_compiler();
    print_processor();
    print_libraries();
}
