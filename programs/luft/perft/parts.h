/* SPDX-License-Identifier: MIT */
/*
 * Perft as units (util/units.h): the tree is cut at a depth, positions that several ways lead to are one unit with their
 * number as its multiplicity, and the counts are added with 128 bits. For journals, array jobs and MPI.
 */
#ifndef LUFT_PROGRAM_PERFT_PARTS_H
#define LUFT_PROGRAM_PERFT_PARTS_H

#include "batch.h"

#include "luft/luft.h"

typedef struct parts_request {
    const char *command; /* for error lines */
    const batch_options *batch;
    const unit_runner *runner;
    const luft_perft_table *table; /* NULL for none */
    luft_position position;
    int depth;
    int threads;
    uint64_t seed; /* of the keys of the table */
    bool twice;    /* count each unit a second time, with keys of another seed or without a table */
} parts_request;

typedef struct parts_result {
    luft_count nodes;
    uint64_t units;   /* different positions where the tree was cut */
    uint64_t ways;    /* that lead to them */
    uint64_t counted; /* units that this run has counted */
    bool is_printed;  /* false for a part, or a rank that works for others: there is no count */
} parts_result;

/* Counts. Returns an exit status, after an error line if it is not STATUS_OK. */
int parts_run(parts_result *result, const parts_request *request);

#endif
