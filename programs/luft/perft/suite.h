/* SPDX-License-Identifier: MIT */
/*
 * A perft suite: a file of positions with known counts, one a line, such as
 * "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400". Part of `luft perft`.
 */
#ifndef LUFT_PROGRAM_PERFT_SUITE_H
#define LUFT_PROGRAM_PERFT_SUITE_H

#include "counting.h"

typedef struct suite_request {
    const char *command; /* for error lines */
    const char *path;    /* "-" for standard input */
    counting how;        /* its line is set by suite_run */
    uint64_t max_depth;  /* counts of a greater depth are left out */
    uint64_t max_nodes;  /* counts greater than this are left out */
} suite_request;

/* Counts and compares, prints what is wrong, and returns an exit status. */
int suite_run(const suite_request *request);

#endif
