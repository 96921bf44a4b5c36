/* SPDX-License-Identifier: MIT */
/* Packs and unpacks records, and reads and writes files of them: mapped into memory, and replaced atomically. */
#define _POSIX_C_SOURCE 200809L

#include "records.h"

#include "util/input.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- One record -------------------------------------------------------------- */

uint64_t record_key(const record *entry) {
    return checksum_of(entry->bytes, RECORD_BOARD_SIZE);
}

void record_pack(record *entry, const luft_position *position, int score, int result, uint32_t game) {
    const luft_board *board = &position->board;
    const luft_color us = (luft_color)position->side_to_move;
    memset(entry, 0, sizeof *entry);
    int count = 0;
    /* From A8 = 0 to A1 = 0 the ranks are flipped, and flipped again for Black. */
    luft_bitboard rest = us == LUFT_WHITE ? luft_bitboard_flip(luft_occupied(board)) : luft_occupied(board);
    for (; rest && count < RECORD_PIECES_MAX; rest &= rest - 1, count++) {
        const int number = luft_lsb(rest);
        const luft_piece piece = luft_piece_at(board, (luft_square)(us == LUFT_WHITE ? number ^ 56 : number));
        const int nibble = luft_piece_type_of(piece) - LUFT_PAWN + (luft_piece_color(piece) == us ? 0 : 8);
        entry->bytes[number / 8] |= (uint8_t)(1 << number % 8);
        entry->bytes[8 + count / 2] |= (uint8_t)(nibble << count % 2 * 4);
    }
    const uint16_t bits = (uint16_t)(score < INT16_MIN ? INT16_MIN : score > INT16_MAX ? INT16_MAX : score);
    entry->bytes[24] = (uint8_t)bits;
    entry->bytes[25] = (uint8_t)(bits >> 8);
    entry->bytes[26] = (uint8_t)result;
    for (int i = 0; i < 4; i++) {
        entry->bytes[28 + i] = (uint8_t)(game >> 8 * i);
    }
}

static void put_piece(luft_board *board, luft_piece_type type, luft_color color, luft_bitboard bit) {
    board->color[color] |= bit;
    board->pawns |= type == LUFT_PAWN ? bit : 0;
    board->knights |= type == LUFT_KNIGHT ? bit : 0;
    board->diagonal |= type == LUFT_BISHOP || type == LUFT_QUEEN ? bit : 0;
    board->orthogonal |= type == LUFT_ROOK || type == LUFT_QUEEN ? bit : 0;
    board->kings |= type == LUFT_KING ? bit : 0;
}

bool record_unpack(luft_position *position, const record *entry) {
    const uint64_t occupied = record_occupied(entry);
    const int count = luft_popcount(occupied);
    if (count > RECORD_PIECES_MAX || record_result(entry) > RESULT_UNKNOWN || entry->bytes[27] != 0) {
        return false;
    }
    luft_position found = {.fullmove_number = 1, .side_to_move = LUFT_WHITE, .ep_square = LUFT_NO_SQUARE};
    int place = 0;
    for (uint64_t rest = occupied; rest; rest &= rest - 1, place++) {
        const int nibble = record_piece(entry, place);
        if ((nibble & 7) > LUFT_KING - LUFT_PAWN) {
            return false;
        }
        const luft_square square = luft_square_from_a1(luft_lsb(rest));
        put_piece(&found.board, (luft_piece_type)(LUFT_PAWN + (nibble & 7)), nibble & 8 ? LUFT_BLACK : LUFT_WHITE,
                  1ull << square);
    }
    for (; place < RECORD_PIECES_MAX; place++) {
        if (record_piece(entry, place) != 0) {
            return false;
        }
    }
    if (luft_position_compute_keys(&found) != LUFT_OK || luft_position_status(&found) != LUFT_STATUS_VALID) {
        return false;
    }
    *position = found;
    return true;
}

/* --- Reading files ----------------------------------------------------------- */

static bool map_file(record_file *file, int descriptor, const char **reason) {
    struct stat status;
    uint8_t bytes[FILE_HEADER_SIZE];
    if (fstat(descriptor, &status) != 0 || read(descriptor, bytes, sizeof bytes) != (ssize_t)sizeof bytes) {
        *reason = "it is too short";
        return false;
    }
    *reason = file_header_unpack(&file->header, bytes, FILE_KIND_RECORDS);
    if (*reason) {
        return false;
    }
    const uint64_t size = (uint64_t)status.st_size - FILE_HEADER_SIZE;
    if (size % RECORD_SIZE != 0 || size / RECORD_SIZE != file->header.count) {
        *reason = "it is truncated, or longer than its header says";
        return false;
    }
    file->mapping_size = (size_t)status.st_size;
    file->mapping = mmap(NULL, file->mapping_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (file->mapping == MAP_FAILED) {
        *reason = "it cannot be mapped into memory";
        return false;
    }
    file->records = (const record *)((const uint8_t *)file->mapping + FILE_HEADER_SIZE);
    return true;
}

bool record_file_open(record_file *file, const char *path, const char **reason) {
    *file = (record_file){0};
    const int descriptor = input_is_regular_file(path) ? open(path, O_RDONLY) : -1;
    if (descriptor < 0) {
        *reason = "it cannot be opened, or is not a regular file";
        return false;
    }
    const bool good = map_file(file, descriptor, reason);
    close(descriptor);
    if (!good) {
        *file = (record_file){0};
    }
    return good;
}

void record_file_close(record_file *file) {
    if (file->mapping) {
        munmap(file->mapping, file->mapping_size);
    }
    *file = (record_file){0};
}

bool record_file_verify(const record_file *file) {
    return checksum_of(file->records, (size_t)file->header.count * RECORD_SIZE) == file->header.data_checksum;
}

/* --- Writing files ----------------------------------------------------------- */

bool record_writer_open(record_writer *writer, const char *path, const file_header *header) {
    const uint8_t blank[FILE_HEADER_SIZE] = {0};
    *writer = (record_writer){.header = *header, .data = checksum_start()};
    writer->header.count = 0;
    if (!atomic_file_open(&writer->file, path)) {
        return false;
    }
    /* The header is written last, at the start of the file, which a pipe cannot do. */
    if (fseek(writer->file.stream, 0, SEEK_SET) != 0) {
        atomic_file_close(&writer->file, false);
        return false;
    }
    writer->failed = fwrite(blank, 1, sizeof blank, writer->file.stream) != sizeof blank;
    return true;
}

void record_writer_add(record_writer *writer, const record *records, size_t count) {
    checksum_add(&writer->data, records, count * RECORD_SIZE);
    writer->header.count += count;
    writer->failed |= fwrite(records, RECORD_SIZE, count, writer->file.stream) != count;
}

bool record_writer_close(record_writer *writer) {
    uint8_t bytes[FILE_HEADER_SIZE];
    writer->header.positions = writer->header.count;
    writer->header.data_checksum = checksum_end(&writer->data);
    file_header_pack(bytes, &writer->header);
    return atomic_file_close(&writer->file, !writer->failed && fseek(writer->file.stream, 0, SEEK_SET) == 0 &&
                                                fwrite(bytes, 1, sizeof bytes, writer->file.stream) == sizeof bytes);
}

void record_writer_abandon(record_writer *writer) {
    atomic_file_close(&writer->file, false);
}
