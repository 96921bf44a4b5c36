/* SPDX-License-Identifier: MIT */
/*
 * Finds the magic multipliers of the rook and bishop lookup and writes magics.h.
 *
 * A magic maps each set of blockers to a table index: the top n bits of
 * blockers * magic. Two sets may share an index if they leave the same attacks;
 * where enough of them do, n can be below the number of blocker squares. A magic
 * for the full n is found by trial. For a smaller n the tool guesses the bits of
 * the magic from the lowest up: a blocker on square s only ever meets the lowest
 * 64 - s bits, so sets of high squares can be judged before the rest is known.
 *
 * The result depends on the seed and the number of attempts, never on time, and
 * that of a square not on other squares. tests/cli/test_magics.sh finds the numbers
 * in magics.h again: some squares with --square, all of them in the long tests.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slow_attacks.h"

enum {
    MASK_BITS_MAX = 12,
    SUBSETS_MAX = 1 << MASK_BITS_MAX,
    BEAM_WIDTH = 30,     /* partial magics kept from one square to the next */
    GUESSES_MIN = 16,    /* continuations tried for each of them */
    CANDIDATES_MAX = 600 /* BEAM_WIDTH * GUESSES_MIN, or twice BEAM_WIDTH where few are left, with room to spare */
};

/* One square of one slider: its blocker squares, and what each set of them leaves to attack. */
typedef struct problem {
    int mask_bits;
    int squares[MASK_BITS_MAX];          /* of the mask, the highest first */
    uint16_t attacks_class[SUBSETS_MAX]; /* by set, bit k for squares[k]: equal attacks, equal number, from 1 */
} problem;

/* A table under trial: sums of shifted magics, and the class that each index holds (0 is free). */
typedef struct workspace {
    uint64_t product[SUBSETS_MAX]; /* by set of blockers */
    uint16_t table[SUBSETS_MAX];   /* by index */
    uint16_t taken[SUBSETS_MAX];   /* the indices that the current trial took, to be freed after it */
    int taken_count;
} workspace;

/* The low bits of a magic, and how promising they are: the lower the score the better. */
typedef struct candidate {
    uint64_t magic;
    uint64_t score;
} candidate;

typedef struct solution {
    uint64_t magic;
    int bits;      /* n */
    int mask_bits; /* what n would be without shared indices */
} solution;

typedef struct settings {
    uint64_t seed;
    long attempts;
    const char *output; /* NULL for the standard output */
    int square;         /* -1 for all */
} settings;

/* --- The problem ----------------------------------------------------------- */

static void set_up_problem(problem *p, slider piece, int square) {
    const uint64_t mask = slider_mask(piece, square);
    uint64_t known_attacks[SUBSETS_MAX];
    int known_count = 0;
    p->mask_bits = 0;
    for (int s = 63; s >= 0; s--) {
        if (mask >> s & 1) {
            p->squares[p->mask_bits++] = s;
        }
    }
    for (int set = 0; set < 1 << p->mask_bits; set++) {
        uint64_t blockers = 0;
        for (int k = 0; k < p->mask_bits; k++) {
            blockers |= (uint64_t)(set >> k & 1) << p->squares[k];
        }
        const uint64_t attacks = slow_attacks(piece, square, blockers);
        int number = 0;
        while (number < known_count && known_attacks[number] != attacks) {
            number++;
        }
        if (number == known_count) {
            known_attacks[known_count++] = attacks;
        }
        p->attacks_class[set] = (uint16_t)(number + 1);
    }
}

/* Starts a table that holds the empty set only: no blockers, product 0. */
static void clear_workspace(workspace *w, const problem *p, int bits) {
    memset(w->table, 0, sizeof w->table[0] << bits);
    w->product[0] = 0;
    w->table[0] = p->attacks_class[0];
    w->taken_count = 0;
}

/*
 * Adds the sets that contain squares[k] and none after it: each is an earlier set
 * and one more blocker. Only the lowest 64 - squares[k] bits of the magic matter.
 * False at the first index that different attacks would share.
 */
static bool add_square(workspace *w, const problem *p, int k, uint64_t magic, int bits) {
    const int earlier_count = 1 << k;
    const uint64_t step = magic << p->squares[k];
    for (int set = 0; set < earlier_count; set++) {
        const uint64_t product = w->product[set] + step;
        const uint64_t index = product >> (64 - bits);
        const uint16_t attacks = p->attacks_class[earlier_count + set];
        if (w->table[index] == 0) {
            w->table[index] = attacks;
            w->taken[w->taken_count++] = (uint16_t)index;
        } else if (w->table[index] != attacks) {
            return false;
        }
        w->product[earlier_count + set] = product;
    }
    return true;
}

