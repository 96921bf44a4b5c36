/* SPDX-License-Identifier: MIT */
/*
 * Writes the constant tables of libluft as C sources, once per build: `make_tables OUTDIR`
 * makes attack_tables.c, magic_table.c, pext_table.c and zobrist_table.c there. The output
 * is the same on every machine and in every run.
 *
 * All tables are computed by slow, plain code. The magics come from magics.h, which
 * find_magics wrote; each is verified here. Every table goes to a temporary file, which
 * replaces the old one when it is complete. An interrupted build leaves no partial table.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "magics.h"
#include "slow_attacks.h"

#define ZOBRIST_SEED UINT64_C(0x4c756674) /* "Luft" in ASCII */

enum { PEXT_TABLE_SIZE = 107648, PATH_SIZE = 4096 };

/* --- Files --------------------------------------------------------------- */

static void fail(const char *what, const char *which, const char *why) {
    fprintf(stderr, "make_tables: %s %s: %s\n", what, which, why);
    exit(1);
}

static void *allocate_words(size_t count) {
    void *words = calloc(count, sizeof(uint64_t));
    if (!words) {
        fail("cannot allocate", "a table", strerror(errno));
    }
    return words;
}

typedef struct output {
    FILE *file;
    char path[PATH_SIZE];
    char temporary_path[PATH_SIZE];
} output;

/* Ignores the result: close_output asks the stream whether any write failed. */
__attribute__((format(printf, 2, 3))) static void put(output *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(out->file, format, arguments);
    va_end(arguments);
}

static void open_output(output *out, const char *directory, const char *name, const char *header) {
    const int length = snprintf(out->path, sizeof out->path, "%s/%s", directory, name);
    const int temporary_length =
        snprintf(out->temporary_path, sizeof out->temporary_path, "%s/%s.tmp", directory, name);
    if (length < 0 || temporary_length < 0 || temporary_length >= PATH_SIZE) {
        fail("cannot write in", directory, "the path is too long");
    }
    out->file = fopen(out->temporary_path, "w");
    if (!out->file) {
        fail("cannot write", out->temporary_path, strerror(errno));
    }
    put(out, "/* SPDX-License-Identifier: MIT */\n");
    put(out, "/* Written by tools/make_tables.c during the build; do not edit. */\n");
    put(out, "#include \"%s\"\n", header);
}

static void close_output(output *out) {
    bool written = fflush(out->file) == 0 && !ferror(out->file);
    int reason = errno;
    if (fclose(out->file) != 0) {
        reason = written ? errno : reason;
        written = false;
    }
    if (written && rename(out->temporary_path, out->path) != 0) {
        reason = errno;
        written = false;
    }
    if (!written) {
        remove(out->temporary_path);
        fail("cannot write", out->path, strerror(reason));
    }
}

static void put_words(output *out, const uint64_t *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        put(out, "%s0x%016llx,", i % 6 == 0 ? "\n" : "", (unsigned long long)words[i]);
    }
}

/* Writes a table as a member of a struct. */
static void put_table(output *out, const char *member, const uint64_t *words, size_t count) {
    put(out, "\n.%s = {", member);
    put_words(out, words, count);
    put(out, "\n},\n");
}

/* The same for rows of 64 words. */
static void put_square_table(output *out, const char *member, const uint64_t (*rows)[64], size_t row_count) {
    put(out, "\n.%s = {", member);
    for (size_t row = 0; row < row_count; row++) {
        put(out, "\n{");
        put_words(out, rows[row], 64);
        put(out, "\n},");
    }
    put(out, "\n},\n");
}

/* --- Leapers, rays, between and line -------------------------------------- */

static uint64_t leaper_attacks(int square, const int (*steps)[2], int step_count) {
    uint64_t attacks = 0;
    for (int i = 0; i < step_count; i++) {
        const int file = square % 8 + steps[i][0];
        const int row = square / 8 + steps[i][1];
        if (on_board(file, row)) {
            attacks |= UINT64_C(1) << (row * 8 + file);
        }
    }
    return attacks;
}

