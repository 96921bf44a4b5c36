/* SPDX-License-Identifier: MIT */
/*
 * The choice of a variant by CPUID. The facts of each CPU are built from the instruction sets in its maker's manual; the bit
 * numbers are those of Intel's and AMD's descriptions of CPUID.
 */
#include "support/check.h"

#include "util/cpu.h"

#include <string.h>

static const char *const variants[] = {"x86-64-v4-vnni", "x86-64-v3", "x86-64-v3-magic", "x86-64-v2", "x86-64"};
enum { COUNT = sizeof variants / sizeof variants[0] };

/* CPUID 1, ECX */
enum {
    SSE3 = 0,
    SSSE3 = 9,
    FMA = 12,
    CX16 = 13,
    SSE41 = 19,
    SSE42 = 20,
    MOVBE = 22,
    POPCNT = 23,
    OSXSAVE = 27,
    AVX = 28,
    F16C = 29
};
/* CPUID 7, EBX */
enum { BMI1 = 3, AVX2 = 5, BMI2 = 8, AVX512F = 16, AVX512DQ = 17, AVX512CD = 28, AVX512BW = 30, AVX512VL = 31 };

static uint32_t bits(const int *numbers, int count) {
    uint32_t set = 0;
    for (int i = 0; i < count; i++) {
        set |= UINT32_C(1) << numbers[i];
    }
    return set;
}
#define BITS(...) bits((const int[]){__VA_ARGS__}, (int)(sizeof(int[]){__VA_ARGS__} / sizeof(int)))

/* The family as CPUID codes it. */
static uint32_t family(uint32_t number) {
    return number < 15 ? number << 8 : 15u << 8 | (number - 15) << 20;
}

/* Nehalem, 2008: all of level 2. */
static cpu_facts nehalem(void) {
    return (cpu_facts){
        .leaf1_eax = family(6), .leaf1_ecx = BITS(SSE3, SSSE3, CX16, SSE41, SSE42, POPCNT), .extended_ecx = 1};
}

/* Haswell, 2013: all of level 3, saved by a system that knows AVX. */
static cpu_facts haswell(void) {
    cpu_facts cpu = nehalem();
    cpu.leaf1_ecx |= BITS(FMA, MOVBE, OSXSAVE, AVX, F16C);
    cpu.leaf7_ebx = BITS(BMI1, AVX2, BMI2);
    cpu.extended_ecx |= 1u << 5;
    cpu.saved_state = 7;
    return cpu;
}

/* Skylake-SP, 2017: AVX-512 without VNNI. */
static cpu_facts skylake_sp(void) {
    cpu_facts cpu = haswell();
    cpu.leaf7_ebx |= BITS(AVX512F, AVX512DQ, AVX512CD, AVX512BW, AVX512VL);
    cpu.saved_state = 0xe7;
    return cpu;
}

/* Cascade Lake, 2019: with VNNI. */
static cpu_facts cascade_lake(void) {
    cpu_facts cpu = skylake_sp();
    cpu.leaf7_ecx = 1u << 11;
    return cpu;
}

/* A core of AMD with the instruction sets of level 3. */
static cpu_facts amd(uint32_t number) {
    cpu_facts cpu = haswell();
    cpu.leaf1_eax = family(number);
    cpu.is_amd = true;
    return cpu;
}

static const char *choice(cpu_facts cpu) {
    return variants[cpu_choose(&cpu, variants, COUNT, NULL)];
}

static void each_cpu_gets_its_variant(void **state) {
    (void)state;
    assert_string_equal(choice((cpu_facts){0}), "x86-64");
    assert_string_equal(choice((cpu_facts){.leaf1_eax = family(15), .is_amd = true}), "x86-64"); /* the first Opteron */
    assert_string_equal(choice(nehalem()), "x86-64-v2");
    assert_string_equal(choice(haswell()), "x86-64-v3");
    assert_string_equal(choice(skylake_sp()), "x86-64-v3");
    assert_string_equal(choice(cascade_lake()), "x86-64-v4-vnni");
}

