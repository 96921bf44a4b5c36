/* SPDX-License-Identifier: MIT */
/* A 64-bit checksum of files and messages, the same on every machine. It finds accidents, not attacks. */
#ifndef LUFT_UTIL_CHECKSUM_H
#define LUFT_UTIL_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* A 64-bit checksum over bytes that come in parts of any size. */
typedef struct checksum {
    uint64_t state;
    uint64_t pending; /* the last length % 8 bytes */
    uint64_t length;
} checksum;

checksum checksum_start(void);
void checksum_add(checksum *sum, const void *data, size_t length);
uint64_t checksum_end(const checksum *sum);

/* The checksum of a block of bytes. */
uint64_t checksum_of(const void *data, size_t length);

#endif
