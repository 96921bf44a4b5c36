/* SPDX-License-Identifier: MIT */
/*
 * Chooses the variant of a program that fits the CPU. A program for distribution contains its code several times,
 * compiled for different instruction sets; mk/fat.mk builds it. The names of variants are those of ARCH in the Makefile.
 */
#ifndef LUFT_UTIL_CPU_H
#define LUFT_UTIL_CPU_H

#include <stdbool.h>
#include <stdint.h>

/* What the CPU and the operating system say about themselves. All zero for the oldest CPU of an architecture. */
typedef struct cpu_facts {
    uint32_t leaf1_eax;    /* x86: CPUID 1, the family … */
    uint32_t leaf1_ecx;    /* … and instruction sets */
    uint32_t leaf7_ebx;    /* CPUID 7 */
    uint32_t leaf7_ecx;    /*  */
    uint32_t extended_ecx; /* CPUID 80000001h */
    uint32_t saved_state;  /* XCR0: the registers that the system saves; 0 if it saves none beyond SSE */
    bool is_amd;           /* AMD, or Hygon, which builds the cores of AMD */
    bool has_arm_dot;      /* ARM: the dot product instructions and those of ARMv8.2 */
} cpu_facts;

cpu_facts cpu_read(void);

/* Can the CPU run this variant? False for an unknown name. */
bool cpu_can_run(const cpu_facts *cpu, const char *variant);

/* Does the variant use an instruction that this CPU has, but slow? */
bool cpu_is_slow(const cpu_facts *cpu, const char *variant);

/*
 * The index of the variant to run. `variants` begins with the best and ends with the one that every CPU runs. `wanted` is
 * the choice of the user, NULL or empty for none: -1 if it is not in the list, -2 if the CPU cannot run it.
 */
int cpu_choose(const cpu_facts *cpu, const char *const *variants, int count, const char *wanted);

#endif
