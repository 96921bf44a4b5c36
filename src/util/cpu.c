/* SPDX-License-Identifier: MIT */
/* CPUID and its meaning; see cpu.h. The sets of instructions are those of the levels in the x86-64 psABI. */
#include "cpu.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#elif defined(__aarch64__) && defined(__APPLE__)
#include <sys/sysctl.h>
#endif

#define BIT(n) (UINT32_C(1) << (n))

/* --- What a variant needs ----------------------------------------------------------- */

typedef struct requirements {
    const char *variant;
    uint32_t leaf1_ecx, leaf7_ebx, leaf7_ecx, extended_ecx, saved_state;
    bool arm_dot;
    bool uses_pext;
} requirements;

enum {
    AVX_STATE = 0x06,       /* the registers of SSE and AVX */
    AVX512_STATE = 0xe6,    /* and those of AVX-512 */
    FAST_PEXT_FAMILY = 0x19 /* of AMD: Zen 3; the ones before have PEXT in microcode */
};

/* SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT */
#define V2_LEAF1 (BIT(0) | BIT(9) | BIT(13) | BIT(19) | BIT(20) | BIT(23))
#define V2_EXTENDED BIT(0) /* LAHF */
/* FMA, MOVBE, OSXSAVE, AVX, F16C */
#define V3_LEAF1 (V2_LEAF1 | BIT(12) | BIT(22) | BIT(27) | BIT(28) | BIT(29))
#define V3_LEAF7 (BIT(3) | BIT(5) | BIT(8)) /* BMI1, AVX2, BMI2 */
#define V3_EXTENDED (V2_EXTENDED | BIT(5))  /* LZCNT */
/* AVX-512: F, DQ, CD, BW, VL */
#define V4_LEAF7 (V3_LEAF7 | BIT(16) | BIT(17) | BIT(28) | BIT(30) | BIT(31))
#define VNNI_LEAF7 BIT(11)

static const requirements table[] = {
    {"x86-64", 0, 0, 0, 0, 0, false, false},
    {"x86-64-v2", V2_LEAF1, 0, 0, V2_EXTENDED, 0, false, false},
    {"x86-64-v3-magic", V3_LEAF1, V3_LEAF7, 0, V3_EXTENDED, AVX_STATE, false, false},
    {"x86-64-v3", V3_LEAF1, V3_LEAF7, 0, V3_EXTENDED, AVX_STATE, false, true},
    {"x86-64-v4", V3_LEAF1, V4_LEAF7, 0, V3_EXTENDED, AVX512_STATE, false, true},
    {"x86-64-v4-vnni", V3_LEAF1, V4_LEAF7, VNNI_LEAF7, V3_EXTENDED, AVX512_STATE, false, true},
    {"armv8", 0, 0, 0, 0, 0, false, false},
    {"armv8-dotprod", 0, 0, 0, 0, 0, true, false},
};

static const requirements *find(const char *variant) {
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(table[i].variant, variant) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

static bool has_all(uint32_t bits, uint32_t needed) {
    return (bits & needed) == needed;
}

bool cpu_can_run(const cpu_facts *cpu, const char *variant) {
    const requirements *needs = find(variant);
    return needs && has_all(cpu->leaf1_ecx, needs->leaf1_ecx) && has_all(cpu->leaf7_ebx, needs->leaf7_ebx) &&
           has_all(cpu->leaf7_ecx, needs->leaf7_ecx) && has_all(cpu->extended_ecx, needs->extended_ecx) &&
           has_all(cpu->saved_state, needs->saved_state) && (cpu->has_arm_dot || !needs->arm_dot);
}

/* The extended family is added to a family of 15. */
static uint32_t family_of(const cpu_facts *cpu) {
    const uint32_t family = cpu->leaf1_eax >> 8 & 0xf;
    return family == 0xf ? family + (cpu->leaf1_eax >> 20 & 0xff) : family;
}

bool cpu_is_slow(const cpu_facts *cpu, const char *variant) {
    const requirements *needs = find(variant);
    return needs && needs->uses_pext && cpu->is_amd && family_of(cpu) < FAST_PEXT_FAMILY;
}

int cpu_choose(const cpu_facts *cpu, const char *const *variants, int count, const char *wanted) {
    const bool is_free = !wanted || !*wanted;
    for (int i = 0; i < count; i++) {
        if (is_free ? cpu_can_run(cpu, variants[i]) && !cpu_is_slow(cpu, variants[i])
                    : strcmp(variants[i], wanted) == 0) {
            return is_free || cpu_can_run(cpu, wanted) ? i : -2;
        }
    }
    return is_free ? count - 1 : -1;
}

/* --- What the CPU has --------------------------------------------------------------- */

#if defined(__x86_64__)

/* By its bytes: compilers give the intrinsic only to code that may use XSAVE everywhere. */
static uint32_t read_saved_state(void) {
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    (void)high;
    return low;
}

cpu_facts cpu_read(void) {
    cpu_facts cpu = {0};
    uint32_t eax, ebx, ecx, edx;
    if (__get_cpuid(0, &eax, &ebx, &ecx, &edx)) {
        const uint32_t name[3] = {ebx, edx, ecx};
        cpu.is_amd = memcmp(name, "AuthenticAMD", 12) == 0 || memcmp(name, "HygonGenuine", 12) == 0;
    }
    if (__get_cpuid(1, &eax, &ebx, &ecx, &edx)) {
        cpu.leaf1_eax = eax;
        cpu.leaf1_ecx = ecx;
        cpu.saved_state = ecx & BIT(27) ? read_saved_state() : 0; /* OSXSAVE: XGETBV may be used */
    }
    if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) {
        cpu.leaf7_ebx = ebx;
        cpu.leaf7_ecx = ecx;
    }
    if (__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx)) {
        cpu.extended_ecx = ecx;
    }
    return cpu;
}

#elif defined(__aarch64__) && defined(__linux__)

cpu_facts cpu_read(void) {
    enum { ATOMICS = 1 << 8, RDM = 1 << 12, DOT = 1 << 20 }; /* of AT_HWCAP */
    const unsigned long needed = ATOMICS | RDM | DOT;
    return (cpu_facts){.has_arm_dot = (getauxval(AT_HWCAP) & needed) == needed};
}

#elif defined(__aarch64__) && defined(__APPLE__)

cpu_facts cpu_read(void) {
    int found = 0;
    size_t size = sizeof found;
    return (cpu_facts){.has_arm_dot =
                           sysctlbyname("hw.optional.arm.FEAT_DotProd", &found, &size, NULL, 0) == 0 && found};
}

#else

cpu_facts cpu_read(void) {
    return (cpu_facts){0};
}

#endif
