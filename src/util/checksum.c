/* SPDX-License-Identifier: MIT */
/* Reads eight bytes at a time; the byte order of the machine does not matter. */
#include "checksum.h"

#include "random.h"

checksum checksum_start(void) {
    return (checksum){.state = 0x9e3779b97f4a7c15ull};
}

/* Invertible in the word and in the state, so every change of a single word changes the sum. */
static uint64_t mix(uint64_t state, uint64_t word) {
    state = (state ^ word) * 0x9ddfea08eb382d69ull;
    return state ^ state >> 29;
}

static uint64_t load(const uint8_t *bytes) {
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--) {
        word = word << 8 | bytes[i];
    }
    return word;
}

static void add_byte(checksum *sum, uint8_t byte) {
    sum->pending |= (uint64_t)byte << sum->length % 8 * 8;
    if (++sum->length % 8 == 0) {
        sum->state = mix(sum->state, sum->pending);
        sum->pending = 0;
    }
}

void checksum_add(checksum *sum, const void *data, size_t length) {
    const uint8_t *bytes = data;
    const uint8_t *end = bytes + length;
    while (bytes < end && sum->length % 8 != 0) {
        add_byte(sum, *bytes++);
    }
    uint64_t state = sum->state;
    for (; end - bytes >= 8; bytes += 8) {
        state = mix(state, load(bytes));
        sum->length += 8;
    }
    sum->state = state;
    while (bytes < end) {
        add_byte(sum, *bytes++);
    }
}

uint64_t checksum_end(const checksum *sum) {
    return random_mix(mix(mix(sum->state, sum->pending), sum->length));
}

uint64_t checksum_of(const void *data, size_t length) {
    checksum sum = checksum_start();
    checksum_add(&sum, data, length);
    return checksum_end(&sum);
}
