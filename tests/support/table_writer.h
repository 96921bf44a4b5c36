/* SPDX-License-Identifier: MIT */
/*
 * Writes small Syzygy tables of three pieces from solved endings, so that the tests have tables in a clone without test
 * data. The files of tables that others made are larger and are compared where LUFT_DATA has them. The index of a position
 * comes from the library, so these tables test everything but the index and the values.
 */
#ifndef LUFT_TESTS_TABLE_WRITER_H
#define LUFT_TESTS_TABLE_WRITER_H

#include "luft/tablebase.h"
#include "support/endings.h"

typedef struct written_table {
    uint8_t *bytes; /* freed by the caller */
    size_t size;
    size_t header_size; /* what comes before the sparse index */
} written_table;

/* The table of a king and this piece of White against a king. Distances are stored in plies. */
written_table write_table(ending_solver *solver, luft_piece_type piece, luft_tablebase_kind kind);

/* The name of its file, such as KQvK.rtbw. */
void name_written_table(char name[16], luft_piece_type piece, luft_tablebase_kind kind);

/* The position of an ending as the library has it. False if it is not legal. */
bool to_luft_position(luft_position *position, const ending_position *ending);

#endif
