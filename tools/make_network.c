/* SPDX-License-Identifier: MIT */
/*
 * Writes a network file as a C source, so that any compiler can link it into the program.
 *
 *     make_network OUTPUT.c NETWORK
 */
#include <stdio.h>
#include <stdlib.h>

/* Returns the number of bytes written. */
static size_t write_bytes(FILE *out, FILE *in) {
    size_t count = 0;
    for (int byte; (byte = fgetc(in)) != EOF; count++) {
        fprintf(out, "%d,%s", byte, count % 32 == 31 ? "\n" : "");
    }
    return count;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: make_network OUTPUT.c NETWORK\n");
        return 2;
    }
    FILE *in = fopen(argv[2], "rb");
    FILE *out = fopen(argv[1], "w");
    if (!in || !out) {
        perror(in ? argv[1] : argv[2]);
        return 1;
    }
    fputs("/* Written by tools/make_network.c. */\n#include \"engine/network.h\"\n\n"
          "const uint8_t network_bytes[] = {\n",
          out);
    const size_t count = write_bytes(out, in);
    fprintf(out, "};\nconst size_t network_size = %zu;\n", count);
    const int failed = ferror(out) || ferror(in);
    return fclose(out) == 0 && !failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
