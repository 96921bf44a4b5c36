/* SPDX-License-Identifier: MIT */
/* Records to bytes and back. */
#include "records.h"

#include <string.h>

void record_pack(uint8_t bytes[RECORD_SIZE], const record *entry) {
    luft_compact compact;
    luft_compact_pack(&compact, &entry->position);
    memcpy(bytes, compact.bytes, sizeof compact.bytes);
    bytes[48] = (uint8_t)(entry->score & 255);
    bytes[49] = (uint8_t)(entry->score >> 8 & 255);
    bytes[50] = (uint8_t)entry->result;
    bytes[51] = 0;
}

bool record_unpack(record *entry, const uint8_t bytes[RECORD_SIZE]) {
    luft_compact compact;
    memcpy(compact.bytes, bytes, sizeof compact.bytes);
    if (luft_compact_unpack(&entry->position, &compact) != LUFT_OK || bytes[50] > 2 || bytes[51] != 0) {
        return false;
    }
    entry->score = (int16_t)(uint16_t)(bytes[48] | bytes[49] << 8);
    entry->result = bytes[50];
    return true;
}
