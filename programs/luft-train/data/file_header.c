/* SPDX-License-Identifier: MIT */
/* Headers to bytes and back. */
#include "file_header.h"

#include <string.h>

static void put(uint8_t *bytes, uint64_t value, int size) {
    for (int i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(value >> 8 * i);
    }
}

static uint64_t get(const uint8_t *bytes, int size) {
    uint64_t value = 0;
    for (int i = size - 1; i >= 0; i--) {
        value = value << 8 | bytes[i];
    }
    return value;
}

file_header file_header_of(const char kind[FILE_KIND_SIZE]) {
    file_header header = {.version = FILE_VERSION};
    memcpy(header.kind, kind, FILE_KIND_SIZE);
    return header;
}

void file_header_pack(uint8_t bytes[FILE_HEADER_SIZE], const file_header *header) {
    memcpy(bytes, header->kind, FILE_KIND_SIZE);
    put(bytes + 8, header->version, 2);
    put(bytes + 10, header->flags, 2);
    put(bytes + 12, header->nodes, 4);
    put(bytes + 16, header->count, 8);
    put(bytes + 24, header->positions, 8);
    put(bytes + 32, header->signature, 8);
    put(bytes + 40, header->seed, 8);
    put(bytes + 48, header->data_checksum, 8);
    put(bytes + 56, checksum_of(bytes, 56), 8);
}

const char *file_header_unpack(file_header *header, const uint8_t bytes[FILE_HEADER_SIZE],
                               const char kind[FILE_KIND_SIZE]) {
    if (memcmp(bytes, kind, FILE_KIND_SIZE) != 0) {
        const bool is_games = memcmp(bytes, FILE_KIND_GAMES, FILE_KIND_SIZE) == 0;
        const bool is_records = memcmp(bytes, FILE_KIND_RECORDS, FILE_KIND_SIZE) == 0;
        return memcmp(kind, FILE_KIND_GAMES, FILE_KIND_SIZE) == 0
                   ? (is_records ? "expected a file of games, got one of records" : "expected a file of games")
                   : (is_games ? "expected a file of records, got one of games" : "expected a file of records");
    }
    if (get(bytes + 8, 2) != FILE_VERSION) {
        return "its version is unknown";
    }
    if (get(bytes + 56, 8) != checksum_of(bytes, 56)) {
        return "its header is damaged";
    }
    *header = (file_header){.version = FILE_VERSION,
                            .flags = (uint16_t)get(bytes + 10, 2),
                            .nodes = (uint32_t)get(bytes + 12, 4),
                            .count = get(bytes + 16, 8),
                            .positions = get(bytes + 24, 8),
                            .signature = get(bytes + 32, 8),
                            .seed = get(bytes + 40, 8),
                            .data_checksum = get(bytes + 48, 8)};
    memcpy(header->kind, kind, FILE_KIND_SIZE);
    return NULL;
}
