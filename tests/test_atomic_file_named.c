/* SPDX-License-Identifier: MIT */
/* The tests of test_atomic_file.c once more, for systems without files that have no name. */
#define LUFT_NAMED_FILES_ONLY

#include "util/atomic_file.c"

#undef _XOPEN_SOURCE /* _GNU_SOURCE has defined it */
#include "test_atomic_file.c"
