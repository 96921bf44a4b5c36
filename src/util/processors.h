/* SPDX-License-Identifier: MIT */
/* How many processors there are, for the default number of threads. */
#ifndef LUFT_UTIL_PROCESSORS_H
#define LUFT_UTIL_PROCESSORS_H

#include <stdint.h>

/* From 1 to `maximum`. */
uint64_t processors_count(uint64_t maximum);

#endif
