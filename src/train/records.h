/* SPDX-License-Identifier: MIT */
/*
 * The form of training data: one record of 52 bytes for each position of a game,
 * the same on every machine.
 */
#ifndef LUFT_TRAIN_RECORDS_H
#define LUFT_TRAIN_RECORDS_H

#include "luft/position.h"

#define RECORD_SIZE 52

/*
 *     0-47   the position, as luft_compact packs it
 *     48-49  the score of a search for the player to move, in centipawns, little-endian
 *     50     how the game ended for that player: 0 lost, 1 drawn, 2 won
 *     51     zero
 */
typedef struct record {
    luft_position position;
    int score;
    int result;
} record;

void record_pack(uint8_t bytes[RECORD_SIZE], const record *entry);

/* False if the bytes are not those of a record. */
bool record_unpack(record *entry, const uint8_t bytes[RECORD_SIZE]);

#endif