static void slow_pext_gets_magics(void **state) {
    (void)state;
    assert_string_equal(choice(amd(0x15)), "x86-64-v3-magic"); /* Excavator */
    assert_string_equal(choice(amd(0x17)), "x86-64-v3-magic"); /* Zen 1 and 2 */
    assert_string_equal(choice(amd(0x18)), "x86-64-v3-magic"); /* Hygon */
    assert_string_equal(choice(amd(0x19)), "x86-64-v3");       /* Zen 3 */
    assert_string_equal(choice(amd(0x1a)), "x86-64-v3");
}

/* A variant needs every bit of its set: without one of them the CPU gets a lower variant. */
static void every_bit_counts(void **state) {
    (void)state;
    const cpu_facts whole = cascade_lake();
    for (int word = 0; word < 5; word++) {
        for (int bit = 0; bit < 32; bit++) {
            cpu_facts cpu = whole;
            uint32_t *const words[] = {&cpu.leaf1_ecx, &cpu.leaf7_ebx, &cpu.leaf7_ecx, &cpu.extended_ecx,
                                       &cpu.saved_state};
            const uint32_t mask = UINT32_C(1) << bit;
            const bool is_x87 = word == 4 && bit == 0; /* no variant asks for it */
            if (*words[word] & mask && !is_x87) {
                *words[word] &= ~mask;
                assert_false(cpu_can_run(&cpu, "x86-64-v4-vnni"));
                assert_true(cpu_can_run(&cpu, choice(cpu)));
                assert_string_not_equal(choice(cpu), "x86-64-v4-vnni");
            }
        }
    }
}

/* A system that does not save the registers of AVX: the CPU has it, programs cannot use it. */
static void the_system_must_save_registers(void **state) {
    (void)state;
    cpu_facts cpu = cascade_lake();
    cpu.saved_state = 7;
    assert_string_equal(choice(cpu), "x86-64-v3");
    cpu.saved_state = 3;
    assert_string_equal(choice(cpu), "x86-64-v2");
    cpu.saved_state = 0;
    assert_string_equal(choice(cpu), "x86-64-v2");
}

static void the_user_decides(void **state) {
    (void)state;
    const cpu_facts zen2 = amd(0x17), old = nehalem();
    assert_int_equal(cpu_choose(&zen2, variants, COUNT, "x86-64-v3"), 1); /* slow, but it runs */
    assert_int_equal(cpu_choose(&zen2, variants, COUNT, "x86-64"), 4);
    assert_int_equal(cpu_choose(&zen2, variants, COUNT, ""), 2);
    assert_int_equal(cpu_choose(&old, variants, COUNT, "x86-64-v3"), -2);
    assert_int_equal(cpu_choose(&old, variants, COUNT, "x86-64-v9"), -1);
    assert_int_equal(cpu_choose(&old, variants, COUNT, "x86-64-v4"), -1); /* a name, but not in this program */
}

static void arm(void **state) {
    (void)state;
    static const char *const both[] = {"armv8-dotprod", "armv8"};
    const cpu_facts old = {0}, dot = {.has_arm_dot = true};
    assert_int_equal(cpu_choose(&old, both, 2, NULL), 1);
    assert_int_equal(cpu_choose(&dot, both, 2, NULL), 0);
    assert_int_equal(cpu_choose(&old, both, 2, "armv8-dotprod"), -2);
}

/* This program runs, so this CPU runs at least what it was compiled for. */
static void this_cpu(void **state) {
    (void)state;
    const cpu_facts cpu = cpu_read();
#if defined(__x86_64__)
    assert_true(cpu_can_run(&cpu, "x86-64"));
#if defined(__SSE4_2__) && defined(__POPCNT__)
    assert_true(cpu_can_run(&cpu, "x86-64-v2"));
#endif
#if defined(__AVX2__) && defined(__BMI2__)
    assert_true(cpu_can_run(&cpu, "x86-64-v3-magic"));
#endif
#endif
    assert_false(cpu_can_run(&cpu, "z80"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cpu_gets_its_variant),
        cmocka_unit_test(slow_pext_gets_magics),
        cmocka_unit_test(every_bit_counts),
        cmocka_unit_test(the_system_must_save_registers),
        cmocka_unit_test(the_user_decides),
        cmocka_unit_test(arm),
        cmocka_unit_test(this_cpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