/* Fills the table for the first `count` squares; returns whether the magic works for them. */
static bool fill_table(workspace *w, const problem *p, int count, uint64_t magic, int bits) {
    clear_workspace(w, p, bits);
    for (int k = 0; k < count; k++) {
        if (!add_square(w, p, k, magic, bits)) {
            return false;
        }
    }
    return true;
}

/* --- The search -------------------------------------------------------------- */

/* Full n: numbers with few bits set work soon enough. */
static uint64_t find_plain(workspace *w, const problem *p, uint64_t *random) {
    for (;;) {
        const uint64_t magic = next_random(random) & next_random(random) & next_random(random);
        if (fill_table(w, p, p->mask_bits, magic, p->mask_bits)) {
            return magic;
        }
    }
}

/*
 * A guess at the next bits. All ones or all zeros get a quarter of the guesses:
 * ones make a blocker's step a little less than nothing, which takes the empty set
 * to another index and leaves most other sets on the one they have.
 */
static uint64_t guess_bits(uint64_t *random) {
    const uint64_t a = next_random(random);
    const uint64_t b = next_random(random);
    switch (a >> 62) {
    case 0: return a;
    case 1: return a & b;
    case 2: return a | b;
    default: return b & 1 ? ~UINT64_C(0) : 0;
    }
}

static int compare_candidates(const void *left, const void *right) {
    const candidate *a = left;
    const candidate *b = right;
    if (a->score != b->score) {
        return a->score < b->score ? -1 : 1;
    }
    return (a->magic > b->magic) - (a->magic < b->magic);
}

/* Moves the best candidates, each magic once, into the beam; returns how many there are. */
static int select_best(candidate *beam, candidate *candidates, int candidate_count) {
    int count = 0;
    qsort(candidates, (size_t)candidate_count, sizeof *candidates, compare_candidates);
    for (int i = 0; i < candidate_count && count < BEAM_WIDTH; i++) {
        int same = 0;
        while (same < count && beam[same].magic != candidates[i].magic) {
            same++;
        }
        if (same == count) {
            beam[count++] = candidates[i];
        }
    }
    return count;
}

/*
 * Continues one partial magic by the bits that squares[k] needs; returns how many
 * ways of doing so work. Few indices in use is good, for that is what shared ones
 * save; the random factor keeps the search from being the same greedy one each time.
 */
static int extend(workspace *w, const problem *p, int k, int bits, uint64_t magic, int guess_count,
                  candidate *candidates, uint64_t *random) {
    const int low = k == 0 ? 0 : 64 - p->squares[k - 1];
    const int width = 64 - p->squares[k] - low;
    const bool all = width < 16 && 1 << width <= guess_count;
    int found = 0;
    fill_table(w, p, k, magic, bits);
    const int used_before = w->taken_count;
    for (int i = 0; i < (all ? 1 << width : guess_count); i++) {
        const uint64_t guess = (all ? (uint64_t)i : guess_bits(random)) & ((UINT64_C(1) << width) - 1);
        const uint64_t longer = magic | guess << low;
        if (add_square(w, p, k, longer, bits)) {
            const uint64_t used = (uint64_t)w->taken_count + 1;
            candidates[found++] = (candidate){longer, used * (64 + (next_random(random) & 127))};
        }
        while (w->taken_count > used_before) {
            w->table[w->taken[--w->taken_count]] = 0;
        }
    }
    return found;
}

/* One attempt at n = bits: a beam search, square by square from the highest. Returns 0 if it fails. */
static uint64_t find_smaller(workspace *w, const problem *p, int bits, uint64_t *random) {
    candidate beam[BEAM_WIDTH] = {{0, 0}};
    candidate candidates[CANDIDATES_MAX];
    int beam_count = 1;
    for (int k = 0; k < p->mask_bits && beam_count > 0; k++) {
        const int share = 2 * BEAM_WIDTH / beam_count;
        const int guess_count = share > GUESSES_MIN ? share : GUESSES_MIN;
        int candidate_count = 0;
        for (int i = 0; i < beam_count; i++) {
            candidate_count += extend(w, p, k, bits, beam[i].magic, guess_count, candidates + candidate_count, random);
        }
        beam_count = select_best(beam, candidates, candidate_count);
    }
    return beam_count > 0 ? beam[0].magic : 0;
}

