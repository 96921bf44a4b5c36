/* SPDX-License-Identifier: MIT */
/*
 * WDL probes a second beside Fathom on the same positions: random ones of four pieces, and of the ending KBNvKN if its table
 * is there. Each prober runs in a process of its own. Warm is the best of five passes after a first one, in processor time;
 * the probers take turns, three each. Cold is a first pass over 2,000 positions after the system was asked to forget the
 * files, in wall time.
 *
 *     tablebase DIRECTORY [POSITIONS]
 *
 * Fathom is Debian's libfathom1, loaded at run time; without it, only Luft is measured.
 */
#define _GNU_SOURCE /* for fork, clock_gettime and posix_fadvise together */

#include "luft/luft.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COLD_POSITIONS = 2000, PASSES = 5, TURNS = 3 };

typedef enum prober { FATHOM, LUFT_MAPPED, LUFT_READ, PROBERS } prober;
static const char *const names[PROBERS] = {"fathom", "luft, mmap", "luft, pread"};

typedef bool (*fathom_init)(const char *path);
typedef unsigned (*fathom_wdl)(uint64_t white, uint64_t black, uint64_t kings, uint64_t queens, uint64_t rooks,
                               uint64_t bishops, uint64_t knights, uint64_t pawns, unsigned ep, bool white_to_move);

typedef struct opened {
    luft_tablebase *tablebase; /* of Luft */
    fathom_wdl probe;          /* of Fathom */
} opened;

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* --- Positions ------------------------------------------------------------------- */

static bool put(luft_board *board, luft_piece piece, uint64_t *random) {
    const luft_bitboard bit = luft_bit((luft_square)(next_random(random) % 64));
    const luft_piece_type type = luft_piece_type_of(piece);
    if (luft_occupied(board) & bit) {
        return false;
    }
    board->color[luft_piece_color(piece)] |= bit;
    board->pawns |= type == LUFT_PAWN ? bit : 0;
    board->knights |= type == LUFT_KNIGHT ? bit : 0;
    board->diagonal |= type == LUFT_BISHOP || type == LUFT_QUEEN ? bit : 0;
    board->orthogonal |= type == LUFT_ROOK || type == LUFT_QUEEN ? bit : 0;
    board->kings |= type == LUFT_KING ? bit : 0;
    return true;
}

static luft_position random_position(uint64_t *random, bool five_pieces) {
    static const luft_piece five[] = {LUFT_WHITE_BISHOP, LUFT_WHITE_KNIGHT, LUFT_BLACK_KNIGHT};
    for (;;) {
        luft_position position = {.fullmove_number = 1, .ep_square = LUFT_NO_SQUARE};
        bool is_good = put(&position.board, LUFT_WHITE_KING, random) && put(&position.board, LUFT_BLACK_KING, random);
        for (int i = 0; i < (five_pieces ? 3 : 2) && is_good; i++) {
            const luft_color color = (luft_color)(next_random(random) % 2);
            const luft_piece_type type = (luft_piece_type)(LUFT_PAWN + next_random(random) % 5);
            is_good = put(&position.board, five_pieces ? five[i] : luft_make_piece(color, type), random);
        }
        position.side_to_move = (uint8_t)(next_random(random) % 2);
        if (is_good && luft_position_compute_keys(&position) == LUFT_OK &&
            luft_position_status(&position) == LUFT_STATUS_VALID) {
            return position;
        }
    }
}

/* --- Probing ----------------------------------------------------------------------- */

static bool open_prober(opened *tables, prober which, const char *directory) {
    if (which != FATHOM) {
        return luft_tablebase_open(&tables->tablebase, directory,
                                   which == LUFT_MAPPED ? LUFT_TABLEBASE_MAP : LUFT_TABLEBASE_READ) == LUFT_OK;
    }
    void *library = dlopen("libfathom.so.1", RTLD_NOW);
    fathom_init init = NULL;
    if (!library) {
        return false;
    }
    void *symbols[2] = {dlsym(library, "tb_init"), dlsym(library, "tb_probe_wdl_impl")};
    memcpy(&init, &symbols[0], sizeof init); /* ISO C has no cast from an object to a function */
    memcpy(&tables->probe, &symbols[1], sizeof tables->probe);
    return symbols[0] && symbols[1] && init(directory);
}

/* The sum of the results, which must agree; Fathom's squares are numbered from A1 = 0. */
static uint64_t pass(const opened *tables, const luft_position *positions, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const luft_board *board = &positions[i].board;
        luft_wdl wdl = LUFT_WDL_DRAW;
        if (tables->tablebase) {
            sum += luft_tablebase_probe_wdl(&wdl, tables->tablebase, &positions[i]) == LUFT_OK ? (uint64_t)(wdl + 2)
                                                                                               : 1000000;
        } else {
            sum += tables->probe(luft_bitboard_to_a1(board->color[0]), luft_bitboard_to_a1(board->color[1]),
                                 luft_bitboard_to_a1(board->kings), luft_bitboard_to_a1(luft_queens(board)),
                                 luft_bitboard_to_a1(luft_rooks(board)), luft_bitboard_to_a1(luft_bishops(board)),
                                 luft_bitboard_to_a1(board->knights), luft_bitboard_to_a1(board->pawns), 0,
                                 positions[i].side_to_move == LUFT_WHITE);
        }
    }
    return sum;
}

