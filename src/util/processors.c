/* SPDX-License-Identifier: MIT */
/* Asks the system for its processors. */
#define _DEFAULT_SOURCE

#include "processors.h"

#include <unistd.h>

uint64_t processors_count(uint64_t maximum) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (uint64_t)count > maximum ? maximum : (uint64_t)count;
}
