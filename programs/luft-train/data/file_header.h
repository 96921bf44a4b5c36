/* SPDX-License-Identifier: MIT */
/*
 * The first 64 bytes of every file of data. Numbers are little-endian; checksums are those of util/checksum.h.
 *
 *     0-7    the kind of file: luft-rec for records, luft-gam for games
 *     8-9    the version of the format
 *     10-11  flags
 *     12-15  the soft node limit of the searches; 0 if they differ
 *     16-23  the number of records, or games
 *     24-31  the number of positions to learn from; in a file of records the same
 *     32-39  the signature of the engine; 0 if there was more than one
 *     40-47  the seed
 *     48-55  the checksum of all that follows the header
 *     56-63  the checksum of bytes 0 to 55
 */
#ifndef LUFT_TRAIN_DATA_FILE_HEADER_H
#define LUFT_TRAIN_DATA_FILE_HEADER_H

#include "util/checksum.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FILE_HEADER_SIZE = 64, FILE_KIND_SIZE = 8, FILE_VERSION = 1 };

#define FILE_KIND_RECORDS "luft-rec"
#define FILE_KIND_GAMES "luft-gam"

enum {
    FILE_SHUFFLED = 1,    /* the records are shuffled */
    FILE_DEDUPLICATED = 2 /* each board is there once */
};

enum { RESULT_UNKNOWN = 3 }; /* of a position beside a game; 0, 1 and 2 are lost, drawn and won */

typedef struct file_header {
    char kind[FILE_KIND_SIZE]; /* not terminated */
    uint16_t version;
    uint16_t flags;
    uint32_t nodes;
    uint64_t count;
    uint64_t positions;
    uint64_t signature;
    uint64_t seed;
    uint64_t data_checksum;
} file_header;

/* Sets kind and version; all else is zero. */
file_header file_header_of(const char kind[FILE_KIND_SIZE]);

void file_header_pack(uint8_t bytes[FILE_HEADER_SIZE], const file_header *header);

/* NULL if the bytes are a header, else what is wrong with them: one clause. */
const char *file_header_unpack(file_header *header, const uint8_t bytes[FILE_HEADER_SIZE],
                               const char kind[FILE_KIND_SIZE]);

#endif
