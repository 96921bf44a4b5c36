/* SPDX-License-Identifier: MIT */
/*
 * The start of a program for distribution: runs the main function of the variant that fits this CPU. LUFT_CPU names
 * another. Compiled for the oldest CPU. The build writes the file LUFT_VARIANTS, with a line
 * VARIANT("x86-64-v3", main_x86_64_v3) for each of them, the best first.
 */
#include "util/cpu.h"

#include <stdio.h>
#include <stdlib.h>

#define VARIANT(name, function) int function(int argc, char **argv);
#include LUFT_VARIANTS
#undef VARIANT

#define VARIANT(name, function) name,
static const char *const names[] = {
#include LUFT_VARIANTS
};
#undef VARIANT

#define VARIANT(name, function) function,
static int (*const functions[])(int argc, char **argv) = {
#include LUFT_VARIANTS
};
#undef VARIANT

enum { COUNT = sizeof names / sizeof names[0], STATUS_USAGE = 2 };

static int refuse(const cpu_facts *cpu, bool is_known) {
    fprintf(stderr, "luft: LUFT_CPU: %s; expected",
            is_known ? "this CPU cannot run that variant" : "no variant of this program has that name");
    const char *before = " ";
    for (int i = 0; i < COUNT; i++) {
        if (cpu_can_run(cpu, names[i])) {
            fprintf(stderr, "%s%s", before, names[i]);
            before = ", ";
        }
    }
    fprintf(stderr, "\n");
    return STATUS_USAGE;
}

int main(int argc, char **argv) {
    const cpu_facts cpu = cpu_read();
    const int chosen = cpu_choose(&cpu, names, COUNT, getenv("LUFT_CPU"));
    return chosen >= 0 ? functions[chosen](argc, argv) : refuse(&cpu, chosen == -2);
}