/* The random numbers of a square do not depend on how the squares before it went. */
static solution solve(slider piece, int square, const settings *options) {
    problem p;
    workspace w;
    uint64_t random = options->seed * 128 + (uint64_t)piece * 64 + (uint64_t)square;
    random = next_random(&random);
    set_up_problem(&p, piece, square);
    solution best = {find_plain(&w, &p, &random), p.mask_bits, p.mask_bits};
    for (long i = 0; i < options->attempts && best.bits > 1; i++) {
        const uint64_t magic = find_smaller(&w, &p, best.bits - 1, &random);
        if (magic != 0) {
            best.magic = magic;
            best.bits--;
            i = -1;
        }
    }
    if (!fill_table(&w, &p, p.mask_bits, best.magic, best.bits)) {
        fprintf(stderr, "find_magics: a magic that was found does not work\n");
        exit(1);
    }
    return best;
}

/* --- Output -------------------------------------------------------------------- */

static const char *const slider_names[2] = {"rook", "bishop"};

static long table_size(const solution *solutions, int count) {
    long size = 0;
    for (int i = 0; i < count; i++) {
        size += 1L << solutions[i].bits;
    }
    return size;
}

static void report_slider(slider piece, const solution solutions[64]) {
    int smaller_count = 0;
    fprintf(stderr, "%s: n per square, rank 8 on top, * where it is smaller than the mask\n", slider_names[piece]);
    for (int square = 0; square < 64; square++) {
        const bool smaller = solutions[square].bits < solutions[square].mask_bits;
        smaller_count += smaller;
        fprintf(stderr, "%4d%c%s", solutions[square].bits, smaller ? '*' : ' ', square % 8 == 7 ? "\n" : "");
    }
    fprintf(stderr, "%s: %ld entries, smaller n on %d squares\n", slider_names[piece], table_size(solutions, 64),
            smaller_count);
}

static void write_header(FILE *file, const solution *solutions, const settings *options) {
    const long size = table_size(solutions, 128);
    fprintf(file, "/* SPDX-License-Identifier: MIT */\n/*\n");
    fprintf(file, " * The magics of the rook and bishop lookup: per square the multiplier and n, the\n");
    fprintf(file, " * number of index bits. Together they need %ld entries, %.1f KiB. Written by\n", size,
            (double)size / 128);
    fprintf(file, " *     find_magics --seed %" PRIu64 " --attempts %ld --output tools/magics.h\n", options->seed,
            options->attempts);
    fprintf(file, " * which finds exactly these again; do not edit. make_tables turns them into tables.\n */\n");
    fprintf(file, "#ifndef LUFT_TOOLS_MAGICS_H\n#define LUFT_TOOLS_MAGICS_H\n\n#include <stdint.h>\n\n");
    fprintf(file, "typedef struct found_magic {\n    uint64_t magic;\n    int bits; /* n */\n} found_magic;\n\n");
    fprintf(file, "/* clang-format off */\n");
    for (int i = 0; i < 128; i++) {
        const int square = i % 64;
        if (square == 0) {
            fprintf(file, "static const found_magic found_%s_magics[64] = {\n", slider_names[i / 64]);
        }
        if (square % 8 == 0) {
            fprintf(file, "    /* rank %d */\n", 8 - square / 8);
        }
        fprintf(file, "%s{0x%016" PRIx64 ", %2d},%s", square % 4 == 0 ? "    " : " ", solutions[i].magic,
                solutions[i].bits, square % 4 == 3 ? "\n" : "");
        if (square == 63) {
            fprintf(file, "};\n\n");
        }
    }
    fprintf(file, "/* clang-format on */\n\n#endif\n");
}

/* Solves one square for both sliders and prints the entries that the header has for it. */
static bool report_square(const settings *options) {
    for (int piece = ROOK; piece <= BISHOP; piece++) {
        const solution found = solve((slider)piece, options->square, options);
        printf("%s %c%c: {0x%016" PRIx64 ", %2d}\n", slider_names[piece], 'a' + options->square % 8,
               '8' - options->square / 8, found.magic, found.bits);
    }
    return fflush(stdout) == 0;
}

/* Opened before the search, so that a bad path is known at once; a temporary file is renamed when it is complete. */
static FILE *open_output(char *temporary, size_t size, const settings *options) {
    if (!options->output) {
        return stdout;
    }
    const int length = snprintf(temporary, size, "%s.tmp", options->output);
    if (length < 0 || (size_t)length >= size) {
        fprintf(stderr, "find_magics: the output path is too long\n");
        return NULL;
    }
    FILE *file = fopen(temporary, "w");
    if (!file) {
        fprintf(stderr, "find_magics: cannot write %s: %s\n", temporary, strerror(errno));
    }
    return file;
}

