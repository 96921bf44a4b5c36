/* SPDX-License-Identifier: MIT */
/*
 * The format of training data: a header of 64 bytes, then records of 32 bytes, one for each position, the same on every
 * machine. A record holds what an evaluation can see: the pieces on the board, from the view of the side to move, whose
 * pawns always move up the board. Castling rights, en passant and the counters are not kept.
 *
 *     0-7    the occupied squares, little-endian; bit 0 is a1, bit 7 h1, bit 63 h8
 *     8-23   a nibble for each of their pieces, in the order a1, b1 … h8, the low nibble of a byte first:
 *            0 pawn, 1 knight, 2 bishop, 3 rook, 4 queen, 5 king, plus 8 for the opponent's
 *     24-25  the score of the search for the side to move, in centipawns, signed, little-endian
 *     26     the result for the side to move: 0 lost, 1 drawn, 2 won; 3 for a position that was not played
 *     27     zero
 *     28-31  the number of the game in the file, little-endian: positions of one game are alike, so whole games are
 *            held out for validation
 *
 * Unused nibbles are zero, so equal boards are equal in bytes 0 to 23.
 */
#ifndef LUFT_TRAIN_DATA_RECORDS_H
#define LUFT_TRAIN_DATA_RECORDS_H

#include "file_header.h"

#include "luft/position.h"
#include "util/atomic_file.h"

#include <stdio.h>

enum {
    RECORD_SIZE = 32,
    RECORD_BOARD_SIZE = 24, /* the first bytes: the board */
    RECORD_PIECES_MAX = 32
};

typedef struct record {
    uint8_t bytes[RECORD_SIZE];
} record;

/* --- Reading one record ------------------------------------------------------ */

/* Eight bytes as a number. */
static inline uint64_t record_word(const record *entry, int begin) {
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--) { /* compilers turn this into one load */
        word = word << 8 | entry->bytes[begin + i];
    }
    return word;
}

/* The occupied squares, with bit 0 for a1 as seen by the side to move. */
static inline uint64_t record_occupied(const record *entry) {
    return record_word(entry, 0);
}

/* The nibbles of 16 pieces, the first 16 or the others. */
static inline uint64_t record_pieces(const record *entry, int half) {
    return record_word(entry, 8 + 8 * half);
}

/* The piece on the i-th of those squares, from 0: its type, 0 to 5, plus 8 for the opponent's. */
static inline int record_piece(const record *entry, int i) {
    return entry->bytes[8 + i / 2] >> i % 2 * 4 & 15;
}

static inline int record_score(const record *entry) {
    return (int16_t)(uint16_t)(entry->bytes[24] | entry->bytes[25] << 8);
}

/* For the side to move: 0 lost, 1 drawn, 2 won, RESULT_UNKNOWN. */
static inline int record_result(const record *entry) {
    return entry->bytes[26];
}

static inline uint32_t record_game(const record *entry) {
    return entry->bytes[28] | (uint32_t)entry->bytes[29] << 8 | (uint32_t)entry->bytes[30] << 16 |
           (uint32_t)entry->bytes[31] << 24;
}

/* The number of pieces, kings included. */
static inline int record_piece_count(const record *entry) {
    return luft_popcount(record_occupied(entry));
}

/* A hash of the board alone: equal for records that differ in score, result or game. */
uint64_t record_key(const record *entry);

/* --- Making and checking ----------------------------------------------------- */

/* Packs a valid position. Clamps the score to 16 bits; `result` is for the side to move. */
void record_pack(record *entry, const luft_position *position, int score, int result, uint32_t game);

/*
 * Unpacks the position, always with White to move, without castling rights and en passant. False, with nothing
 * written, if the bytes are not a record or the position is not valid.
 */
bool record_unpack(luft_position *position, const record *entry);

/* --- Files ------------------------------------------------------------------- */

/* A file of records mapped into memory: `records[0]` … `records[header.count - 1]`. */
typedef struct record_file {
    const record *records;
    file_header header;
    void *mapping;
    size_t mapping_size;
} record_file;

/*
 * Opens a file and checks its header and its size, not its data. On failure false, and `reason` is a constant clause.
 */
bool record_file_open(record_file *file, const char *path, const char **reason);
void record_file_close(record_file *file);

/* Compares the data with the checksum. Reads the whole file. */
bool record_file_verify(const record_file *file);

/* Writes a file of records atomically. */
typedef struct record_writer {
    atomic_file file;
    file_header header;
    checksum data;
    bool failed;
} record_writer;

/*
 * `header` has the flags, nodes, signature and seed; count and checksums are computed. False if the file cannot be
 * created.
 */
bool record_writer_open(record_writer *writer, const char *path, const file_header *header);
void record_writer_add(record_writer *writer, const record *records, size_t count);

/* Completes and renames the file; false if anything failed, and then no file is left. */
bool record_writer_close(record_writer *writer);

/* Gives up and leaves no file. */
void record_writer_abandon(record_writer *writer);

#endif