/* Asks the system to drop the files from its memory. */
static void forget_files(const char *directory) {
    luft_tablebase *tablebase = NULL;
    if (luft_tablebase_open(&tablebase, directory, LUFT_TABLEBASE_READ) != LUFT_OK) {
        return;
    }
    for (size_t i = 0; i < luft_tablebase_count(tablebase); i++) {
        luft_tablebase_table table;
        luft_tablebase_get_table(&table, tablebase, i);
        const int file = open(table.path, O_RDONLY);
        if (file >= 0) {
            posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
            close(file);
        }
    }
    luft_tablebase_free(tablebase);
}

typedef struct measured {
    double rate; /* probes a second; 0 if there is no such prober */
    uint64_t sum;
} measured;

static measured measure(prober which, const char *directory, const luft_position *positions, size_t count, bool cold) {
    opened tables = {0};
    measured result = {0};
    if (cold) {
        forget_files(directory);
    }
    const double start = now(CLOCK_MONOTONIC);
    if (!open_prober(&tables, which, directory)) {
        return result;
    }
    result.sum = pass(&tables, positions, count);
    result.rate = (double)count / (now(CLOCK_MONOTONIC) - start);
    for (int i = 0; i < PASSES && !cold; i++) {
        const double begin = now(CLOCK_PROCESS_CPUTIME_ID);
        result.sum = pass(&tables, positions, count);
        const double rate = (double)count / (now(CLOCK_PROCESS_CPUTIME_ID) - begin);
        result.rate = i == 0 || rate > result.rate ? rate : result.rate;
    }
    return result;
}

/* In a process of its own, so that each prober starts alike. */
static measured measure_apart(prober which, const char *directory, const luft_position *positions, size_t count,
                              bool cold) {
    int ends[2];
    measured result = {0};
    if (pipe(ends) != 0) {
        return result;
    }
    const pid_t child = fork();
    if (child == 0) {
        result = measure(which, directory, positions, count, cold);
        _exit(write(ends[1], &result, sizeof result) == sizeof result ? 0 : 1);
    }
    close(ends[1]);
    if (read(ends[0], &result, sizeof result) != sizeof result) {
        result = (measured){0};
    }
    close(ends[0]);
    waitpid(child, NULL, 0);
    return result;
}

static int compare(const char *title, const char *directory, const luft_position *positions, size_t count, bool cold) {
    measured results[PROBERS];
    printf("%s, %zu positions\n", title, count);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < PROBERS; i++) {
            const measured result = measure_apart((prober)i, directory, positions, count, cold);
            results[i] = turn == 0 || result.rate > results[i].rate ? result : results[i];
        }
    }
    for (int i = 0; i < PROBERS; i++) {
        if (results[i].rate == 0) {
            printf("  %-12s not available\n", names[i]);
            continue;
        }
        printf("  %-12s %10.0f probes/s", names[i], results[i].rate);
        if (i > FATHOM && results[FATHOM].rate > 0) {
            printf("  %.2f times fathom%s", results[i].rate / results[FATHOM].rate,
                   results[i].sum == results[FATHOM].sum ? "" : ", WITH OTHER RESULTS");
        }
        putchar('\n');
    }
    return results[LUFT_MAPPED].sum == results[LUFT_READ].sum &&
                   (results[FATHOM].rate == 0 || results[FATHOM].sum == results[LUFT_READ].sum)
               ? 0
               : 1;
}

int main(int argc, char **argv) {
    const size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : 200000;
    luft_position *positions = malloc((count + COLD_POSITIONS) * sizeof *positions);
    if (argc < 2 || count == 0 || !positions) {
        fprintf(stderr, "usage: %s DIRECTORY [POSITIONS]\n", argv[0]);
        free(positions);
        return 2;
    }
    int status = 0;
    for (int five = 0; five < 2; five++) {
        char table[4096];
        uint64_t random = 1;
        snprintf(table, sizeof table, "%s/KBNvKN.rtbw", argv[1]);
        if (five && access(table, R_OK) != 0) {
            break;
        }
        for (size_t i = 0; i < count + COLD_POSITIONS; i++) {
            positions[i] = random_position(&random, five);
        }
        status |= compare(five ? "KBNvKN, warm" : "four pieces, warm", argv[1], positions, count, false);
        status |= compare(five ? "KBNvKN, cold" : "four pieces, cold", argv[1], positions, COLD_POSITIONS, true);
    }
    free(positions);
    return status;
}