static bool close_output(FILE *file, const char *temporary, const settings *options) {
    const bool written = fflush(file) == 0 && !ferror(file);
    const bool closed = !options->output || fclose(file) == 0;
    if (written && closed && (!options->output || rename(temporary, options->output) == 0)) {
        return true;
    }
    fprintf(stderr, "find_magics: cannot write %s: %s\n", options->output ? options->output : "the standard output",
            strerror(errno));
    if (options->output) {
        remove(temporary);
    }
    return false;
}

/* --- Arguments -------------------------------------------------------------------- */

static const char usage[] = "usage: find_magics [--seed N] [--attempts N] [--output FILE | --square SQUARE]\n"
                            "Finds magic multipliers for rooks and bishops and writes them as a C header.\n"
                            "  --seed N         where the random numbers start (default 1)\n"
                            "  --attempts N     searches for a smaller n, per square and n (default 6000; 0 for none)\n"
                            "  --output FILE    the header to write (default: standard output)\n"
                            "  --square SQUARE  print the magics of rook and bishop on one square; write no header\n"
                            "The report goes to the standard error stream.\n";

static bool parse_square(const char *text, int *square) {
    if (text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8' || text[2] != '\0') {
        return false;
    }
    *square = ('8' - text[1]) * 8 + text[0] - 'a';
    return true;
}

static bool parse_number(const char *text, uint64_t limit, uint64_t *number) {
    char *end;
    if (text[0] < '0' || text[0] > '9') {
        return false;
    }
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    *number = value;
    return errno == 0 && *end == '\0' && value <= limit;
}

/* False with a message if the arguments make no sense. */
static bool parse_arguments(settings *options, int argc, char **argv) {
    for (int i = 1; i < argc; i += 2) {
        const char *name = argv[i];
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        uint64_t attempts = 0;
        if (strcmp(name, "--seed") != 0 && strcmp(name, "--attempts") != 0 && strcmp(name, "--output") != 0 &&
            strcmp(name, "--square") != 0) {
            fprintf(stderr, "find_magics: unknown argument '%s' (try --help)\n", name);
            return false;
        }
        if (!value) {
            fprintf(stderr, "find_magics: %s needs a value\n", name);
            return false;
        }
        if (strcmp(name, "--output") == 0) {
            options->output = value;
        } else if (strcmp(name, "--square") == 0) {
            if (!parse_square(value, &options->square)) {
                fprintf(stderr, "find_magics: --square: expected a square such as e4, got '%s'\n", value);
                return false;
            }
        } else if (strcmp(name, "--seed") == 0 ? !parse_number(value, UINT64_MAX, &options->seed)
                                               : !parse_number(value, 1000000000, &attempts)) {
            fprintf(stderr, "find_magics: %s: expected an integer in range, got '%s'\n", name, value);
            return false;
        } else if (strcmp(name, "--attempts") == 0) {
            options->attempts = (long)attempts;
        }
    }
    if (options->output && options->square >= 0) {
        fprintf(stderr, "find_magics: --output writes all squares and cannot be combined with --square\n");
        return false;
    }
    return true;
}

int main(int argc, char **argv) {
    settings options = {1, 6000, NULL, -1};
    solution solutions[128];
    char temporary[4096] = "";
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (!parse_arguments(&options, argc, argv)) {
        return 2;
    }
    if (options.square >= 0) {
        return report_square(&options) ? 0 : 1;
    }
    FILE *file = open_output(temporary, sizeof temporary, &options);
    if (!file) {
        return 1;
    }
    for (int i = 0; i < 128; i++) {
        const slider piece = (slider)(i / 64);
        const int square = i % 64;
        solutions[i] = solve(piece, square, &options);
        fprintf(stderr, "%s %c%c: n = %d of %d\n", slider_names[piece], 'a' + square % 8, '8' - square / 8,
                solutions[i].bits, solutions[i].mask_bits);
    }
    report_slider(ROOK, solutions);
    report_slider(BISHOP, solutions + 64);
    const long size = table_size(solutions, 128);
    fprintf(stderr, "table: %ld entries, %.1f KiB\n", size, (double)size / 128);
    write_header(file, solutions, &options);
    return close_output(file, temporary, &options) ? 0 : 1;
}
