/* SPDX-License-Identifier: MIT */
/*
 * Writes a network file as a C source, so that it can be linked into the program with any
 * compiler. Without a file it writes one of no bytes, which means that there is none.
 *
 *     make_network OUTPUT.c [NETWORK]
 */
#include <stdio.h>
#include <stdlib.h>

/* Writes the bytes of `in`, which may be NULL; returns how many there were. */
static size_t write_bytes(FILE *out, FILE *in) {
    size_t count = 0;
    for (int byte; in && (byte = fgetc(in)) != EOF; count++) {
        fprintf(out, "%d,%s", byte, count % 32 == 31 ? "\n" : "");
    }
    return count;
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: make_network OUTPUT.c [NETWORK]\n");
        return 2;
    }
    FILE *in = argc == 3 ? fopen(argv[2], "rb") : NULL;
    FILE *out = fopen(argv[1], "w");
    if ((argc == 3 && !in) || !out) {
        perror(out ? argv[2] : argv[1]);
        return 1;
    }
    fputs("/* Written by tools/make_network.c. */\n#include \"engine/network.h\"\n\n"
          "const uint8_t network_bytes[] = {\n",
          out);
    const size_t count = write_bytes(out, in);
    fprintf(out, "0};\nconst size_t network_size = %zu;\n", count); /* the 0 is for an empty one */
    const int failed = ferror(out) || (in && ferror(in));
    return fclose(out) == 0 && !failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
