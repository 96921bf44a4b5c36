/* SPDX-License-Identifier: MIT */
/*
 * What the fuzz targets share: a valid position from arbitrary bytes, and how a
 * target says which position was at fault before it stops.
 */
#ifndef LUFT_TESTS_FUZZ_DECODE_H
#define LUFT_TESTS_FUZZ_DECODE_H

#include "luft/luft.h"

/* What libFuzzer calls, defined by each target. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * Reads bytes as a compact position and, where luft_compact_unpack refuses them,
 * once more leniently: what cannot stand is left out. False if no valid position
 * comes of it all the same.
 */
bool position_from_bytes(luft_position *position, const uint8_t *data, size_t size);

/* Prints the position and what was wrong with it, and aborts. */
_Noreturn void report(const luft_position *position, const char *what);

/* Reports where two counts differ. */
void expect_equal(uint64_t actual, uint64_t expected, const luft_position *position, const char *what);

#endif
