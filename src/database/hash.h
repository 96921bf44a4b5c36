/* SPDX-License-Identifier: MIT */
/* Hashes of bytes, and numbers of variable length. The signatures of games in files are such hashes: they are frozen. */
#ifndef LUFT_DATABASE_HASH_H
#define LUFT_DATABASE_HASH_H

#include "util/buffer.h"
#include "util/random.h"

#include <stdint.h>
#include <string.h>

/* Mixes bytes into a hash, eight at a time, the first in the lowest bits; the last word has zeros and the length. */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length) {
    const unsigned char *next = bytes;
    size_t left = length;
    while (left > 0) {
        uint64_t word = 0;
        const size_t count = left < 8 ? left : 8;
        for (size_t i = 0; i < count; i++) {
            word |= (uint64_t)next[i] << 8 * i;
        }
        hash = random_mix(hash ^ word) + UINT64_C(0x9e3779b97f4a7c15);
        next += count;
        left -= count;
    }
    return random_mix(hash ^ length);
}

/* Seven bits a byte, the lowest first; the top bit means that more follow. */
#define VARINT_MAX_BYTES 10

static inline size_t varint_write(uint8_t *out, uint64_t value) {
    size_t length = 0;
    while (value >= 0x80) {
        out[length++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    out[length++] = (uint8_t)value;
    return length;
}

/* Reads a number at *next and advances it; false if it does not end before `end` or has more than 64 bits. */
static inline bool varint_read(uint64_t *value, const uint8_t **next, const uint8_t *end) {
    uint64_t result = 0;
    for (unsigned shift = 0; shift < 64 && *next < end; shift += 7) {
        const uint8_t byte = *(*next)++;
        if (shift == 63 && byte > 1) {
            return false;
        }
        result |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *value = result;
            return true;
        }
    }
    return false;
}

static inline void varint_append(buffer *out, uint64_t value) {
    uint8_t bytes[VARINT_MAX_BYTES];
    buffer_append(out, bytes, varint_write(bytes, value));
}

#endif