static void put_leapers(output *out) {
    static const int king_steps[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    static const int knight_steps[8][2] = {{2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}};
    static const int pawn_steps[2][2][2] = {{{-1, -1}, {1, -1}},
                                            {{-1, 1}, {1, 1}}}; /* White's pawns move up the board */
    uint64_t king[64];
    uint64_t knight[64];
    uint64_t pawn[2][64];
    for (int square = 0; square < 64; square++) {
        king[square] = leaper_attacks(square, king_steps, 8);
        knight[square] = leaper_attacks(square, knight_steps, 8);
        pawn[0][square] = leaper_attacks(square, pawn_steps[0], 2);
        pawn[1][square] = leaper_attacks(square, pawn_steps[1], 2);
    }
    put_table(out, "king", king, 64);
    put_table(out, "knight", knight, 64);
    put_square_table(out, "pawn", (const uint64_t(*)[64])pawn, 2);
}

static void put_rays(output *out) {
    uint64_t rays[2][64];
    for (int square = 0; square < 64; square++) {
        rays[ROOK][square] = slow_attacks(ROOK, square, 0);
        rays[BISHOP][square] = slow_attacks(BISHOP, square, 0);
    }
    put_table(out, "rook_rays", rays[ROOK], 64);
    put_table(out, "bishop_rays", rays[BISHOP], 64);
}

/* Fills in the pairs (a, b) along one ray from `a`: the squares between, those beyond b, and the whole line. */
static void join_along_ray(int a, const int step[2], uint64_t between[64], uint64_t beyond[64], uint64_t line[64]) {
    const int back[2] = {-step[0], -step[1]};
    const uint64_t ray = slow_ray(a, step, 0);
    const uint64_t whole = ray | UINT64_C(1) << a | slow_ray(a, back, 0);
    for (int b = 0; b < 64; b++) {
        if (ray >> b & 1) {
            between[b] = slow_ray(a, step, UINT64_C(1) << b);
            beyond[b] = ray & ~between[b];
            line[b] = whole;
        }
    }
}

static void put_lines(output *out) {
    uint64_t between[64][64];
    uint64_t beyond[64][64] = {{0}};
    uint64_t line[64][64] = {{0}};
    for (int a = 0; a < 64; a++) {
        for (int b = 0; b < 64; b++) {
            between[a][b] = a == b ? 0 : UINT64_C(1) << b;
        }
        for (int i = 0; i < 8; i++) {
            join_along_ray(a, slider_steps[i / 4][i % 4], between[a], beyond[a], line[a]);
        }
    }
    put_square_table(out, "between", (const uint64_t(*)[64])between, 64);
    put_square_table(out, "beyond", (const uint64_t(*)[64])beyond, 64);
    put_square_table(out, "line", (const uint64_t(*)[64])line, 64);
}

static void write_attack_tables(const char *directory) {
    output out;
    open_output(&out, directory, "attack_tables.c", "luft/attacks.h");
    put(&out, "\nconst luft_attack_tables luft_tables = {\n");
    put_leapers(&out);
    put_rays(&out);
    put_lines(&out);
    put(&out, "};\n");
    close_output(&out);
}

/* --- Sliders by magic multiplication --------------------------------------- */

static const found_magic *magics_of(slider piece) {
    return piece == ROOK ? found_rook_magics : found_bishop_magics;
}

/* Two blocker sets may share an entry if their attacks are equal; otherwise the magic is wrong. */
static void fill_magic_square(uint64_t *entries, slider piece, int square) {
    const found_magic found = magics_of(piece)[square];
    const uint64_t mask = slider_mask(piece, square);
    for (unsigned i = 0; i < 1u << count_bits(mask); i++) {
        const uint64_t blockers = subset_of_mask(mask, i);
        const uint64_t attacks = slow_attacks(piece, square, blockers);
        uint64_t *entry = &entries[blockers * found.magic >> (64 - found.bits)];
        if (*entry != 0 && *entry != attacks) {
            const char name[3] = {(char)('a' + square % 8), (char)('8' - square / 8), '\0'};
            fail(piece == ROOK ? "wrong rook magic on" : "wrong bishop magic on", name, "run find_magics again");
        }
        *entry = attacks;
    }
}

static void put_magics(output *out, slider piece, size_t offset) {
    put(out, "\nconst luft_magic luft_%s_magics[64] = {\n", piece == ROOK ? "rook" : "bishop");
    for (int square = 0; square < 64; square++) {
        const found_magic found = magics_of(piece)[square];
        put(out, "{0x%016llx, 0x%016llx, %zu, %d},\n", (unsigned long long)slider_mask(piece, square),
            (unsigned long long)found.magic, offset, 64 - found.bits);
        offset += (size_t)1 << found.bits;
    }
    put(out, "};\n");
}

static void write_magic_table(const char *directory) {
    size_t size = 0;
    size_t first_bishop_entry = 0;
    for (int i = 0; i < 128; i++) {
        if (i == 64) {
            first_bishop_entry = size;
        }
        size += (size_t)1 << magics_of((slider)(i / 64))[i % 64].bits;
    }
    uint64_t *table = allocate_words(size);
    size_t offset = 0;
    for (int i = 0; i < 128; i++) {
        fill_magic_square(table + offset, (slider)(i / 64), i % 64);
        offset += (size_t)1 << magics_of((slider)(i / 64))[i % 64].bits;
    }
    output out;
    open_output(&out, directory, "magic_table.c", "luft/attacks.h");
    put_magics(&out, ROOK, 0);
    put_magics(&out, BISHOP, first_bishop_entry);
    put(&out, "\nconst luft_bitboard luft_magic_table[] = {");
    put_words(&out, table, size);
    put(&out, "\n};\n");
    close_output(&out);
    free(table);
}

/* --- Sliders by PEXT -------------------------------------------------------- */

static void write_pext_table(const char *directory) {
    uint64_t *table = allocate_words(PEXT_TABLE_SIZE);
    size_t offset = 0;
    output out;
    open_output(&out, directory, "pext_table.c", "luft/attacks.h");
    put(&out, "\nconst luft_pext_tables luft_pext_sliders = {\n");
    for (slider piece = ROOK; piece <= BISHOP; piece++) {
        put(&out, "\n.%s = {\n", piece == ROOK ? "rook" : "bishop");
        for (int square = 0; square < 64; square++) {
            const uint64_t mask = slider_mask(piece, square);
            put(&out, "{0x%016llx, %zu},\n", (unsigned long long)mask, offset);
            for (unsigned i = 0; i < 1u << count_bits(mask); i++) {
                table[offset++] = slow_attacks(piece, square, subset_of_mask(mask, i));
            }
        }
        put(&out, "},\n");
    }
    put_table(&out, "attacks", table, PEXT_TABLE_SIZE);
    put(&out, "};\n");
    close_output(&out);
    free(table);
}

/* --- Zobrist constants ------------------------------------------------------- */

/*
 * Only White's constants are drawn. Black's are the same with the ranks reversed and the colours exchanged, so
 * flipping the colours of a position swaps its keys. splitmix64 permutes its counter, so no word repeats in one
 * sequence.
 */
static void draw_nonzero(uint64_t *word, uint64_t *state) {
    do {
        *word = next_random(state);
    } while (*word == 0);
}

static void put_pair(output *out, uint64_t white, uint64_t black) {
    put(out, "{{0x%016llx, 0x%016llx}},\n", (unsigned long long)white, (unsigned long long)black);
}

static void write_zobrist_table(const char *directory) {
    enum { TYPE_COUNT = 7 }; /* luft_piece_type; 0 means no piece and stays zero */
    uint64_t state = ZOBRIST_SEED;
    uint64_t piece[2][TYPE_COUNT][64] = {{{0}}};
    uint64_t castling[64] = {0};
    output out;
    open_output(&out, directory, "zobrist_table.c", "core/zobrist.h");

    for (int i = 0; i < 2 * TYPE_COUNT * 64; i++) {
        if (i / 64 % TYPE_COUNT != 0) {
            draw_nonzero(&piece[i / (TYPE_COUNT * 64)][i / 64 % TYPE_COUNT][i % 64], &state);
        }
    }
    put(&out, "\nconst zobrist_pair luft_zobrist_piece[2][7][64] = {\n");
    for (int color = 0; color < 2; color++) {
        put(&out, "{\n");
        for (int type = 0; type < TYPE_COUNT; type++) {
            put(&out, "{\n");
            for (int square = 0; square < 64; square++) {
                put_pair(&out, piece[color][type][square], piece[1 - color][type][square ^ 56]);
            }
            put(&out, "},\n");
        }
        put(&out, "},\n");
    }

    for (int square = 0; square < 64; square++) {
        if (square / 8 == 0 || square / 8 == 7) {
            draw_nonzero(&castling[square], &state);
        }
    }
    put(&out, "};\n\nconst zobrist_pair luft_zobrist_castling[64] = {\n");
    for (int square = 0; square < 64; square++) {
        put_pair(&out, castling[square], castling[square ^ 56]);
    }

    put(&out, "};\n\nconst uint64_t luft_zobrist_ep_file[8] = {\n");
    for (int file = 0; file < 8; file++) {
        uint64_t word;
        draw_nonzero(&word, &state);
        put(&out, "0x%016llx,\n", (unsigned long long)word);
    }
    put(&out, "};\n");
    close_output(&out);
}

int main(int argc, char **argv) {
    if (argc != 2 || argv[1][0] == '\0' || argv[1][0] == '-') {
        fprintf(stderr, "usage: make_tables OUTDIR (an existing directory)\n");
        return 2;
    }
    write_attack_tables(argv[1]);
    write_magic_table(argv[1]);
    write_pext_table(argv[1]);
    write_zobrist_table(argv[1]);
    return 0;
}
