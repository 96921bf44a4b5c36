/* SPDX-License-Identifier: MIT */
/*
 * The linker's --wrap=malloc redirects calls of malloc to __wrap_malloc, and calls of
 * __real_malloc to malloc. Under a sanitizer that is the sanitizer's malloc. The linker
 * requires these names.
 */
#include "support/failing_malloc.h"

#include "support/check.h"

#include <stdatomic.h>

void *__real_malloc(size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

/* Atomic, because tests with threads link this too. */
static atomic_int calls;       /* allocations since the scenario began */
static atomic_int failing;     /* number of the call that fails, from 1; 0 for none */
static atomic_long live_count; /* blocks allocated and not freed, as far as these wrappers see */

static bool may_allocate(void) {
    return ++calls != failing;
}

void *__wrap_malloc(size_t size) {
    void *block = may_allocate() ? __real_malloc(size) : NULL;
    live_count += block != NULL;
    return block;
}

void *__wrap_realloc(void *block, size_t size) {
    const bool is_new = block == NULL;
    void *result = may_allocate() ? __real_realloc(block, size) : NULL;
    live_count += is_new && result != NULL;
    return result;
}

void __wrap_free(void *block) {
    live_count -= block != NULL;
    __real_free(block);
}

int assert_survives_failing_malloc(malloc_scenario scenario, void *payload) {
    for (int k = 1;; k++) {
        const long live_before = live_count;
        calls = 0;
        failing = k;
        const luft_error error = scenario(payload);
        failing = 0;
        const bool failed = calls >= k;
        if (error != (failed ? LUFT_ERROR_MEMORY : LUFT_OK)) {
            fail_msg("allocation %d %s: %s", k, failed ? "failed" : "was never asked for", luft_error_string(error));
        }
        if (live_count != live_before) {
            fail_msg("allocation %d failed: %ld blocks were not freed", k, live_count - live_before);
        }
        if (!failed) {
            assert_true(k > 1);
            return k - 1;
        }
    }
}
